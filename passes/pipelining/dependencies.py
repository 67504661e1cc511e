"""Operands and users of the operations of a loop's body."""

from collections.abc import Iterator

from mlir import ir

from ttkit.inspection import address_of, defining, terminator
from ttkit.passes.infra.slices import closure


def nested_operands(op: ir.Operation) -> list[ir.Value]:
    """Values from outside of an operation that it and those in its regions use, each once.

    Those in regions come first, in the order of the text, innermost first: after the operation's own regions, its own
    operands.
    """
    if len(op.regions) == 0:
        return list(dict.fromkeys(op.operands))
    found: dict[ir.Value, None] = {}

    def visit(inner: ir.Operation) -> ir.WalkResult:
        """Notes the operands of one operation that are made outside of `op`."""
        found.update((value, None) for value in inner.operation.operands if is_above(value, op))
        return ir.WalkResult.ADVANCE

    op.walk(visit, ir.WalkOrder.POST_ORDER)
    return list(found)


def is_above(value: ir.Value, op: ir.Operation) -> bool:
    """Whether a value that is used in `op` was made outside of it."""
    owner = value.owner
    holder = owner.owner.operation if isinstance(owner, ir.Block) else owner.operation.parent.operation
    while holder is not None:
        if holder == op:
            return False
        holder = holder.parent and holder.parent.operation
    return True


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


def defining_in(block: ir.Block, value: ir.Value) -> ir.Operation | None:
    """The operation of `block` itself that makes `value`; None if another place does."""
    owner = value.owner
    if isinstance(owner, ir.Block):
        return None
    op = owner.operation
    return op if op.block == block else None


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


def forward_slice(op: ir.Operation) -> list[ir.Operation]:
    """The operations that use what an operation gives, directly or not, in its regions and theirs too."""
    found: dict[int, ir.Operation] = {}
    waiting = [op]
    while waiting:
        user = waiting.pop()
        values = [*user.results]
        for region in user.regions:
            for block in region.blocks:
                values += block.arguments
                waiting += [inner.operation for inner in block.operations]
        for value in values:
            for use in value.uses:
                owner = use.owner.operation
                if address_of(owner) not in found:
                    found[address_of(owner)] = owner
                    waiting.append(owner)
    return list(found.values())


def backward_slice(op: ir.Operation) -> list[ir.Operation]:
    """The operations that make what an operation and those in its regions use, directly or not; not through loops."""
    return list(closure(op, _sources))


def _sources(op: ir.Operation) -> Iterator[ir.Operation]:
    return (made.operation for value in nested_operands(op) if (made := defining(value)) is not None)
