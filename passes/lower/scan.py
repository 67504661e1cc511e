"""Lower scans, such as cumulative sums: one doubling for each bit of the coordinate along the axis.

Before the step for bit b, each element has the scan of its block of 2**b elements.  In the step, the upper one of two
blocks takes what the last element of the lower one has: every element whose bit b is set combines it with its own.

    bit 0   1 2 3 4 5 6 7 8          a | a+b | c | c+d | e | e+f | g | g+h
    bit 1   the second pair takes a+b of the first: a, a+b, a+b+c, a+b+c+d | e, ...
    bit 2   the second four takes a+b+c+d

That last element is in another register, in another lane (a shuffle), in another warp (shared memory), or in another
CTA (its shared memory): wherever the layout has the bits of the axis (ttkit.layout.scanning).  A layout that mixes
them takes each step through shared memory, by coordinates.  A reversed scan takes the first element of the upper block
for the lower one.

Ops: dialects/tt/reduce_ops.td    Test: test/lit/lower/scan.mlir
"""

from collections.abc import Sequence

from mlir import ir

from ttkit.layout import LinearLayout
from ttkit.layout.holders import along_axis, holders, is_own
from ttkit.layout.scanning import AxisBit, Scan, plan_scan
from ttkit.passes.lower.cluster import all_ctas_meet, in_cta
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.reduce import Combine
from ttkit.passes.lower.registry import lowers
from ttkit.passes.lower.shuffle import shuffle_index
from ttkit.passes.lower.stored import from_stored, scratch_areas, to_stored
from ttkit.passes.lower.thread_index import linear_sum


@lowers("tt.scan")
def scan(low: Lowering, op: ir.OpView, *values: ir.Value) -> list[ir.Value] | ir.Value:
    """result[i] = combine over j <= i (reversed: j >= i) of src[j], along the axis"""
    operation = op.operation
    axis, reverse = op.axis, op.reverse
    layout = low.layout(operation.operands[0])
    plan = plan_scan(layout, axis)
    combine = Combine(low, operation.regions[0])
    parts = list(values)
    if plan.bits is None:
        parts = by_coordinates(low, op, parts, layout, plan, reverse, combine)
    else:
        for step, place in enumerate(plan.bits):
            fetched = fetch(low, op, parts, layout, plan.bits[:step], place, reverse)
            combined = combine(fetched, parts)
            parts = [chosen(low, place, reverse, new, old) for new, old in zip(combined, parts)]
    return parts if len(parts) > 1 else parts[0]


def by_coordinates(
    low: Lowering,
    op: ir.OpView,
    parts: list[ir.Value],
    layout: LinearLayout,
    plan: Scan,
    reverse: bool,
    combine: Combine,
) -> list[ir.Value]:
    """Every step through shared memory, where each element is at its packed coordinates."""
    emit = low.emit
    areas = scratch_areas(low, op, [to_stored(low, part) for part in parts], plan.stored_elements)
    own = low.index.packed_coordinates(layout)
    source = op.operation.operands[0]
    owner, copies = low.owns_in_cta(source), low.register_copies(source)
    axis = op.axis
    crosses_ctas = not is_own(holders(layout, along_axis(layout, axis, layout.outs)))
    holding = layout.pseudo_inverse().sublayout(layout.out_dims, ["block"])
    for step in range(plan.steps):
        bit, lower = 1 << plan.shift + step, (1 << step) - 1 << plan.shift
        set_bits, clear_bits = (bit, lower) if reverse else (lower, bit)
        neighbour = emit.and_(emit.or_(own, emit.constant(own.type, set_bits)), emit.constant(own.type, ~clear_bits))
        stored = [to_stored(low, part) for part in parts]
        if step and not crosses_ctas:
            low.barrier()  # The step before has used the same memory.
        for part, area in zip(stored, areas):
            for register, where in enumerate(emit.unpack(own)):
                if not register & copies:
                    pointer = emit.gep(area, where, part.type.element_type)
                    low.store_shared(pointer, emit.slice(part, register, 1), owner)
        if crosses_ctas:
            all_ctas_meet(low)
        else:
            low.barrier()
        fetched = []
        for part, before, area in zip(stored, parts, areas):
            type, one = part.type.element_type, emit.vector(1, part.type.element_type)
            loaded = []
            for where in emit.unpack(neighbour):
                base = in_cta(low, area, linear_sum(emit, [(where, holding.columns)])) if crosses_ctas else area
                loaded.append(low.load_shared(emit.gep(base, where, type), one))
            fetched.append(from_stored(low, emit.concat(loaded), before.type.element_type))
        if crosses_ctas:
            all_ctas_meet(low)
        is_set = emit.and_(own, emit.constant(own.type, bit))
        takes = emit.compare("eq" if reverse else "ne", is_set, emit.constant(own.type, 0))
        parts = [emit.select(takes, new, old) for new, old in zip(combine(fetched, parts), parts)]
    return parts


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
    low_blocks = sum(1 << b.bit for b in lower if b.in_dim == "block")
    own_block = 1 << place.bit if place.in_dim == "block" else 0
    set_lanes, clear_lanes = (own_lane, low_lanes) if reverse else (low_lanes, own_lane)
    if low_warps or own_warp or low_blocks or own_block:
        set_warps, clear_warps = (own_warp, low_warps) if reverse else (low_warps, own_warp)
        lane = moved(low, low.index.lane(), set_lanes, clear_lanes)
        warp = moved(low, low.index.warp(), set_warps, clear_warps)
        cta = None
        if low_blocks or own_block:
            set_blocks, clear_blocks = (own_block, low_blocks) if reverse else (low_blocks, own_block)
            cta = moved(low, low.index.block(), set_blocks, clear_blocks)
        if low_warps:
            low.barrier()  # The step before has used the same memory.
        found = through_memory(low, op, found, low_lanes, 0 if reverse else low_lanes, lane, warp, cta)
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
    cta: ir.Value | None,
) -> list[ir.Value]:
    """Read the parts held by `lane` of `warp`, in CTA `cta` if given, through shared memory.

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
    stored_parts = [to_stored(low, part) for part in parts]
    areas = scratch_areas(low, op, stored_parts, places)
    for stored, area in zip(stored_parts, areas):
        type = stored.type.element_type
        place = place_of(low, low.index.lane(), low.index.warp(), low_lanes, count)
        for register in range(count):
            where = emit.gep(emit.gep(area, place, type), register, type)
            low.store_shared(where, emit.slice(stored, register, 1), senders)
    if cta is None:
        low.barrier()
    else:
        all_ctas_meet(low)
        areas = [in_cta(low, area, cta) for area in areas]
    found = []
    for part, stored, area in zip(parts, stored_parts, areas):
        type = stored.type.element_type
        place = place_of(low, lane, warp, low_lanes, count)
        one = emit.vector(1, type)
        loaded = emit.pack(
            [
                emit.extract(low.load_shared(emit.gep(emit.gep(area, place, type), i, type), one), 0)
                for i in range(count)
            ]
        )
        found.append(from_stored(low, loaded, part.type.element_type))
    if cta is not None:
        all_ctas_meet(low)
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
    index = {"lane": low.index.lane, "warp": low.index.warp, "block": low.index.block}[place.in_dim]()
    bit = emit.and_(index, emit.i32_constant(1 << place.bit))
    return emit.select(emit.compare("eq" if reverse else "ne", bit, emit.i32_constant(0)), new, old)
