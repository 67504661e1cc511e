"""Checks of arguments that Gluon's functions share."""

from __future__ import annotations

from typing import Any

from ttkit.language.constexpr import unwrap
from ttkit.language.distributed import distributed_type
from ttkit.language.errors import BadArgument, BadLayout
from ttkit.language.tensor import tensor
from ttkit.layout.gluon.base import DistributedLayout, SharedLayout, plain
from ttkit.layout.gluon.distributed_layouts import BlockedLayout, DotOperandLayout


def plain_ints(function: str, name: str, values: Any) -> list[int]:
    """Sizes or dimensions as ints.

    Raises:
        BadArgument: they are not known while compiling, or not integers.
    """
    found = plain(values)
    if not isinstance(found, list) or any(not isinstance(value, int) for value in found):
        raise BadArgument(function=function, reason=f"all elements of '{name}' must be integers but got {found}")
    return found


def plain_int(function: str, name: str, value: Any) -> int:
    """An integer known while compiling.  Raises BadArgument if it is none."""
    found = unwrap(value)
    if not isinstance(found, int):
        raise BadArgument(function=function, reason=f"expected '{name}' to be an int but got {found}")
    return found


def distributed_layout(layout: Any) -> DistributedLayout:
    """A layout of registers.  Raises BadLayout if it is none."""
    found = unwrap(layout)
    if not isinstance(found, DistributedLayout):
        raise BadLayout(reason=f"expected 'layout' to be a DistributedLayout but got {found}")
    return found


def shared_layout(layout: Any) -> SharedLayout:
    """A layout of shared memory.  Raises BadLayout if it is none."""
    found = unwrap(layout)
    if not isinstance(found, SharedLayout):
        raise BadLayout(reason=f"expected 'layout' to be a SharedLayout but got {found}")
    return found


def type_with_layout(function: str, value: Any) -> distributed_type:
    """The type of a tensor.  Raises BadLayout for anything else, such as a scalar."""
    if not isinstance(value, tensor) or not isinstance(value.type, distributed_type):
        shown = getattr(value, "type", value)
        raise BadLayout(reason=f"expected {function} input to be a distributed_type but got: {shown!r}")
    return value.type


def operand_layouts(function: str, layout: DistributedLayout, a: Any, b: Any) -> None:
    """Checks the operands of a product whose result has a layout.

    Raises:
        BadLayout: one is not in the layout of an operand of such a product.
    """
    for index, (name, operand) in enumerate((("a", a), ("b", b))):
        type = type_with_layout(function, operand)
        found = type.layout
        if not isinstance(found, DotOperandLayout) or found.parent != layout or found.operand_index != index:
            is_mma = not isinstance(layout, BlockedLayout)
            wanted = DotOperandLayout(index, layout, max(32 // type.element_ty.primitive_bitwidth, 1) if is_mma else 0)
            advice = f"convert it: ttgl.convert_layout({name}, {wanted})"
            raise BadLayout(reason=f"{name} of {function} must have the layout {wanted}, found {found}", advice=advice)
