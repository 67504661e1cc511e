"""Which thread this is, and which coordinates its registers have: linear layouts as arithmetic."""

from collections.abc import Sequence

from mlir import ir

from ttkit.layout import LinearLayout
from ttkit.layout.product_operand import THREAD_DIMS
from ttkit.passes.layouts.thread_counts import Machine
from ttkit.passes.lower.emitter import Emitter


class ThreadIndex:
    """Indices of the current thread, each computed once, at `place`: at the end of a function's entry block.

    Args:
        emit: makes operations.
        machine: of the whole CTA, with the warps of partitions.
        warps: how many warps' threads are counted, from `first_warp` on.
    """

    def __init__(
        self, emit: Emitter, place: ir.InsertionPoint, machine: Machine, warps: int, first_warp: int = 0
    ) -> None:
        self.emit = emit
        self.first_warp, self.num_warps = first_warp, warps
        self.place = place
        self.total_warps, self.threads_per_warp, self.num_ctas = machine
        self.lane_bits = self.threads_per_warp.bit_length() - 1
        self._made: dict[object, ir.Value] = {}

    def once(self, key: object, make: object) -> ir.Value:
        """Value that `make()` builds at the start of the function, built once per key."""
        found = self._made.get(key)
        if found is None:
            emit = self.emit
            outside, emit.place = emit.place, self.place
            found = self._made[key] = make()  # type: ignore[operator]
            emit.place = outside
        return found

    def thread(self) -> ir.Value:
        """i32, the thread in its CTA, or in its partition of specialized warps."""
        return self.once("thread", self._thread)

    def _thread(self) -> ir.Value:
        # By the mask LLVM knows how large the number is where it is not told (`Module.optimize`): conditions of loads
        # that always hold go away.
        emit = self.emit
        thread = emit.op("nvvm.read.ptx.sreg.tid.x", emit.i32)
        if self.first_warp % self.num_warps:
            thread = emit.sub(thread, emit.i32_constant(self.first_warp * self.threads_per_warp))
        return emit.and_(thread, emit.i32_constant(self.num_warps * self.threads_per_warp - 1))

    def lane(self) -> ir.Value:
        """i32, the thread in its warp."""
        emit, thread = self.emit, self.thread()
        if self.num_warps == 1:
            return thread
        return self.once("lane", lambda: emit.and_(thread, emit.i32_constant(self.threads_per_warp - 1)))

    def has_bit(self, bit: int) -> ir.Value:
        """i1: whether the bit of the lane's number is 1."""

        def made() -> ir.Value:
            """The bit, compared with 0."""
            emit = self.emit
            return emit.compare("ne", emit.and_(self.lane(), emit.i32_constant(1 << bit)), emit.i32_constant(0))

        return self.once(("lane has bit", bit), made)

    def warp(self) -> ir.Value:
        """i32, the warp in its CTA."""
        emit, thread = self.emit, self.thread()
        if self.num_warps == 1:
            return emit.i32_constant(0)
        return self.once("warp", lambda: emit.same("llvm.udiv", thread, emit.i32_constant(self.threads_per_warp)))

    def block(self) -> ir.Value:
        """i32, the CTA in its cluster."""
        if self.num_ctas == 1:
            return self.emit.i32_constant(0)
        return self.once("block", lambda: self.emit.op("nvg.cluster_id", self.emit.i32))

    def of_thread(self, layout: LinearLayout) -> ir.Value:
        """i32, the packed coordinates of register 0 of this thread."""
        columns = {dim: layout.columns_of(dim) for dim in ("lane", "warp", "block")}
        if any(columns["lane"]) and any(columns["warp"]) and len(columns["lane"]) == self.lane_bits:
            # One number for both: bits that move alike on either side take one shift.
            terms = [(self.thread, (*columns["lane"], *columns["warp"])), (self.block, columns["block"])]
        else:
            terms = [(self.lane, columns["lane"]), (self.warp, columns["warp"]), (self.block, columns["block"])]
        used = [(index, moved) for index, moved in terms if any(moved)]
        if not used:
            return self.emit.i32_constant(0)
        key = ("of_thread", *columns.values())
        return self.once(key, lambda: linear_sum(self.emit, [(index(), moved) for index, moved in used]))

    def coordinates(self, layout: LinearLayout) -> list[ir.Value]:
        """For each dimension of a tensor a vector of i32: the coordinates of this thread's registers."""
        return [self.coordinate(layout, dim) for dim in layout.out_dims]

    def packed_coordinates(self, layout: LinearLayout) -> ir.Value:
        """A vector of i32: the packed coordinates of this thread's registers, the first dimension lowest."""
        packed = LinearLayout(layout.ins, (("element", layout.out_bits),), layout.columns)
        return registers_of(self.emit, self.of_thread(packed), packed)

    def coordinate(self, layout: LinearLayout, out_dim: str) -> ir.Value:
        """A vector of i32: the coordinates of this thread's registers along one dimension."""
        part = layout.sublayout(layout.in_dims, [out_dim])
        return self.once(("coordinate", part), lambda: registers_of(self.emit, self.of_thread(part), part))


