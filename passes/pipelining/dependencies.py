"""Operands and users of the operations of a loop's body."""

from collections.abc import Iterator

from mlir import ir

from ttkit.inspection import defining
from ttkit.passes.infra.nesting import nested_operands
from ttkit.passes.infra.slices import closure


def in_block_users(block: ir.Block, op: ir.Operation) -> list[ir.Operation]:
    """The operations of `block` that use a result of `op`, themselves or in their regions; once for each use."""
    users = []
    for result in op.results:
        for use in result.uses:
            user = use.owner.operation
            while user.block != block:
                parent = user.parent
                if parent is None or parent.operation.name == "tt.func":
                    break
                user = parent.operation
            else:
                users.append(user)
    return users


def is_scalar(type: ir.Type) -> bool:
    """Whether a type is that of an integer, an index or a float."""
    return isinstance(type, (ir.IntegerType, ir.IndexType, ir.FloatType))


def backward_slice(op: ir.Operation) -> list[ir.Operation]:
    """The operations on which an operation and its regions depend, directly or not; not through block arguments."""
    return list(closure(op, _sources))


def _sources(op: ir.Operation) -> Iterator[ir.Operation]:
    return (made.operation for value in nested_operands(op) if (made := defining(value)) is not None)
