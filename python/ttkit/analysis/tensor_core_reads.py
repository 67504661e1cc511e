"""The time in which tensor cores read buffers in shared memory: from the start of an MMA or a copy to a wait for its
end.

    ttng.tmem_copy %s, %d                 // begins to read %s
    %t = ttg.local_alloc %y               // must not take the bytes of %s
    ttng.tc_gen5_commit %bar              // signals the end of all operations before it
    ttng.wait_barrier %bar, %phase        // they have ended

So a buffer is in use until such a wait, even if the wait does not name it.  Triton 3.6 only counts the buffers that
waits name (`deps`): its %t takes the bytes of %s.  A barrier between threads before %t does not stop tensor cores from
reading them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from mlir import ir

from ttkit.analysis.liveness import Interval
from ttkit.inspection import collect, next_operation
from ttkit.operation_sets import LOOPS, TCGEN5_MMAS, WAIT_BARRIER

COPY, COMMIT = "ttng.tmem_copy", "ttng.tc_gen5_commit"

Aliases = Mapping[ir.Value, Sequence[ir.Value]]
"""View of shared memory -> the allocations into which it may point."""


def background_reads(
    function: ir.Operation, aliases: Aliases, numbers: dict[ir.Operation, int]
) -> Iterator[tuple[ir.Value, Interval]]:
    """The allocations that tensor cores read, each with the interval of operations in which they may read it."""

    def buffers(views: Iterable[ir.Value]) -> set[ir.Value]:
        """The allocations into which the views may point."""
        return {buffer for view in views for buffer in aliases.get(view, ())}

    for op in collect(function, (COPY, *TCGEN5_MMAS)):
        if op.name in TCGEN5_MMAS and not op.opview.is_async:
            continue
        signalled = buffers(signals_after(op))
        waits = [wait for wait in collect(function, [WAIT_BARRIER]) if buffers([wait.opview.alloc]) & signalled]
        if waits:
            during = interval_until(op, {parent for wait in waits for parent in with_parents(wait)}, numbers)
            yield from ((buffer, during) for buffer in buffers(op.operands) - signalled)


def signals_after(op: ir.Operation) -> list[ir.Value]:
    """The mbarriers of the first operation from `op` on that signals its end; an empty list without one."""
    for one in operations_after(op):
        if one.name in TCGEN5_MMAS and len(one.opview.barriers):
            return list(one.opview.barriers)
        if one.name in (COPY, COMMIT) and one.opview.barrier is not None:
            return [one.opview.barrier]
    return []


def operations_after(op: ir.Operation) -> Iterator[ir.Operation]:
    """An operation, those after it in its block, and those after the operations around it."""
    for parent in with_parents(op):
        yield parent
        while (following := next_operation(parent)) is not None:
            yield following
            parent = following


def with_parents(op: ir.Operation) -> Iterator[ir.Operation]:
    """An operation and those around it in a function."""
    while op.name != "tt.func":
        yield op
        op = op.parent.operation


class Stretch(NamedTuple):
    """Straight-line code: the numbers of its operations, and the first operations of the code that may follow."""

    numbers: list[int]
    following: list[ir.Operation]
    has_end: bool


def interval_until(op: ir.Operation, ends: set[ir.Operation], numbers: dict[ir.Operation, int]) -> Interval:
    """The interval of operations that may run from `op` to the first of `ends`, on paths that reach one."""
    stretches: dict[ir.Operation, Stretch] = {}
    start: ir.Operation | None = next_operation(op)
    starts = [] if start is None else [start]
    while starts:
        if (first := starts.pop()) not in stretches:
            stretches[first] = stretch_from(first, ends, numbers)
            starts += stretches[first].following
    leading: set[ir.Operation] = set()
    while found := [
        first
        for first, stretch in stretches.items()
        if first not in leading and (stretch.has_end or not leading.isdisjoint(stretch.following))
    ]:
        leading.update(found)
    passed = [numbers[op], *(number for first in leading for number in stretches[first].numbers)]
    return Interval(min(passed), max(passed) + 1)


def stretch_from(op: ir.Operation, ends: set[ir.Operation], numbers: dict[ir.Operation, int]) -> Stretch:
    """The operations from `op` to the end of its block, or to the first of `ends`."""
    passed = [numbers[op]]
    while op not in ends and (following := next_operation(op)) is not None:
        op = following
        passed.append(numbers[op])
    if op in ends:
        return Stretch(passed, [], True)
    parent = op.parent.operation
    blocks = list(op.successors)
    if op.name == "scf.yield" and parent.name in LOOPS:
        blocks.append(parent.regions[0].blocks[0])
    after = next_operation(parent) if parent.name.startswith("scf.") else None
    return Stretch(passed, [block.operations[0].operation for block in blocks] + ([after] if after else []), False)
