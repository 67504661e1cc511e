"""Creating tensors and changing their shape.

Ops: dialects/tt/view_ops.td, index_ops.td    Interpreter: interpreter/ops/view.py
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ttkit.language.arith import to_tensor
from ttkit.language.broadcasting import broadcast_pair, broadcast_to_shape, splat
from ttkit.language.building import builder, warn
from ttkit.language.builtin import _tensor_member_fn, builtin
from ttkit.language.constants import ir_type, scalar_constant
from ttkit.language.constexpr import unwrap
from ttkit.language.errors import BadArange, BadArgument, BadAxis, ElementCountChanges, IncompatibleTypes, Unsupported
from ttkit.language.shapes import number, validate_block_shape
from ttkit.language.tensor import tensor
from ttkit.language.tuples import is_sequence
from ttkit.language.type_conversion import cast_to
from ttkit.language.types import dtype, int32


# --- Arguments -------------------------------------------------------------------------------------------------------
def plain_shape(shape: Any) -> list[int]:
    """The sizes of `shape` as ints.

    Raises:
        BadShapeElement, NotPowerOfTwo, TensorTooLarge: no tensor has that shape.
    """
    sizes = [number(unwrap(size)) for size in unwrap(shape)]
    validate_block_shape(sizes)
    return sizes


def one_or_many(items: Any) -> Any:
    """`f((1, 2))` and `f(1, 2)` mean the same: the sequence."""
    if len(items) == 1 and is_sequence(unwrap(items[0])):
        return items[0]
    return items


def wrap_axis(axis: int, rank: int) -> int:
    """`axis`, counted from the end if negative.

    Raises:
        BadAxis: there is no such dimension.
    """
    if not -rank <= axis < rank:
        raise BadAxis(axis=axis, low=-rank, high=rank, advice="" if rank else "a scalar has no dimension")
    return axis % rank


def tensor_of(op: str, operands: Sequence[tensor], type: dtype, attributes: dict[str, str] | None = None) -> tensor:
    """The result of the operation `op`."""
    return tensor(builder().emit(op, [value.handle for value in operands], ir_type(type), attributes or {}), type)


# --- Creation --------------------------------------------------------------------------------------------------------
@builtin
def arange(start: Any, end: Any) -> tensor:
    """`[start, start + 1, ..., end - 1]` as int32, of shape `(end - start,)`.

    Args:
        start, end: constexprs; `end - start` is a power of two.

    Raises:
        NotConstant: a bound is not known at compile time.
        BadArange: no such range.

    Example:
        >>> tl.arange(0, 4)
        int32[4] [0 1 2 3]
        >>> tl.arange(8, 16)
        int32[8] [ 8  9 10 11 12 13 14 15]
    """
    return make_range(unwrap(start), unwrap(end))


def make_range(start: Any, end: Any, type_of: Callable[[int], Any] | None = None) -> tensor:
    """`arange` with plain bounds; `type_of` gives the type of a range of so many numbers.  Raises BadArange."""
    for bound in (start, end):
        if not isinstance(bound, int):
            found = repr(bound) if isinstance(bound, str) else bound
            advice = f"found {found}; annotate the parameter as tl.constexpr, or use a larger constant range and a mask"
            if isinstance(bound, float):
                advice = f"found {bound}, which is a float; pass the integer {int(bound)}"
            reason = "arange's arguments must be of type tl.constexpr"
            raise BadArange(start=start, end=end, advice=advice, reason=reason)
    if not -(2**31) <= start < 2**31 or end >= 2**31:
        raise BadArange(start=start, end=end, reason="arange must fit in int32")
    if end <= start:
        raise BadArange(start=start, end=end, reason="arange's end argument must be greater than the start argument")
    size = end - start
    if size & (size - 1):
        advice = f"found {size} elements; take {1 << size.bit_length()}, and mask the rest: mask=index < {end}"
        raise BadArange(start=start, end=end, advice=advice, reason="arange's range must be a power of 2")
    type = type_of(size) if type_of else builder().unit.new_tensor_type(int32, (size,))
    bounds = {"start": f"{start:d} : i32", "end": f"{end:d} : i32"}
    return tensor_of("tt.make_range", (), type, bounds)


def make_scalar(value: Any, type: dtype) -> tensor:
    """The number or one-element tensor `value` as `type`.  Raises Unsupported if it has several elements."""
    if isinstance(value, tensor):
        if value.numel.value != 1:
            raise Unsupported(function="full", reason="only accepts size-1 tensor", advice=f"found {value}")
        return cast_to(value, type)
    return scalar_constant(value, type)


@builtin
def full(shape: Any, value: Any, dtype: Any) -> tensor:
    """A tensor of `shape` and `dtype`, every element `value` (a number or a scalar).

    Raises:
        BadArgument: no `dtype`.
        Unsupported: `value` has several elements.

    Example:
        >>> tl.full((2, 2), 7, tl.float32)
        fp32[2, 2]
        [[7. 7.]
         [7. 7.]]
    """
    return splat(scalar_to_fill(unwrap(value), unwrap(dtype)), plain_shape(shape))


def scalar_to_fill(value: Any, dtype: Any) -> tensor:
    """The scalar that `full` repeats.  Raises BadArgument, Unsupported as it does."""
    if dtype is None:
        raise BadArgument(function="full", reason="dtype must be specified when value is not a tensor")
    scalar = make_scalar(value, dtype)
    if scalar.type.is_block():
        raise Unsupported(function="full", reason="Cannot splat a block tensor")
    return scalar


@builtin
def cat(input: tensor, other: tensor, can_reorder: Any = False, dim: Any = 0) -> tensor:
    """Both tensors, of one type and rank, after each other along `dim`.

    Args:
        can_reorder: whether elements may change their order; for tensors of one dimension.
        dim: the dimension that grows; negative from the end.  The tensors have equal shapes, unless `can_reorder`.

    Raises:
        Unsupported: shapes that do not go together.
        BadAxis: there is no such dimension.

    Example:
        >>> tl.cat(tl.arange(0, 4), tl.arange(4, 8), can_reorder=True)
        int32[8] [0 1 2 3 4 5 6 7]
        >>> tl.cat(tl.zeros((2, 2), tl.int32), tl.arange(0, 4).reshape(2, 2), dim=1)
        int32[2, 4]
        [[0 0 0 1]
         [0 0 2 3]]
    """
    if not unwrap(can_reorder):
        return _cat_in_order(input, other, unwrap(dim))
    if not len(input.shape) == len(other.shape) == 1:
        reason = f"expected tensors of one dimension, got {input} and {other}"
        raise Unsupported(function="cat", reason=reason)
    if ir_type(input.dtype) != ir_type(other.dtype):
        raise IncompatibleTypes(left=input.dtype, right=other.dtype)
    shape = (input.type.shape[0] + other.type.shape[0],)
    return tensor_of("tt.cat", (input, other), builder().unit.new_tensor_type(input.dtype, shape))


def _cat_in_order(input: tensor, other: tensor, dim: int) -> tensor:
    """Joined along a new last dimension, which then moves before `dim` and is merged with it."""
    shape, others = ([unwrap(size) for size in one.shape] for one in (input, other))
    if not shape or shape != others:
        reason = f"cat requires tensors of the same shape, got {shape} and {others}"
        raise Unsupported(function="cat", reason=reason, advice="pad the smaller one, or use can_reorder=True")
    if ir_type(input.dtype) != ir_type(other.dtype):
        raise IncompatibleTypes(left=input.dtype, right=other.dtype)
    dim = wrap_axis(dim, len(shape))
    joined = tensor_of("tt.join", (input, other), input.type.of_shape((*shape, 2), "join"))
    order = list(range(len(shape)))
    order.insert(dim, len(shape))
    shape[dim] *= 2
    return reshape_to(permute_dims(joined, order), shape)


# --- Broadcasting ----------------------------------------------------------------------------------------------------
@builtin
def broadcast(input: tensor, other: tensor) -> Any:
    """Both tensors in one shape.

    Example:
        >>> a, b = tl.broadcast(tl.arange(0, 2)[:, None], tl.arange(0, 4)[None, :])
        >>> b
        int32[2, 4]
        [[0 1 2 3]
         [0 1 2 3]]
    """
    return broadcast_pair(input, other)


@_tensor_member_fn
@builtin
def broadcast_to(input: tensor, *shape: Any) -> tensor:
    """`input` repeated along its dimensions of size one to `shape`, given as a tuple or as arguments.

    Example:
        >>> tl.broadcast_to(tl.arange(0, 4)[None, :], (2, 4))
        int32[2, 4]
        [[0 1 2 3]
         [0 1 2 3]]
    """
    return broadcast_to_shape(input, plain_shape(one_or_many(shape)))


# --- Dimensions ------------------------------------------------------------------------------------------------------
def expand_one(value: tensor, axis: int) -> tensor:
    """A dimension of size one before dimension `axis`; a scalar becomes a tensor.

    Raises:
        BadAxis: it is beyond the dimensions.
    """
    shape = [unwrap(size) for size in value.shape]
    if not value.type.is_block():
        return splat(value, [1])
    if axis > len(shape):
        raise BadAxis(axis=axis, low=0, high=len(shape) + 1)
    shape.insert(axis, 1)
    type = value.type.of_shape(shape, "expand_dims", axis)
    return tensor_of("tt.expand_dims", (value,), type, {"axis": f"{axis:d} : i32"})


@_tensor_member_fn
@builtin
def expand_dims(input: Any, axis: Any) -> tensor:
    """`input` with new dimensions of size one.

    Args:
        axis: where they are in the result; one or several.

    Raises:
        BadAxis: there is no such dimension.
        BadArgument: one is given twice.

    Example:
        >>> tl.expand_dims(tl.arange(0, 4), 1).shape
        (constexpr[4], constexpr[1])
        >>> tl.expand_dims(tl.arange(0, 4), [0, -1]).shape
        (constexpr[1], constexpr[4], constexpr[1])
    """
    input, axis = to_tensor(input), unwrap(axis)
    axes = list(axis) if is_sequence(axis) else [axis]
    rank = len(input.shape) + len(axes)
    axes = [wrap_axis(unwrap(item), rank) for item in axes]
    if len(set(axes)) != len(axes):
        raise BadArgument(
            function="expand_dims", reason=f"expand_dims received duplicate axes, normalized axes = {axes}"
        )
    for item in sorted(axes):
        input = expand_one(input, item)
    return input


def permute_dims(value: tensor, dims: Any) -> tensor:
    """The tensor with its dimensions in the order `dims`, as tt.trans.

    Raises:
        BadArgument: `dims` is not a permutation of its dimensions.
    """
    order = [unwrap(dim) for dim in dims]
    if len(value.shape) != len(order):
        reason = "permute dims must have the same length as input shape"
        raise BadArgument(function="permute", reason=reason, advice=f"found {order} for {value}")
    if sorted(order) != list(range(len(order))):
        found = [f"constexpr[{dim}]" for dim in order]
        reason = f"permute dims must be a permutation of 0, 1, ..., n-1, but were {found}"
        raise BadArgument(function="permute", reason=reason)
    shape = tuple(unwrap(value.shape[dim]) for dim in order)
    attributes = {"order": f"array<i32: {', '.join(f'{axis:d}' for axis in order)}>"}
    return tensor_of("tt.trans", (value,), value.type.of_shape(shape, "trans", tuple(order)), attributes)


@_tensor_member_fn
@builtin
def permute(input: tensor, *dims: Any) -> tensor:
    """Dimension `i` of the result is dimension `dims[i]` of `input`; a tuple or arguments.

    Example:
        >>> tl.permute(tl.zeros((2, 4, 8), tl.int8), (2, 0, 1)).shape
        (constexpr[8], constexpr[2], constexpr[4])
    """
    return permute_dims(input, one_or_many(dims))


@_tensor_member_fn
@builtin
def trans(input: tensor, *dims: Any) -> tensor:
    """As `permute`; without `dims` the last two dimensions are swapped.

    Raises:
        BadArgument: `dims` is not a permutation, or missing for less than two dimensions.

    Example:
        >>> tl.trans(tl.arange(0, 4).reshape(2, 2))
        int32[2, 2]
        [[0 2]
         [1 3]]
    """
    dims = one_or_many(dims)
    if not dims:
        rank = len(input.shape)
        if rank < 2:
            raise BadArgument(function="trans", reason="tl.trans invoked with a 0- or 1-dimensional tensor")
        dims = (*range(rank - 2), rank - 1, rank - 2)
    return permute_dims(input, dims)


def reshape_to(value: tensor, shape: Sequence[int], can_reorder: Any = False) -> tensor:
    """The tensor with another shape of as many elements, in row-major order unless it may be reordered.

    Raises:
        ElementCountChanges: there are more or fewer.
    """
    count = 1
    for size in shape:
        count *= size
    if not value.type.is_block():
        raise BadArgument(function="reshape", reason=f"a scalar {value.dtype} has no shape; use tl.full")
    if value.numel.value != count:
        raise ElementCountChanges(source=value, target=list(shape))
    attributes = {"allow_reorder": "unit"} if can_reorder else {}
    view = "reordering reshape" if can_reorder else "reshape"
    return tensor_of("tt.reshape", (value,), value.type.of_shape(tuple(shape), view, tuple(shape)), attributes)


@_tensor_member_fn
@builtin
def reshape(input: tensor, *shape: Any, can_reorder: Any = False) -> tensor:
    """The elements of `input` in `shape`, given as a tuple or as arguments; `()` gives a scalar.

    Args:
        can_reorder: whether elements may change their order.

    Raises:
        ElementCountChanges: the number of elements differs.

    Example:
        >>> tl.reshape(tl.arange(0, 8), (2, 4))
        int32[2, 4]
        [[0 1 2 3]
         [4 5 6 7]]
    """
    sizes = plain_shape(one_or_many(shape))
    return reshape_to(input, sizes, unwrap(can_reorder)) if sizes else unsplat(input)


@_tensor_member_fn
@builtin
def view(input: tensor, *shape: Any) -> tensor:
    """`reshape` with `can_reorder=True`; deprecated.

    Example:
        >>> tl.view(tl.arange(0, 4), (2, 2))
        int32[2, 2]
        [[0 1]
         [2 3]]
    """
    warn("view is deprecated, please use reshape with can_reorder being true.")
    return reshape_to(input, plain_shape(one_or_many(shape)), True)


def unsplat(value: tensor) -> tensor:
    """The only element.  Raises Unsupported if there are several."""
    if not value.type.is_block():
        return value
    if value.numel.value != 1:
        raise Unsupported(function="item", reason="can only unsplat single-element tensors", advice=f"found {value}")
    return tensor_of("tt.unsplat", (value,), value.dtype)


@_tensor_member_fn
@builtin
def item(input: tensor) -> tensor:
    """The only element, as a scalar.

    Example:
        >>> tl.full((1,), 3, tl.int32).item()
        int32[] 3
    """
    return unsplat(input)
