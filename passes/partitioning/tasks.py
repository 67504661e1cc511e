"""The tasks that an operation belongs to: the groups of warps that will run it, as the attribute `async_task_id`."""

from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import TypeAlias

from mlir import ir

from ttkit.analysis.control_flow import incoming_values
from ttkit.inspection import defining, holders
from ttkit.passes.infra import PassError
from ttkit.passes.infra.nesting import holder_of, operations_in
from ttkit.passes.infra.placed_builder import PlacedBuilder

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
    return list(takewhile(lambda holder: holder.name != "tt.func", holders(op)))


def incoming(value: ir.Value) -> Sequence[ir.Value] | None:
    """The values that one is which an scf.for or scf.if passes on, as an argument of its body or as a result.

    None for the number of the iteration, and for all others.
    """
    op = defining(value)
    holder = holder_of(value) if op is None else op.operation
    return incoming_values(value) if holder.name in ("scf.for", "scf.if") else None


class TaskBuilder(PlacedBuilder):
    """Builds operations of some tasks, its `place`."""

    def put(self, op: ir.Operation) -> None:
        """Notes the tasks on an operation."""
        set_tasks(op, self.place)
