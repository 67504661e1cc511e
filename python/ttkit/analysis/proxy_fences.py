"""Places of fences between accesses by threads and writes by TMA to the same shared memory: Triton 3.6's rules.

TMA accesses shared memory through another path than threads, the asynchronous proxy.  Barriers only order threads; a
fence orders accesses of threads before those of TMA.  So a fence is needed between an access by threads and a copy by
TMA to the same bytes: the bytes of a buffer that is reused, or that shares memory with another.  (Other passes add
fences after stores that such units read.)

The analysis follows control flow as `membar` does, with the accesses by threads without a fence after them.  As in
Triton, a copy by TMA from shared memory counts as an access by threads.

Triton 3.6 does not enter the code of specialized warps.  Here accesses before a ttg.warp_specialize come before those
of its partitions, and get one fence before it instead of one in each loop:

    ttng.tensormap_create %map, ...             // scratch memory, which threads write
    ttng.fence_async_shared                     // of the same bytes as %buffers
    ttg.warp_specialize(%buffers, ...)
    partition0(...) { ... ttng.async_tma_copy_global_to_local ... }

Partitions are ordered before the operations after them.  From one partition to another, an arrival at an mbarrier
passes on the stores of its threads, but not their loads: a load is complete when its threads arrive.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mlir import ir

from ttkit.analysis.allocation import Allocation, Buffer, ModuleAllocation
from ttkit.analysis.control_flow import partitions
from ttkit.analysis.liveness import Interval
from ttkit.analysis.membar import FunctionAnalysis, Segment
from ttkit.analysis.pending_accesses import Pending
from ttkit.inspection import collect
from ttkit.operation_sets import ARRIVE_BARRIER, ASYNC_MMAS, FENCE, TMA_LOADS, WAIT_BARRIER, WARP_SPECIALIZE

# Operations by which TMA writes.
# Operations by which TMA reads.
READS = frozenset({*ASYNC_MMAS, "ttng.tmem_copy", "ttng.async_tma_reduce", "ttng.async_tma_scatter"})
# Accesses to mbarriers, which both paths see alike.
IGNORED = frozenset({ARRIVE_BARRIER, WAIT_BARRIER, "ttng.init_barrier", "ttng.inval_barrier", "ttng.tc_gen5_commit"})
SIGNALS = frozenset({ARRIVE_BARRIER, WAIT_BARRIER})


def needed_fences(allocation: ModuleAllocation) -> list[ir.Operation]:
    """The operations that need a fence before them, function by function."""
    summaries: dict[str, Pending] = {}
    found: list[ir.Operation] = []
    for name, function in allocation.functions.items():
        analysis = _Fences(function, summaries)
        summaries[name] = analysis.run()
        found += analysis.barriers.before
    return found


class _Fences(FunctionAnalysis):
    """The accesses by threads without a fence after them, through one function."""

    def __init__(self, allocation: Allocation, summaries: dict[str, Pending]) -> None:
        super().__init__(allocation, summaries, None)
        self._signalled: dict[ir.Operation, list[Buffer]] = {}
        self._passed_on: dict[Any, Pending] = {}
        """Buffer of an mbarrier -> the stores of the threads that arrived at it."""
        self._learned = False

    def run(self) -> Pending:
        """As for barriers; repeats while partitions get new stores of others."""
        while True:
            self._learned = False
            left = super().run()
            if not self._learned:
                return left

    def _matters(self, op: ir.Operation, name: str) -> bool:
        if name in IGNORED:
            return name in SIGNALS  # no access before another one counts
        return name in (FENCE, "tt.call") or op in self._touching or op in self.allocation.of_op

    def _successors(self, end: Any) -> Iterator[Segment]:
        if end.operation.name == "ttg.warp_return":
            yield self._resumed[end.operation.parent.operation.parent.operation]
        if end.operation.name == WARP_SPECIALIZE:
            # The values that partitions capture are stored after the fence before it.
            yield from (self._entries[region.blocks[0]] for region in partitions(end))
        yield from super()._successors(end)

    def _step(self, op: ir.Operation, name: str, pending: Pending) -> None:
        if name == FENCE:
            pending.clear()
        if name in READS:
            return
        if name in TMA_LOADS:
            self._let_write(op, self._effects_of(op), pending)
        elif name not in SIGNALS:
            pending.add(self._effects_of(op))
        else:
            for barrier in self._barriers_of(op):
                passed_on = self._passed_on.setdefault(barrier, Pending())
                if name == WAIT_BARRIER:
                    pending.add(passed_on)
                elif passed_on.add(Pending(writes=pending.writes)):
                    self._learned = True
                    self._learnings += 1

    def _barriers_of(self, op: ir.Operation) -> list[Buffer]:
        """The mbarriers that an arrival or a wait may be at."""
        found = self._signalled.get(op)
        if found is None:
            found = self._signalled[op] = list(self.allocation.buffers_of(op.opview.alloc))
        return found

    def _leave(self, end: Any, pending: Pending) -> None:
        if end.operation.name == WARP_SPECIALIZE:
            written = Pending()
            for op in collect(end.operation.regions[1].blocks[0].operations[0].operation, TMA_LOADS):
                written.add(self._effects_of(op))
            self._let_write(end.operation, written, pending)
            pending.add(self._effects_of(end.operation))

    def _let_write(self, op: ir.Operation, written: Pending, pending: Pending) -> None:
        """Records a fence before `op` if its writes collide with pending accesses."""
        if op in self.barriers.before or pending.collides(written, self.can_skip):
            self.barriers.before.add(op)
            pending.clear()

    def _find_effects(self, op: ir.Operation) -> Pending:
        """The accesses of an operation, by threads or TMA; for a call, those that the function leaves pending."""
        if op.name == "tt.call":
            return self.summaries.get(op.attributes["callee"].value, Pending())
        found = Pending()
        self._add_accesses(found, op, _is_meant)
        scratch = self.allocation.of_op.get(op)
        if scratch is not None:
            found.add(Pending({Interval(scratch.offset, scratch.end): frozenset((op,))}, {}))
        return found


def _is_meant(op: ir.Operation, value: ir.Value) -> bool:
    """Whether an effect is on memory that TMA writes, and not on the barrier that signals it."""
    return op.name not in TMA_LOADS or value == op.opview.result
