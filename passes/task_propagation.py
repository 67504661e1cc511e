"""Give operations the tasks of the users of their results.

    %i = arith.muli %k, %c64                                              =>  ... {async_task_id = array<i32: 0>}
    %x = tt.descriptor_load %d[%i] {async_task_id = array<i32: 0>}
    %b = ttg.local_alloc %x                                               =>  ... {async_task_id = array<i32: 1, 2>}
    %r = ttng.warp_group_dot %a, %b, %c {async_task_id = array<i32: 1, 2>}

Loops and branches have the tasks of all operations in them.  So do the operations that compute their bounds and
conditions.

Input:  ttg with tasks at some operations.      Output: the same, with more tasks.
Order:  after task-partition.
Skips:  operations that nothing with tasks depends on.
Test:   test/lit/passes/task_propagation.mlir
"""

from itertools import chain

from mlir import ir

from ttkit.inspection import collect, defining, terminator
from ttkit.operation_sets import FOR_AND_IF
from ttkit.passes.infra import Pass, option
from ttkit.passes.infra.nesting import blocks_in, controls, holder_of, operations_in
from ttkit.passes.partitioning.tasks import add_tasks, incoming, nested_tasks, parents, set_tasks, tasks_of
from ttkit.records import dataclass

# Have tasks because of what is in them: what they pass on is needed where that is used.
CONTROL_FLOW = (*FOR_AND_IF, "scf.yield")


@dataclass(frozen=True)
class TaskPropagation(Pass):
    """Give operations the tasks of the users of their results"""

    name = "nvgpu-test-taskid-propagate"
    num_warp_groups: int = option(0, "groups of warps; 0 removes all tasks instead")

    def run(self, op: ir.Operation) -> None:
        """Propagates the tasks of each function; takes them away if no groups of warps are asked for."""
        for function in collect(op, ["tt.func"]):
            if self.num_warp_groups == 0:
                clear_tasks(function)
            elif nested_tasks(function):
                propagate_tasks(function)


def clear_tasks(function: ir.Operation) -> None:
    """Removes all tasks in a function."""
    for op in operations_in(function):
        set_tasks(op, ())


def propagate_tasks(function: ir.Operation) -> None:
    """Gives all that operations with tasks depend on these tasks too."""
    ops = operations_in(function)
    needed = _Propagation()
    for op in ops:
        if (tasks := tasks_of(op)) and op.name not in CONTROL_FLOW:
            needed.require(op, set(tasks))
    for op in ops:
        if op.name in FOR_AND_IF and not len(op.results):
            found = set(nested_tasks(op))  # its bounds may be those of other tasks' loops
        else:
            values = op.results if len(op.results) else op.operands
            found = set[int]().union(*(needed.tasks.get(value, set()) for value in values))
        if found and (op.name == "arith.constant" or not tasks_of(op)):
            set_tasks(op, found)
            for parent in parents(op):
                add_tasks(parent, found)


class _Propagation:
    """Tasks of values, found from those of the operations that use them.

    Attributes:
        tasks: value -> the tasks that need it.
    """

    def __init__(self) -> None:
        self.tasks: dict[ir.Value, set[int]] = {}

    def require(self, op: ir.Operation, tasks: set[int]) -> None:
        """Has tasks run an operation: they need its operands, and the bounds and conditions of what holds it."""
        held = [*map(controls, parents(op)), *(terminator(block).operands for block in blocks_in(op))]
        for value in (*op.operands, *chain.from_iterable(held)):
            self.need(value, tasks)

    def need(self, value: ir.Value, tasks: set[int]) -> None:
        """Has tasks need a value, and all that it is computed from."""
        waiting = [value]
        while waiting:
            value = waiting.pop()
            known = self.tasks.setdefault(value, set())
            if tasks <= known:
                continue
            known |= tasks
            op, sources = defining(value), incoming(value)
            if sources is not None:
                waiting += [*sources, *controls(holder_of(value) if op is None else op.operation)]
            elif op is not None and not tasks_of(op.operation):  # else it has tasks of its own
                self.require(op.operation, tasks)
