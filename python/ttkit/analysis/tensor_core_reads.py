"""Until when tensor cores read buffers in shared memory: from what starts a product or a copy to a wait for its end.

    ttng.tmem_copy %s, %d                 // begins to read %s
    %t = ttg.local_alloc %y               // must not take the bytes of %s
    ttng.tc_gen5_commit %bar              // tells of the end of all before
    ttng.wait_barrier %bar, %phase        // they have ended

So a buffer is in use until such a wait, whether it names it or not.  Triton 3.6 counts what waits name (`deps`): its %t
takes the bytes of %s, and a barrier between threads in front of it does not keep tensor cores from reading them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from mlir import ir

from ttkit.analysis.liveness import Interval
from ttkit.inspection import collect, next_operation
from ttkit.operation_sets import LOOPS, TCGEN5_MMAS, WAIT_BARRIER

COPY, COMMIT = "ttng.tmem_copy", "ttng.tc_gen5_commit"

Aliases = Mapping[ir.Value, Sequence[ir.Value]]
"""The allocations that each view of shared memory may point into."""


def background_reads(
    function: ir.Operation, aliases: Aliases, numbers: dict[ir.Operation, int]
) -> Iterator[tuple[ir.Value, Interval]]:
    """The allocations that tensor cores read, each with the numbers of the operations during which they may."""

    def buffers(views: Iterable[ir.Value]) -> set[ir.Value]:
        """The allocations that these may point into."""
        return {buffer for view in views for buffer in aliases.get(view, ())}

    for op in collect(function, (COPY, *TCGEN5_MMAS)):
        if op.name in TCGEN5_MMAS and not op.opview.is_async:
            continue
        signalled = buffers(signals_behind(op))
        waits = [wait for wait in collect(function, [WAIT_BARRIER]) if buffers([wait.opview.alloc]) & signalled]
        if waits:
            during = interval_until(op, {holder for wait in waits for holder in with_holders(wait)}, numbers)
            yield from ((buffer, during) for buffer in buffers(op.operands) - signalled)


def signals_behind(op: ir.Operation) -> list[ir.Value]:
    """The mbarriers of the first operation from `op` on that tells of its end; none if there is none."""
    for one in operations_behind(op):
        if one.name in TCGEN5_MMAS and len(one.opview.barriers):
            return list(one.opview.barriers)
        if one.name in (COPY, COMMIT) and one.opview.barrier is not None:
            return [one.opview.barrier]
    return []


def operations_behind(op: ir.Operation) -> Iterator[ir.Operation]:
    """An operation, those after it in its block, and those after the operation that holds it."""
    for holder in with_holders(op):
        yield holder
        while (following := next_operation(holder)) is not None:
            yield following
            holder = following


def with_holders(op: ir.Operation) -> Iterator[ir.Operation]:
    """An operation, and what holds it, in a function."""
    while op.name != "tt.func":
        yield op
        op = op.parent.operation


class Stretch(NamedTuple):
    """Operations that run one after the other; the first of each that may follow."""

    numbers: list[int]
    following: list[ir.Operation]
    has_end: bool


def interval_until(op: ir.Operation, ends: set[ir.Operation], numbers: dict[ir.Operation, int]) -> Interval:
    """The numbers of what may run from an operation to the first of some others, on the ways that lead to one."""
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
    """From an operation to the end of its block, or to the first of `ends`."""
    passed = [numbers[op]]
    while op not in ends and (following := next_operation(op)) is not None:
        op = following
        passed.append(numbers[op])
    if op in ends:
        return Stretch(passed, [], True)
    holder = op.parent.operation
    blocks = list(op.successors)
    if op.name == "scf.yield" and holder.name in LOOPS:
        blocks.append(holder.regions[0].blocks[0])
    behind = next_operation(holder) if holder.name.startswith("scf.") else None
    return Stretch(passed, [block.operations[0].operation for block in blocks] + ([behind] if behind else []), False)
