"""Lower scans, such as cumulative sums: one doubling for each bit of the coordinate along the axis.

Before the step for bit b, each element has the scan of its block of 2**b elements.  In the step, each element of the
upper one of two blocks, which has bit b set, combines its value with that of the last element of the lower block.

    bit 0   1 2 3 4 5 6 7 8          a | a+b | c | c+d | e | e+f | g | g+h
    bit 1   the second pair takes a+b of the first: a, a+b, a+b+c, a+b+c+d | e, ...
    bit 2   the second four takes a+b+c+d

While the blocks are in one warp, that last element is in another register or in another lane (a shuffle).  Where a
thread has several elements of a block before the first step over lanes, the steps over lanes are for its last one
alone; then all its elements are combined once, with the scan that the lane before has.  After these steps each warp
stores the totals of its blocks in shared memory, and all warps synchronize once.  Each thread then
combines its values with the totals of all blocks before its own, one after another.  Many totals are scanned in the
same way as elements: each lane loads a few, and a thread fetches what comes before its own blocks from other lanes.
If a layout mixes the bits of the axis, or spreads it over CTAs, each step goes through shared memory, by coordinates
(ttkit.layout.scanning).  In a reversed scan the lower block takes the first element of the upper one.

Ops: dialects/tt/reduce_ops.td    Test: test/lit/lower/scan.mlir
"""

from collections.abc import Sequence

from mlir import ir

from ttkit.analysis.scan_totals import scanned_by_lanes
from ttkit.layout import LinearLayout, gf2
from ttkit.layout.holders import along_axis, holders, is_own
from ttkit.layout.scanning import AxisBit, Blocks, Scan, lanes_at_once, plan_scan
from ttkit.passes.lower.cluster import in_cta, stored_by_all
from ttkit.passes.lower.layout import exchange_together, expanded_registers, moves_at_once
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.reduce import Combine
from ttkit.passes.lower.registry import lowers
from ttkit.passes.lower.shuffle import choose, shuffle_index
from ttkit.passes.lower.stored import from_stored, load_each, scratch_areas, store_each, to_stored
from ttkit.passes.lower.thread_index import linear_sum
from ttkit.records import dataclass


@lowers("tt.scan")
def scan(low: Lowering, op: ir.OpView, *values: ir.Value) -> list[ir.Value] | ir.Value:
    """result[i] = combine over j <= i (reversed: j >= i) of src[j], along the axis"""
    operation = op.operation
    axis, reverse = op.axis, op.reverse
    layout = low.layout(op.srcs[0])
    if axis == len(layout.outs):  # an axis of one element
        return list(values) if len(values) > 1 else values[0]
    plan = plan_scan(layout, axis)
    combine = Combine(low, operation.regions[0])
    parts = list(values)
    if plan.bits is None:
        parts = by_coordinates(low, op, parts, layout, plan, reverse, combine)
    else:
        run = lanes_at_once(plan.bits)
        parts = by_bits(low, parts, plan.bits[: run.start], 0, reverse, combine)
        if run:
            parts = by_lanes(low, parts, plan.bits, run, reverse, combine)
        parts = by_bits(low, parts, plan.bits, run.stop, reverse, combine)
        if plan.blocks is not None:
            parts = BlockScan(low, op, parts, plan.blocks, reverse, combine).results()
    return parts if len(parts) > 1 else parts[0]


def by_bits(
    low: Lowering, parts: list[ir.Value], bits: Sequence[AxisBit], first: int, reverse: bool, combine: Combine
) -> list[ir.Value]:
    """The steps from step `first` on, each for all elements of a thread."""
    for step in range(first, len(bits)):
        fetched = fetch(low, parts, bits[:step], bits[step], reverse)
        combined = combine(fetched, parts)
        parts = [chosen(low, bits[step], reverse, new, old) for new, old in zip(combined, parts)]
    return parts


