"""The tasks of an operation, the groups of warps that will run it: the attribute `async_task_id`."""

from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import TypeAlias

from mlir import ir

from ttkit.analysis.control_flow import incoming_values
from ttkit.inspection import defining, holders
from ttkit.operation_sets import FOR_AND_IF
from ttkit.passes.infra import PassError
from ttkit.passes.infra.nesting import holder_of, operations_in
from ttkit.passes.infra.placed_builder import PlacedBuilder

TASKS = "async_task_id"
# Threads of a task.
THREADS = 128
Tasks: TypeAlias = tuple[int, ...]


class NotDivisible(PassError):
    """A loop can't be divided among tasks, because of an operation."""


def tasks_of(op: ir.Operation) -> Tasks:
    """The tasks of an operation; none without the attribute."""
    return tuple(op.attributes.get(TASKS, ()))


def set_tasks(op: ir.Operation, tasks: Iterable[int]) -> None:
    """Replaces the tasks of an operation; without tasks the attribute is removed."""
    _set(op, _attribute(tasks, op.context))


def _attribute(tasks: Iterable[int], context: ir.Context) -> ir.Attribute | None:
    """The attribute with these tasks; None for none."""
    made = sorted(set(tasks))
    return ir.DenseI32ArrayAttr.get(made, context) if made else None


def _set(op: ir.Operation, tasks: ir.Attribute | None) -> None:
    if tasks is not None:
        op.attributes[TASKS] = tasks
    elif TASKS in op.attributes:
        del op.attributes[TASKS]


def add_tasks(op: ir.Operation, tasks: Iterable[int]) -> None:
    """Adds to the tasks of an operation."""
    set_tasks(op, [*tasks_of(op), *tasks])


def set_nested_tasks(op: ir.Operation, tasks: Iterable[int]) -> None:
    """Gives the same tasks to an operation and all operations in its regions."""
    attribute = _attribute(tasks, op.context)
    for inner in operations_in(op):
        _set(inner, attribute)


def nested_tasks(op: ir.Operation) -> Tasks:
    """The tasks of an operation and of those in its regions."""
    attributes = {inner.attributes.get(TASKS) for inner in operations_in(op)}
    return tuple(sorted({task for each in attributes if each is not None for task in each}))


def parents(op: ir.Operation) -> list[ir.Operation]:
    """The operations around an operation, up to the function, innermost first."""
    return list(takewhile(lambda holder: holder.name != "tt.func", holders(op)))


def incoming(value: ir.Value) -> Sequence[ir.Value] | None:
    """The values that an argument or result of an scf.for or scf.if may be.

    None for an induction variable, and for all other values.
    """
    op = defining(value)
    holder = holder_of(value) if op is None else op.operation
    return incoming_values(value) if holder.name in FOR_AND_IF else None


class TaskBuilder(PlacedBuilder):
    """Builds operations that belong to the tasks in `place`."""

    def put(self, op: ir.Operation) -> None:
        """Sets the tasks of an operation."""
        set_tasks(op, self.place)
