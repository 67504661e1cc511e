"""Arguments of a kernel that are scales of blocks in products: powers of two, most of which overflow."""

from __future__ import annotations

from ttkit.interpreter.decode import Function
from ttkit.interpreter.values import ValueType

BYTE = 1


def scale_arguments(function: Function) -> set[int]:
    """Positions of the pointers and descriptors from which operands of tt.dot_scaled are loaded as scales."""
    sources: dict[int, list[int]] = {}
    found: list[int] = []
    for op in function.operations():
        followed = [slot for slot, type in zip(op.operands, op.operand_types) if may_lead_there(type)]
        sources.update(dict.fromkeys(op.results, followed))
        # A loop's arguments and results stand in the order of what it starts with, its last operands.
        for carried in (op.results, *(region.blocks[0].arguments for region in op.regions if region.blocks)):
            if op.regions:
                sources |= {slot: [first] for slot, first in zip(reversed(carried), reversed(op.operands))}
        if op.name == "tt.dot_scaled":
            found += op.operands[sum(op.attributes["operandSegmentSizes"][:3]) :]
    reached: set[int] = set()
    while found:
        slot = found.pop()
        if slot not in reached:
            reached.add(slot)
            found += sources.get(slot, [])
    arguments = function.body.blocks[0].arguments if function.body else ()
    pointees = [type.pointee for type in function.argument_types]
    return {
        position
        for position, (slot, pointee) in enumerate(zip(arguments, pointees))
        if slot in reached and pointee is not None and pointee.element is not None and pointee.element.itemsize == BYTE
    }


def may_lead_there(type: ValueType) -> bool:
    """Whether a value may be scales, or point to them."""
    return type.pointee is not None or (type.element is not None and type.element.itemsize == BYTE)
