"""Lower reductions: within a thread, then within a warp, then across warps.

`ttkit.layout.reduction` says which registers, lanes and warps combine what they have.

1. Registers: those that differ along the axis are combined, one after another: a product and its sum become one FMA
   each, and few registers are in use.
2. Lanes: butterfly shuffles, far lanes first; lanes with several totals divide them, if the operation commutes.  Or one
   instruction, where all lanes of the warp combine integers by a known operation.
3. Warps: each warp stores what it has to shared memory, all wait, and each thread loads and combines what it needs of
   all warps.  Where that is much, each thread combines its share, and all exchange what they found once more.  Where
   warps are many, and there is one result, each lane loads what one has found, and step 2 is repeated.
4. CTAs of a cluster: as in step 3, but each thread loads from all of them.  All combine in the same order.

The order of all steps is Triton's, so that sums are rounded as there.

Ops: dialects/tt/reduce_ops.td    Test: test/lit/lower/reduce.mlir
"""

from collections.abc import Sequence

from mlir import ir

from ttkit.layout import LinearLayout
from ttkit.layout.holders import holders
from ttkit.layout.reduction import Reduction, divided, packed_elements, plan_reduction, shares
from ttkit.passes.lower.cluster import in_cta, synchronize_ctas
from ttkit.passes.lower.layout import distinct_registers, exchange_together, expanded_registers, moves_at_once
from ttkit.passes.lower.lowering import Body, Lowering
from ttkit.passes.lower.registry import lowers
from ttkit.passes.lower.shuffle import ALL_LANES, shuffle_xor
from ttkit.passes.lower.stored import from_stored, scratch_areas, stored_type, to_stored
from ttkit.passes.lower.view import registers_at
from ttkit.tuning.lowering import (
    DIVIDED_TOTALS,
    LEAST_RETURNED,
    LEAST_STORED,
    MANY_TOTALS,
    MANY_WARPS,
    SHARED_REDUCTIONS,
)

# What redux.sync knows -> its name, and how smaller integers become 32 bits.
REDUX = {
    "arith.addi": ("add", "zext"),
    "arith.andi": ("and", "zext"),
    "arith.ori": ("or", "zext"),
    "arith.xori": ("xor", "zext"),
    "arith.maxsi": ("max", "sext"),
    "arith.minsi": ("min", "sext"),
    "arith.maxui": ("umax", "zext"),
    "arith.minui": ("umin", "zext"),
}
# The order of their two values does not matter.
COMMUTING = (
    *REDUX,
    *("arith.addf", "arith.mulf", "arith.muli", "arith.maxnumf", "arith.minnumf", "arith.maximumf", "arith.minimumf"),
)


@lowers("tt.reduce")
def reduce(low: Lowering, op: ir.OpView, *values: ir.Value) -> list[ir.Value] | ir.Value:
    """result[j] = combine over i of src[..., i, ...]"""
    operation = op.operation
    plan = plan_reduction(low.layout(op.srcs[0]), op.axis)
    combine = Combine(low, operation.regions[0])
    parts = in_registers(low, values, plan, combine)
    kind = single_instruction(low, operation.regions[0], parts, plan)
    if kind is not None:
        parts = [in_one_instruction(low, parts[0], kind)]
    else:
        if only_operation(operation.regions[0]) in COMMUTING and DIVIDED_TOTALS.on:
            plan = divided(plan, LEAST_STORED, LEAST_RETURNED)
        parts = across_lanes(low, parts, plan, combine)
    if plan.slots > 1:
        parts = across_warps(low, op, parts, plan, combine)
    else:
        parts = [pick_result(low, result, part, plan.kept) for result, part in zip(op.operation.results, parts)]
    return parts if len(parts) > 1 else parts[0]


def single_instruction(
    low: Lowering, region: ir.Region, parts: Sequence[ir.Value], plan: Reduction
) -> tuple[str, str] | None:
    """Operation of redux.sync that equals an integer region, and the cast to 32 bits; None if there is none."""
    if not low.target.has_warp_sums or len(parts) > 1:
        return None
    element = parts[0].type.element_type
    if not isinstance(element, ir.IntegerType) or element.width > 32:
        return None
    if any(step.published != plan.registers for step in plan.butterflies):
        return None
    if {step.mask for step in plan.butterflies} != {1 << bit for bit in range(low.index.lane_bits)}:
        return None
    return REDUX.get(only_operation(region))


