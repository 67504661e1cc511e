"""Start copies for the next iteration after the first wgmmas, in loops that wait for all copies.

    scf.for %i {                                            scf.for %i {
      ttg.async_wait {num = 0}                                ttg.async_wait {num = 0}
      %s = ttng.warp_group_dot %q, %k[i] {isAsync}            %s = ttng.warp_group_dot %q, %k[i] {isAsync}
      %w = ttng.warp_group_dot_wait %s {pendings = 0}         %c = ttg.local_load %bias
      %c = ttg.local_load %bias                               %w = ttng.warp_group_dot_wait %s {pendings = 0}
      %p = softmax(%w, %c)                            =>      ttg.local_barrier
      %o = ttng.warp_group_dot %p, %v[i], %sum {isAsync}      ttg.async_copy_global_to_local %ks, %k[i + 1]; commit
      ttg.async_copy_global_to_local %ks, %k[i + 1]; commit   ttg.async_copy_global_to_local %vs, %v[i + 1]; commit
      ttg.async_copy_global_to_local %vs, %v[i + 1]; commit   %p = softmax(%w, %c)
    }                                                         %o = ttng.warp_group_dot %p, %v[i], %sum {isAsync}
                                                            }

The pipeliner puts copies, also those by TMA, at the end of an iteration, as Triton's does.  With two stages, the next
iteration then begins with a wait for copies that have just started.  After a wait for all wgmmas, those of the previous
iteration have read the buffers that the copies overwrite.  If the copies overwrite small tensors that this iteration
reads later, the pass moves these reads before that wait.

`ttkit.tuning.passes.START_COPIES_EARLY` has the gain.

Input:  ttg.      Output: ttg.
Order:  late, after loops are pipelined and while they are scf.for.
Skips:  loops whose copies have an iteration or more: they stay in flight at waits, or buffers have more than two slots;
        loops without wgmmas to wait for; loops with a copy that must stay, since it overwrites data that is read later
        or its address is loaded; loops that write what a copy reads, or memory that is not known.
Test:   test/lit/passes/start_copies_early.mlir
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mlir import ir

from ttkit.analysis.global_accesses import GlobalAccesses
from ttkit.dialects import ttg
from ttkit.inspection import address_of, collect
from ttkit.operation_sets import (
    ASYNC_COMMIT,
    ASYNC_COPY,
    ASYNC_WAIT,
    COPIES_TO_SHARED,
    FENCE,
    MEMDESC_VIEWS,
    WGMMA_WAIT,
)
from ttkit.passes.infra import Pass
from ttkit.passes.infra.buffers_and_barriers import is_buffer, may_write_global
from ttkit.passes.infra.constants import constant_splat
from ttkit.passes.infra.loops import body_of, body_operations, initial_value, yielded
from ttkit.passes.infra.nesting import ancestor_in
from ttkit.passes.infra.rewriting import defining_name, is_pure
from ttkit.passes.infra.slices import backward_slice
from ttkit.passes.infra.value_flow import viewed
from ttkit.passes.layouts.register_pressure import registers_of_type
from ttkit.records import dataclass
from ttkit.tuning.passes import EARLY_REGISTERS, EARLY_SLOTS

COPIES = (*COPIES_TO_SHARED, ASYNC_COMMIT, "ttng.barrier_expect")
ORDERING_OTHERS = (ASYNC_WAIT, FENCE, "ttng.async_tma_store_wait")
"""Operations that order accesses to shared memory and other copies."""
LOAD, INDEX = "ttg.local_load", "ttg.memdesc_index"


class StartCopiesEarly(Pass):
    """Start copies for the next iteration after its first wgmmas"""

    name = "ttkit-start-copies-early"
    dependent_dialects = ("ttg",)
    takes_pointers_apart = "copies start before what an iteration stores"

    def run(self, op: ir.Operation) -> None:
        """Moves the copies of each loop that waits for all of them."""
        for loop in collect(op, ["scf.for"]):
            moves = moves_of(loop)
            if moves is not None:
                moves.apply()


@dataclass(frozen=True)
class Moves:
    """Operations to move, in order: `loads` before `wait`, `copies` after it, with the operations they depend on."""

    wait: ir.Operation
    loads: list[ir.Operation]
    copies: list[ir.Operation]

    def apply(self) -> None:
        """Moves the operations, and adds a barrier before the copies: all warps have read the overwritten buffers."""
        for op in self.loads:
            op.move_before(self.wait)
        barrier = ttg.local_barrier(loc=self.wait.location, ip=ir.InsertionPoint.after(self.wait)).operation
        for op in reversed(self.copies):
            op.move_after(barrier)


def moves_of(loop: ir.Operation) -> Moves | None:
    """The moves in a loop; None if some copy can't move, or if there is no gain."""
    ops = body_operations(loop)
    wait = next((op for op in ops if op.name == WGMMA_WAIT and op.attributes["pendings"].value == 0), None)
    copies = [op for op in ops if op.name in COPIES]
    async_waits = [op for op in ops if op.name == ASYNC_WAIT]
    if wait is None or any(op.attributes["num"].value for op in async_waits):
        return None
    later = ops[ops.index(wait) + 1 :]
    if async_waits and all(op in later for op in async_waits):  # the first wgmmas hide these copies' latency
        copies = [op for op in copies if op.name not in (ASYNC_COPY, ASYNC_COMMIT)]
    if not copies:
        return None
    targets = list(dict.fromkeys(value for op in copies for value in op.operands if is_buffer(value)))
    slots = [slot_of(target, loop) for target in targets]
    if any(op not in later for op in copies) or any(slot is not None and slot.count > EARLY_SLOTS for slot in slots):
        return None
    readers = (op for target, slot in zip(targets, slots) for op in overwritten(target, slot, later, loop))
    loads = list(dict.fromkeys(readers))
    if any(op.name != LOAD for op in loads) or registers_of(loads) > EARLY_REGISTERS:
        return None
    if may_change_what_is_copied([op for op in later if op.name not in COPIES], copies):
        return None
    before = with_sources(loads, later)
    later_ones = [op for op in with_sources(copies, later) if op not in before]
    if not all(is_pure(op) for op in (*before, *later_ones) if op not in loads and op not in copies):
        return None
    return Moves(wait, before, later_ones)


