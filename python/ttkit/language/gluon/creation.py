"""Tensors that are made of no other: ranges and constants.

Ops: dialects/tt/view_ops.td, index_ops.td
"""

from __future__ import annotations

from typing import Any

from ttkit.language.broadcasting import splat_to
from ttkit.language.builtin import builtin
from ttkit.language.constexpr import unwrap
from ttkit.language.distributed import distributed
from ttkit.language.gluon.checks import distributed_layout
from ttkit.language.tensor import tensor
from ttkit.language.types import int32
from ttkit.language.view import make_range, plain_shape, scalar_to_fill
from ttkit.layout.gluon.distributed_layouts import AutoLayout


def _layout(layout: Any) -> Any:
    return AutoLayout() if unwrap(layout) is None else distributed_layout(layout)


@builtin
def arange(start: Any, end: Any, layout: Any = None) -> tensor:
    """`[start, start + 1, ..., end - 1]` as int32, of shape `(end - start,)`.

    Args:
        start, end: constexprs; `end - start` is a power of two.
        layout: of the result; by default that which its uses ask for, `AutoLayout()`.

    Raises:
        BadArange: no such range.
        BadLayout: no layout of registers of one dimension.

    Example:
        >>> gl.arange(0, 8, line)
        int32[8] [0 1 2 3 4 5 6 7]
    """
    return make_range(unwrap(start), unwrap(end), lambda size: distributed(int32, (size,), _layout(layout)))


@builtin
def full(shape: Any, value: Any, dtype: Any, layout: Any = None) -> tensor:
    """A tensor of `shape` and `dtype`, every element `value` (a number or a scalar).

    Args:
        layout: as of `arange`.

    Raises:
        BadArgument, Unsupported: as `tl.full`.
        BadLayout: no layout of registers of these dimensions.

    Example:
        >>> gl.full([2, 4], 1.5, gl.float32, rows)
        fp32[2, 4]
        [[1.5 1.5 1.5 1.5]
         [1.5 1.5 1.5 1.5]]
    """
    scalar, sizes = scalar_to_fill(unwrap(value), unwrap(dtype)), plain_shape(shape)
    if not sizes:
        return scalar
    return splat_to(scalar, distributed(scalar.dtype, tuple(sizes), _layout(layout)))


@builtin
def zeros(shape: Any, dtype: Any, layout: Any = None) -> tensor:
    """`full` with zeros.

    Example:
        >>> gl.zeros([4], gl.int32, line)
        int32[4] [0 0 0 0]
    """
    return full(shape, 0, dtype, layout)


@builtin
def full_like(input: tensor, value: Any, shape: Any = None, dtype: Any = None, layout: Any = None) -> tensor:
    """`full` with the shape, type and layout of `input` where they are not given.

    Example:
        >>> gl.full_like(gl.arange(0, 4, line), 7)
        int32[4] [7 7 7 7]
    """
    shape, dtype, layout = map(unwrap, (shape, dtype, layout))
    return full(
        input.shape if shape is None else shape,
        value,
        input.dtype if dtype is None else dtype,
        getattr(input.type, "layout", None) if layout is None else layout,
    )


@builtin
def zeros_like(input: tensor, shape: Any = None, dtype: Any = None, layout: Any = None) -> tensor:
    """`full_like` with zeros.

    Example:
        >>> gl.zeros_like(gl.arange(0, 4, line), dtype=gl.float32)
        fp32[4] [0. 0. 0. 0.]
    """
    return full_like(input, 0, shape, dtype, layout)
