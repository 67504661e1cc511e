"""Copying the operations of one partition, or one task, with the loops and branches that hold them."""

from collections.abc import Iterable

from mlir import ir

from ttkit.dialects import scf
from ttkit.inspection import terminator
from ttkit.passes.infra import clone_operations
from ttkit.passes.infra.loops import body_of
from ttkit.passes.infra.nesting import operations_in


class Copies:
    """The operations of one owner; loops and branches keep only the values that it needs.

    Args:
        owner: operations of others are left out.

    Attributes:
        values: what values have become; those that are missing are the same.
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
        """Copies operations, with what is in them, to the end of a block."""
        plain: list[ir.Operation] = []
        for op in ops:
            if self.owner not in self.owners(op):
                continue
            if op.name not in ("scf.for", "scf.if"):
                plain.append(op)
                continue
            self._add_plain(plain, block)
            plain = []
            self._add_loop(op, block) if op.name == "scf.for" else self._add_branch(op, block)
        self._add_plain(plain, block)

    def _add_plain(self, ops: list[ir.Operation], block: ir.Block) -> None:
        """Copies operations that are no loops or branches, all at once."""
        if not ops:
            return
        used = (value for op in ops for inner in operations_in(op) for value in inner.operands)
        mapping = {value: self.values[value] for value in used if value in self.values}
        for op, copy in zip(ops, clone_operations(ops, mapping.items(), ir.InsertionPoint(block))):
            self.finish(copy, op)
            self.values.update(zip(op.results, copy.results))

    def value(self, value: ir.Value, user: ir.Operation) -> ir.Value:
        """The copy of a value that an operation uses, or itself."""
        return self.values.get(value, value)

    def _add_loop(self, loop: ir.Operation, block: ir.Block) -> None:
        body, kept = body_of(loop), self.kept(loop)
        operands = list(loop.operands)
        types = [loop.results[number].type for number in kept]
        new = ir.Operation.create(
            "scf.for",
            types,
            [self.value(value, loop) for value in [*operands[:3], *(operands[number + 3] for number in kept)]],
            self.attributes(loop),
            regions=1,
            loc=loop.location,
            ip=ir.InsertionPoint(block),
        )
        arguments = [body.arguments[0], *(body.arguments[number + 1] for number in kept)]
        inside = new.regions[0].blocks.append(arguments[0].type, *types, arg_locs=[loop.location] * len(arguments))
        self.values.update(zip(arguments, inside.arguments))
        self._fill(body, inside, kept)
        self.values.update(zip([loop.results[number] for number in kept], new.results))

    def _add_branch(self, branch: ir.Operation, block: ir.Block) -> None:
        kept = self.kept(branch)
        types = [branch.results[number].type for number in kept]
        has_else = len(branch.regions[1].blocks) > 0
        with branch.location, ir.InsertionPoint(block):
            new: ir.Operation = scf.if_(self.value(branch.opview.condition, branch), types, has_else=has_else).operation
        self._note(new, branch)
        for old, region in zip(branch.regions, new.regions):
            if len(old.blocks):
                self._fill(old.blocks[0], region.blocks[0], kept)
        self.values.update(zip([branch.results[number] for number in kept], new.results))

    def _fill(self, source: ir.Block, block: ir.Block, kept: list[int]) -> None:
        """Copies the operations of a block, and yields what is kept."""
        *ops, last = [each.operation for each in source.operations]
        self.add_all(ops, block)
        with last.location, ir.InsertionPoint(block):
            scf.yield_([self.value(last.operands[number], last) for number in kept])
        self._note(terminator(block).operation, last)

    def _note(self, new: ir.Operation, old: ir.Operation) -> None:
        for name, value in self.attributes(old).items():
            new.attributes[name] = value
