"""Layouts of tensors: changing them, and asking about them.

Ops: dialects/ttg/layout_ops.td, dialects/gluon/layout_ops.td
"""

from __future__ import annotations

from typing import Any

from ttkit.language.building import builder
from ttkit.language.builtin import builtin
from ttkit.language.constants import ir_type
from ttkit.language.constexpr import constexpr, unwrap
from ttkit.language.distributed import distributed, distributed_type, with_layout
from ttkit.language.errors import BadLayout
from ttkit.language.gluon.checks import distributed_layout, plain_ints, type_with_layout
from ttkit.language.gluon.shared_memory import shared_memory_descriptor_type
from ttkit.language.layout_advice import cost_of
from ttkit.language.tensor import tensor
from ttkit.layout.gluon.base import GluonLayout
from ttkit.layout.gluon.distributed_layouts import AutoLayout, DistributedLinearLayout
from ttkit.layout.gluon.from_encoding import linear_form
from ttkit.layout.shared_access import access_pattern
from ttkit.layout.to_linear import to_linear_layout as linear_layout_of


@builtin
def convert_layout(value: tensor, layout: Any, assert_trivial: Any = False) -> tensor:
    """The tensor in another layout.

    Args:
        layout: of the result.
        assert_trivial: refuse a conversion that moves elements between threads.

    Raises:
        BadLayout: `value` has no layout, `layout` is none of registers, or the conversion is not trivial.

    Example:
        >>> columns = gl.BlockedLayout([4, 1], [8, 4], [1, 4], [0, 1])
        >>> gl.convert_layout(gl.full([2, 4], 1, gl.int32, rows), columns).type.layout == columns
        True
    """
    type, layout = type_with_layout("convert_layout", value), distributed_layout(layout)
    result = distributed(type.element_ty, type.shape, layout)
    if unwrap(assert_trivial) and not cost_of(type, layout).is_no_op:
        forms = (linear_form(each, type.shape) for each in (type.layout, layout))
        lines = "\n".join(map(str, forms))
        reason = f"layout conversion from {type.layout} to {layout} is not trivial.\nThe linear layouts are:\n{lines}"
        raise BadLayout(reason=reason)
    return tensor(builder().emit("ttg.convert_layout", (value.handle,), ir_type(result)), result)


@builtin
def set_auto_layout(value: tensor, layout: Any) -> tensor:
    """A tensor with the layout `AutoLayout()`, in this layout: no elements move.

    Raises:
        BadLayout: the tensor has a layout already, or `layout` is none of registers.

    Example:
        >>> @gluon.jit
        ... def count(x):
        ...     i = gl.set_auto_layout(gl.arange(0, 128), gl.BlockedLayout([1], [32], [4], [0]))
        ...     gl.store(x + i, i)
        >>> with ttkit.Context():
        ...     made = ttkit.ASTSource(count, {"x": "*i32"}).make_ir(ttkit.GPUTarget("cuda", 90, 32))
        ...     print(str(made).count("gluon.set_auto_layout"))
        1
    """
    type, layout = type_with_layout("set_auto_layout", value), distributed_layout(layout)
    if not isinstance(type.layout, AutoLayout):
        reason = f"set_auto_layout input must have auto layout but got {type.layout}"
        raise BadLayout(reason=reason, advice="use ttgl.convert_layout to change a layout")
    return with_layout(value, layout)


@builtin
def to_linear_layout(layout: Any, shape: Any) -> Any:
    """The layout of tensors of `shape` by its bases, a `DistributedLinearLayout` or `SharedLinearLayout`.

    Raises:
        BadLayout: it is not a layout, or not one of tensors of this shape.

    Example:
        >>> gl.to_linear_layout(line, [128]).value.warp_bases
        [[32], [64]]
    """
    layout, sizes = unwrap(layout), plain_ints("to_linear_layout", "shape", shape)
    if not isinstance(layout, GluonLayout):
        raise BadLayout(reason=f"Expected a DistributedLayout or SharedLayout, got {layout!r}")
    if isinstance(layout, (AutoLayout, DistributedLinearLayout)):
        return constexpr(layout)
    try:
        return constexpr(linear_form(layout, sizes))
    except ValueError as error:
        raise BadLayout(reason=str(error)) from None


@builtin
def bank_conflicts(distr_ty: Any, shared_ty: Any) -> Any:
    """The additional wavefronts of each one that is needed, as a tensor is stored to shared memory or loaded from it.

    Args:
        distr_ty: type of the tensor, a `distributed_type`.
        shared_ty: type of the buffer, a `shared_memory_descriptor_type`, of the same shape and element type.

    Raises:
        BadLayout: other types, or types that differ in shape or element.

    Example:
        >>> turned = gl.allocate_shared_memory(gl.float32, [32, 32], gl.SwizzledSharedLayout(1, 1, 1, [0, 1]))
        >>> gl.bank_conflicts(gl.zeros([32, 32], gl.float32, rows).type, turned.type)
        constexpr[7]
    """
    registers, memory = unwrap(distr_ty), unwrap(shared_ty)
    for what, found, kind in (
        ("register layout", registers, distributed_type),
        ("shared layout", memory, shared_memory_descriptor_type),
    ):
        if not isinstance(found, kind):
            raise BadLayout(reason=f"bank_conflicts expects the {what} to be a {kind.__name__}, got {type(found)}")
    if [*registers.shape] != memory.shape:
        raise BadLayout(reason=f"register shape {[*registers.shape]} and shared shape {memory.shape} must match")
    if registers.element_ty != memory.element_ty:
        elements = f"register ({registers.element_ty}) and shared ({memory.element_ty})"
        raise BadLayout(reason=f"mismatched dtypes between {elements} layouts")
    if memory.shape != memory.alloc_shape[-len(memory.shape) :]:
        raise BadLayout(reason=f"a part of a buffer is not supported: {memory.shape} of {memory.alloc_shape}")
    first, second = registers.layout.encoding, memory.layout.encoding
    held, stored = (linear_layout_of(registers.shape, each) for each in (first, second))
    access = access_pattern(held, stored, registers.element_ty.primitive_bitwidth, pads=getattr(second, "pads", ()))
    return constexpr(int(access.conflicts))
