"""Parts of the builders written by hand: types of results, and regions that a function fills."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from mlir import ir

from ttkit.dialects._operation import Operand, value_of

ShapeOrType: TypeAlias = Sequence[int] | ir.Type
Body: TypeAlias = Callable[
    ..., Any
]  # builds a region; called with the block's arguments, returns what the terminator gives


def type_of(operand: Operand) -> Any:
    """The type of an operand: a value, or an operation with one result."""
    return value_of(operand).type


def element_type_of(type: ir.Type) -> ir.Type:
    """The element type of a tensor, the type itself of a scalar."""
    return type.element_type if isinstance(type, ir.RankedTensorType) else type


def with_element_type(type: ir.Type, element_type: ir.Type) -> ir.Type:
    """`element_type` with the shape and layout of `type`."""
    if isinstance(type, ir.RankedTensorType):
        return ir.RankedTensorType.get(type.shape, element_type, type.encoding)
    return element_type


def tensor_type(result: ShapeOrType, source: ir.Type) -> ir.Type:
    """`result` if it is a type, else the tensor type of that shape, the rest taken from `source`."""
    if isinstance(result, ir.Type):
        return result
    layout = None
    if isinstance(source, ir.RankedTensorType) and len(source.shape) == len(result):
        layout = source.encoding
    return ir.RankedTensorType.get(list(result), element_type_of(source), layout)


def values_of(returned: Any) -> list[ir.Value]:
    """List of the values that a body returned: from None, one operand, or a sequence of them."""
    if returned is None:
        return []
    many = returned if isinstance(returned, (list, tuple, ir.OpResultList)) else [returned]
    return [value_of(value) for value in many]


def fill_region(region: ir.Region, arguments: Sequence[ir.Type], body: Body, terminator: Callable[..., Any]) -> None:
    """Appends a block to `region` and builds it: what `body` returns goes to `terminator`."""
    location = ir.Location.current or ir.Location.unknown(region.owner.context)
    block = region.blocks.append(*arguments, arg_locs=[location] * len(arguments))
    with ir.InsertionPoint(block):
        terminator(values_of(body(*block.arguments)))
