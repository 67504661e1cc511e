"""Users of the results of a loop's operations, and the number of stages to the last use."""

from collections.abc import Iterable

from mlir import ir

from ttkit.inspection import address_of
from ttkit.operation_sets import LOADS, MEMDESC_VIEWS
from ttkit.passes.infra.loops import body_of
from ttkit.passes.infra.nesting import ancestor_in
from ttkit.passes.pipelining.schedule import Schedule


def top_level_users(op: ir.Operation, loop: ir.Operation) -> list[ir.Operation]:
    """The operations of a loop's body that use results of one of them, themselves or in their regions; each once.

    Views of memory are followed to their users, loop-carried values to the next iteration.
    """
    body = body_of(loop)
    found: dict[int, ir.Operation] = {}
    waiting = [use for result in op.results for use in result.uses]
    seen: set[ir.Value] = set()
    while waiting:
        use = waiting.pop()
        user = use.owner.operation
        if user.name == "scf.yield" and user.block == body:
            follow = [body.arguments[use.operand_number + 1]]
        elif user.name in MEMDESC_VIEWS:
            follow = list(user.results)
        else:
            top = ancestor_in(body, user)
            if top is not None:
                found[address_of(top)] = top
            continue
        for value in follow:
            if value not in seen:
                seen.add(value)
                waiting += value.uses
    return list(found.values())


def first_user(ops: Iterable[ir.Operation], loop: ir.Operation, schedule: Schedule) -> ir.Operation | None:
    """The operation that uses results of any of `ops` first, by the schedule; None if nothing does."""
    first: ir.Operation | None = None
    earliest = (0, 0)
    for user in (user for op in ops for user in top_level_users(op, loop) if user in schedule):
        _, stage, cluster = schedule[user]
        time = (stage, cluster.index)
        if first is None or time < earliest or (time == earliest and user.is_before_in_block(first)):
            first, earliest = user, time
    return first


def stages_until_last_use(op: ir.Operation, loop: ir.Operation, schedule: Schedule) -> int:
    """Number of stages from an operation to the last use of its results; 0 if there is none.

    The users of a ttg.local_alloc of loaded data count as well, since pipelining may remove the ttg.local_alloc.
    """
    users = top_level_users(op, loop)
    if op.name in LOADS:
        users += [other for user in users if user.name == "ttg.local_alloc" for other in top_level_users(user, loop)]
    stages = [schedule[user].stage for user in users if user in schedule]
    return max(stages) - schedule[op].stage if stages else 0
