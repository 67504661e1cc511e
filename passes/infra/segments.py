"""Operands in groups, whose sizes `operandSegmentSizes` says; without it each is one, and the last may be missing."""

from mlir import ir

from ttkit.passes.infra.transforms import set_operands

SEGMENTS = "operandSegmentSizes"


def group_of(op: ir.Operation, group: int) -> range:
    """The numbers of the operands of a group; where it is empty, of none, from where they would be."""
    if SEGMENTS not in op.attributes:
        return range(group, min(group + 1, len(op.operands)))
    sizes = list(op.attributes[SEGMENTS])
    return range(sum(sizes[:group]), sum(sizes[:group]) + sizes[group])


def operand_of(op: ir.Operation, group: int) -> ir.Value | None:
    """The first operand of a group; None if there is none."""
    numbers = group_of(op, group)
    return op.operands[numbers.start] if numbers else None


def add_operand(op: ir.Operation, group: int, value: ir.Value) -> None:
    """Gives a group one more operand, the last."""
    at, operands = group_of(op, group).stop, list(op.operands)
    set_operands(op, [*operands[:at], value, *operands[at:]])
    if SEGMENTS in op.attributes:
        _change_size(op, group, 1)


def drop_operand(op: ir.Operation, number: int) -> None:
    """Removes an operand; those in front of it are a group each."""
    operands = list(op.operands)
    set_operands(op, [*operands[:number], *operands[number + 1 :]])
    if SEGMENTS in op.attributes:
        _change_size(op, number, -1)


def _change_size(op: ir.Operation, group: int, by: int) -> None:
    sizes = list(op.attributes[SEGMENTS])
    sizes[group] += by
    op.attributes[SEGMENTS] = ir.DenseI32ArrayAttr.get(sizes, op.context)


def add_barrier(product: ir.Operation, barrier: ir.Value, predicate: ir.Value) -> None:
    """Has a product in tensor memory arrive at one more barrier when it is done, where an i1 holds."""
    add_operand(product, -2, barrier)
    add_operand(product, -1, predicate)
