"""Nesting of operations: ancestors, enclosing operations, first users in a block."""

from mlir import ir

from ttkit.inspection import terminator


def ancestor_in(block: ir.Block, op: ir.Operation) -> ir.Operation | None:
    """The operation of `block` that is or holds `op`; None if there is none."""
    while (parent := op.parent) is not None:
        if op.block == block:
            return op
        op = parent.operation
    return None


def enclosing(op: ir.Operation, name: str) -> ir.Operation | None:
    """The innermost operation of that name that holds `op`."""
    while (parent := op.parent) is not None:
        op = parent.operation
        if op.name == name:
            return op
    return None


def first_user(op: ir.Operation) -> ir.Operation | None:
    """The first operation in the block of `op` that uses, or holds a user of, one of its results."""
    first = None
    for result in op.results:
        for use in result.uses:
            user = ancestor_in(op.block, use.owner.operation)
            if user is not None and (first is None or user.is_before_in_block(first)):
                first = user
    return first


def holder_of(argument: ir.Value) -> ir.Operation:
    """The operation in whose body a value is an argument."""
    # Not argument.owner.owner: that is the operation as it was when Python got the value, before the body moved.
    return terminator(argument.owner).operation.parent.operation
