"""Shared memory that a loop fills anew in each iteration, and that the pipeliner gives no further slots.

    %b = scf.if %first -> !ttg.memdesc<64x64xi8> {        // stage 0: for the newest iteration
      %t = ttg.local_alloc %x ...
    }
    %d = ttng.warp_group_dot %b, ...                      // stage 1: reads what the iteration before has filled

The next iteration fills the same memory.  So no reader may run more than a stage after the operation that fills it.
A reader of the next stage has to run before that operation in an iteration of the pipelined loop.
"""

from collections.abc import Iterable
from typing import TypeAlias

from mlir import ir

from ttkit.analysis.axis_analysis import AxisInfoAnalysis
from ttkit.dialects._ttg_types import MemDescType
from ttkit.inspection import defining, terminator, users_of
from ttkit.operation_sets import DESCRIPTOR_LOADS, LOADS, MEMDESC_VIEWS
from ttkit.passes.infra.loops import body_of, body_operations, carried_argument
from ttkit.passes.infra.nesting import ancestor_in
from ttkit.passes.layouts.load_buffers import early_load, fills
from ttkit.passes.pipelining.schedule import Cluster, Schedule
from ttkit.passes.pipelining.uses import is_used_later_first, stages_until_last_use

Place: TypeAlias = tuple[int, Cluster, int]
"""Stage and cluster of an operation, and the iterations by which it is later than the one that makes its operand."""


def fill_after_reads(loop: ir.Operation, schedule: Schedule) -> bool:
    """Moves operations that fill memory past those that read it for the iteration before; whether all can be so."""
    return all(_fill_after_reads(loop, op, schedule) for op in body_operations(loop) if _fills(op))


def _fills(op: ir.Operation) -> bool:
    """Whether an operation of a body gives a buffer."""
    gives_memory = any(isinstance(result.type, MemDescType) for result in op.results)
    return op.name == "ttg.local_alloc" or (op.name == "scf.if" and gives_memory)


def _has_slots(op: ir.Operation, loop: ir.Operation, schedule: Schedule) -> bool:
    """Whether an operation is filled by a load that starts stages earlier: such a load gives its buffer slots."""
    source = defining(op.opview.src) if op.name == "ttg.local_alloc" and op.opview.src is not None else None
    if source is None or source.operation.name not in LOADS:
        return False
    load = source.operation
    if load not in schedule or stages_until_last_use(load, loop, schedule) <= 0 or not fills(load, op):
        return False
    if is_used_later_first(load, loop, schedule):
        return False
    return load.name in DESCRIPTOR_LOADS or early_load(load, AxisInfoAnalysis()) is not None


def _fill_after_reads(loop: ir.Operation, op: ir.Operation, schedule: Schedule) -> bool:
    """Moves an operation that fills memory past the readers of the next stage, and before what needs its results."""
    stage, cluster = schedule[op].stage, schedule[op].cluster
    late = [(at + distance, cluster) for at, cluster, distance in _readers(loop, op, schedule) if at + distance > stage]
    if not late or _has_slots(op, loop, schedule):
        return True
    if any(at > stage + 1 for at, _ in late):
        return False
    last = max((cluster.index for _, cluster in late), default=-1)
    if last < cluster.index:
        return True
    following = [cluster for at, cluster, distance in _users(loop, op, op.results, schedule) if at + distance == stage]
    first = min(following, key=lambda one: one.index, default=None)
    if first is not None and first.index <= last:
        return False
    schedule.insert(op, stage, schedule.clusters.add_last() if first is None else schedule.clusters.add_before(first))
    return True


def _readers(loop: ir.Operation, op: ir.Operation, schedule: Schedule) -> list[Place]:
    """Places of the operations that use an operation's buffers, or views of them."""
    found, left = [], [result for result in op.results if isinstance(result.type, MemDescType)]
    while left:
        value = left.pop()
        found += _users(loop, op, [value], schedule)
        left += [view.result for view in users_of(value) if view.name in MEMDESC_VIEWS]
    return found


def _users(loop: ir.Operation, op: ir.Operation, values: Iterable[ir.Value], schedule: Schedule) -> list[Place]:
    """Places of the operations of a body that use values of `op`, itself left out, in this iteration or the next."""
    body, found = body_of(loop), []
    for value in values:
        carried = [
            carried_argument(loop, use.operand_number)
            for use in value.uses
            if use.owner.operation == terminator(body).operation
        ]
        for distance, given in ((0, [value]), (1, carried)):
            for user in (ancestor_in(body, user) for one in given for user in users_of(one)):
                if user is not None and user in schedule and user != op:
                    found.append((schedule[user].stage, schedule[user].cluster, distance))
    return found
