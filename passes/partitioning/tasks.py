"""The tasks that an operation belongs to: the groups of warps that will run it, as the attribute `async_task_id`."""

from collections.abc import Iterable
from typing import TypeAlias

from mlir import ir

from ttkit.inspection import terminator
from ttkit.passes.infra import PassError
from ttkit.passes.infra.nesting import holder_of, operations_in
from ttkit.passes.pipelining.loops import body_of
from ttkit.passes.pipelining.placing import PlacedBuilder

TASKS = "async_task_id"
Tasks: TypeAlias = tuple[int, ...]


class NotDivisible(PassError):
    """A loop can't be divided among tasks: where, and why."""


def tasks_of(op: ir.Operation) -> Tasks:
    """Tasks of an operation; none if nothing says."""
    return tuple(op.attributes.get(TASKS, ()))


def set_tasks(op: ir.Operation, tasks: Iterable[int]) -> None:
    """Replaces the tasks of an operation; no tasks remove the attribute."""
    made = sorted(set(tasks))
    if made:
        op.attributes[TASKS] = ir.DenseI32ArrayAttr.get(made, op.context)
    elif TASKS in op.attributes:
        del op.attributes[TASKS]


def add_tasks(op: ir.Operation, tasks: Iterable[int]) -> None:
    """Adds to the tasks of an operation."""
    set_tasks(op, [*tasks_of(op), *tasks])


def set_nested_tasks(op: ir.Operation, tasks: Iterable[int]) -> None:
    """Gives an operation and all in its regions the same tasks."""
    for inner in operations_in(op):
        set_tasks(inner, tasks)


def nested_tasks(op: ir.Operation) -> Tasks:
    """The tasks of an operation and of those in its regions."""
    return tuple(sorted({task for inner in operations_in(op) for task in tasks_of(inner)}))


def parents(op: ir.Operation) -> list[ir.Operation]:
    """The operations of a function that hold an operation, innermost first."""
    found: list[ir.Operation] = []
    while (parent := op.parent) is not None and parent.operation.name != "tt.func":
        op = parent.operation
        found.append(op)
    return found


def incoming(argument: ir.Value) -> list[ir.Value]:
    """The values that an argument of an scf.for's body is: the initial value and what an iteration passes on.

    Nothing for the number of the iteration, and for arguments of other blocks.
    """
    loop = holder_of(argument)
    number = ir.BlockArgument(argument).arg_number - 1
    if loop.name != "scf.for" or number < 0:
        return []
    return [loop.operands[number + 3], terminator(body_of(loop)).operation.operands[number]]


class TaskBuilder(PlacedBuilder):
    """Builds operations of some tasks, its `place`."""

    def put(self, op: ir.Operation) -> None:
        """Notes the tasks on an operation."""
        set_tasks(op, self.place)
