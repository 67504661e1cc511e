"""MLIR's arith dialect: a class and a builder for each operation.  `tt` says how they behave."""

from typing import TYPE_CHECKING, Any

from mlir import ir

from ttkit.dialects import _arith_ops as ops
from ttkit.dialects._arith_ops import *  # noqa: F403
from ttkit.dialects._enums import on_demand


def constant(type: ir.Type, value: Any, **where: Any) -> ir.Value:
    """A number or its attribute, in every element if `type` is a tensor or vector; or an attribute of that type."""
    is_shaped = isinstance(type, ir.ShapedType)
    if not isinstance(value, ir.Attribute):
        element = type.element_type if is_shaped else type
        is_integer = isinstance(element, (ir.IntegerType, ir.IndexType))
        value = ir.IntegerAttr.get(element, value) if is_integer else ir.FloatAttr.get(element, value)
    if is_shaped and isinstance(value, (ir.IntegerAttr, ir.FloatAttr)):
        value = ir.DenseElementsAttr.get_splat(type, value)
    return ops.constant(value, results=(type,), **where)


def i32(value: int, **where: Any) -> ir.Value:
    """A number of 32 bits."""
    return constant(ir.IntegerType.get_signless(32), value, **where)


def true(**where: Any) -> ir.Value:
    """An i1 that holds."""
    return constant(ir.IntegerType.get_signless(1), 1, **where)


if TYPE_CHECKING:
    from ttkit.dialects._arith_enums import *  # noqa: F403
else:
    __getattr__, __dir__ = on_demand("arith", "enums")