def by_lanes(
    low: Lowering, parts: list[ir.Value], bits: Sequence[AxisBit], run: range, reverse: bool, combine: Combine
) -> list[ir.Value]:
    """The steps `run` over lanes, for the last element of a thread's block; then each element takes what is before."""
    emit, registers = low.emit, range(parts[0].type.shape[0])
    low_registers = sum(1 << place.bit for place in bits[: run.start])
    last = [register & ~low_registers if reverse else register | low_registers for register in registers]
    distinct = sorted(set(last))
    totals = [emit.pick(part, distinct) for part in parts]
    totals = by_bits(low, totals, bits[run.start : run.stop], 0, reverse, combine)
    where = [distinct.index(register) for register in last]
    moved_totals, is_first = from_lane_before(low, totals, sum(1 << bits[step].bit for step in run), reverse)
    before = [emit.pick(total, where) for total in moved_totals]
    return [emit.select(is_first, old, new) for old, new in zip(parts, combine(before, parts))]


def from_lane_before(
    low: Lowering, parts: Sequence[ir.Value], mask: int, reverse: bool
) -> tuple[list[ir.Value], ir.Value]:
    """The parts of the lane before, among those whose numbers differ in the bits of `mask`; whether this is the first.

    The first lane takes what the last one has.  Reversed, the lane after is the one before.
    """
    emit, lane = low.emit, low.index.lane()
    own = emit.and_(lane, emit.i32_constant(mask))
    if reverse:
        following = emit.add(emit.or_(lane, emit.i32_constant(~mask)), emit.i32_constant(1))
    else:
        following = emit.sub(own, emit.i32_constant(1))
    neighbour = emit.or_(emit.and_(following, emit.i32_constant(mask)), emit.and_(lane, emit.i32_constant(~mask)))
    is_first = emit.compare("eq", own, emit.i32_constant(mask if reverse else 0))
    return [shuffle_index(low, part, neighbour) for part in parts], is_first


def by_coordinates(
    low: Lowering,
    op: ir.OpView,
    parts: list[ir.Value],
    layout: LinearLayout,
    plan: Scan,
    reverse: bool,
    combine: Combine,
) -> list[ir.Value]:
    """The scan with every step through shared memory, where each element is at its packed coordinates."""
    emit = low.emit
    areas = scratch_areas(low, op, [to_stored(low, part) for part in parts], plan.stored_elements)
    own = low.index.packed_coordinates(layout)
    source = op.srcs[0]
    owner, copies = low.owners.owns_in_cta(source), low.owners.register_copies(source)
    axis = op.axis
    crosses_ctas = not is_own(holders(layout, along_axis(layout, axis, layout.outs)))
    holding = layout.pseudo_inverse().sublayout(layout.out_dims, ["block"])
    for step in range(plan.steps):
        bit, lower = 1 << plan.shift + step, (1 << step) - 1 << plan.shift
        set_bits, clear_bits = (bit, lower) if reverse else (lower, bit)
        neighbour = emit.and_(emit.or_(own, emit.constant(own.type, set_bits)), emit.constant(own.type, ~clear_bits))
        stored = [to_stored(low, part) for part in parts]
        if step and not crosses_ctas:
            low.warps.synchronize()  # The step before has used the same memory.
        for part, area in zip(stored, areas):
            store_each(low, area, emit.unpack(own), part, owner, copies)
        fetched = []
        with stored_by_all(low, crosses_ctas):
            for part, before, area in zip(stored, parts, areas):
                places = emit.unpack(neighbour)
                bases = [area] * len(places)
                if crosses_ctas:
                    bases = [in_cta(low, area, linear_sum(emit, [(where, holding.columns)])) for where in places]
                loaded = load_each(low, bases, places, part.type.element_type)
                fetched.append(from_stored(low, loaded, before.type.element_type))
        is_set = emit.and_(own, emit.constant(own.type, bit))
        takes = emit.compare("eq" if reverse else "ne", is_set, emit.constant(own.type, 0))
        parts = [emit.select(takes, new, old) for new, old in zip(combine(fetched, parts), parts)]
    return parts


