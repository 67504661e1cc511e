"""Giving each task its own copy of a function's code, in a region for its warps."""

from mlir import ir

from ttkit.dialects import nvws
from ttkit.inspection import address_of, addresses_of_users, defining, terminator, users_of
from ttkit.layout.hardware import GROUP_WARPS
from ttkit.passes.infra import PassError
from ttkit.passes.infra.loops import body_of
from ttkit.passes.infra.nesting import arguments_in, operations_in
from ttkit.passes.nvws_lower_warp_group import specialize
from ttkit.passes.partitioning.channels import forwarded_values
from ttkit.passes.partitioning.cloning import Copies
from ttkit.passes.partitioning.tasks import TASKS, Tasks, incoming, nested_tasks, set_nested_tasks, tasks_of
from ttkit.target import FEWEST_REGISTERS, REGISTERS

LOADING_REGISTERS = 48
"""Registers of a thread of task 0 beside those of the addresses of its copies."""
REGISTER_UNIT = 8
"""Registers are given to threads in units of this size."""


def computing_registers(copies: int) -> int:
    """The registers of each thread of a task that computes, of two: what task 0, which loads, leaves.

    copies: by cp.async that a thread of task 0 starts in an iteration; each takes a register for its address.
    """
    left = (REGISTERS // (32 * GROUP_WARPS) - LOADING_REGISTERS - copies) // 2
    return max(left // REGISTER_UNIT * REGISTER_UNIT, FEWEST_REGISTERS)


def specialize_tasks(function: ir.Operation, registers: int) -> None:
    """Replaces all operations with tasks by a ttg.warp_specialize: task 0 is the default region, others partitions.

    Args:
        registers: that each thread of a partition requests.

    Raises:
        PassError: a task uses a value that it does not compute, by attributes that the user wrote.
    """
    tasks = nested_tasks(function)
    (block,) = function.regions[0].blocks
    ops = [each.operation for each in block.operations if tasks_of(each.operation)]
    last = terminator(block).operation
    with ops[0].location, ir.InsertionPoint(last):
        group = nvws.warp_group([], [GROUP_WARPS] * len(tasks), len(tasks)).operation
    for task, region in zip(tasks, group.regions):
        body = region.blocks.append()
        copies = _Copies(task)
        copies.add_all(ops, body)
        with function.location, ir.InsertionPoint(body):
            nvws.warp_group_yield([]) if task == tasks[0] else nvws.warp_group_return()
    refuse_missing_values(ops)
    for op in reversed(ops):
        op.erase()
    made = specialize(group, GROUP_WARPS)
    made.attributes["requestedRegisters"] = ir.DenseI32ArrayAttr.get([registers] * (len(tasks) - 1), made.context)


def refuse_missing_values(ops: list[ir.Operation]) -> None:
    """Raises PassError at a copy that uses a result of the original operations: its task has no copy of the value."""
    originals = [inner for op in ops for inner in operations_in(op)]
    known = {address_of(op) for op in originals}
    for op in originals:
        for value in [*op.results, *arguments_in(op)]:
            if not known.issuperset(addresses_of_users(value)):
                user = next(user for user in users_of(value) if address_of(user) not in known)
                tasks = ", ".join(map(str, tasks_of(user)))
                raise PassError(user, f"task {tasks} uses a value of {op.name}, which it does not compute")


class _Copies(Copies):
    """The operations of one task."""

    def __init__(self, task: int) -> None:
        super().__init__(task)
        self._made: dict[ir.Value, bool] = {}

    def owners(self, op: ir.Operation) -> Tasks:
        """The tasks of an operation."""
        return tasks_of(op)

    def kept(self, op: ir.Operation) -> list[int]:
        """The numbers of the results that the task computes and uses."""
        carried = list(body_of(op).arguments)[1:] if op.name == "scf.for" else op.results
        values = enumerate(zip(carried, op.results))
        return [number for number, (one, result) in values if self._has(one) and self._uses([one, result])]

    def attributes(self, op: ir.Operation) -> dict[str, ir.Attribute]:
        """The attribute with this task only."""
        return {TASKS: ir.DenseI32ArrayAttr.get([self.owner], op.context)}

    def finish(self, copy: ir.Operation, op: ir.Operation) -> None:
        """Assigns the copy, with the operations in its regions, to the task."""
        set_nested_tasks(copy, [self.owner])

    def _has(self, value: ir.Value) -> bool:
        """Whether the task computes a value, or no task does."""
        if value not in self._made:
            self._made[value] = True  # while it depends on itself
            op, sources = defining(value), incoming(value)
            if sources is not None:
                self._made[value] = all(map(self._has, sources))
            elif op is not None:
                tasks = tasks_of(op.operation)
                self._made[value] = not tasks or self.owner in tasks
        return self._made[value]

    def _uses(self, values: list[ir.Value]) -> bool:
        """Whether an operation of the task uses one of these values, directly or passed on by loops and branches."""
        uses = [use for value in values for one in forwarded_values(value) for use in one.uses]
        return any(self.owner in tasks_of(use.owner.operation) and not is_passing_on(use) for use in uses)


def is_passing_on(use: ir.OpOperand) -> bool:
    """Whether a use only passes a value on: into a loop, to the next iteration, or out of a loop or branch."""
    name = use.owner.operation.name
    return name == "scf.yield" or (name == "scf.for" and use.operand_number >= 3)
