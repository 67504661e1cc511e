"""The operations of a kernel as plain Python objects, before they become MLIR.

The frontend builds loop bodies and branches before it knows the operation that will hold them, throws trial runs
away, and renames locations after the fact.  On these records that costs nothing; `materialize` then makes each
operation that remains once.  A record costs 0.9 us, an operation of MLIR 4: of an attention kernel's 18 ms the 308
records take 0.3, and the 60 of them that are thrown away would cost as much if they were made (x86-64, 2026-11).  So
time decides nothing here; records stay as what interpreted kernels put in the place of MLIR, too (`is_eager`).

A type and an attribute are their text in the IR ("tensor<128xf32>", "5 : i32").  A location is (file, line, column), or
(name, location) for a named one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

Location: TypeAlias = tuple[Any, ...]
Attributes: TypeAlias = dict[str, str]


class Value:
    """A result of an operation or an argument of a block."""

    __slots__ = ("forward", "index", "loc", "owner", "type")

    def __init__(self, type: str, owner: Operation | Block, index: int, loc: Location | None = None) -> None:
        self.type = type
        self.owner = owner
        self.index = index
        self.loc = loc  # of a block argument; a result has its operation's
        self.forward: Value | None = None

    def replace_all_uses_with(self, other: Value) -> None:
        """Puts another value in its place, also in operations that are recorded already."""
        self.forward = other

    def resolved(self) -> Value:
        """The value that stands for this one now."""
        value = self
        while value.forward is not None:
            value = value.forward
        return value

    def add_name(self, name: str) -> None:
        """Names the location: that of the whole operation for a result."""
        if isinstance(self.owner, Operation):
            self.owner.loc = (name, self.owner.loc)
        else:
            self.loc = (name, self.loc)

    def set_hint(self, name: str, attribute: str) -> None:
        """Attaches an attribute to the operation that makes the value.

        For an argument of a region it goes to the operation around, as `<name>_arg<number>`; arguments of functions
        take none.
        """
        if isinstance(self.owner, Operation):
            self.owner.attributes = {**self.owner.attributes, name: attribute}
        elif self.owner.parent is not None and self.owner.parent.name != "tt.func":
            parent = self.owner.parent
            parent.attributes = {**parent.attributes, f"{name}_arg{self.index}": attribute}


NO_ATTRIBUTES: Attributes = {}


def is_poison(value: Value) -> bool:
    """Whether the value is undefined: not one that only stands where another will be."""
    value = value.resolved()
    return isinstance(value.owner, Operation) and value.owner.name == "ub.poison" and value.owner.results[0] is value


class Operation:
    """An operation; `results` are its values."""

    __slots__ = ("attributes", "loc", "name", "operands", "regions", "results", "successors")

    def __init__(
        self,
        name: str,
        operands: Sequence[Value],
        types: Sequence[str],
        attributes: Attributes = NO_ATTRIBUTES,
        loc: Location | None = None,
        regions: Sequence[list[Block]] = (),
        successors: Sequence[Block] = (),
    ) -> None:
        self.name = name
        self.operands = operands
        self.attributes = attributes
        self.loc = loc
        self.regions = regions
        self.successors = successors
        self.results = [Value(type, self, index) for index, type in enumerate(types)]
        for region in regions:
            for block in region:
                block.parent = self


class Block:
    """A list of operations with arguments.  `parent` is the operation whose region holds it, if any does."""

    __slots__ = ("arguments", "operations", "parent")

    def __init__(self, argument_types: Sequence[str] = (), loc: Location | None = None) -> None:
        self.arguments = [Value(type, self, index, loc) for index, type in enumerate(argument_types)]
        self.operations: list[Operation] = []
        self.parent: Operation | None = None

    def add_argument(self, type: str, loc: Location | None) -> Value:
        """Adds an argument of a type that is given as text; gives its value."""
        value = Value(type, self, len(self.arguments), loc)
        self.arguments.append(value)
        return value


class Builder:
    """Insertion point of one function: the current block and location, and what all functions of a module share."""

    __slots__ = ("block", "loc", "unit")
    is_eager = False  # whether operations run as they are built

    def __init__(self, unit: Any) -> None:
        self.unit = unit
        self.block: Block = Block()
        self.loc: Location | None = None

    def to_start(self, block: Block) -> None:
        """Continues at the start of `block`, which is empty."""
        self.to_end(block)

    def to_end(self, block: Block) -> None:
        """Continues at the end of `block`, with the location of its last operation, else of the one around it."""
        self.block = block
        around = block.parent.loc if block.parent is not None else None
        self.loc = block.operations[-1].loc if block.operations else around

    def emit(self, name: str, operands: Sequence[Value], type: str, attributes: Attributes = NO_ATTRIBUTES) -> Value:
        """Appends an operation of one result, which it gives."""
        op = Operation(name, operands, (type,), attributes, self.loc)
        self.block.operations.append(op)
        return op.results[0]

    def emit_op(
        self,
        name: str,
        operands: Sequence[Value] = (),
        types: Sequence[str] = (),
        attributes: Attributes = NO_ATTRIBUTES,
        regions: Sequence[list[Block]] = (),
        successors: Sequence[Block] = (),
    ) -> Operation:
        """Appends an operation of any number of results."""
        op = Operation(name, operands, types, attributes, self.loc, regions, successors)
        self.block.operations.append(op)
        return op
