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
    return [user for user, _ in users_and_distances(op, loop)]


def users_and_distances(op: ir.Operation, loop: ir.Operation) -> list[tuple[ir.Operation, int]]:
    """`top_level_users`, each with the least number of iterations by which it is later."""
    body = body_of(loop)
    found: dict[int, tuple[ir.Operation, int]] = {}
    waiting = [(use, 0) for result in op.results for use in result.uses]
    seen: set[ir.Value] = set()
    while waiting:
        use, distance = waiting.pop()
        user = use.owner.operation
        if user.name == "scf.yield" and user.block == body:
            follow = [body.arguments[use.operand_number + 1]]
            distance += 1
        elif user.name in MEMDESC_VIEWS:
            follow = list(user.results)
        else:
            top = ancestor_in(body, user)
            if top is not None:
                known = found.get(address_of(top))
                found[address_of(top)] = top, distance if known is None else min(distance, known[1])
            continue
        for value in follow:
            if value not in seen:
                seen.add(value)
                waiting += [(following, distance) for following in value.uses]
    return list(found.values())


def is_used_later_first(op: ir.Operation, loop: ir.Operation, schedule: Schedule) -> bool:
    """Whether a later iteration uses an operation's result before its own iteration does, by the schedule."""
    times: dict[bool, list[tuple[int, int]]] = {False: [], True: []}
    for user, distance in users_and_distances(op, loop):
        if user in schedule:
            times[distance > 0].append((schedule[user].stage + distance, schedule[user].cluster.index))
    return bool(times[True]) and (not times[False] or min(times[True]) <= min(times[False]))


def first_user(ops: Iterable[ir.Operation], loop: ir.Operation, schedule: Schedule) -> ir.Operation | None:
    """The operation that uses results of any of `ops` first, by the schedule; None if nothing does."""
    first: ir.Operation | None = None
    earliest = (0, 0)
    for user, distance in (each for op in ops for each in users_and_distances(op, loop) if each[0] in schedule):
        _, stage, cluster = schedule[user]
        time = (stage + distance, cluster.index)
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
