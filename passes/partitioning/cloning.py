"""Copying the operations of one partition, or one task, with the loops and branches around them."""

from collections.abc import Iterable, Sequence

from mlir import ir

from ttkit.dialects import scf
from ttkit.inspection import terminator
from ttkit.operation_sets import FOR_AND_IF
from ttkit.passes.infra import clone_operations
from ttkit.passes.infra.loops import body_of
from ttkit.passes.infra.nesting import controls, operations_in


class Copies:
    """Copies of the operations of one owner; loops and branches keep only the values that it needs.

    Args:
        owner: the number of a partition or task, whose operations are copied.

    Attributes:
        values: value -> its copy; other values are used as they are.
    """

    def __init__(self, owner: int) -> None:
        self.owner = owner
        self.values: dict[ir.Value, ir.Value] = {}

    def owners(self, op: ir.Operation) -> Iterable[int]:
        """The owners of an operation."""
        raise NotImplementedError

    def kept(self, op: ir.Operation) -> list[int]:
        """The numbers of the results of a loop or branch that the owner needs."""
        raise NotImplementedError

    def attributes(self, op: ir.Operation) -> dict[str, ir.Attribute]:
        """The attributes of the copy of a loop, branch or yield."""
        raise NotImplementedError

    def finish(self, copy: ir.Operation, op: ir.Operation) -> None:
        """Changes the attributes of the copy of another operation."""
        raise NotImplementedError

    def add_all(self, ops: list[ir.Operation], block: ir.Block) -> None:
        """Copies operations, with those in their regions, to the end of a block."""
        plain: list[ir.Operation] = []
        for op in ops:
            if self.owner not in self.owners(op):
                continue
            if op.name not in FOR_AND_IF:
                plain.append(op)
                continue
            self._add_plain(plain, block)
            plain = []
            self._add_loop(op, block) if op.name == "scf.for" else self._add_branch(op, block)
        self._add_plain(plain, block)

    def _add_plain(self, ops: list[ir.Operation], block: ir.Block) -> None:
        """Copies operations other than loops and branches, all at once."""
        if not ops:
            return
        used = (value for op in ops for inner in operations_in(op) for value in inner.operands)
        mapping = {value: self.values[value] for value in used if value in self.values}
        for op, copy in zip(ops, clone_operations(ops, mapping.items(), ir.InsertionPoint(block))):
            self.finish(copy, op)
            self.values.update(zip(op.results, copy.results))

    def value(self, value: ir.Value, user: ir.Operation) -> ir.Value:
        """The copy of a value that an operation uses, or the value itself."""
        return self.values.get(value, value)

    def _add_loop(self, loop: ir.Operation, block: ir.Block) -> None:
        body, kept = body_of(loop), self.kept(loop)
        results = pick(loop.results, kept)
        types = [result.type for result in results]
        new = ir.Operation.create(
            "scf.for",
            types,
            [self.value(value, loop) for value in [*controls(loop), *pick(loop.opview.initArgs, kept)]],
            self.attributes(loop),
            regions=1,
            loc=loop.location,
            ip=ir.InsertionPoint(block),
        )
        induction, *carried = body.arguments
        arguments = [induction, *pick(carried, kept)]
        inside = new.regions[0].blocks.append(arguments[0].type, *types, arg_locs=[loop.location] * len(arguments))
        self.values.update(zip(arguments, inside.arguments))
        self._fill(body, inside, kept)
        self.values.update(zip(results, new.results))

    def _add_branch(self, branch: ir.Operation, block: ir.Block) -> None:
        kept = self.kept(branch)
        results = pick(branch.results, kept)
        types = [result.type for result in results]
        has_else = len(branch.regions[1].blocks) > 0
        with branch.location, ir.InsertionPoint(block):
            new: ir.Operation = scf.if_(self.value(branch.opview.condition, branch), types, has_else=has_else).operation
        self._note(new, branch)
        for old, region in zip(branch.regions, new.regions):
            if len(old.blocks):
                self._fill(old.blocks[0], region.blocks[0], kept)
        self.values.update(zip(results, new.results))

    def _fill(self, source: ir.Block, block: ir.Block, kept: list[int]) -> None:
        """Copies the operations of a block, and yields the values with the numbers `kept`."""
        *ops, last = [each.operation for each in source.operations]
        self.add_all(ops, block)
        with last.location, ir.InsertionPoint(block):
            scf.yield_([self.value(value, last) for value in pick(last.operands, kept)])
        self._note(terminator(block).operation, last)

    def _note(self, new: ir.Operation, old: ir.Operation) -> None:
        for name, value in self.attributes(old).items():
            new.attributes[name] = value


def pick(values: Iterable[ir.Value], numbers: Sequence[int]) -> list[ir.Value]:
    """The values with these numbers."""
    values = list(values)
    return [values[number] for number in numbers]
