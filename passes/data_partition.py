"""Divide dots that several tasks share into slices, one for each task, with the operations that depend on them.

    %r = ttng.warp_group_dot %a, %b, %c {1, 2}       %r0 = ttng.warp_group_dot %a0, %b, %c0 {1}    // the upper half
                                                =>   %r1 = ttng.warp_group_dot %a1, %b, %c1 {2}    // the lower half
    tt.store %p, %r {1, 2}                           tt.store %p0, %r0 {1}
                                                     tt.store %p1, %r1 {2}

Rows are divided if each task gets 64, else columns if each gets 128 and a whole instruction.  Loads through descriptors
load slices of their blocks, with new descriptors.

Differs from Triton: a coordinate is changed only for the operation that loads or stores there, not for its other users.
Columns that one instruction computes are not divided.

Input:  ttg with tasks.      Output: the same; each dot belongs to one task.
Order:  after task-propagation.
Skips:  functions whose dots have one task.  A dot that can't be divided is an error.
Test:   test/lit/passes/data_partition.mlir
"""

from mlir import ir

from ttkit.inspection import collect, defining
from ttkit.operation_sets import BLOCK_LOADS, FOR_AND_IF
from ttkit.passes.infra import Pass, PassError, canonicalize_ops, option
from ttkit.passes.infra.dead_loop_arguments import drop_dead_loop_arguments
from ttkit.passes.infra.nesting import controls, operations_in
from ttkit.passes.partitioning.slice_dimensions import slice_dimensions
from ttkit.passes.partitioning.slicing import Slicer, erase_unused
from ttkit.passes.partitioning.tasks import NotDivisible, add_tasks, tasks_of
from ttkit.records import dataclass


@dataclass(frozen=True)
class DataPartition(Pass):
    """Cut dot operations that several tasks share into slices, one for each task"""

    name = "nvgpu-test-ws-data-partition"
    may_change = "the order of floating-point sums"  # numpy sums a slice of a product in another order
    takes_launch_to_follow = "it makes tensor maps with the blocks that the compiled kernel asks for"
    num_warp_groups: int = option(0, "groups of warps: one loads, the others get a slice each; below 3 nothing is done")

    def run(self, op: ir.Operation) -> None:
        """Divides the dots of each function; does nothing with fewer than three warp groups.

        Raises:
            PassError: a dot can't be divided into as many slices.
        """
        if self.num_warp_groups < 3:
            return
        for function in collect(op, ["tt.func"]):
            try:
                partition_data(function)
            except NotDivisible as error:
                found = f"can't be divided among {self.num_warp_groups - 1} tasks: {error}"
                raise PassError(error.operation, found) from None


def partition_data(function: ir.Operation) -> None:
    """Cuts the dot operations of a function that several tasks share.

    Raises:
        NotDivisible: they can't be cut; nothing has changed.
    """
    cut = slice_dimensions(function)
    if cut is None:
        return
    (block,) = function.regions[0].blocks
    for number in range(cut.count):
        slicer = Slicer(cut, number)
        slicer.cut_arguments(function)
        slicer.add_to(block)
    changed = True
    while changed:
        changed = erase_unused(block, cut)
        changed |= drop_dead_loop_arguments(function)
        canonicalize_ops(function, FOR_AND_IF)
    complete_tasks(function)


def complete_tasks(function: ir.Operation) -> None:
    """Adds tasks to operations that folding has merged, to branches and to the ends of loops."""
    changed = True
    while changed:
        changed = False
        for op in operations_in(function):
            tasks = set(tasks_of(op))
            for value in op.operands:
                source = defining(value)
                if source is None or source.operation.name in BLOCK_LOADS:
                    continue
                made = set(tasks_of(source.operation))
                passes_on = op.name in ("scf.yield", "scf.for") and value not in controls(op)
                if not tasks <= made and not passes_on and source.operation.name.startswith("arith."):
                    add_tasks(source.operation, tasks)
                    changed = True
                if not made <= tasks and op.name in ("scf.yield", "scf.if") and len(list(value.uses)) == 1:
                    add_tasks(op, made)
                    tasks |= made
                    changed = True