def fetch(
    low: Lowering, parts: Sequence[ir.Value], lower: Sequence[AxisBit], place: AxisBit, reverse: bool
) -> list[ir.Value]:
    """For each register the element next to its block: lower bits set and bit `place` clear, or reversed."""
    emit = low.emit
    registers = parts[0].type.shape[0]
    low_registers = sum(1 << b.bit for b in lower if b.in_dim == "register")
    own_register = 1 << place.bit if place.in_dim == "register" else 0
    set_bits, clear_bits = (own_register, low_registers) if reverse else (low_registers, own_register)
    picks = [(register | set_bits) & ~clear_bits for register in range(registers)]
    distinct = sorted(set(picks))
    found = [emit.pick(part, distinct) for part in parts]
    low_lanes = sum(1 << b.bit for b in lower if b.in_dim == "lane")
    own_lane = 1 << place.bit if place.in_dim == "lane" else 0
    set_lanes, clear_lanes = (own_lane, low_lanes) if reverse else (low_lanes, own_lane)
    if set_lanes or clear_lanes:
        lane = moved(low, low.index.lane(), set_lanes, clear_lanes)
        found = [shuffle_index(low, part, lane) for part in found]
    where = [distinct.index(pick) for pick in picks]
    return [emit.pick(part, where) for part in found]


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
    bit = emit.and_(low.index.lane(), emit.i32_constant(1 << place.bit))
    return emit.select(emit.compare("eq" if reverse else "ne", bit, emit.i32_constant(0)), new, old)


