"""Operands and users of the operations of a loop's body."""

from collections.abc import Iterator

from mlir import ir

from ttkit.inspection import defining, terminator
from ttkit.passes.infra.nesting import is_above, operations_in
from ttkit.passes.infra.slices import closure


def nested_operands(op: ir.Operation) -> list[ir.Value]:
    """Values from outside of an operation that it and those in its regions use, each once.

    Those in regions come first, in the order of the text, innermost first: after the operation's own regions, its own
    operands.
    """
    if len(op.regions) == 0:
        return list(dict.fromkeys(op.operands))
    operands = (value for inner in operations_in(op) for value in inner.operands)
    return list(dict.fromkeys(value for value in operands if is_above(value, op)))


def carried_number(value: ir.Value, block: ir.Block) -> int | None:
    """The number of the value that a loop carries, if `value` is its argument in the loop's body `block`."""
    owner = value.owner
    if not isinstance(owner, ir.Block) or owner != block:
        return None
    number: int = ir.BlockArgument(value).arg_number
    return number - 1 if number > 0 else None


def yielded(block: ir.Block, number: int) -> ir.Value:
    """The value that a loop's body passes to its next iteration."""
    return terminator(block).operation.operands[number]


def carried_source(value: ir.Value, block: ir.Block) -> ir.Value:
    """The value that an iteration, or one before, passes on as `value`, if a loop carries that; else itself."""
    seen: set[ir.Value] = set()
    while value not in seen and (number := carried_number(value, block)) is not None:
        seen.add(value)
        value = yielded(block, number)
    return value


def defining_in(block: ir.Block, value: ir.Value) -> ir.Operation | None:
    """The operation of `block` itself that makes `value`; None if another place does."""
    made = defining(value)
    return made.operation if made is not None and made.operation.block == block else None


def in_block_users(block: ir.Block, op: ir.Operation) -> list[ir.Operation]:
    """The operations of `block` that use a result of `op`, or hold what does; once a use."""
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
    """The operations that make what an operation and those in its regions use, directly or not; not through loops."""
    return list(closure(op, _sources))


def _sources(op: ir.Operation) -> Iterator[ir.Operation]:
    return (made.operation for value in nested_operands(op) if (made := defining(value)) is not None)
