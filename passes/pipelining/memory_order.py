"""The order of accesses of a loop to global memory, which its schedule has to keep.

    scf.if %c { tt.store %p, %x }     // with the same %p in both, the second store must stay the second one,
    tt.store %p, %y                   // and before the first one of the next iteration
    %z = tt.load %p                   // must not start before the stores of earlier iterations

An operation of stage s and cluster c runs for iteration i at the time (i + s, c).  So A of iteration i runs before B of
iteration i + d if (s_A, c_A) < (s_B + d, c_B); within a cluster the order is that of the text.

Differs from Triton, which reorders such accesses: its results are then wrong.
"""

from typing import NamedTuple

from mlir import ir

from ttkit.analysis.global_accesses import GlobalAccesses
from ttkit.inspection import address_of
from ttkit.operation_sets import LOADS
from ttkit.passes.pipelining.dependencies import backward_slice, in_block_users
from ttkit.passes.pipelining.schedule import Schedule


class Conflict(NamedTuple):
    """Two operations of a loop's body, in the order of the text, that may touch the same global memory."""

    first: ir.Operation
    second: ir.Operation


def conflicts(body: list[ir.Operation]) -> list[Conflict]:
    """The pairs of a loop's operations of which one may write what the other one accesses.

    Args:
        body: the operations of the loop's body.  The accesses in their regions are theirs.
    """
    accesses = GlobalAccesses()
    touched = [(op, accesses.touched_in(op)) for op in body]
    touching = [(op, one) for op, one in touched if one.read or one.written]
    if not any(one.written for _, one in touching):
        return []
    return [
        Conflict(first, second)
        for number, (first, one) in enumerate(touching)
        for second, other in touching[number + 1 :]
        if one.conflicts_with(other)
    ]


def loads_in_order(body: list[ir.Operation]) -> set[int]:
    """Addresses of the loads that must not start early: they, or what they need, conflict with another operation."""
    ordered = {address_of(op) for pair in conflicts(body) for op in pair}
    if not ordered:
        return set()
    loads = [op for op in body if op.name in LOADS]
    return {
        address_of(load)
        for load in loads
        if address_of(load) in ordered or any(address_of(source) in ordered for source in backward_slice(load))
    }


def keep_order(body: list[ir.Operation], schedule: Schedule) -> bool:
    """Moves scheduled operations of a loop past those that have to run before them; whether the order is kept then.

    Args:
        body: the operations of the loop's body, all with a place in the schedule.
    """
    pairs = conflicts(body)
    if not pairs:
        return True
    later: dict[int, list[ir.Operation]] = {}
    for first, second in pairs:
        later.setdefault(address_of(first), []).append(second)
    moved = False
    for op in body:  # what follows an operation in its iteration stands after it in the text
        _, stage, cluster = schedule[op]
        following = later.get(address_of(op), [])
        for user in (*following, *(in_block_users(op.block, op) if moved else ())):
            if user in schedule and (schedule[user].stage, schedule[user].cluster.index) < (stage, cluster.index):
                schedule.insert(user, stage, cluster)
                moved = True
    return all(_next_is_later(pair, schedule) for pair in pairs)


def _next_is_later(pair: Conflict, schedule: Schedule) -> bool:
    """Whether the second operation of a pair runs before the first one of the next iteration."""
    first, second = schedule[pair.first], schedule[pair.second]
    return (second.stage, second.cluster.index) < (first.stage + 1, first.cluster.index)
