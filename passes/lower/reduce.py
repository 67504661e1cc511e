"""Lower reductions: within a thread, then within a warp, then across warps.

1. Registers that differ in the axis alone: halves of the vector are combined, bit after bit of the register's number.
2. Lanes that do: butterfly shuffles.
3. Warps that do: each warp stores what it has to shared memory, all wait, and each thread loads and combines what it
   needs of all warps.  Where those are many, each lane loads what one has found, and step 2 is repeated.

Ops: dialects/tt/reduce_ops.td    Test: test/lit/lower/reduce.mlir
"""

from collections.abc import Sequence

from mlir import ir

from ttkit.layout import LinearLayout
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.memory import bits_of
from ttkit.passes.lower.registry import lowers
from ttkit.passes.lower.shuffle import shuffle_xor
from ttkit.passes.lower.view import registers_at

MANY_WARPS = 16
"""From so many on a thread does not load what each warp has found: a lane loads one's, and lanes combine theirs."""


@lowers("tt.reduce")
def reduce(low: Lowering, op: ir.OpView, *values: ir.Value) -> list[ir.Value] | ir.Value:
    """result[j] = combine over i of src[..., i, ...]"""
    operation = op.operation
    axis = operation.attributes["axis"].value
    layout = low.layout(operation.operands[0])
    name = f"dim{axis}"
    combine = Combine(low, operation.regions[0])
    within, rest = bits_along(layout, "register", name)
    parts = list(values)
    for bit in reversed(within):
        parts = combine.halves(parts, bit, layout.bits_in("register"), within)
    layout = layout.with_columns("register", [layout.columns_of("register")[bit] for bit in rest])
    # Now the registers are those of `layout`.
    lanes, _ = bits_along(layout, "lane", name)
    for bit in lanes:
        parts = combine(parts, [shuffle_xor(low, part, 1 << bit) for part in parts])
    warps, _ = bits_along(layout, "warp", name)
    if bits_along(layout, "block", name)[0]:
        raise ValueError("the axis is spread over CTAs; choose num_ctas or a layout that keeps it in one")
    if warps:
        parts = across_warps(low, op, parts, layout, name, warps, combine)
    else:
        parts = [pick_result(low, op, i, part, layout, name) for i, part in enumerate(parts)]
    return parts if len(parts) > 1 else parts[0]


class Combine:
    """The region of a reduction, on vectors."""

    def __init__(self, low: Lowering, region: ir.Region) -> None:
        self.low, self.region = low, region

    def __call__(self, lhs: Sequence[ir.Value], rhs: Sequence[ir.Value]) -> list[ir.Value]:
        return self.low.inline_region(self.region, [*lhs, *rhs])

    def halves(self, values: list[ir.Value], bit: int, bits: int, reduced: Sequence[int]) -> list[ir.Value]:
        """Combines the registers that differ in a bit of their number; higher bits of `reduced` are gone already."""
        emit = self.low.emit
        left = [b for b in range(bits) if b not in reduced or b <= bit]
        position = left.index(bit)
        picks = [i for i in range(1 << len(left)) if not i >> position & 1]
        lhs = [emit.pick(value, picks) for value in values]
        rhs = [emit.pick(value, [i | 1 << position for i in picks]) for value in values]
        return self(lhs, rhs)


def bits_along(layout: LinearLayout, in_dim: str, out_dim: str) -> tuple[list[int], list[int]]:
    """The bits of an in-dim that move along `out_dim`, and the others.

    Raises ValueError if a bit moves along another dimension too.
    """
    mask = layout.mask([out_dim])
    along: list[int] = []
    others: list[int] = []
    for bit, column in enumerate(layout.columns_of(in_dim)):
        if column & mask and column & ~mask:
            raise ValueError("the layout mixes the axis with another dimension; convert it to a blocked one first")
        (along if column & mask else others).append(bit)
    return along, others


def pick_result(low: Lowering, op: ir.OpView, index: int, part: ir.Value, layout: LinearLayout, name: str) -> ir.Value:
    """The result's registers, given those of the operand's layout without the axis."""
    result = op.operation.results[index]
    if not isinstance(result.type, ir.RankedTensorType):
        return low.emit.extract(part, 0)
    target = low.layout(result)
    flat = layout.squeeze_out(name)
    return low.emit.pick(part, registers_at(LinearLayout(flat.ins, target.outs, flat.columns), target))


