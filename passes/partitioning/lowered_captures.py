"""Captures of warp-specialized partitions in llvm functions: their lowered values, and which are computed again."""

from mlir import ir

from ttkit.analysis.control_flow import partitions
from ttkit.inspection import has_uses
from ttkit.passes.infra import collect
from ttkit.passes.infra.nesting import point_after
from ttkit.passes.infra.rewriting import is_pure
from ttkit.passes.infra.transforms import update_operands
from ttkit.passes.lower.worker_warps import MAX_REMADE

CAST = "builtin.unrealized_conversion_cast"


def is_cast(value: ir.Value) -> bool:
    """Whether a value has a ttg type and is a cast of its lowered value."""
    owner = value.owner
    return not isinstance(owner, ir.Block) and owner.name == CAST and len(owner.operands) == 1


def before_cast(value: ir.Value) -> ir.Value:
    """The lowered value that `value` is a cast of; other values are returned as they are."""
    if is_cast(value):
        (value,) = value.owner.operands
    return value


def drop_casts(function: ir.Operation) -> None:
    """Erases unneeded casts: those back to the type of the lowered value, and those without users."""
    for cast in reversed(collect(function, [CAST])):
        if len(cast.results) == 1 and len(cast.operands) == 1:
            source = before_cast(*cast.operands)
            if source.type == cast.result.type:
                cast.result.replace_all_uses_with(source)
        if not any(map(has_uses, cast.results)):
            cast.erase()


def hand_over(old: ir.Value, new: ir.Value) -> None:
    """Replaces a value by its lowered value; users that need the old type get a cast right after its definition."""
    for use in list(old.uses):
        user = use.owner
        if user.name == CAST and [result.type for result in user.results] == [new.type]:
            (result,) = user.results
            result.replace_all_uses_with(new)
            user.erase()
    if old.type != new.type and has_uses(old):
        location = ir.Location.unknown(old.context)
        new = ir.Operation.create(CAST, [old.type], [new], loc=location, ip=point_after(new)).result
    old.replace_all_uses_with(new)


def remake_captures(
    entry: ir.Block, specialization: ir.Operation, captures: list[ir.Value], blocks: list[ir.Block]
) -> list[int]:
    """Has partitions compute captured values again where that takes few operations.

    Args:
        entry: the entry block, whose arguments are available to all warps.
        specialization: the ttg.warp_specialize.
        captures: its operands.
        blocks: the blocks before it, in order.

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
            hand_over(part.blocks[0].arguments[number], recompute(value, needed, begin))
    return stored


def gather_needed(value: ir.Value, entry: ir.Block, needed: list[ir.Operation]) -> bool:
    """Adds the operations that compute a value to `needed`, in topological order; whether all are pure and few."""
    if isinstance(value.owner, ir.Block):
        return value.owner == entry
    op = value.owner.operation
    if op in needed:
        return True
    if len(op.regions) or not is_pure(op) or not all(gather_needed(each, entry, needed) for each in op.operands):
        return False
    needed.append(op)
    return len(needed) <= MAX_REMADE


def recompute(value: ir.Value, needed: list[ir.Operation], place: ir.InsertionPoint) -> ir.Value:
    """A captured value, computed again at a place by clones of the operations `needed`."""
    made: dict[ir.Value, ir.Value] = {}
    for op in needed:
        copy = op.clone(place).operation
        update_operands(copy, (made.get(operand, operand) for operand in op.operands))
        made.update(zip(op.results, copy.results))
    return made.get(value, value)
