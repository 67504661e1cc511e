"""Lower scans, such as cumulative sums: one doubling for each bit of the coordinate along the axis.

Before the step for bit b, each element has the scan of its block of 2**b elements.  In the step, the upper one of two
blocks takes what the last element of the lower one has: every element whose bit b is set combines it with its own.

    bit 0   1 2 3 4 5 6 7 8          a | a+b | c | c+d | e | e+f | g | g+h
    bit 1   the second pair takes a+b of the first: a, a+b, a+b+c, a+b+c+d | e, ...
    bit 2   the second four takes a+b+c+d

That last element is in another register, in another lane (a shuffle), or in another warp (shared memory): wherever the
layout has the bits of the axis.  A reversed scan takes the first element of the upper block for the lower one.

Ops: dialects/tt/reduce_ops.td    Test: test/lit/lower/scan.mlir
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mlir import ir

from ttkit.layout import LinearLayout
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.memory import bits_of
from ttkit.passes.lower.reduce import Combine, bits_along, stored_type
from ttkit.passes.lower.registry import lowers
from ttkit.passes.lower.shuffle import shuffle_index
from ttkit.passes.lower.thread_index import linear_sum


@dataclass(frozen=True)
class AxisBit:
    """Where one bit of the coordinate along the axis is in the layout."""

    in_dim: str
    bit: int


@lowers("tt.scan")
def scan(low: Lowering, op: ir.OpView, *values: ir.Value) -> list[ir.Value] | ir.Value:
    """result[i] = combine over j <= i (reversed: j >= i) of src[j], along the axis"""
    operation = op.operation
    axis, reverse = operation.attributes["axis"].value, operation.attributes["reverse"].value
    layout = low.layout(operation.operands[0])
    bits = axis_bits(layout, f"dim{axis}")
    combine = Combine(low, operation.regions[0])
    parts = list(values)
    for step, place in enumerate(bits):
        fetched = fetch(low, op, parts, layout, bits[:step], place, reverse)
        combined = combine(fetched, parts)
        parts = [chosen(low, place, reverse, new, old) for new, old in zip(combined, parts)]
    return parts if len(parts) > 1 else parts[0]


def axis_bits(layout: LinearLayout, name: str) -> list[AxisBit]:
    """For each bit of the coordinate along dimension `name`, lowest first, where it is.

    Raises ValueError if it is mixed with others.
    """
    shift = 0
    for dim, bits in layout.outs:
        if dim == name:
            break
        shift += bits
    found: dict[int, AxisBit] = {}
    for in_dim in ("register", "lane", "warp", "block"):
        for bit in bits_along(layout, in_dim, name)[0]:
            column = layout.columns_of(in_dim)[bit] >> shift
            position = column.bit_length() - 1
            if column != 1 << position or position in found or in_dim == "block":
                raise ValueError("the layout mixes bits of the axis; convert it to a blocked one first")
            found[position] = AxisBit(in_dim, bit)
    return [found[position] for position in range(len(found))]


def fetch(
    low: Lowering,
    op: ir.OpView,
    parts: Sequence[ir.Value],
    layout: LinearLayout,
    lower: Sequence[AxisBit],
    place: AxisBit,
    reverse: bool,
) -> list[ir.Value]:
    """For each register what the element next to its block has: lower bits set and bit `place` clear, or reversed."""
    emit = low.emit
    registers = layout.in_size("register")
    low_registers = sum(1 << b.bit for b in lower if b.in_dim == "register")
    own_register = 1 << place.bit if place.in_dim == "register" else 0
    set_bits, clear_bits = (own_register, low_registers) if reverse else (low_registers, own_register)
    picks = [(register | set_bits) & ~clear_bits for register in range(registers)]
    distinct = sorted(set(picks))
    found = [emit.pick(part, distinct) for part in parts]
    low_lanes = sum(1 << b.bit for b in lower if b.in_dim == "lane")
    own_lane = 1 << place.bit if place.in_dim == "lane" else 0
    low_warps = sum(1 << b.bit for b in lower if b.in_dim == "warp")
    own_warp = 1 << place.bit if place.in_dim == "warp" else 0
    set_lanes, clear_lanes = (own_lane, low_lanes) if reverse else (low_lanes, own_lane)
    if low_warps or own_warp:
        set_warps, clear_warps = (own_warp, low_warps) if reverse else (low_warps, own_warp)
        lane = moved(low, low.index.lane(), set_lanes, clear_lanes)
        warp = moved(low, low.index.warp(), set_warps, clear_warps)
        if low_warps:
            low.barrier()  # The step before has used the same memory.
        found = through_memory(low, op, found, low_lanes, 0 if reverse else low_lanes, lane, warp)
    elif set_lanes or clear_lanes:
        lane = moved(low, low.index.lane(), set_lanes, clear_lanes)
        found = [shuffle_index(low, part, lane) for part in found]
    where = [distinct.index(pick) for pick in picks]
    return [emit.pick(part, where) for part in found]


def through_memory(
    low: Lowering,
    op: ir.OpView,
    parts: Sequence[ir.Value],
    low_lanes: int,
    sending: int,
    lane: ir.Value,
    warp: ir.Value,
) -> list[ir.Value]:
    """What `lane` of `warp` has, by way of shared memory.

    Of the lanes that differ in the bits `low_lanes` only those are asked in which these bits are `sending`: they store.
    """
    emit = low.emit
    count = parts[0].type.shape[0]
    senders = None
    if low_lanes:
        own = emit.and_(low.index.lane(), emit.i32_constant(low_lanes))
        senders = emit.compare("eq", own, emit.i32_constant(sending))
    lanes = low.threads_per_warp >> low_lanes.bit_count()
    places = count * lanes * low.num_warps
    base = low.scratch_pointer(op, sum(places * bits_of(stored_type(low, part)) // 8 for part in parts))
    pointers = []
    for part in parts:
        type = stored_type(low, part)
        pointers.append(base)
        place = place_of(low, low.index.lane(), low.index.warp(), low_lanes, count)
        stored = part if type == part.type.element_type else emit.cast("zext", part, type)
        for register in range(count):
            where = emit.gep(emit.gep(base, place, type), register, type)
            low.store_shared(where, emit.slice(stored, register, 1), senders)
        base = emit.gep(base, places, type)
    low.barrier()
    found = []
    for part, pointer in zip(parts, pointers):
        type = stored_type(low, part)
        place = place_of(low, lane, warp, low_lanes, count)
        one = emit.vector(1, type)
        loaded = emit.pack(
            [
                emit.extract(low.load_shared(emit.gep(emit.gep(pointer, place, type), i, type), one), 0)
                for i in range(count)
            ]
        )
        found.append(loaded if type == part.type.element_type else emit.cast("trunc", loaded, part.type.element_type))
    return found


def place_of(low: Lowering, lane: ir.Value, warp: ir.Value, low_lanes: int, count: int) -> ir.Value:
    """i32, where the `count` registers of a lane begin: lanes without their bits `low_lanes`, then warps."""
    kept = [bit for bit in range(low.threads_per_warp.bit_length() - 1) if not low_lanes >> bit & 1]
    lanes = [0] * (low.threads_per_warp.bit_length() - 1)
    for position, bit in enumerate(kept):
        lanes[bit] = 1 << position
    warps = [1 << len(kept) + bit for bit in range(low.num_warps.bit_length() - 1)]
    number = linear_sum(low.emit, [(lane, lanes), (warp, warps)])
    return low.emit.mul(number, low.emit.i32_constant(count))


def moved(low: Lowering, index: ir.Value, set_bits: int, clear_bits: int) -> ir.Value:
    """An index with some bits set and some cleared."""
    emit = low.emit
    if set_bits:
        index = emit.or_(index, emit.i32_constant(set_bits))
    return emit.and_(index, emit.i32_constant(~clear_bits)) if clear_bits else index


def chosen(low: Lowering, place: AxisBit, reverse: bool, new: ir.Value, old: ir.Value) -> ir.Value:
    """`new` where bit `place` is set (or clear, reversed), else `old`."""
    emit = low.emit
    count = new.type.shape[0]
    if place.in_dim == "register":
        takes = [bool(register >> place.bit & 1) != reverse for register in range(count)]
        return emit.shuffle(old, new, [register + count * take for register, take in enumerate(takes)])
    index = low.index.lane() if place.in_dim == "lane" else low.index.warp()
    bit = emit.and_(index, emit.i32_constant(1 << place.bit))
    return emit.select(emit.compare("eq" if reverse else "ne", bit, emit.i32_constant(0)), new, old)