def only_operation(region: ir.Region) -> str:
    """The name of the one operation that combines a region's two values; empty where a region does more, or else."""
    operations = [op.operation for op in region.blocks[0].operations]
    if len(operations) != 2 or set(operations[0].operands) != set(region.blocks[0].arguments):
        return ""
    return operations[0].name if list(operations[1].operands) == list(operations[0].results) else ""


def in_one_instruction(low: Lowering, part: ir.Value, kind: tuple[str, str]) -> ir.Value:
    """The registers, each combined over all lanes of the warp."""
    emit, element = low.emit, part.type.element_type
    name, widen = kind
    wide = part if element == emit.i32 else emit.cast(widen, part, emit.i32)
    found = []
    for register in emit.unpack(wide):
        combined = emit.intrinsic(f"llvm.nvvm.redux.sync.{name}", emit.i32, register, emit.i32_constant(ALL_LANES))
        found.append(combined)
    total = emit.pack(found)
    return total if element == emit.i32 else emit.cast("trunc", total, element)


class Combine:
    """The region of a reduction or scan, on vectors."""

    def __init__(self, low: Lowering, region: ir.Region) -> None:
        self.low, self.body = low, Body.of(region)

    def __call__(self, lhs: Sequence[ir.Value], rhs: Sequence[ir.Value]) -> list[ir.Value]:
        return self.low.inline_body(self.body, [*lhs, *rhs])


def in_registers(low: Lowering, values: Sequence[ir.Value], plan: Reduction, combine: Combine) -> list[ir.Value]:
    """Step 1: for each of the plan's registers those that differ along the axis.

    A single float is computed as a scalar: LLVM walks all of a vector at each element that is taken from it.  Integers
    stay in vectors, since LLVM takes longer for long sums of single ones, which it sorts.
    """
    emit, (first, *others) = low.emit, list(zip(*plan.combined))
    is_single = len(first) == 1 and all(isinstance(value.type.element_type, ir.FloatType) for value in values)

    def taken(registers: Sequence[int]) -> list[ir.Value]:
        """These registers of each value."""
        return [emit.extract(value, *registers) if is_single else emit.pick(value, registers) for value in values]

    totals = taken(first)
    for registers in others:
        totals = combine(totals, taken(registers))
    return [emit.pack([total]) for total in totals] if is_single else totals


def across_lanes(low: Lowering, parts: list[ir.Value], plan: Reduction, combine: Combine) -> list[ir.Value]:
    """Step 2.  Lanes that divided their totals have all of them again, unless shared memory is next."""
    emit = low.emit
    for published, mask, divides in plan.butterflies:
        if divides is None:
            picks = [plan.registers.index(register) for register in published]
            parts = combine(parts, [shuffle_xor(low, emit.pick(part, picks), mask) for part in parts])
            continue
        half, second = len(published) // 2, low.index.has_bit(divides)
        halves = [(emit.slice(part, 0, half), emit.slice(part, half, half)) for part in parts]
        sent = [shuffle_xor(low, emit.select(second, *pair), mask) for pair in halves]
        parts = combine([emit.select(second, *reversed(pair)) for pair in halves], sent)
    if plan.slots == 1:
        for _, mask, divides in reversed(plan.butterflies):
            if divides is not None:
                second = low.index.has_bit(divides)
                pairs = [(part, shuffle_xor(low, part, mask)) for part in parts]
                in_order = [(emit.select(second, *reversed(pair)), emit.select(second, *pair)) for pair in pairs]
                parts = [emit.concat(pair) for pair in in_order]
    return parts


def pick_result(low: Lowering, result: ir.Value, part: ir.Value, kept: LinearLayout) -> ir.Value:
    """The result's registers, given those of the operand's layout without the axis."""
    if not isinstance(result.type, ir.RankedTensorType):
        return low.emit.extract(part, 0)
    target = low.layout(result)
    return low.emit.pick(part, registers_at(LinearLayout(kept.ins, target.outs, kept.columns), target))