# --- Totals of blocks -------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class BlockScan:
    """The scan of all blocks from those of each.

    Attributes:
        parts: of each operand, the elements of a thread with the scan of their own block.
    """

    low: Lowering
    op: ir.OpView
    parts: list[ir.Value]
    blocks: Blocks
    reverse: bool
    combine: Combine

    def results(self) -> list[ir.Value]:
        """Every element combined with the blocks before its own."""
        low, emit, blocks, reverse = self.low, self.low.emit, self.blocks, self.reverse
        registers = range(self.parts[0].type.shape[0])
        numbers = sorted({blocks.number("register", register) for register in registers})
        before = self.before_by_lanes if scanned_by_lanes(blocks) else self.before_by_threads
        choices = before(numbers)
        width = choices[0][0].type.shape[0]
        elements = expanded_registers(blocks.source.with_columns("register", without_numbers(blocks)))
        picks = [numbers.index(blocks.number("register", r)) * width + elements[r] for r in registers]
        ahead = [emit.pick(emit.concat([choice[n] for choice in choices]), picks) for n in range(len(self.parts))]
        first = numbers[-1] if reverse else numbers[0]
        firsts = [register for register in registers if blocks.number("register", register) == first]
        mask = blocks.mask("warp")
        own = emit.and_(low.index.warp(), emit.i32_constant(mask))
        is_first = emit.compare("eq", own, emit.i32_constant(mask if reverse else 0))
        results = []
        for old, new in zip(self.parts, self.combine(ahead, self.parts)):
            kept = emit.select(is_first, emit.pick(old, firsts), emit.pick(new, firsts))
            found = dict(zip(firsts, emit.unpack(kept)))
            results.append(emit.pack([found.get(r, value) for r, value in enumerate(emit.unpack(new))]))
        return results

    def before_by_threads(self, numbers: Sequence[int]) -> list[list[ir.Value]]:
        """For each of a thread's blocks the total before it, of each operand: the thread combines all totals.

        Args:
            numbers: of a thread's blocks, without the bits that its warp decides.
        """
        emit, blocks = self.low.emit, self.blocks
        order = list(range(blocks.count))[:: -1 if self.reverse else 1]
        loaded = self.totals(blocks.target)
        count = loaded[0].type.shape[0] // blocks.count
        totals = [[emit.slice(part, number * count, count) for part in loaded] for number in range(blocks.count)]
        before: dict[int, list[ir.Value]] = {}
        so_far = totals[order[0]]
        for number in order[1:]:
            before[number] = so_far
            if number != order[-1]:
                so_far = self.combine(so_far, totals[number])
        mask = blocks.mask("warp")
        own = emit.and_(self.low.index.warp(), emit.i32_constant(mask))
        warps = gf2.all_values([1 << bit for bit in range(mask.bit_length()) if mask >> bit & 1])

        def chosen_before(number: int) -> list[ir.Value]:
            """The total before the thread's own block, which has the number `number` in its registers."""
            found: list[ir.Value] | None = None
            for warp in warps:
                choice = before.get(number | blocks.number("warp", warp))
                if choice is None:
                    continue  # the first block of all: nothing comes before it
                if found is None:
                    found = choice
                    continue
                is_own = emit.compare("eq", own, emit.i32_constant(warp))
                found = [emit.select(is_own, new, old) for new, old in zip(choice, found)]
            assert found is not None
            return found

        return [chosen_before(number) for number in numbers]

    def before_by_lanes(self, numbers: Sequence[int]) -> list[list[ir.Value]]:
        """The same, but the lanes of a warp scan the totals together, and a thread fetches what it needs from them."""
        low, emit, blocks = self.low, self.low.emit, self.blocks
        layout, bits = blocks.over_lanes()
        lanes = [place.bit for place in bits if place.in_dim == "lane"]
        mask, groups = sum(1 << bit for bit in lanes), 1 << len(bits) - len(lanes)
        totals = by_bits(low, self.totals(layout), bits, 0, self.reverse, self.combine)
        moved_totals, is_first = from_lane_before(low, totals, mask, self.reverse)
        held = totals[0].type.shape[0]
        width = held // groups
        turned = [(place + (width if self.reverse else -width)) % held for place in range(held)]
        before = [emit.select(is_first, emit.pick(total, turned), total) for total in moved_totals]

        def lane_of(number: int) -> int:
            """The lane of a block, in a warp that has no other lanes."""
            return sum(1 << lane for bit, lane in enumerate(lanes) if number >> bit & 1)

        of_warp = [blocks.number("warp", 1 << bit) for bit in range(blocks.source.bits_in("warp"))]
        warp = low.index.warp()
        others = emit.and_(low.index.lane(), emit.i32_constant(~mask))
        own_lane = emit.or_(others, linear_sum(emit, [(warp, [lane_of(number) for number in of_warp])]))
        deciding = [1 << bit for bit, number in enumerate(of_warp) if number >> len(lanes)]
        own_group = emit.and_(warp, emit.i32_constant(sum(deciding)))

        def total_before(number: int, part: ir.Value) -> ir.Value:
            """The total of an operand before the thread's own block, which has the number `number` in its registers."""
            places = ((w, (number | blocks.number("warp", w)) >> len(lanes)) for w in gf2.all_values(deciding))
            source = choose(low, own_group, ((w, emit.slice(part, group * width, width)) for w, group in places))
            return shuffle_index(low, source, emit.or_(own_lane, emit.i32_constant(lane_of(number))))

        return [[total_before(number, part) for part in before] for number in numbers]

    def totals(self, target: LinearLayout) -> list[ir.Value]:
        """The last elements of all blocks' scans, for each operand, as `target` distributes them."""
        low, emit, blocks, source = self.low, self.low.emit, self.blocks, self.blocks.source
        registers = range(self.parts[0].type.shape[0])
        last = [r & ~blocks.registers if self.reverse else r | blocks.registers for r in registers]
        free = source.free_variable_masks() | {"block": 0}
        free["lane"] &= ~blocks.lanes
        sends = low.owners.is_first(free)
        if blocks.lanes:
            lanes = emit.and_(low.index.lane(), emit.i32_constant(blocks.lanes))
            has_last = emit.compare("eq", lanes, emit.i32_constant(0 if self.reverse else blocks.lanes))
            sends = has_last if sends is None else emit.and_(sends, has_last)
        stored = [to_stored(low, emit.pick(part, last)) for part in self.parts]
        areas = scratch_areas(low, self.op, stored, source.out_size("offset"))
        loaded = exchange_together(low, moves_at_once(areas, stored, source, target), source, target, sends)
        return [from_stored(low, total, part.type.element_type) for total, part in zip(loaded, self.parts)]


def without_numbers(blocks: Blocks) -> list[int]:
    """The register columns of `blocks.source` without those that number blocks."""
    mask = blocks.mask("register")
    columns = blocks.source.columns_of("register")
    return [0 if mask >> bit & 1 else column for bit, column in enumerate(columns)]
