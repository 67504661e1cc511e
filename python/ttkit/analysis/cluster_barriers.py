"""Places of barriers between the CTAs of a cluster that access each other's shared memory: Triton 3.9's rules.

    ttng.init_barrier %bar, 1
    ttng.cluster_barrier                          // no CTA arrives at a barrier that another has not set up
    ttng.arrive_barrier %bar, 1 {fromCTA = 0}     // at those of all CTAs
    ...
    ttng.cluster_barrier                          // no CTA ends, and takes its memory with it, while others arrive
    tt.return

An operation is *remote* if it accesses the shared memory of other CTAs, or arrives at their mbarriers.  It needs the
CTAs to synchronize

1. after each mbarrier that it uses was set up, where that was: its own place may be one that only some CTAs reach;
2. before the kernel returns;
3. before or after it, where another buffer has the same bytes: a CTA must not write what another still reads.

Two accesses to one buffer need nothing: the kernel's author orders them, by mbarriers.  Operations that exchange
elements through scratch memory, such as conversions of layouts, synchronize the CTAs themselves, and are not remote.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from mlir import ir

from ttkit.analysis.allocation import Allocation, Buffer, ModuleAllocation
from ttkit.analysis.membar import FunctionAnalysis
from ttkit.analysis.pending_accesses import Pending
from ttkit.inspection import collect, enclosing, holders, is_public, next_operation
from ttkit.module_attributes import NUM_CTAS, module_number
from ttkit.operation_sets import (
    ALLOCATIONS,
    ARRIVE_BARRIER,
    BUFFER_VIEWS,
    CLUSTER_BARRIERS,
    PARTITIONS,
    TCGEN5_MMAS,
    TMA_LOADS,
    WARP_SPECIALIZE,
)

INIT, CALL = "ttng.init_barrier", "tt.call"
BEFORE_USES = frozenset({INIT, *ALLOCATIONS, *BUFFER_VIEWS})
ARRIVALS = frozenset({ARRIVE_BARRIER, "ttng.barrier_expect"})
FOR_OTHERS = frozenset({*TMA_LOADS, *TCGEN5_MMAS, "ttng.tc_gen5_commit"})
"""Operations that are remote with one of REMOTE_ATTRIBUTES."""
REMOTE_ATTRIBUTES = ("multicast", "two_ctas")
REMOTE = frozenset({"ttng.async_shared_store", "ttng.clc_try_cancel"})
"""Operations that are remote in every cluster of several CTAs."""


class Place(NamedTuple):
    """Bytes `start` to `end` of shared memory that belong to one buffer of a function, given by its number."""

    start: int
    end: int
    buffer: int

    def intersects(self, other: Any) -> bool:
        """Whether another buffer has some of these bytes."""
        is_same = isinstance(other, Place) and other.buffer == self.buffer
        return not is_same and self.start < other.end and other.start < self.end


def is_remote(op: ir.Operation, num_ctas: int) -> bool:
    """Whether an operation accesses the shared memory of other CTAs of its cluster, which has `num_ctas`."""
    name, attributes = op.name, op.attributes
    if name in ARRIVALS:
        own = num_ctas - 1
        sender = attributes["fromCTA"].value if "fromCTA" in attributes else own
        return sender & own != own or ("multicastCTA" in attributes and attributes["multicastCTA"].value != 0)
    if name in FOR_OTHERS and any(each in attributes for each in REMOTE_ATTRIBUTES):
        return True
    return name in REMOTE or (name == "ttng.tc_gen5_commit" and len(op.opview.descs) > 0)


def needed_cluster_barriers(allocation: ModuleAllocation) -> list[ir.Operation]:
    """The operations that need the CTAs of the cluster to synchronize before them, function by function."""
    summaries: dict[str, Pending] = {}
    found: list[ir.Operation] = []
    remote = remote_operations(allocation)
    for name, function in allocation.functions.items() if remote else ():
        analysis = _ClusterBarriers(function, summaries, remote)
        summaries[name] = analysis.run()
        found += analysis.barriers.before
    return found


def remote_operations(allocation: ModuleAllocation) -> set[ir.Operation]:
    """The remote operations of a module, and the calls of functions that have some."""
    found: set[ir.Operation] = set()
    callees: set[str] = set()
    for name, function in allocation.functions.items():  # callees before callers
        num_ctas = module_number(function.function.operation.parent, NUM_CTAS, 1)
        for op in collect(function.function.operation, (CALL, *ARRIVALS, *FOR_OTHERS, *REMOTE)):
            if op.attributes["callee"].value in callees if op.name == CALL else is_remote(op, num_ctas):
                found.add(op)
                callees.add(name)
    return found


class _ClusterBarriers(FunctionAnalysis):
    """The accesses without a barrier of the cluster after them, through one function."""

    def __init__(self, allocation: Allocation, summaries: dict[str, Pending], remote: set[ir.Operation]) -> None:
        self._remote = remote
        self._numbers = {id(buffer): number for number, buffer in enumerate(allocation.buffers)}
        super().__init__(allocation, summaries, lambda *pair: remote.isdisjoint(pair))
        self.barriers.before.update(self._after_inits())

    def _after_inits(self) -> Iterator[ir.Operation]:
        """For each mbarrier of a remote operation, the first use after it was set up, or the end of that block.

        Mbarriers after which the CTAs synchronize before any use are left out.
        """
        used = {id(buffer) for op in self._touching & self._remote for buffer in self._buffers(op)}
        touching = {op for op in self._touching if any(id(buffer) in used for buffer in self._buffers(op))}
        around = {outer for op in touching for outer in holders(op)}
        for init in [op for op in touching if op.name == INIT]:
            op = next_operation(init)
            while op is not None and op.name not in CLUSTER_BARRIERS:
                is_use = op in around or (op in touching and op.name not in BEFORE_USES)
                following = next_operation(op)
                if is_use or following is None:
                    yield op
                    break
                op = following

    def _buffers(self, op: ir.Operation) -> Iterator[Buffer]:
        """The buffers in shared memory that an operation's operands point into."""
        for operand in op.operands:
            yield from self.allocation.buffers_of(operand)

    def _matters(self, op: ir.Operation, name: str) -> bool:
        return op in self._touching or op in self.allocation.of_op or name in (*CLUSTER_BARRIERS, CALL)

    def _step(self, op: ir.Operation, name: str, pending: Pending) -> None:
        if name in CLUSTER_BARRIERS:
            pending.clear()
            return
        effects = self._effects_of(op)
        self._synchronize(op, self._touched(op, effects), pending)
        pending.add(effects)

    def _leave(self, end: Any, pending: Pending) -> None:
        op = end.operation
        if op.name == WARP_SPECIALIZE:
            effects = Pending()
            for inner in self._touching:
                inside = enclosing(inner, PARTITIONS)
                if inside is not None and inside.parent.operation == op:
                    effects.add(self._effects_of(inner))
            self._synchronize(op, effects, pending)
            pending.add(effects)
        elif op.name == "tt.return" and is_public(self.allocation.function.operation) and self._has_remote(pending):
            self.barriers.before.add(op)
            pending.clear()
        elif op in self.barriers.before:
            pending.clear()

    def _has_remote(self, pending: Pending) -> bool:
        kinds = (pending.reads, pending.writes)
        return any(not self._remote.isdisjoint(ops) for kind in kinds for ops in kind.values())

    def _synchronize(self, op: ir.Operation, effects: Pending, pending: Pending) -> None:
        """Records a barrier before `op` if its accesses collide with pending ones."""
        if op in self.barriers.before or pending.collides(effects, self.can_skip):
            self.barriers.before.add(op)
            pending.clear()

    def _find_effects(self, op: ir.Operation) -> Pending:
        """The accesses of an operation; for a call, those that the function leaves pending."""
        found, ops = Pending(), frozenset((op,))
        if op.name == CALL:
            found.add(super()._find_effects(op))
        else:
            self._add_accesses(found, op)
        if op in self._remote:  # not all of these say that they arrive at their mbarriers
            found.add(Pending(writes={self._place(buffer): ops for buffer in self._buffers(op)}))
        scratch = self.allocation.of_op.get(op)
        if scratch is not None and op.name != CALL:
            found.add(Pending({self._place(scratch): ops}, {self._place(scratch): ops}))
        return found

    def _place(self, buffer: Buffer) -> Any:
        return Place(buffer.offset, buffer.end, self._numbers[id(buffer)])