def registers_of(emit: Emitter, base: ir.Value, layout: LinearLayout) -> ir.Value:
    """A vector of i32: the packed outputs of all registers, given that of register 0 of this thread."""
    values = layout.values("register")
    vector = emit.splat(base, len(values))
    if not any(values):
        return vector
    steps = emit.constant(vector.type, values)
    threads = 0
    for dim in layout.in_dims:
        if dim != "register":
            threads |= all_bits(layout.columns_of(dim))
    disjoint = not threads & all_bits(layout.columns_of("register"))
    return emit.or_disjoint(vector, steps) if disjoint else emit.xor(vector, steps)


def all_bits(columns: Sequence[int]) -> int:
    """The bits that are set in any of the columns."""
    bits = 0
    for column in columns:
        bits |= column
    return bits


def bits_of_thread(places: LinearLayout) -> int:
    """The bits of a place that depend on the thread, its warp or CTA."""
    return all_bits([column for dim in THREAD_DIMS for column in places.columns_of(dim)])


def address_at(
    emit: Emitter, base: ir.Value, start: ir.Value, offset: int, mixed: int, element: ir.Type, at_once: bool = False
) -> ir.Value:
    """The address of element `start ^ offset`, counted from `base`.

    mixed: bits that `start` may have: those take a xor, the others are a sum, which folds into the instruction.
    at_once: whether `base` is added to all of that, not to `start` first.
    """
    place, rest = emit.flip(start, offset & mixed), offset & ~mixed
    if at_once and rest:
        return emit.gep(base, emit.or_disjoint(place, emit.i32_constant(rest)), element)
    return emit.gep(emit.gep(base, place, element), rest, element)


def linear_sum(emit: Emitter, terms: Sequence[tuple[ir.Value, Sequence[int]]]) -> ir.Value:
    """i32, the XOR of columns[i] over the set bits i of each index.

    Runs of bits that move alike, such as 1 -> 4, 2 -> 8, 4 -> 16, take one mask and one shift together.
    """
    pieces: list[tuple[ir.Value, int]] = []
    for index, columns in terms:
        for mask, shift in _runs(columns):
            part = index if mask == (1 << len(columns)) - 1 else emit.and_(index, emit.i32_constant(mask))
            pieces.append((emit.shl(part, shift) if shift > 0 else emit.lshr(part, -shift) if shift else part,
                           mask << shift if shift > 0 else mask >> -shift))  # fmt: skip
    if not pieces:
        return emit.i32_constant(0)
    total, bits = pieces[0]
    for part, its_bits in pieces[1:]:
        total = emit.xor(total, part) if bits & its_bits else emit.or_disjoint(total, part)
        bits |= its_bits
    return total


def _runs(columns: Sequence[int]) -> list[tuple[int, int]]:
    """Masks of input bits and how far they shift left: together the linear map with these columns."""
    by_shift: dict[int, int] = {}
    for bit, column in enumerate(columns):
        while column:
            low = column & -column
            shift = low.bit_length() - 1 - bit
            by_shift[shift] = by_shift.get(shift, 0) | 1 << bit
            column ^= low
    return [(mask, shift) for shift, mask in by_shift.items()]