def across_warps(
    low: Lowering, op: ir.OpView, parts: Sequence[ir.Value], plan: Reduction, combine: Combine
) -> list[ir.Value]:
    """Steps 3 and 4.  Shared memory holds, for each element of the result, what all warps have found side by side."""
    results, count = op.operation.results, plan.slots
    stored = [to_stored(low, part) for part in parts]
    bases = scratch_areas(low, op, stored, plan.stored_elements)
    elements = [part.type.element_type for part in parts]
    free = plan.places.free_variable_masks() | {"block": 0}  # each CTA has memory of its own
    if plan.slots_of_cta == count and all(isinstance(result.type, ir.RankedTensorType) for result in results):
        return exchanged(low, op, stored, bases, plan, combine, low.owners.is_first(free | {"register": 0}))
    owner = low.owners.is_first(free)
    for part, base in zip(stored, bases):
        store_all(low, base, part, plan.places, free.get("register", 0), owner)
    if plan.slots_of_cta < count:
        by_warp = across_ctas(low, op, bases, elements, plan)
        return combined(low, op, by_warp, combine)
    low.warps.synchronize()
    if count >= MANY_WARPS and SHARED_REDUCTIONS.on:
        totals = [load_one(low, *each, count) for each in zip(results, bases, elements, strict=True)]
        for bit in reversed(range(count.bit_length() - 1)):
            totals = combine(totals, [shuffle_xor(low, total, 1 << bit) for total in totals])
        return [low.elements.result(results[index], total) for index, total in enumerate(totals)]
    loaded = [load_all(low, *each, count) for each in zip(results, bases, elements, strict=True)]
    return combined(low, op, [list(of_warp) for of_warp in zip(*loaded)], combine)


def exchanged(
    low: Lowering,
    op: ir.OpView,
    stored: Sequence[ir.Value],
    bases: Sequence[ir.Value],
    plan: Reduction,
    combine: Combine,
    owner: ir.Value | None,
) -> list[ir.Value]:
    """Step 3 for tensors, as a conversion: from what each warp has to what all have, in registers of each thread.

    Where that is much, each thread combines its share of the elements first, and then they go to all.
    """
    emit, (result, *_) = low.emit, op.operation.results
    target = packed_elements(low.layout(result))
    held = target
    if len(distinct_registers(target)) * plan.slots >= MANY_TOTALS and SHARED_REDUCTIONS.on:
        held = shares(target)
    loaded = plan.with_slots(held)
    by_warp: list[list[ir.Value]] = [[] for _ in range(plan.slots)]
    moves = moves_at_once(bases, stored, plan.places, loaded)
    for operand, part in zip(op.operation.operands, exchange_together(low, moves, plan.places, loaded, owner)):
        found = from_stored(low, part, low.element_type(operand))
        count = found.type.shape[0] // plan.slots
        for warp in range(plan.slots):
            by_warp[warp].append(emit.slice(found, warp * count, count))
    totals = totals_of(by_warp, combine)
    if held is not target:
        low.warps.synchronize()
        owner = low.owners.is_first(held.free_variable_masks() | {"block": 0})
        moves = moves_at_once(bases, [to_stored(low, total) for total in totals], held, target)
        wholes = exchange_together(low, moves, held, target, owner)
        totals = [from_stored(low, whole, total.type.element_type) for whole, total in zip(wholes, totals)]
    return [emit.pick(total, expanded_registers(target)) for total in totals]


def combined(low: Lowering, op: ir.OpView, by_warp: list[list[ir.Value]], combine: Combine) -> list[ir.Value]:
    """The results, given by_warp[w][i]: what warp w found for the elements of result i."""
    totals = totals_of(by_warp, combine)
    return [low.elements.result(result, total) for result, total in zip(op.operation.results, totals, strict=True)]


def totals_of(by_warp: list[list[ir.Value]], combine: Combine) -> list[ir.Value]:
    """The findings of all warps, combined."""
    while len(by_warp) > 1:
        half = len(by_warp) // 2
        by_warp = [combine(lhs, rhs) for lhs, rhs in zip(by_warp[:half], by_warp[half:])]
    return by_warp[0]


