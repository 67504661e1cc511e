"""Records of operations (`record`) into MLIR."""

from __future__ import annotations

from collections.abc import Sequence

from mlir import ir

from ttkit.dialects._operation import create_unchecked
from ttkit.language.record import Block, Location, Operation, Value
from ttkit.operation_sets import FOR_AND_IF

# Operations whose body ends, if it is left open, with a terminator of no operands.


class Materializer:
    """Makes MLIR of records within one context; equal types, attributes and locations are made once.

    current: the location of the operation that is being made.
    """

    def __init__(self, context: ir.Context) -> None:
        self.context = context
        self.types: dict[str, ir.Type] = {}
        self.attributes: dict[str, ir.Attribute] = {}
        self.current: Location | None = None  # of the operation that is being made
        self.locations: dict[Location | None, ir.Location] = {None: ir.Location.unknown(context)}

    def type(self, text: str) -> ir.Type:
        """The type that a text spells; each text is parsed once."""
        found = self.types.get(text)
        if found is None:
            found = self.types[text] = ir.Type.parse(text, self.context)
        return found

    def attribute(self, text: str) -> ir.Attribute:
        """The attribute that a text spells; each text is parsed once."""
        found = self.attributes.get(text)
        if found is None:
            found = self.attributes[text] = ir.Attribute.parse(text, self.context)
        return found

    def location(self, loc: Location | None) -> ir.Location:
        """The location in a file, with the call sites around it and a name if it has one."""
        found = self.locations.get(loc)
        if found is None:
            assert loc is not None
            if len(loc) == 3:
                found = ir.Location.file(*loc, context=self.context)
            else:
                found = ir.Location.name(loc[0], self.location(loc[1]), context=self.context)
            self.locations[loc] = found
        return found

    def module(self, functions: Sequence[Operation], loc: Location | None) -> ir.Module:
        """The module of these functions, in order."""
        module = ir.Module.create(self.location(loc))
        insertion = ir.InsertionPoint(module.body)
        for function in functions:
            self._operation(function, insertion, {}, {})
        return module

    def _operation(
        self, op: Operation, insertion: ir.InsertionPoint, values: dict[Value, ir.Value], blocks: dict[Block, ir.Block]
    ) -> ir.Operation:
        types = self.types
        self.current = op.loc
        attributes = {name: self.attribute(text) for name, text in op.attributes.items()} if op.attributes else None
        made = create_unchecked(
            op.name,
            results=[types.get(value.type) or self.type(value.type) for value in op.results],
            operands=[values[value if value.forward is None else value.resolved()] for value in op.operands],
            attributes=attributes,
            successors=[blocks[block] for block in op.successors] if op.successors else None,
            regions=len(op.regions),
            loc=self.location(op.loc),
            ip=insertion,
        )
        results = op.results
        if len(results) == 1:
            values[results[0]] = made.result
        elif results:
            values.update(zip(results, made.results))
        for region, recorded in zip(made.regions if op.regions else (), op.regions):
            self._region(region, recorded, op, values, blocks)
        return made

    def _region(
        self,
        region: ir.Region,
        recorded: Sequence[Block],
        op: Operation,
        values: dict[Value, ir.Value],
        blocks: dict[Block, ir.Block],
    ) -> None:
        for block in recorded:
            types = [self.type(argument.type) for argument in block.arguments]
            locations = [self.location(argument.loc) for argument in block.arguments]
            made = blocks[block] = region.blocks.append(*types, arg_locs=locations)
            values.update(zip(block.arguments, made.arguments))
        for block in recorded:
            insertion = ir.InsertionPoint(blocks[block])
            for inner in block.operations:
                self._operation(inner, insertion, values, blocks)
            if op.name in FOR_AND_IF and not _is_closed(block):
                create_unchecked("scf.yield", loc=self.location(op.loc), ip=insertion)


def _is_closed(block: Block) -> bool:
    return bool(block.operations) and block.operations[-1].name == "scf.yield"
