"""Joining two tensors along a new dimension, and splitting one into halves.

Ops: dialects/tt/view_ops.td    Interpreter: interpreter/ops/view.py
"""

from __future__ import annotations

from typing import Any

from ttkit.language.broadcasting import broadcast_pair
from ttkit.language.building import builder
from ttkit.language.builtin import _tensor_member_fn, builtin
from ttkit.language.constants import ir_type
from ttkit.language.constexpr import unwrap
from ttkit.language.errors import IncompatibleTypes, Unsupported
from ttkit.language.tensor import tensor
from ttkit.language.view import expand_one, reshape_to, tensor_of, unsplat


@builtin
def join(a: Any, b: Any) -> tensor:
    """`a` and `b` along a new last dimension of size two: shapes (4, 8) give (4, 8, 2), scalars (2,).

    Raises:
        IncompatibleTypes: their types differ.

    Example:
        >>> tl.join(tl.arange(0, 2), tl.arange(2, 4))
        int32[2, 2]
        [[0 2]
         [1 3]]
    """
    a, b = broadcast_pair(a, b)
    if ir_type(a.dtype) != ir_type(b.dtype):
        raise IncompatibleTypes(left=a.dtype, right=b.dtype)
    scalars = not a.type.is_block()
    if scalars:
        a, b = expand_one(a, 0), expand_one(b, 0)
    joined = tensor_of("tt.join", (a, b), a.type.of_shape((*a.type.shape, 2), "join"))
    return reshape_to(joined, [2]) if scalars else joined


@_tensor_member_fn
@builtin
def split(a: tensor) -> tuple[tensor, tensor]:
    """The two halves along the last dimension, of size two: the inverse of `join`.

    Raises:
        Unsupported: the last dimension has another size.

    Example:
        >>> even, odd = tl.split(tl.arange(0, 8).reshape(4, 2))
        >>> odd
        int32[4] [1 3 5 7]
    """
    shape = [unwrap(size) for size in a.shape]
    if not shape or shape[-1] != 2:
        raise Unsupported(function="split", reason=f"the last dimension must have size 2, got {a}")
    scalars = len(shape) == 1
    if scalars:
        a = expand_one(a, 0)
    type: Any = a.type.of_shape(a.type.shape[:-1], "split")
    op = builder().emit_op("tt.split", (a.handle,), (ir_type(type),) * 2)
    left, right = (tensor(handle, type) for handle in op.results)
    return (unsplat(left), unsplat(right)) if scalars else (left, right)
