"""Protocol of warp specialization: the kernel's warps start and end partitions in the other warps.

    entry          warps of the kernel go to its body, the others (workers) to `wait`
    wait           barrier 1, read this warp's task, go there
    partition k    take the captures, barrier 1, the region's code, barrier 1, back to `wait`
    join           barrier 1, the barrier of the cluster, back to `wait`
    idle           barrier 1 twice, back to `wait`
    exit           return

A task is a byte for each worker, in shared memory that nothing else uses.  To start an operation the kernel writes
tasks and captures, and all warps synchronize twice: when tasks can be read, and when they and the captures have been.
They synchronize again when the default region and all partitions are done.  To return, the kernel gives every worker
the task of `exit`.

Hardware barrier 1 is the one of all warps; 0 is that of the kernel's own, and partitions have theirs from 2 on.

`warp_specialize.py` uses it for kernels in ttg, `convert_warp_specialize_to_llvm.py` for functions already in llvm.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from mlir import ir

from ttkit.passes.lower.operations import Operations
from ttkit.target import MOST_REGISTERS

ALL_WARPS_BARRIER, FIRST_PARTITION_BARRIER, BARRIERS = 1, 2, 16
MAX_REMADE = 16
"""A captured value that takes more operations than this is not computed again, but passed on through memory."""


class WaitingBlocks(NamedTuple):
    """The blocks of workers that run no partition.

    wait: where they wait for a task.
    idle: what those without a task do.
    exit: where they return.
    again: goes back to `wait`; None if each block goes there itself.
    """

    wait: ir.Block
    idle: ir.Block
    exit: ir.Block
    again: ir.Block | None = None


class WorkerProtocol:
    """Builds the steps of the protocol.

    Args:
        emit: what builds; each step goes to its place.
        constant: makes an i32.
        hands_over: whether registers are handed over, given how many a thread has before and after.
    """

    def __init__(
        self, emit: Operations, constant: Callable[[int], ir.Value], hands_over: Callable[[int, int], bool]
    ) -> None:
        self.emit, self.constant, self.hands_over = emit, constant, hands_over

    def synchronize(self) -> None:
        """All warps of the CTA, workers included, wait for each other, wherever in the code they are."""
        self.emit.intrinsic_effect("llvm.nvvm.barrier.cta.sync.all", self.constant(ALL_WARPS_BARRIER))

    def set_registers(self, before: int, after: int) -> None:
        """Changes the registers of a thread from `before` to `after`, if they are handed over."""
        before, after = min(before, MOST_REGISTERS), min(after, MOST_REGISTERS)
        if self.hands_over(before, after):
            action = self.emit.attribute(f"#nvvm<action {'decrease' if after < before else 'increase'}>")
            self.emit.effect("nvvm.setmaxregister", action=action, regCount=self.emit.integer(after, 32))

    def start(self, before: int, after: int) -> None:
        """Starts the partitions when tasks and captures are written; then the default region has `after` registers."""
        self.synchronize()
        self.set_registers(before, after)
        self.synchronize()

    def end(self, before: int, after: int) -> None:
        """Ends a partition, or the default region: waits for all the others, and goes back to `after` registers."""
        self.synchronize()
        self.set_registers(before, after)

    def dispatch(
        self, blocks: WaitingBlocks, load_task: Callable[[], ir.Value], tasks: Mapping[int, ir.Block], exit_task: int
    ) -> None:
        """Writes the blocks of waiting workers, `wait` from the present place on.

        Args:
            load_task: builds the load of this warp's task, an i8.
            tasks: the first block of each partition, by its task.
        """
        emit = self.emit
        self.synchronize()
        emit.switch(load_task(), blocks.idle, {**tasks, exit_task: blocks.exit})
        emit.place = ir.InsertionPoint(blocks.idle)
        self.synchronize()
        self.synchronize()
        if blocks.again is not None:
            emit.branch(blocks.again)
            emit.place = ir.InsertionPoint(blocks.again)
        # What a partition computes must stay there: warps that wait have no registers for it.
        annotation = emit.attribute("#llvm.loop_annotation<licm = <disable = true>>")
        emit.branch(blocks.wait, loop_annotation=annotation)
        emit.place = ir.InsertionPoint(blocks.exit)
        emit.effect("llvm.return")