def across_ctas(
    low: Lowering, op: ir.OpView, bases: Sequence[ir.Value], elements: Sequence[ir.Type], plan: Reduction
) -> list[list[ir.Value]]:
    """For each warp of all CTAs what it has stored for the registers of each result."""
    emit, results = low.emit, list(op.operation.results)
    owners = holders(plan.places, wanted_slots(low, results[0], plan))
    thread_cta, registers = low.index.of_thread(owners), owners.values("register")
    made: dict[tuple[int, int], ir.Value] = {}

    def base_in(index: int, step: int) -> ir.Value:
        """The address of buffer `index` in the CTA whose number differs by the bits of `step`."""
        if (index, step) not in made:
            cta = emit.flip(thread_cta, step)
            made[index, step] = in_cta(low, bases[index], cta)
        return made[index, step]

    synchronize_ctas(low)
    by_warp: list[list[ir.Value]] = []
    for slot in range(0, plan.slots, plan.slots_of_cta):
        moved = owners.values("slot")[slot]
        loaded = []
        for index, (result, element) in enumerate(zip(results, elements, strict=True)):
            type, rows = stored_type(low, element), []
            for number, register in zip(low.owners.element_places(result), registers, strict=True):
                place = emit.add(emit.mul(number, emit.i32_constant(plan.slots)), emit.i32_constant(slot))
                where = emit.gep(base_in(index, moved ^ register), place, type)
                rows.append(low.shared.load(where, emit.vector(plan.slots_of_cta, type)))
            columns = (emit.pack([emit.extract(row, warp) for row in rows]) for warp in range(plan.slots_of_cta))
            loaded.append([from_stored(low, column, element) for column in columns])
        by_warp += [list(of_warp) for of_warp in zip(*loaded)]
    synchronize_ctas(low)
    return by_warp


def wanted_slots(low: Lowering, result: ir.Value, plan: Reduction) -> LinearLayout:
    """register, lane, warp, block of a result, and slot -> offset, as in plan.places."""
    bits = plan.slots.bit_length() - 1
    slots = LinearLayout((("slot", bits),), plan.places.outs, tuple(1 << bit for bit in range(bits)))
    if not isinstance(result.type, ir.RankedTensorType):
        whole = tuple((dim, 0 if dim == "register" else plan.places.bits_in(dim)) for dim in plan.places.in_dims)
        columns = (0,) * sum(size for _, size in whole)
        return LinearLayout(whole, plan.places.outs, columns).concat_ins(slots)
    layout = low.layout(result)
    elements = tuple(column << bits for column in layout.columns)
    return LinearLayout(layout.ins, plan.places.outs, elements).concat_ins(slots)


def store_all(
    low: Lowering, base: ir.Value, part: ir.Value, places: LinearLayout, copies: int, owner: ir.Value | None
) -> None:
    """Each register to its place; of copies only the first."""
    emit = low.emit
    start = low.index.of_thread(places)
    for register, offset in enumerate(places.values("register")):
        if register & copies:
            continue
        where = emit.flip(start, offset)
        low.shared.store(emit.gep(base, where, part.type.element_type), emit.slice(part, register, 1), owner)


def load_one(low: Lowering, result: ir.Value, base: ir.Value, element: ir.Type, count: int) -> ir.Value:
    """For the result's registers what one of `count` warps has stored: lane i takes that of warp i modulo `count`."""
    emit, type = low.emit, stored_type(low, element)
    warp = emit.and_(low.index.lane(), emit.i32_constant(count - 1))
    found = []
    for number in low.owners.element_places(result):
        place = emit.add(emit.mul(number, emit.i32_constant(count)), warp)
        found.append(low.shared.load(emit.gep(base, place, type), emit.vector(1, type)))
    return from_stored(low, emit.concat(found), element)


def load_all(low: Lowering, result: ir.Value, base: ir.Value, element: ir.Type, count: int) -> list[ir.Value]:
    """For each warp a vector of what it stored for the result's registers."""
    emit, type = low.emit, stored_type(low, element)
    rows = []
    for number in low.owners.element_places(result):
        where = emit.gep(base, emit.mul(number, emit.i32_constant(count)), type)
        rows.append(low.shared.load(where, emit.vector(count, type)))
    columns = (emit.pack([emit.extract(row, warp) for row in rows]) for warp in range(count))
    return [from_stored(low, column, element) for column in columns]
