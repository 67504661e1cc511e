"""Tensors in a common shape.

A scalar fits every shape; a tensor of lower rank gets dimensions of size one in front; sizes must then be equal or one
of them 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ttkit.language.building import builder
from ttkit.language.constants import ir_type
from ttkit.language.errors import CannotBroadcast, RankMismatch, ShapeMismatch
from ttkit.language.tensor import tensor
from ttkit.language.types import tensor_type


def splat(value: tensor, shape: Sequence[int]) -> tensor:
    """A tensor of `shape` all of whose elements are the scalar `value`; of shape (), the scalar itself."""
    if len(shape) == 0:
        return value
    return splat_to(value, builder().unit.new_tensor_type(value.type, tuple(shape)))


def splat_to(value: tensor, type: Any) -> tensor:
    """A tensor of this type, all of whose elements are the scalar `value`."""
    return _spread("tt.splat", value, type)


def _spread(op: str, value: tensor, type: Any) -> tensor:
    """The splat or broadcast of `value`; of a constant, a constant."""
    source = value.handle.owner
    ir = ir_type(type)
    if getattr(source, "name", None) != "arith.constant":
        return tensor(builder().emit(op, (value.handle,), ir), type)
    text = source.attributes["value"].rpartition(" : ")[0] or source.attributes["value"]  # an i1 says no type
    dense = text if text.startswith("dense<") else f"dense<{text}>"
    return tensor(builder().emit("arith.constant", (), ir, {"value": f"{dense} : {ir}"}), type)


def broadcast_to_shape(value: tensor, shape: Sequence[int]) -> tensor:
    """`value` repeated to `shape`, of the same rank if it is a tensor.

    Raises:
        RankMismatch, CannotBroadcast: it does not fit.
    """
    type: Any = value.type
    shape = tuple(shape)
    if not type.is_block():
        return splat(value, shape)
    source = type.shape
    if len(source) != len(shape):
        raise RankMismatch(source=[str(size) for size in source], target=list(shape))
    if shape == source:
        return value
    for index, size in enumerate(source):
        if shape[index] != size and size != 1:
            shapes = {"source": [str(one) for one in source], "target": list(shape)}
            raise CannotBroadcast(expanded=shape[index], size=size, index=index, **shapes)
    return _spread("tt.broadcast", value, type.of_shape(shape))


def broadcast_like(value: tensor, like: Any) -> tensor:
    """`value` repeated to the shape of a tensor of type `like`; in Gluon with its layout.

    Raises:
        RankMismatch, CannotBroadcast: it does not fit.
        LayoutMismatch: it has another layout.
    """
    if not value.type.is_block():
        return splat_to(value, like.with_element_ty(value.type))
    if value.type.layout is not like.layout:
        (value,) = _common_layout([value], like.layout)
    return broadcast_to_shape(value, like.shape)


def _with_rank(value: tensor, rank: int) -> tensor:
    while len(value.type.shape) < rank:
        type = tensor_type(value.type.scalar, (1, *value.type.shape))
        value = tensor(builder().emit("tt.expand_dims", (value.handle,), ir_type(type), {"axis": "0 : i32"}), type)
    return value


def broadcast_pair(left: tensor, right: tensor) -> tuple[tensor, tensor]:
    """Both in one shape; two scalars stay scalars.

    Raises:
        ShapeMismatch: the shapes do not fit.
        LayoutMismatch, RankMismatch: in Gluon, which changes neither layouts nor the number of dimensions.
    """
    left_type: Any = left.type
    right_type: Any = right.type
    if not left_type.is_block():
        if right_type.is_block():
            left = splat_to(left, right_type.with_element_ty(left_type.scalar))
        return left, right
    if not right_type.is_block():
        return left, splat_to(right, left_type.with_element_ty(right_type.scalar))
    if left_type.layout is not right_type.layout:
        left, right = _common_layout([left, right])
    if left_type.shape == right_type.shape:
        return left, right
    rank = max(len(left_type.shape), len(right_type.shape))
    if left_type.layout is not None and len(left_type.shape) != len(right_type.shape):
        raise RankMismatch(source=[*left_type.shape], target=[*right_type.shape])
    left, right = _with_rank(left, rank), _with_rank(right, rank)
    shape = []
    for index, (a, b) in enumerate(zip(left.type.shape, right.type.shape)):
        if a != b and a != 1 and b != 1:
            found = {"left_shape": left.type.shape, "right_shape": right.type.shape}
            raise ShapeMismatch(index=index, left=a, right=b, **found)
        shape.append(b if a == 1 else a)
    return broadcast_to_shape(left, shape), broadcast_to_shape(right, shape)


def _common_layout(values: list[tensor], layout: Any = None) -> list[tensor]:
    from ttkit.language.distributed import common_layout  # of Gluon, which other kernels need not load

    return common_layout(values, layout)


def broadcast_all(values: Sequence[tensor]) -> list[tensor]:
    """All in one shape."""
    if not values:
        return []
    head, *tail = values
    for index in range(len(tail)):
        head, tail[index] = broadcast_pair(head, tail[index])
    for index in range(len(tail) - 1):
        head, tail[index] = broadcast_pair(head, tail[index])
    return [head, *tail]