def across_warps(
    low: Lowering,
    op: ir.OpView,
    parts: Sequence[ir.Value],
    layout: LinearLayout,
    name: str,
    warps: Sequence[int],
    combine: Combine,
) -> list[ir.Value]:
    """Step 3.  Shared memory holds, for each element of the result, the partial results of all warps side by side."""
    emit = low.emit
    count = 1 << len(warps)
    # The number of a warp among those that share elements, and the element: together the place in memory.
    memory = layout.squeeze_out(name)
    shift = len(warps)
    places = LinearLayout(
        memory.ins, (("offset", memory.out_bits + shift),), tuple(column << shift for column in memory.columns)
    )
    warp_columns = list(places.columns_of("warp"))
    for position, bit in enumerate(warps):
        warp_columns[bit] |= 1 << position
    places = places.with_columns("warp", warp_columns)
    free = places.free_variable_masks()
    owner = low.is_first(free)
    needed = sum(count * bits_of(stored_type(low, part)) // 8 for part in parts) << memory.out_bits
    base = low.scratch_pointer(op, needed)
    bases: dict[int, ir.Value] = {}
    # Large elements first, so that each part is aligned to the vectors that are loaded from it.
    for index in sorted(range(len(parts)), key=lambda i: -bits_of(stored_type(low, parts[i]))):
        bases[index] = base
        store_all(low, base, parts[index], places, free.get("register", 0), owner)
        base = emit.gep(base, count << memory.out_bits, stored_type(low, parts[index]))
    low.barrier()
    if count >= MANY_WARPS and all(is_same_in_warp(low, result) for result in op.operation.results):
        totals = [load_one(low, op, i, bases[i], part, count) for i, part in enumerate(parts)]
        for bit in range(len(warps)):
            totals = combine(totals, [shuffle_xor(low, total, 1 << bit) for total in totals])
        return [low.from_registers(op.operation.results[index], total) for index, total in enumerate(totals)]
    loaded = [load_all(low, op, i, bases[i], part, memory, count) for i, part in enumerate(parts)]
    # by_warp[w][i]: what warp w found for the registers of result i.
    by_warp = [list(of_warp) for of_warp in zip(*loaded)]
    while len(by_warp) > 1:
        by_warp = [combine(lhs, rhs) for lhs, rhs in zip(by_warp[::2], by_warp[1::2])]
    return [low.from_registers(op.operation.results[index], total) for index, total in enumerate(by_warp[0])]


def stored_type(low: Lowering, vector: ir.Value) -> ir.Type:
    """What an element is stored as: a predicate as a byte."""
    element = vector.type.element_type
    return low.emit.i8 if element == low.emit.i1 else element


def store_all(
    low: Lowering, base: ir.Value, part: ir.Value, places: LinearLayout, copies: int, owner: ir.Value | None
) -> None:
    """Each register to its place; of copies only the first."""
    emit = low.emit
    type = stored_type(low, part)
    if type != part.type.element_type:
        part = emit.cast("zext", part, type)
    start = low.index.of_thread(places)
    offsets = places.values("register")
    for register, offset in enumerate(offsets):
        if register & copies:
            continue
        where = emit.xor(start, emit.i32_constant(offset)) if offset else start
        low.store_shared(emit.gep(base, where, type), emit.slice(part, register, 1), owner)


def is_same_in_warp(low: Lowering, result: ir.Value) -> bool:
    """Whether all lanes of a warp need the same elements of a result."""
    return not isinstance(result.type, ir.RankedTensorType) or not any(low.layout(result).columns_of("lane"))


def load_one(low: Lowering, op: ir.OpView, index: int, base: ir.Value, part: ir.Value, count: int) -> ir.Value:
    """For the result's registers what one of `count` warps has stored: lane i takes that of warp i modulo `count`."""
    emit = low.emit
    type, one = stored_type(low, part), emit.vector(1, stored_type(low, part))
    warp = emit.and_(low.index.lane(), emit.i32_constant(count - 1))
    found = []
    for element in low.element_places(op.operation.results[index]):
        place = emit.add(emit.mul(element, emit.i32_constant(count)), warp)
        found.append(low.load_shared(emit.gep(base, place, type), one))
    loaded = emit.concat(found)
    return emit.cast("trunc", loaded, part.type.element_type) if type != part.type.element_type else loaded


def load_all(
    low: Lowering, op: ir.OpView, index: int, base: ir.Value, part: ir.Value, memory: LinearLayout, count: int
) -> list[ir.Value]:
    """For each warp a vector of what it stored for the result's registers."""
    emit = low.emit
    type = stored_type(low, part)
    rows = []
    for element in low.element_places(op.operation.results[index]):
        where = emit.gep(base, emit.mul(element, emit.i32_constant(count)), type)
        rows.append(low.load_shared(where, emit.vector(count, type)))
    by_warp = []
    for warp in range(count):
        column = emit.pack([emit.extract(row, warp) for row in rows])
        by_warp.append(emit.cast("trunc", column, part.type.element_type) if type != part.type.element_type else column)
    return by_warp
