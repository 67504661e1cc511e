"""Values that no operation gives, which Gluon can't say: zero, or another buffer of the type, takes their place.

What depends on such a value has none either, so any is as good.
"""

from __future__ import annotations

from mlir import ir
from mlir.dialects import arith

from ttkit.dialects import tt
from ttkit.inspection import collect, holders
from ttkit.operation_sets import ALLOCATIONS, BUFFER_VIEWS, PARTITIONS
from ttkit.passes.infra.nesting import comes_before, operations_in


def give_values(module: ir.Module) -> None:
    """Replaces what has no value; buffers stay for which there is no other."""
    for poison in collect(module.operation, ["ub.poison"]):
        text = str(poison.results[0].type)
        if text.startswith("!ttg.memdesc<"):
            _give_buffer(module, poison)
        elif not text.startswith("!ttg."):
            with poison.location, ir.InsertionPoint(poison):
                poison.results[0].replace_all_uses_with(_zero(poison.results[0].type))
            poison.erase()


def _zero(type: ir.Type) -> ir.Value:
    """Zero, a null pointer, or a tensor of such."""
    is_of_several = isinstance(type, ir.RankedTensorType)
    element = type.element_type if is_of_several else type
    if isinstance(element, ir.IntegerType | ir.FloatType):
        number = ir.FloatAttr.get(element, 0) if isinstance(element, ir.FloatType) else ir.IntegerAttr.get(element, 0)
        return arith.ConstantOp(type, ir.DenseElementsAttr.get_splat(type, number) if is_of_several else number).result
    pointer = tt.int_to_ptr(arith.ConstantOp(ir.IntegerType.get_signless(64), 0).result, element)
    return tt.splat(pointer, type) if is_of_several else pointer


def _give_buffer(module: ir.Module, poison: ir.Operation) -> None:
    """A view of a buffer like another one of the type, of the first elements, before each use."""
    value = poison.results[0]
    candidates = [
        op
        for op in operations_in(module.operation)
        if len(op.results) and op != poison and any(result.type == value.type for result in op.results)
        if op.name in (*BUFFER_VIEWS, *ALLOCATIONS)
    ]
    for use in list(value.uses):
        user, number = use.owner.operation, use.operand_number
        for candidate in candidates:
            with user.location, ir.InsertionPoint(user):
                made = _copied(candidate, user)
            if made is not None:
                user.operands[number] = made
                break
    if not list(value.uses):
        poison.erase()


def _copied(op: ir.Operation, place: ir.Operation) -> ir.Value | None:
    """The buffer that an operation gives, or a view like it, at a place; None if it can't be had there."""
    if _is_seen(op, place):
        return op.results[0]
    if op.name not in BUFFER_VIEWS or isinstance(op.operands[0].owner, ir.Block):
        return None
    source = _copied(op.operands[0].owner.operation, place)
    if source is None:
        return None
    clone = op.clone()
    clone.operands[0] = source
    for number, operand in enumerate(list(op.operands)[1:], 1):
        clone.operands[number] = arith.ConstantOp(operand.type, 0).result
    return clone.results[0]


def _is_seen(op: ir.Operation, place: ir.Operation) -> bool:
    """Whether an operation's result can be used at a place: it comes before, in a block around it."""
    parent = op.parent.operation
    for holder in holders(place):
        if holder == parent:
            return comes_before(op, place)
        if holder.name == PARTITIONS:
            return False  # groups of warps see nothing from outside
    return False