def may_change_what_is_copied(ops: list[ir.Operation], copies: list[ir.Operation]) -> bool:
    """Whether operations may write the global memory that copies read, or may write memory that is not known."""
    accesses = GlobalAccesses()
    copied = [accesses.touched(op) for op in copies]
    for op in ops:
        if op.name in ORDERING_OTHERS or not may_write_global(op):
            continue
        touched = accesses.touched_in(op)
        if not touched.written or any(touched.conflicts_with(one) for one in copied):
            return True
    return False


def registers_of(loads: Iterable[ir.Operation]) -> int:
    """The number of registers of a thread for the loaded tensors."""
    return sum(registers_of_type(op.result.type) for op in loads)


def with_sources(chosen: list[ir.Operation], ops: list[ir.Operation]) -> list[ir.Operation]:
    """Operations with those of `ops` on which they depend, in order."""
    inside = {address_of(op) for op in ops}
    found = {address_of(op) for op in chosen}
    for op in chosen:
        found |= {address_of(source) for source in backward_slice(op, lambda source: address_of(source) in inside)}
    return [op for op in ops if address_of(op) in found]


# --- Overwritten buffers ----------------------------------------------------------------------------------------------
def overwritten(
    target: ir.Value, written: Slot | None, later: list[ir.Operation], loop: ir.Operation
) -> Iterator[ir.Operation]:
    """The later operations of an iteration that may use memory that a copy of the same iteration overwrites."""
    for view, user in uses_of(viewed(target)):
        place = ancestor_in(body_of(loop), user)
        if place is None or place not in later or place.name in COPIES:
            continue
        read = slot_of(view, loop)
        if written is None or read is None or not differ(written, read):
            yield place


def uses_of(buffer: ir.Value) -> Iterator[tuple[ir.Value, ir.Operation]]:
    """Users of a buffer or of its views, each with the view."""
    waiting = [buffer]
    while waiting:
        value = waiting.pop()
        for use in value.uses:
            user = use.owner.operation
            if user.name in MEMDESC_VIEWS:
                waiting += user.results
            else:
                yield value, user


@dataclass(frozen=True)
class Slot:
    """The buffer slot of iteration i: (first + i) modulo count."""

    first: int
    count: int


def differ(a: Slot, b: Slot) -> bool:
    """Whether two buffer slots differ in each iteration."""
    return a.count == b.count and (a.first - b.first) % a.count != 0


def slot_of(view: ir.Value, loop: ir.Operation) -> Slot | None:
    """The buffer slot of a view, if its number grows by one in each iteration of a loop."""
    view = viewed(view, {*MEMDESC_VIEWS} - {INDEX})
    return counted(view.owner.index, loop) if defining_name(view) == INDEX else None


def counted(number: ir.Value, loop: ir.Operation) -> Slot | None:
    """The slot for `arith.select(before + 1 >= count, 0, before + 1)` of a carried number, the pipeliner's form."""
    if defining_name(number) != "arith.select":
        return None
    ends, zero, following = number.owner.operands
    if defining_name(ends) != "arith.cmpi" or defining_name(following) != "arith.addi":
        return None
    (before, one), (compared, limit) = following.owner.operands, ends.owner.operands
    carried = list(body_of(loop).arguments)[1:]
    if before not in carried or compared != following:
        return None
    place = carried.index(before)
    first, count = constant_splat(initial_value(loop, place)), constant_splat(limit)
    goes_on = yielded(body_of(loop), place) == number
    if not goes_on or (constant_splat(zero), constant_splat(one)) != (0, 1) or first is None or not count:
        return None
    return Slot(int(first) + 1, int(count))
