"""The first operations of a schedule: those with a latency, and their users."""

from mlir import ir

from ttkit.inspection import address_of
from ttkit.passes.infra.slices import forward_slice
from ttkit.passes.pipelining.dependencies import in_block_users
from ttkit.passes.pipelining.schedule import Schedule


def schedule_key_operations(body: list[ir.Operation], latencies: dict[int, int]) -> Schedule:
    """Stages by the longest path to the end of the loop's body, measured in latencies.

    Args:
        body: the operations of the loop's body.
        latencies: address of an operation -> its latency; at least one.

    Returns:
        A schedule of the operations with a latency and of those that depend on them.  Higher stages come in earlier
        clusters.  Each scf.if without scheduled users comes in the last cluster.
    """
    distances = distances_to_end(body, latencies)
    farthest = max(distance for _, distance in distances.values())
    stages = [(op, farthest - distance) for op, distance in distances.values()]
    last = max(stage for _, stage in stages)
    schedule = Schedule(last + 1)
    clusters = [schedule.clusters.add_last() for _ in range(last + 1)]
    branches = []
    for op, stage in stages:
        if op.name == "scf.if" and address_of(op) not in latencies and ends_schedule(op, distances):
            branches.append((op, stage))
        else:
            schedule.insert(op, stage, clusters[last - stage])
    epilogue = schedule.clusters.add_last()
    for op, stage in branches:
        schedule.insert(op, stage, epilogue)
    return schedule


def distances_to_end(body: list[ir.Operation], latencies: dict[int, int]) -> dict[int, tuple[ir.Operation, int]]:
    """Address of each operation with a latency, or that depends on one -> the operation and its distance.

    The distance is the largest sum of latencies on a path of uses that starts at the operation.
    """
    reached: set[int] = set()
    for op in body:
        if address_of(op) in latencies or address_of(op) in reached:
            reached.add(address_of(op))
            reached.update(address_of(user) for user in in_block_users(op.block, op))
    distances: dict[int, tuple[ir.Operation, int]] = {}
    for op in reversed(body):
        address = address_of(op)
        if address not in reached:
            continue
        after = [distances.get(address_of(user)) for user in in_block_users(op.block, op)]
        further = [found[1] for found in after if found is not None]
        distances[address] = op, latencies.get(address, 0) + max(further, default=0)
    return distances


def ends_schedule(op: ir.Operation, scheduled: dict[int, tuple[ir.Operation, int]]) -> bool:
    """Whether no operation that depends on `op` within its iteration is scheduled."""
    return not any(address_of(user) in scheduled for user in forward_slice(op))
