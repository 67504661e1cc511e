"""The parts that the buffer of an early load needs, so that no copy overwrites what is still to be read.

An operation of stage s runs for iteration i of the loop in iteration i + s of the pipelined one, there in the order of
clusters.  The part that iteration i fills is filled again by iteration i + p, if there are p parts.  With the copy in
stage c, a read in stage s comes in time if

    i + s < i + p + c,  or  i + s = i + p + c and the pipelined loop has the read before the copy:

so p is s - c at least, and one more if the read runs behind the copy.  A read that the loop does k iterations later, of
what it carries, has s + k for s.  A wgmma of the loop's body may run until the next iteration has started its own: it
counts as a read a stage later, where the last of them stands.
"""

from collections.abc import Iterator
from typing import NamedTuple

from mlir import ir

from ttkit.dialects._ttg_types import MemDescType
from ttkit.operation_sets import MEMDESC_VIEWS, WGMMA
from ttkit.passes.infra.loops import body_of, body_operations
from ttkit.passes.infra.nesting import ancestor_in
from ttkit.passes.pipelining.schedule import Schedule
from ttkit.passes.pipelining.uses import first_user


class Read(NamedTuple):
    """An access to a buffer.

    Attributes:
        op: what accesses it.
        place: the operation of the loop's body that is or holds it.
        later: how many iterations of the loop after the buffer was filled.
    """

    op: ir.Operation
    place: ir.Operation
    later: int


def parts_needed(load: ir.Operation, shared: list[ir.Operation], loop: ir.Operation, schedule: Schedule) -> int:
    """The least number of parts with which the buffer of a load is read before it is filled again.

    Args:
        load: of the loop's body, scheduled.
        shared: each ttg.local_alloc of what is loaded whose place a part of the buffer takes.
    """
    _, copied, cluster = schedule[load]
    needed = 1
    first = first_user([load], loop, schedule)
    if first is not None:
        # What waits for the copy, and what reads it to registers: in the text right behind the copy.
        _, stage, place = schedule[first]
        needed = max(needed, stage - copied + (place.index >= cluster.index))
    for read in (read for alloc in shared for read in reads_of(alloc.result, loop)):
        if read.place in schedule:
            needed = max(needed, schedule[read.place].stage + read.later - copied + _more(read, load, loop, schedule))
    return needed


def _more(read: Read, load: ir.Operation, loop: ir.Operation, schedule: Schedule) -> int:
    """Parts that a read needs beyond the stages from the copy to it."""
    behind = int(schedule.runs_before(load, read.place))
    if read.op.name != WGMMA:
        return behind
    if read.place != read.op:
        return max(behind, 1)  # within a branch, where it is waited for at once
    products = [op for op in body_operations(loop) if op.name == WGMMA and op in schedule]
    return 1 + any(schedule.runs_before(load, product) for product in products)


def reads_of(memory: ir.Value, loop: ir.Operation) -> Iterator[Read]:
    """The accesses of a loop to memory, also by way of views, branches and what the loop carries; each once."""
    body = body_of(loop)
    waiting, seen = [(memory, 0)], {memory}
    while waiting:
        value, later = waiting.pop()
        for use in value.uses:
            user = use.owner.operation
            place = ancestor_in(body, user)
            if user.name == "scf.yield" and user.block == body:
                further = [(body.arguments[use.operand_number + 1], later + 1)]
            elif place is None:
                continue
            else:
                giver = user.parent.operation if user.name == "scf.yield" else user
                further = [(result, later) for result in giver.results if isinstance(result.type, MemDescType)]
                if user.name not in MEMDESC_VIEWS:
                    yield Read(user, place, later)
            for found in further:
                if found[0] not in seen:
                    seen.add(found[0])
                    waiting.append(found)
