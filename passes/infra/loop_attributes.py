"""Attributes of loops and their operations that the passes of the pipeliner read and write.

A latency is the number of stages from an operation to the use of its result.  A self-latency is the number of later
iterations that an MMA overlaps.  The stage is the iteration for which an operation runs, counted back from the newest
one in flight.  Clusters order the operations of one iteration of the pipelined loop.
"""

from collections.abc import Iterable, Mapping

from mlir import ir

from ttkit.inspection import address_of, collect
from ttkit.options import MAX_STAGES
from ttkit.passes.infra.base import PassError
from ttkit.passes.infra.nesting import loop_with
from ttkit.passes.infra.operation_attributes import integer, set_integer

# Attributes of an scf.for, set by tl.range.
NUM_STAGES = "tt.num_stages"
DISALLOW_ACC_MULTI_BUFFER = "tt.disallow_acc_multi_buffer"
FLATTEN = "tt.flatten"
ALWAYS_FUSE = "ttg.always-fuse"
WARP_SPECIALIZE_LOOP = "tt.warp_specialize"
# Attributes of operations in a loop, set by assign-latencies or by the user.
LATENCY, SELF_LATENCY = "tt.latency", "tt.self_latency"
# Attributes set by schedule-loops: of operations in a loop, and of the loop.
STAGE, CLUSTER = "loop.stage", "loop.cluster"
SCHEDULED_MAX_STAGE = "tt.scheduled_max_stage"
# An attribute of a loop in tests of the expansion: the predicate of each stage stays one operation.
KEEP_PREDICATES = "__test_keep_predicate_stage"


def num_stages(loop: ir.Operation, default: int) -> int:
    """The number of iterations of a loop in flight: its attribute, else the default."""
    asked = integer(loop, NUM_STAGES)
    return default if asked is None else asked


def disallows_acc_multi_buffer(loop: ir.Operation) -> bool:
    """Whether the accumulator of a tcgen05.mma must keep one buffer."""
    return DISALLOW_ACC_MULTI_BUFFER in loop.attributes


def is_warp_specialized(loop: ir.Operation) -> bool:
    """Whether the loop, or one around it, asks for warp specialization."""
    return loop_with(loop, WARP_SPECIALIZE_LOOP) is not None


def specialized_loops(root: ir.Operation) -> list[ir.Operation]:
    """The loops in `root` that ask for warp specialization themselves."""
    return [loop for loop in collect(root, ["scf.for"]) if WARP_SPECIALIZE_LOOP in loop.attributes]


def write_latencies(ops: Iterable[ir.Operation], latencies: Mapping[int, int], name: str = LATENCY) -> None:
    """Sets the attribute of the operations that have a latency.

    Args:
        ops: in any order.
        latencies: address of an operation -> its latency.
        name: the attribute, LATENCY or SELF_LATENCY.
    """
    for op in ops:
        latency = latencies.get(address_of(op))
        if latency is not None:
            set_integer(op, name, latency)


def take_latencies(ops: Iterable[ir.Operation], name: str = LATENCY) -> dict[int, int]:
    """Removes the attribute from operations, and returns the latencies.

    Returns:
        Address of each operation with the attribute -> its latency.

    Raises:
        PassError: a latency is above the limit of stages.
    """
    latencies: dict[int, int] = {}
    for op in ops:
        latency = integer(op, name)
        if latency is not None:
            if abs(latency) > MAX_STAGES:
                raise PassError(op, f"found a {name} of {latency}; loops have {MAX_STAGES} stages at most")
            latencies[address_of(op)] = latency
            del op.attributes[name]
    return latencies
