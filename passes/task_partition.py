"""Assign loads by TMA, dots and stores to tasks, in loops to be warp specialized on Hopper.

    %x = tt.descriptor_load %d[%i]              =>  ... {async_task_id = array<i32: 0>}
    %b = ttg.local_alloc %x                         ...
    %r = ttng.warp_group_dot %a, %b, %c         =>  ... {async_task_id = array<i32: 1, 2>}
    tt.store %p, %r                             =>  ... {async_task_id = array<i32: 1, 2>}

Task 0 loads the operands of dots, those through pointers in loops only; the other `num-warp-groups` - 1 tasks do the
rest.

Input:  ttg with warp_group_dot.      Output: the same, with tasks.
Order:  first step of nvgpu-warp-specialization.
Skips:  functions with operations that already have tasks; those without loops with dots and loads for them.
Test:   test/lit/passes/task_partition.mlir
"""

from mlir import ir

from ttkit.inspection import collect, defining, enclosing
from ttkit.operation_sets import BLOCK_STORES, WGMMA
from ttkit.passes.infra import Pass, option
from ttkit.passes.infra.slices import backward_slice
from ttkit.passes.layout_propagation.layout_anchors import is_expensive_access
from ttkit.passes.partitioning.tasks import nested_tasks, set_tasks
from ttkit.records import dataclass


@dataclass(frozen=True)
class TaskPartition(Pass):
    """Assign loads, dots and stores to tasks"""

    name = "nvgpu-test-ws-task-partition"
    num_warp_groups: int = option(0, "groups of four warps: one loads, the others compute; below 2 nothing is done")

    def run(self, op: ir.Operation) -> None:
        """Partitions each function; nothing for one group of warps."""
        if self.num_warp_groups > 1:
            for function in collect(op, ["tt.func"]):
                partition_tasks(function, self.num_warp_groups)


def partition_tasks(function: ir.Operation, groups: int) -> None:
    """Gives the anchors of a function their tasks.

    Args:
        groups: of warps, at least 2.
    """
    products = collect(function, [WGMMA])
    if nested_tasks(function) or not products or not collect(function, ["scf.for"]):
        return
    producers = [load for product in products for load in loads_for(product)]
    if not producers:
        return
    for load in producers:
        set_tasks(load, [0])
    for op in [*products, *collect(function, BLOCK_STORES)]:
        set_tasks(op, range(1, groups))


def loads_for(product: ir.Operation) -> list[ir.Operation]:
    """The loads from which the factors of a dot are computed, except small ones."""
    found = []
    for factor in list(product.operands)[:2]:
        source = defining(factor)
        if source is not None:
            ops = [source.operation, *backward_slice(source.operation, lambda _: True)]
            found += [op for op in ops if op.name == "tt.descriptor_load" or is_loaded_in_loop(op)]
    return found


def is_loaded_in_loop(op: ir.Operation) -> bool:
    """Whether it is a tt.load in a loop, with an element for each thread."""
    return op.name == "tt.load" and is_expensive_access(op.opview) and enclosing(op, "scf.for") is not None
