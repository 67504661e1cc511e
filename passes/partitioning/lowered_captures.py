"""Captures of specialized warps in functions of llvm: looked at before their cast to types of ttg, computed again where
that takes few operations."""

from mlir import ir

from ttkit.analysis.control_flow import partitions
from ttkit.inspection import has_uses
from ttkit.passes.infra import collect
from ttkit.passes.infra.nesting import point_after
from ttkit.passes.infra.rewriting import is_pure
from ttkit.passes.lower.worker_warps import MAX_REMADE

CAST = "builtin.unrealized_conversion_cast"


def is_cast(value: ir.Value) -> bool:
    """Whether a value is of a type of ttg, cast from what it was lowered to."""
    owner = value.owner
    return not isinstance(owner, ir.Block) and owner.name == CAST and len(owner.operands) == 1


def before_cast(value: ir.Value) -> ir.Value:
    """The value that another was lowered to; a value that was not is itself."""
    return value.owner.operands[0] if is_cast(value) else value


def drop_casts(function: ir.Operation) -> None:
    """Erases casts that nobody needs: those back to the type from which a value was cast, and those without users."""
    for cast in reversed(collect(function, [CAST])):
        if len(cast.results) == 1 and len(cast.operands) == 1:
            source = before_cast(cast.operands[0])
            if source.type == cast.result.type:
                cast.result.replace_all_uses_with(source)
        if not any(map(has_uses, cast.results)):
            cast.erase()


def hand_over(old: ir.Value, new: ir.Value) -> None:
    """Lets users of a value take what it was lowered to; those that want the old type get a cast right behind that."""
    for use in list(old.uses):
        user = use.owner
        if user.name == CAST and user.results[0].type == new.type:
            user.results[0].replace_all_uses_with(new)
            user.erase()
    if old.type != new.type and has_uses(old):
        location = ir.Location.unknown(old.context)
        new = ir.Operation.create(CAST, [old.type], [new], loc=location, ip=point_after(new)).result
    old.replace_all_uses_with(new)


def remake_captures(
    entry: ir.Block, specialization: ir.Operation, captures: list[ir.Value], blocks: list[ir.Block]
) -> list[int]:
    """Has partitions compute what they capture again where that takes few operations.

    Args:
        entry: the block whose arguments all warps know; blocks: the others in front of the operation, in order.

    Returns:
        The numbers of the other captures.
    """
    stored = []
    order = {op.operation: place for place, op in enumerate(op for block in blocks for op in block.operations)}
    for number, value in enumerate(captures):
        needed: list[ir.Operation] = []
        if not gather_needed(value, entry, needed):
            stored.append(number)
            continue
        needed.sort(key=lambda op: order[op])
        for part in partitions(specialization):
            begin = ir.InsertionPoint.at_block_begin(part.blocks[0])
            hand_over(part.blocks[0].arguments[number], remake(value, needed, begin))
    return stored


def gather_needed(value: ir.Value, entry: ir.Block, needed: list[ir.Operation]) -> bool:
    """Adds the operations that a value comes from to `needed`, each behind those before it; whether they are few and
    may run anywhere."""
    if isinstance(value.owner, ir.Block):
        return value.owner == entry
    op = value.owner.operation
    if op in needed:
        return True
    if len(op.regions) or not is_pure(op) or not all(gather_needed(each, entry, needed) for each in op.operands):
        return False
    needed.append(op)
    return len(needed) <= MAX_REMADE


def remake(value: ir.Value, needed: list[ir.Operation], place: ir.InsertionPoint) -> ir.Value:
    """A captured value computed again."""
    made: dict[ir.Value, ir.Value] = {}
    for op in needed:
        copy = op.clone(place).operation
        for index, operand in enumerate(op.operands):
            copy.operands[index] = made.get(operand, operand)
        made.update(zip(op.results, copy.results))
    return made.get(value, value)
