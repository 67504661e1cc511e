"""Tensors with layouts, in Gluon: their type, the layouts of results, operands of different layouts.

The operations are those of other kernels.  The type of a result follows from that of an operand by `with_element_ty`
and `of_shape`, which here keep or infer the layout by the rules of the dialects (`ttkit.layout.inference`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import ttkit.layout.inference as inference
from ttkit.language.building import builder
from ttkit.language.constants import ir_type
from ttkit.language.constexpr import constexpr_type, unwrap
from ttkit.language.errors import BadLayout, LayoutMismatch
from ttkit.language.layout_advice import conversion_advice
from ttkit.language.tensor import tensor
from ttkit.language.types import block_type, dtype
from ttkit.layout.gluon.base import DistributedLayout, GluonLayout
from ttkit.layout.gluon.distributed_layouts import AutoLayout, CoalescedLayout, SliceLayout
from ttkit.layout.gluon.from_encoding import from_encoding

GluonLayout.type = property(lambda self: constexpr_type(self), doc="Its type in a kernel: a constant.")
OPEN = (AutoLayout, CoalescedLayout)


class distributed_type(block_type):
    """A tensor of `element_ty`, of static shape, held in registers as `layout` says.

    Raises:
        BadLayout: `layout` is none of registers, or of another rank, or its fields do not go together.

    Example:
        >>> gl.arange(0, 8, line).type == gl.distributed_type(gl.int32, (8,), line)
        True
    """

    def __init__(self, element_ty: dtype, shape: Sequence[Any], layout: Any) -> None:
        layout = unwrap(layout)
        super().__init__(element_ty, unwrap(shape))
        if not isinstance(layout, DistributedLayout):
            raise BadLayout(reason=f"tensor layout must be a DistributedLayout, got {layout!r}")
        if not isinstance(layout, OPEN) and layout.rank != len(self.shape):
            raise BadLayout(
                reason=f"tensor shape and layout rank mismatch: shape={list(self.shape)}, layout={layout}, "
                f"shape rank={len(self.shape)}, layout rank={layout.rank}"
            )
        try:
            text = layout.text
        except ValueError as error:
            raise BadLayout(reason=str(error)) from None
        self.layout = layout
        self.name = f"<{list(self.shape)}, {element_ty}, {layout}>"
        self.ir = f"tensor<{'x'.join(map(str, self.shape))}x{element_ty.ir}, {text}>"
        self._hash = hash((self.shape, element_ty, layout))

    def with_element_ty(self, scalar_ty: dtype) -> distributed_type:
        """The type of the same shape and layout with another element type."""
        return distributed(scalar_ty, self.shape, self.layout)

    def of_shape(self, shape: Sequence[int], view: str = "", *arguments: Any) -> distributed_type:
        """The type of these elements in another shape, of the result of an operation of VIEWS.

        Raises:
            BadLayout: the operation has no result for this layout.
        """
        layout = self.layout
        if view and not isinstance(layout, OPEN):
            try:
                layout = VIEWS[view](layout, self.shape, *arguments)
            except ValueError as error:
                raise BadLayout(reason=f"{view} of {self}: {error}") from None
        return distributed(self.element_ty, tuple(shape), layout)

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, distributed_type) and super().__eq__(other) and self.layout == other.layout
        )

    def __hash__(self) -> int:
        return self._hash

    def mangle(self) -> str:
        """Element, sizes and layout."""
        return f"{super().mangle()}L{self.layout.mangle()}L"


@lru_cache(maxsize=100_000)
def distributed(element_ty: dtype, shape: tuple[int, ...], layout: DistributedLayout) -> distributed_type:
    """`distributed_type(element_ty, shape, layout)`, made once."""
    return distributed_type(element_ty, shape, layout)


def open_type(element_ty: dtype, shape: tuple[int, ...]) -> distributed_type:
    """The type of a tensor whose layout its uses decide."""
    return distributed(element_ty, shape, AutoLayout())


# --- Layouts of results ----------------------------------------------------------------------------------------------
def _expand_dims(layout: DistributedLayout, shape: tuple[int, ...], axis: int) -> DistributedLayout:
    if not isinstance(layout, SliceLayout):
        raise BadLayout(reason=f"expected expand_dims input to have a SliceLayout, but got: {layout}")
    if layout.dim != axis:
        reason = f"expected expand_dims input layout to be sliced in axis {axis} but got {layout.dim}"
        raise BadLayout(reason=reason, advice=f"use SliceLayout({axis}, ...), or expand dimension {layout.dim}")
    return layout.parent


def _split(layout: DistributedLayout, shape: tuple[int, ...]) -> DistributedLayout:
    """A slice of the parent, as in Triton, where elements are apart in registers; join knows it for its inverse."""
    inference.split(layout.encoding, shape)
    return SliceLayout(len(shape) - 1, layout)


def _fp4_to_fp(layout: DistributedLayout, shape: tuple[int, ...], axis: int) -> DistributedLayout:
    """As in Triton, which takes the result's shape: a linear layout may then have a register that holds copies."""
    doubled = (*shape[:axis], 2 * shape[axis], *shape[axis + 1 :])
    return from_encoding(inference.fp4_to_fp(layout.encoding, doubled, axis))


def _inferred(rule: Callable[..., Any]) -> Callable[..., Any]:
    return lambda layout, *arguments: from_encoding(rule(layout.encoding, *arguments))


VIEWS: dict[str, Callable[..., Any]] = {
    "expand_dims": _expand_dims,
    "reduce": lambda layout, shape, axis: SliceLayout(axis, layout),
    "reordering reshape": lambda layout, shape, target: AutoLayout(),  # any will do
    "split": _split,
    "fp4_to_fp": _fp4_to_fp,
    **{name: _inferred(getattr(inference, name)) for name in ("join", "reshape", "trans")},
}
"""{operation: its result's layout, from that of the operand, its shape and the operation's arguments}."""


# --- Operands of different layouts -----------------------------------------------------------------------------------
def common_layout(values: Sequence[tensor], layout: Any = None) -> list[tensor]:
    """The tensors in one layout: that which is asked for, else the first that is not open.

    Raises:
        LayoutMismatch: two layouts are not open, and differ.
    """
    layouts = [value.type.layout for value in values]
    if layout is None:
        layout = next((one for one in layouts if not isinstance(one, AutoLayout)), layouts[0])
    for value, found in zip(values, layouts):
        if found != layout and not isinstance(found, AutoLayout):
            raise LayoutMismatch(left=layout, right=found, advice=conversion_advice(layout, value.type))
    return [value if found == layout else with_layout(value, layout) for value, found in zip(values, layouts)]


def with_layout(value: tensor, layout: DistributedLayout) -> tensor:
    """A tensor whose layout is open, in this layout."""
    type: Any = distributed(value.type.scalar, value.type.shape, layout)
    return tensor(builder().emit("gluon.set_auto_layout", (value.handle,), ir_type(type)), type)
