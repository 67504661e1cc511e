"""Nesting and order of operations and values: their parents, their contents, the first and last in a block."""

from collections.abc import Iterable
from functools import reduce

from mlir import ir

from ttkit._native import library, operation_handle, operations_told
from ttkit.inspection import defining, enclosing, holders, terminator, users_of


def ancestor_in(block: ir.Block, op: ir.Operation) -> ir.Operation | None:
    """The operation of `block` that is `op` or contains it; None if there is none."""
    while (parent := op.parent) is not None:
        if op.block == block:
            return op
        op = parent.operation
    return None


def loop_with(op: ir.Operation, attribute: str) -> ir.Operation | None:
    """The operation with an attribute: `op`, or the innermost scf.for around it that has it."""
    found: ir.Operation | None = op
    while found is not None and attribute not in found.attributes:
        found = enclosing(found, "scf.for")
    return found


def is_above(value: ir.Value, op: ir.Operation) -> bool:
    """Whether a value is defined outside of an operation: not in its regions, nor as an argument there."""
    owner = value.owner
    holder = owner.owner.operation if isinstance(owner, ir.Block) else owner.operation.parent.operation
    return holder != op and op not in holders(holder)


def block_of(value: ir.Value) -> ir.Block:
    """The block in which a value is an argument or is computed."""
    owner = value.owner
    return owner if isinstance(owner, ir.Block) else owner.operation.block


def point_after(value: ir.Value) -> ir.InsertionPoint:
    """The insertion point after the operation that defines a value; for an argument, the beginning of its block."""
    owner = value.owner
    return ir.InsertionPoint.at_block_begin(owner) if isinstance(owner, ir.Block) else ir.InsertionPoint.after(owner)


def runs_after(op: ir.Operation, place: ir.Operation) -> bool:
    """Whether an operation, or one around it, follows `place` in its block."""
    ancestor = ancestor_in(place.block, op)
    return ancestor is not None and ancestor != place and place.is_before_in_block(ancestor)


def comes_before(first: ir.Operation, second: ir.Operation) -> bool:
    """Whether an operation, or one around it, comes before another, or one around that, in a common block.

    It does not if one contains the other, or if they are in different blocks or regions of one operation.  (MLIR's
    `is_before_in_block` aborts for operations of two blocks.)
    """
    holder: ir.Operation | None = first
    while holder is not None and holder.parent is not None:
        place = ancestor_in(holder.block, second)
        if place is not None:
            return place != holder and holder.is_before_in_block(place)
        holder = holder.parent.operation
    return False


def operations_in(root: ir.Operation) -> list[ir.Operation]:
    """An operation and all operations in its regions, in post-order."""
    if not len(root.regions):
        return [root.operation]
    return operations_told(library().ttkitOperationsIn, operation_handle(root.operation))


def first_user(op: ir.Operation) -> ir.Operation | None:
    """The first operation in the block of `op` that uses one of its results, itself or in its regions."""
    users = places_in(op.block, (user for result in op.results for user in users_of(result)))
    return first_of(users) if users else None


def blocks_in(op: ir.Operation) -> list[ir.Block]:
    """The blocks of all regions of an operation."""
    return [block for region in op.regions for block in region.blocks]


def arguments_in(op: ir.Operation) -> list[ir.BlockArgument]:
    """The arguments of all blocks in the regions of an operation."""
    return [argument for block in blocks_in(op) for argument in block.arguments]


def controls(op: ir.Operation) -> list[ir.Value]:
    """The bounds of an scf.for, or the condition of an scf.if."""
    return list(op.operands)[: {"scf.for": 3, "scf.if": 1}.get(op.name, 0)]


def yields_of(op: ir.Operation) -> list[ir.Operation]:
    """The scf.yields that end the regions of an operation."""
    lasts = [terminator(block).operation for block in blocks_in(op)]
    return [last for last in lasts if last.name == "scf.yield"]


def places_in(block: ir.Block, ops: Iterable[ir.Operation]) -> list[ir.Operation]:
    """The operations of `block` that are, or contain, one of `ops`."""
    return [place for op in ops if (place := ancestor_in(block, op)) is not None]


def first_of(ops: Iterable[ir.Operation]) -> ir.Operation:
    """The first operation by `comes_before`; among unordered ones, the first one given."""
    return reduce(lambda a, b: b if comes_before(b, a) else a, ops)


def last_of(ops: Iterable[ir.Operation]) -> ir.Operation:
    """The last operation, likewise."""
    return reduce(lambda a, b: b if comes_before(a, b) else a, ops)


def holder_of(argument: ir.Value) -> ir.Operation:
    """The operation in whose body a value is an argument."""
    # Not argument.owner.owner: that is the parent from when Python got the value, before the body moved.
    return terminator(argument.owner).operation.parent.operation


def nested_operands(op: ir.Operation) -> list[ir.Value]:
    """Values from outside of an operation that it and its regions use, each once.

    The order is post-order: those used in its regions come before its own operands.
    """
    if len(op.regions) == 0:
        return list(dict.fromkeys(op.operands))
    operands = dict.fromkeys(value for inner in operations_in(op) for value in inner.operands)
    return [value for value in operands if is_above(value, op)]


def defining_in(block: ir.Block, value: ir.Value) -> ir.Operation | None:
    """The operation directly in `block` that defines `value`; None if it is defined elsewhere."""
    made = defining(value)
    return made.operation if made is not None and made.operation.block == block else None
