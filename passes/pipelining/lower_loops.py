"""Scheduled loops prepared for expansion: operations that run stages before their use become asynchronous."""

from mlir import ir

from ttkit.inspection import terminator
from ttkit.passes.infra import collect
from ttkit.passes.partitioning.partitions import refuse_partitions
from ttkit.passes.pipelining.loop_tensor_maps import lower_descriptors
from ttkit.passes.pipelining.lower_loads import lower_loads
from ttkit.passes.pipelining.lower_tcgen5_mmas import lower_tcgen5_mmas
from ttkit.passes.pipelining.schedule import Schedule


def lower_loops(root: ir.Operation) -> list[tuple[ir.Operation, Schedule]]:
    """Lowers each scheduled loop in `root`.

    Returns:
        The loops, inner ones first, with their schedules, which include the new operations.
    """
    loops = [(loop, Schedule.read(loop)) for loop in reversed(collect(root, ["scf.for"]))]
    scheduled = [(loop, schedule) for loop, schedule in loops if schedule is not None]
    refuse_partitions(terminator(loop.regions[0].blocks[0]).operation for loop, _ in scheduled)
    return [(lower_loop(loop, schedule), schedule) for loop, schedule in scheduled]


def lower_loop(loop: ir.Operation, schedule: Schedule) -> ir.Operation:
    """Lowers a loop; returns the one that replaces it."""
    return lower_descriptors(lower_loads(lower_tcgen5_mmas(loop, schedule), schedule), schedule)
