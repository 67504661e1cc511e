"""Give each task its own code, and pass data that one task loads to the others through shared memory.

    %x = tt.descriptor_load ... {0}          ttg.warp_specialize(...)
    %b = ttg.local_alloc %x {1, 2}           default { wait until a buffer is empty; copy to it }
    %r = ttng.warp_group_dot ... {1}    =>   partition0(...) { wait until it is full; warp_group_dot; release it }
    %s = ttng.warp_group_dot ... {2}         partition1(...) { likewise }

Each buffer has `num-buffers` slots, or the number in the loop's tt.num_stages.  Tokens of nvws signal empty slots,
mbarriers full ones.

Differs from Triton: loads through pointers in loops become cp.async (its pass makes code for them that it can't lower);
phases of waits are zero-extended; there is one wait for a load with several users.  Loops that run one after the other
and send the same tiles share buffers.

Input:  ttg with tasks; each load and dot has one.      Output: ttg.warp_specialize, with nvws tokens.
Order:  after data-partition.
Skips:  functions in which no task passes data to another.
Test:   test/lit/passes/code_partition.mlir
"""

import math

from mlir import ir

from ttkit.inspection import address_of, collect
from ttkit.passes.infra import Pass, PassError, option
from ttkit.passes.partitioning.buffer_owners import buffer_owners, counted_regions
from ttkit.passes.partitioning.channels import Channel, collect_channels, group_channels, reorder_producers, sink_copies
from ttkit.passes.partitioning.communication import make_memories, send, use_buffers
from ttkit.passes.partitioning.counters import Counters
from ttkit.passes.partitioning.staged_stores import stage_stores
from ttkit.passes.partitioning.task_regions import computing_registers, specialize_tasks
from ttkit.passes.partitioning.tasks import THREADS, NotDivisible
from ttkit.records import dataclass


@dataclass(frozen=True)
class CodePartition(Pass):
    """Give each task its own code, and pass data that one task loads to the others"""

    name = "nvgpu-test-ws-code-partition"
    dependent_dialects = ("arith", "scf", "ttg", "ttng", "nvws")
    num_buffers: int = option(0, "parts of a buffer in loops that don't say; 0: nothing is done")

    def run(self, op: ir.Operation) -> None:
        """Partitions each function; nothing without buffers.

        Raises:
            PassError: tasks exchange a value that can't go through a channel.
        """
        if self.num_buffers < 1:
            return
        for function in collect(op, ["tt.func"]):
            try:
                partition_code(function, self.num_buffers)
            except NotDivisible as error:
                raise PassError(error.operation, f"can't be divided among tasks: {error}") from None


def most_copies(channels: list[Channel]) -> int:
    """The copies by cp.async that a thread starts in an iteration, in the loop or branch with most of them."""
    counts: dict[int, int] = {}
    for channel in channels:
        if channel.width:
            place, elements = address_of(channel.region), math.prod(channel.source.result.type.shape)
            counts[place] = counts.get(place, 0) + -(-elements // (channel.width * THREADS))
    return max(counts.values(), default=0)


def partition_code(function: ir.Operation, parts: int) -> bool:
    """Divides the code of a function among its tasks; returns whether there was anything to divide.

    Raises:
        NotDivisible: the code can't be divided; nothing has changed.
    """
    sink_copies(function)
    channels = collect_channels(function, parts)
    if not channels:
        return False
    reorder_producers(channels)
    groups = group_channels(channels)
    copies = most_copies(channels)
    owners = buffer_owners(groups)
    counters = Counters(function, counted_regions(groups, owners))
    own = [group for group, owner in zip(groups, owners) if group is owner]
    memories = make_memories(function, channels, own)
    stage_stores(function, own, memories)
    for group, owner in zip(groups, owners):
        send(group, memories[id(owner)], counters)
    use_buffers(function)
    specialize_tasks(function, computing_registers(copies))
    return True
