"""The number of slots that the buffer of an early load needs, so that no copy overwrites data before it is read.

For iteration i of the loop, iteration i + s of the pipelined loop runs the operations of stage s.  It runs them in the
order of the clusters.  With p slots, iteration i + p fills the slot of iteration i again.  With the copy in stage c, a
read in stage s is early enough if

    i + s < i + p + c,  or  i + s = i + p + c and the pipelined loop has the read before the copy.

So p is at least s - c, and one more if the read runs after the copy.  A loop-carried buffer may be read k iterations
later: then s + k takes the place of s.  A wgmma of the loop's body may run until the next iteration has started its
own.  It counts as a read one stage later, at the position of the last wgmma.
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
        op: the operation that accesses it.
        place: `op`, or the operation of the loop's body that contains it.
        later: the iterations of the loop between the fill and the access.
    """

    op: ir.Operation
    place: ir.Operation
    later: int


def slots_needed(load: ir.Operation, shared: list[ir.Operation], loop: ir.Operation, schedule: Schedule) -> int:
    """The least number of slots with which the buffer of a load is read before it is filled again.

    Args:
        load: a scheduled operation of the loop's body.
        shared: each ttg.local_alloc of the loaded tensor that a slot of the buffer replaces.
    """
    _, copied, cluster = schedule[load]
    needed = 1
    first = first_user([load], loop, schedule)
    if first is not None:
        # The wait for the copy and the read to registers come right after the copy in the text.
        _, stage, place = schedule[first]
        needed = max(needed, stage - copied + (place.index >= cluster.index))
    for read in (read for alloc in shared for read in reads_of(alloc.result, loop)):
        if read.place in schedule:
            distance = schedule[read.place].stage + read.later - copied
            needed = max(needed, distance + _further_slots(read, load, loop, schedule))
    return needed


def _further_slots(read: Read, load: ir.Operation, loop: ir.Operation, schedule: Schedule) -> int:
    """The slots that a read needs in addition to the stages from the copy to it."""
    after = int(schedule.runs_before(load, read.place))
    if read.op.name != WGMMA:
        return after
    if read.place != read.op:
        return max(after, 1)  # within a branch, which waits for it at once
    products = [op for op in body_operations(loop) if op.name == WGMMA and op in schedule]
    return 1 + any(schedule.runs_before(load, product) for product in products)


def reads_of(memory: ir.Value, loop: ir.Operation) -> Iterator[Read]:
    """The accesses of a loop to memory, each once; also through views, branches and loop-carried values."""
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
