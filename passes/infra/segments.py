"""Groups of operands: their sizes are in `operandSegmentSizes`; without it each has one, the last perhaps none."""

from mlir import ir

from ttkit.passes.infra.transforms import set_operands

SEGMENTS = "operandSegmentSizes"


def group_of(op: ir.Operation, group: int) -> range:
    """The numbers of the operands of a group; an empty range at its position if it has none."""
    if SEGMENTS not in op.attributes:
        return range(group, min(group + 1, len(op.operands)))
    sizes = list(op.attributes[SEGMENTS])
    return range(sum(sizes[:group]), sum(sizes[:group]) + sizes[group])


def operand_of(op: ir.Operation, group: int) -> ir.Value | None:
    """The first operand of a group; None if there is none."""
    numbers = group_of(op, group)
    return op.operands[numbers.start] if numbers else None


def add_operand(op: ir.Operation, group: int, value: ir.Value) -> None:
    """Appends an operand to a group."""
    at, operands = group_of(op, group).stop, list(op.operands)
    set_operands(op, [*operands[:at], value, *operands[at:]])
    if SEGMENTS in op.attributes:
        _change_size(op, group, 1)


def drop_operand(op: ir.Operation, number: int) -> None:
    """Removes an operand; each operand before it must be a group of its own."""
    operands = list(op.operands)
    set_operands(op, [*operands[:number], *operands[number + 1 :]])
    if SEGMENTS in op.attributes:
        _change_size(op, number, -1)


def _change_size(op: ir.Operation, group: int, by: int) -> None:
    sizes = list(op.attributes[SEGMENTS])
    sizes[group] += by
    op.attributes[SEGMENTS] = ir.DenseI32ArrayAttr.get(sizes, op.context)


def add_barrier(mma: ir.Operation, barrier: ir.Value, predicate: ir.Value) -> None:
    """Has a tcgen05.mma arrive at one more barrier at its end, where an i1 holds."""
    add_operand(mma, -2, barrier)
    add_operand(mma, -1, predicate)
