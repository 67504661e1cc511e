"""Giving each task its own copy of a function's code, in a region that its warps run."""

from mlir import ir

from ttkit.dialects import nvws, scf
from ttkit.inspection import defining, terminator
from ttkit.passes.infra import clone_operations
from ttkit.passes.nvws_lower_warp_group import specialize
from ttkit.passes.partitioning.channels import carried_on
from ttkit.passes.partitioning.tasks import incoming, nested_tasks, set_nested_tasks, set_tasks, tasks_of

WARPS_OF_TASK = 4
# Registers that each thread of a task that computes asks for.
REGISTERS = 232


def specialize_tasks(function: ir.Operation) -> None:
    """Replaces all operations with tasks by a ttg.warp_specialize: task 0 in the default region, a partition each."""
    tasks = nested_tasks(function)
    (block,) = function.regions[0].blocks
    ops = [each.operation for each in block.operations if tasks_of(each.operation)]
    last = terminator(block).operation
    with ops[0].location, ir.InsertionPoint(last):
        group = nvws.warp_group([], [WARPS_OF_TASK] * len(tasks), len(tasks)).operation
    for task, region in zip(tasks, group.regions):
        body = region.blocks.append()
        copies = _Copies(task)
        copies.add_all(ops, body)
        with function.location, ir.InsertionPoint(body):
            nvws.warp_group_yield([]) if task == tasks[0] else nvws.warp_group_return()
    for op in reversed(ops):
        op.erase()
    made = specialize(group, WARPS_OF_TASK)
    made.attributes["requestedRegisters"] = ir.DenseI32ArrayAttr.get([REGISTERS] * (len(tasks) - 1), made.context)


class _Copies:
    """The operations of one task.

    Args:
        task: operations of others are left out.
    """

    def __init__(self, task: int) -> None:
        self.task = task
        self.values: dict[ir.Value, ir.Value] = {}
        self._made: dict[ir.Value, bool] = {}

    def add_all(self, ops: list[ir.Operation], block: ir.Block) -> None:
        """Copies operations, with what is in them, to the end of a block."""
        for op in ops:
            if self.task not in tasks_of(op):
                continue
            if op.name == "scf.for":
                self._add_loop(op, block)
            elif op.name == "scf.if":
                self._add_branch(op, block)
            else:
                mapping = [(value, self.values[value]) for value in op.operands if value in self.values]
                (copy,) = clone_operations([op], mapping, ir.InsertionPoint(block))
                set_nested_tasks(copy, [self.task])
                self.values.update(zip(op.results, copy.results))

    def _of(self, value: ir.Value) -> ir.Value:
        return self.values.get(value, value)

    def _has(self, value: ir.Value) -> bool:
        """Whether the task computes a value; what is computed outside of all tasks counts."""
        if value not in self._made:
            self._made[value] = True  # while it depends on itself
            op = defining(value)
            if op is None:
                self._made[value] = all(map(self._has, incoming(value)))
            elif op.operation.name == "scf.for":
                number = ir.OpResult(value).result_number
                self._made[value] = self._has(op.operation.regions[0].blocks[0].arguments[number + 1])
            elif op.operation.name == "scf.if":
                number = ir.OpResult(value).result_number
                ends = [terminator(region.blocks[0]).operation for region in op.operation.regions]
                self._made[value] = all(self._has(end.operands[number]) for end in ends)
            else:
                tasks = tasks_of(op.operation)
                self._made[value] = not tasks or self.task in tasks
        return self._made[value]

    def _uses(self, values: list[ir.Value]) -> bool:
        """Whether an operation of the task uses one of these values, passed on by loops and branches or not."""
        uses = [use for value in values for one in carried_on(value) for use in one.uses]
        return any(self.task in tasks_of(use.owner.operation) and not is_passing_on(use) for use in uses)

    def _add_loop(self, loop: ir.Operation, block: ir.Block) -> None:
        body = loop.regions[0].blocks[0]
        carried = list(zip(list(body.arguments)[1:], loop.results))
        kept = [n for n, (one, result) in enumerate(carried) if self._has(one) and self._uses([one, result])]
        operands = list(loop.operands)
        bounds, initial = operands[:3], operands[3:]
        new = ir.Operation.create(
            "scf.for",
            [loop.results[number].type for number in kept],
            [self._of(value) for value in [*bounds, *(initial[number] for number in kept)]],
            regions=1,
            loc=loop.location,
            ip=ir.InsertionPoint(block),
        )
        set_tasks(new, [self.task])
        types = [body.arguments[0].type, *(loop.results[number].type for number in kept)]
        inside = new.regions[0].blocks.append(*types, arg_locs=[loop.location] * len(types))
        old = [body.arguments[0], *(body.arguments[number + 1] for number in kept)]
        self.values.update(zip(old, inside.arguments))
        self._fill(body, inside, kept)
        self.values.update(zip([loop.results[number] for number in kept], new.results))

    def _add_branch(self, branch: ir.Operation, block: ir.Block) -> None:
        kept = [number for number, result in enumerate(branch.results) if self._has(result) and self._uses([result])]
        types = [branch.results[number].type for number in kept]
        has_else = len(branch.regions[1].blocks) > 0
        with branch.location, ir.InsertionPoint(block):
            new = scf.if_(self._of(branch.operands[0]), types, has_else=has_else).operation
        set_tasks(new, [self.task])
        for old, region in zip(branch.regions, new.regions):
            if len(old.blocks):
                self._fill(old.blocks[0], region.blocks[0], kept)
        self.values.update(zip([branch.results[number] for number in kept], new.results))

    def _fill(self, source: ir.Block, block: ir.Block, kept: list[int]) -> None:
        """Copies the operations of a block, and yields what is kept."""
        ops = [each.operation for each in source.operations]
        self.add_all(ops[:-1], block)
        with ops[-1].location, ir.InsertionPoint(block):
            scf.yield_([self._of(ops[-1].operands[number]) for number in kept])
        set_tasks(terminator(block).operation, [self.task])


def is_passing_on(use: ir.OpOperand) -> bool:
    """Whether a use only hands a value on to a loop, the next iteration or what follows."""
    name = use.owner.operation.name
    return name == "scf.yield" or (name == "scf.for" and use.operand_number >= 3)
