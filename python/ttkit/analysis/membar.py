"""Places of barriers between threads that access the same shared memory: Triton 3.6's rules.

A barrier is needed between two accesses to the same bytes if one of them writes.  The analysis follows control flow
with the pending accesses: those without a barrier after them.  It puts a barrier before each operation that collides
with a pending access.  Operations with scratch memory write it, then read it, with a barrier of their own in between.
A wait for asynchronous copies makes them visible only to the waiting thread, so a barrier follows it.  A call counts as
a write to all memory of the function, and leaves the accesses without a barrier after them that the function leaves.

Code is cut into *segments* of straight-line code, which end where control flow branches or enters a region.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import field
from typing import Any

from mlir import ir

from ttkit.analysis.allocation import Allocation, Buffer, ModuleAllocation
from ttkit.analysis.dot_attributes import memory_operands
from ttkit.analysis.liveness import Interval
from ttkit.analysis.pending_accesses import EVERYWHERE, Filter, Pending
from ttkit.analysis.scratch_sizes import linear
from ttkit.analysis.signals import is_answered, signals
from ttkit.inspection import memory_effects
from ttkit.layout import LinearLayout
from ttkit.layout.holders import stays_in_cta
from ttkit.operation_sets import (
    ARRIVE_BARRIER,
    ASYNC_WAIT,
    BLOCK_BARRIERS,
    CFG_BRANCHES,
    CONVERT_LAYOUT,
    LOOPS,
    TMEM_STORE,
    WAIT_BARRIER,
    WGMMA,
    WGMMA_WAIT,
)
from ttkit.records import dataclass

BARRIERS = (*BLOCK_BARRIERS, "ttng.wait_barrier_named")
SYNCHRONIZING = (*BARRIERS, TMEM_STORE, "ttng.tensormap_fenceproxy_acquire")
"""Operations that synchronize all warps: barriers, and operations whose lowering ends in one."""
WAITS = (ASYNC_WAIT, "ttng.async_tma_store_wait")
ALWAYS_MATTERS = frozenset({*SYNCHRONIZING, *WAITS, "tt.call", "tt.dot", ARRIVE_BARRIER, WGMMA_WAIT})

Step = tuple[ir.Operation, str]
"""An operation and its name, which the bindings make anew each time that they are asked."""


@dataclass(eq=False)
class Segment:
    """Straight-line code: the operations with accesses or barriers, and the segments after it."""

    steps: list[Step]
    end: Any
    """The terminator, or the operation with regions."""


@dataclass
class Barriers:
    """Operations of a function that need a barrier before or after them."""

    before: set[ir.Operation] = field(default_factory=set)
    after: set[ir.Operation] = field(default_factory=set)


def needed_barriers(
    allocation: ModuleAllocation, can_skip: Filter | None = None, keeps_phases: bool = False
) -> list[tuple[ir.Operation, bool]]:
    """The operations that need a barrier before them (False) or after them (True), function by function.

    Args:
        keeps_phases: whether a barrier follows a wait for an mbarrier if one of several warps may end the next phase
            before the others have waited.  Triton 3.6 adds none there.
    """
    summaries: dict[str, Pending] = {}
    found: list[tuple[ir.Operation, bool]] = []
    for name, function in allocation.functions.items():
        analysis = FunctionAnalysis(function, summaries, can_skip, keeps_phases)
        summaries[name] = analysis.run()
        found += [(op, False) for op in analysis.barriers.before]
        found += [(op, True) for op in analysis.barriers.after]
    return found


class FunctionAnalysis:
    """The pending accesses through one function.

    allocation: the buffers of the function.
    summaries: name of a called function -> the accesses that it leaves pending.
    """

    def __init__(
        self,
        allocation: Allocation,
        summaries: dict[str, Pending],
        can_skip: Filter | None,
        keeps_phases: bool = False,
    ) -> None:
        self.allocation = allocation
        self.summaries = summaries
        self.can_skip = can_skip
        self.keeps_phases = keeps_phases
        self.barriers = Barriers()
        self._effects: dict[ir.Operation, Pending] = {}
        self._ended: dict[ir.Operation, tuple[list[Interval], bool]] = {}
        self._waits: dict[frozenset[ir.Operation], bool] = {}
        self._after: dict[Segment, list[Segment]] = {}
        self._learnings = 0  # what steps know beside the pending accesses: it grows with each new fact
        # The pending accesses at the start of a block, and after an operation with regions.
        self._entries: dict[ir.Block, Segment] = {}
        self._resumed: dict[ir.Operation, Segment] = {}
        self._roots: list[Segment] = []
        self._followed_by_barrier: set[ir.Operation] = set()
        self._touching = self._operations_on_descriptors()
        self._cut(allocation.function)

    def run(self) -> Pending:
        """Finds the barriers; returns the accesses that are pending at the function's return."""
        inputs: dict[Segment, Pending] = {segment: Pending() for segment in self._roots}
        outputs: dict[Segment, Pending] = {}
        followed: dict[Segment, int] = {}  # with their inputs of now, and after how many other facts
        waiting = deque(self._roots)
        while waiting:
            segment = waiting.popleft()
            if followed.get(segment) == self._learnings:
                continue
            followed[segment] = self._learnings
            pending = inputs[segment].copy()
            for op, name in segment.steps:
                self._step(op, name, pending)
            self._leave(segment.end, pending)
            known = outputs.get(segment)
            if known is not None and known.is_same(pending):
                continue
            outputs[segment] = pending
            if segment not in self._after:
                self._after[segment] = list(self._successors(segment.end))
            for successor in self._after[segment]:
                if successor not in inputs:
                    inputs[successor] = pending.copy()
                elif inputs[successor].add(pending):
                    followed.pop(successor, None)
                waiting.append(successor)
        result = Pending()
        for segment, pending in outputs.items():
            if segment.end.operation.name == "tt.return":
                result.add(pending)
        return result

    # --- segments ---

    def _cut(self, holder: Any) -> None:
        for region in holder.regions:
            for index, block in enumerate(region.blocks):
                entry = self._cut_block(block)
                self._entries[block] = entry
                if index == 0 and not branches_into_regions(holder):
                    self._roots.append(entry)

    def _cut_block(self, block: ir.Block) -> Segment:
        entry: Segment | None = None
        steps: list[Step] = []
        resumed: Any = None
        views = list(block.operations)
        operations = [view.operation for view in views]
        names = [op.name for op in operations]
        for view, op, name, following in zip(views, operations, names, [*names[1:], None]):
            has_regions = len(op.regions) > 0
            if following is not None and not (has_regions and branches_into_regions(op)):
                if self._matters(op, name):
                    steps.append((op, name))
                    if following in BARRIERS:
                        self._followed_by_barrier.add(op)
            else:
                segment = Segment(steps, view)
                if resumed is None:
                    entry = segment
                else:
                    self._resumed[resumed] = segment
                steps, resumed = [], op
            if has_regions:
                self._cut(op)
        if entry is None:
            raise ValueError(f"a block of '{block.owner.operation.name}' has no terminator")
        return entry

    def _operations_on_descriptors(self) -> set[ir.Operation]:
        aliases = self.allocation.aliases.of
        touching = {use.owner.operation for value in aliases for use in value.uses}
        return touching | {value.owner.operation for value in self.allocation.of_value}

    def _matters(self, op: ir.Operation, name: str) -> bool:
        return name in ALWAYS_MATTERS or op in self._touching or op in self.allocation.of_op

    def _successors(self, end: Any) -> Iterator[Segment]:
        name = end.operation.name
        if name in CFG_BRANCHES:
            yield from (self._entries[block] for block in end.successors)
        elif branches_into_regions(end):
            if name == "ttg.warp_specialize" or name == "scf.while":
                yield self._entries[end.regions[0].blocks[0]]
                return
            yield from (self._entries[region.blocks[0]] for region in end.regions if len(region.blocks))
            if name in ("scf.for", "ttg.mask") or any(not len(region.blocks) for region in end.regions):
                yield self._resumed[end.operation]
        elif name in ("scf.yield", "scf.condition", "ttg.warp_yield", "ttg.mask.return"):
            parent = end.operation.parent.operation
            if name == "scf.condition":
                yield self._entries[parent.regions[1].blocks[0]]
            elif parent.name in LOOPS:
                yield self._entries[parent.regions[0].blocks[0]]
            if not (parent.name == "scf.while" and name == "scf.yield"):
                yield self._resumed[parent]

    # --- one operation ---

    def _leave(self, end: Any, pending: Pending) -> None:
        """Handles the end of a segment; barriers need nothing there."""

    def _step(self, op: ir.Operation, name: str, pending: Pending) -> None:
        if name in SYNCHRONIZING:
            pending.clear()
            return
        if name in WAITS and op not in self._followed_by_barrier:
            self.barriers.after.add(op)
            pending.clear()
            return
        if op in self.barriers.before:
            pending.clear()
        effects = self._effects_of(op)
        scratch = self.allocation.of_op.get(op) if name != "tt.call" else None
        if scratch is None:
            if pending.collides(self._touched(op, effects), self.can_skip) or self._may_outrun(op, pending):
                self.barriers.before.add(op)
                pending.clear()
            pending.add(effects)
            if name in (WGMMA, WGMMA_WAIT) and self.can_skip is not None:
                self._fly(op, name, effects, pending)
            return
        bytes_used = Interval(scratch.offset, scratch.end)
        access = {bytes_used: frozenset((op,))}
        if pending.collides(Pending(writes=access), self.can_skip):
            self.barriers.before.add(op)
            pending.clear()
        elif not (name == CONVERT_LAYOUT and within_warps(linear(op.opview.src.type), linear(op.result.type))):
            pending.clear()  # by its own barrier
        pending.add(Pending(access, access))

    def _touched(self, op: ir.Operation, effects: Pending) -> Pending:
        """The accesses of an operation; of a call, those that a barrier in the function follows, too."""
        place = self.allocation.of_op.get(op) if op.name == "tt.call" else None
        if place is None:
            return effects
        touched = Pending(writes={Interval(place.offset, place.end): frozenset((op,))})
        touched.add(effects)
        return touched

    def _fly(self, op: ir.Operation, name: str, effects: Pending, pending: Pending) -> None:
        """Starts or ends reads of asynchronous wgmmas.  A wait that names buffers ends the reads of these at least."""
        if name == WGMMA:
            if op.opview.isAsync:
                pending.add(Pending(flying=effects.reads))
        elif op.opview.pendings == 0 or not effects.reads:
            pending.land(ends_all=op.opview.pendings == 0)

    def _may_outrun(self, op: ir.Operation, pending: Pending) -> bool:
        """Whether a phase may end because of `op` for which warps of its group still wait: by other warps that answer
        it, or by an arrival of the hardware."""
        if not self.keeps_phases:
            return False
        if op not in self._ended:
            buffers = (buffer for barrier in signals(op) for buffer in self.allocation.buffers_of(barrier))
            self._ended[op] = [Interval(buffer.offset, buffer.end) for buffer in buffers], is_answered(op)
        ended, answered = self._ended[op]
        if not ended and not answered:
            return False
        waits = [at for at, operations in pending.reads.items() if self._has_wait(operations)]
        return any(answered or any(map(at.intersects, ended)) for at in waits)

    def _has_wait(self, operations: frozenset[ir.Operation]) -> bool:
        """Whether one of some operations waits for an mbarrier."""
        found = self._waits.get(operations)
        if found is None:
            found = self._waits[operations] = any(op.name == WAIT_BARRIER for op in operations)
        return found

    def _effects_of(self, op: ir.Operation) -> Pending:
        """The accesses of an operation to explicit buffers; for a call, those that the function leaves pending."""
        found = self._effects.get(op)
        if found is None:
            found = self._effects[op] = self._find_effects(op)
        return found

    def _find_effects(self, op: ir.Operation) -> Pending:
        if op.name == "tt.call":
            left = self.summaries.get(op.attributes["callee"].value, Pending())
            place = self.allocation.of_op.get(op)
            return left if place is None else left.moved(place.offset)
        found = Pending()
        if op.name == ARRIVE_BARRIER:
            # Other threads continue after the signal, so all earlier accesses of this thread have to be complete.
            found.add(Pending({EVERYWHERE: frozenset((op,))}, {EVERYWHERE: frozenset((op,))}))
        # Awaited wgmmas have read the buffers of the wait until now.  Triton counts that where they start: the barriers
        # that a filter leaves out keep threads together in between.
        if op.name == "tt.dot" or (op.name == WGMMA_WAIT and self.can_skip is not None):
            for memory in memory_operands(op) if op.name == "tt.dot" else op.operands:
                for buffer in self.allocation.buffers_of(memory):
                    found.add(Pending({self._place(buffer): frozenset((op,))}, {}))
        self._add_accesses(found, op)
        return found

    def _add_accesses(
        self, found: Pending, op: ir.Operation, is_meant: Callable[[ir.Operation, ir.Value], bool] = lambda *_: True
    ) -> None:
        """Adds the reads and writes of an operation to buffers."""
        for kind, _, value in memory_effects(op) or ():
            if value is None or kind not in ("read", "write") or not is_meant(op, value):
                continue
            for buffer in self.allocation.buffers_of(value):
                access = {self._place(buffer): frozenset((op,))}
                found.add(Pending(access, {}) if kind == "read" else Pending({}, access))

    def _place(self, buffer: Buffer) -> Any:
        """The bytes of a buffer, as accesses are noted: with `start`, `end` and `intersects`."""
        return Interval(buffer.offset, buffer.end)


def branches_into_regions(op: Any) -> bool:
    """Whether control enters the regions of an operation and returns."""
    name = op.operation.name
    return (name.startswith("scf.") and len(op.regions) > 0) or name in ("ttg.warp_specialize", "ttg.mask")


def within_warps(source: LinearLayout, target: LinearLayout) -> bool:
    """Whether a layout conversion through shared memory only exchanges elements within warps."""
    places = target.invert_and_compose(source)
    return (
        places.is_trivial_over(["warp"])
        and stays_in_cta(source, target)
        and not source.free_variable_masks()["warp"]
        and not target.free_variable_masks()["warp"]
    )
