"""Reductions and scans with any combination, maps of scalar functions, histogram and gather.

Ops: dialects/tt/reduce_ops.td, index_ops.td    Interpreter: interpreter/ops/reduce.py, index_ops.py
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from typing import Any

from ttkit.language.broadcasting import broadcast_all, broadcast_like
from ttkit.language.building import active, builder
from ttkit.language.builtin import _tensor_member_fn, builtin
from ttkit.language.constants import flag_attribute, ir_type, to_tensor
from ttkit.language.constexpr import constexpr, unwrap
from ttkit.language.errors import BadMask, Unsupported
from ttkit.language.record import Block
from ttkit.language.tensor import tensor
from ttkit.language.tuples import tuple
from ttkit.language.types import dtype, int32
from ttkit.language.view import arange, broadcast_to, expand_dims, reshape_to, tensor_of, wrap_axis


def _call_in_block(fn: Any, types: Sequence[dtype], terminator: str, is_map: bool = False) -> Any:
    """A block that calls `fn` on scalars of `types` and ends with what it gives.

    Returns the block, the results, and whether `fn` gave one value that is not a tuple.
    """
    target = builder()
    outer, loc = target.block, target.loc
    block = target.block = Block([ir_type(type) for type in types], loc if is_map else None)
    if is_map:
        target.loc = None  # Triton builds this block before it has a place
    try:
        arguments = [tensor(handle, type) for handle, type in zip(block.arguments, types)]
        results = active.generator.call_jit_function(unwrap(fn), arguments, {})
        single = isinstance(results, tensor)
        results = [results] if single else list(results)
        target.loc = loc
        target.emit_op(terminator, [result.handle for result in results])
    finally:
        target.block = outer
    if not is_map and outer is not None and outer.parent is not None:
        target.loc = outer.parent.loc  # where Triton's builder is after it has left a region
    return block, results, single


def _is_free(value: Any) -> bool:
    """Whether elements may change their order: in Gluon layouts say where they are."""
    return value.type.is_block() and value.type.layout is None


def _in_one_layout(inputs: list[tensor]) -> list[tensor]:
    first: Any = inputs[0].type
    if first.layout is None or len(inputs) == 1:
        return inputs
    from ttkit.language.distributed import common_layout  # of Gluon, which other kernels need not load

    return common_layout(inputs)


def _same_shape(function: str, inputs: Sequence[tensor]) -> Any:
    shape = _shape(inputs[0])
    if not shape:
        raise Unsupported(function=function, reason=f"expected a tensor, got the scalar {inputs[0]}")
    if any(_shape(value) != shape for value in inputs):
        raise Unsupported(function=function, reason=f"all {function} inputs must have the same shape")
    return shape


def _shape(value: tensor) -> Any:
    return value.type.shape if value.type.is_block() else ()


@_tensor_member_fn
@builtin
def reduce(input: Any, axis: Any, combine_fn: Any, keep_dims: Any = False) -> Any:
    """All elements along `axis` combined into one.

    Args:
        input: a tensor, or a tuple of tensors of one shape that are reduced together.
        axis: the dimension that goes; None for all.
        combine_fn: a jitted function of two groups of scalars, one of each tensor.  It must be associative and
            commutative, since the compiler chooses the order; `associative_scan` keeps the order.
        keep_dims: keep the dimension, with size one.

    Returns:
        A tensor without the dimension (a scalar if none is left), or a tuple of such.

    Raises:
        BadAxis: there is no such dimension.
        Unsupported: shapes that differ.

    Example:
        >>> @ttkit.jit
        ... def total(a, b):
        ...     return a + b
        >>> tl.reduce(tl.arange(0, 8).reshape(2, 4), 1, total)
        int32[2] [ 6 22]
    """
    if isinstance(input, tensor):
        return reduce((input,), axis, combine_fn, keep_dims=keep_dims)[0]
    axis, keep_dims = unwrap(axis), unwrap(keep_dims)
    inputs = list(input)
    rank = len(inputs[0].shape)
    if axis is not None:
        axis = wrap_axis(axis, rank)
    results = _reduce(inputs, axis, combine_fn)
    if keep_dims:
        for _ in builtins.range(1 if axis is not None else rank):
            results = [expand_dims(value, 0 if axis is None else axis) for value in results]
    return tuple(results)


def _reduce(inputs: list[tensor], axis: int | None, combine_fn: Any) -> list[tensor]:
    if axis is None:
        inputs = [reshape_to(value, [value.numel.value], can_reorder=_is_free(value)) for value in inputs]
        axis = 0
    shape = _same_shape("reduction", inputs)
    inputs = _in_one_layout(inputs)
    left = shape[:axis] + shape[axis + 1 :]
    types: list[dtype] = [value.type.of_shape(left, "reduce", axis) if left else value.dtype for value in inputs]
    attributes = {"axis": f"{axis:d} : i32"}
    return _with_region("tt.reduce", inputs, types, attributes, combine_fn)


def _with_region(
    name: str, inputs: list[tensor], types: Sequence[dtype], attributes: dict[str, str], combine_fn: Any
) -> list[tensor]:
    target = builder()
    loc = target.loc
    block, _, _ = _call_in_block(combine_fn, [value.dtype for value in inputs] * 2, f"{name}.return")
    operands = [value.handle for value in inputs]
    op = target.emit_op(name, operands, [ir_type(type) for type in types], attributes, [[block]])
    op.loc = loc
    return [tensor(handle, type) for handle, type in zip(op.results, types)]


@_tensor_member_fn
@builtin
def associative_scan(input: Any, axis: Any, combine_fn: Any, reverse: Any = False) -> Any:
    """Each element combined with all before it along `axis`.

    Args:
        input, combine_fn: as for `reduce`.
        axis: the dimension.
        reverse: from the end instead.

    Returns:
        A tensor of the same shape, or a tuple of such.

    Example:
        >>> @ttkit.jit
        ... def larger(a, b):
        ...     return tl.maximum(a, b)
        >>> tl.associative_scan((tl.arange(0, 8) * 5) % 8, 0, larger)
        int32[8] [0 5 5 7 7 7 7 7]
    """
    if isinstance(input, tensor):
        return associative_scan((input,), axis, combine_fn, reverse)[0]
    inputs = list(input)
    axis = wrap_axis(unwrap(axis), len(inputs[0].shape))
    _same_shape("scan", inputs)
    inputs = _in_one_layout(inputs)
    attributes = {"axis": f"{axis:d} : i32", "reverse": flag_attribute("associative_scan", "reverse", reverse)}
    return tuple(_with_region("tt.scan", inputs, [value.type for value in inputs], attributes, combine_fn))


@builtin
def _reduce_with_indices(input: tensor, axis: Any, combine_fn: Any, keep_dims: Any = False) -> Any:
    """`reduce` of the tensor together with the index of each element along `axis`."""
    axis = unwrap(axis)
    rank = len(input.shape)
    index = arange(0, input.shape[axis])
    if rank > 1:
        others = [constexpr(dim) for dim in builtins.range(rank)]
        del others[axis]
        index = broadcast_to(expand_dims(index, others), input.shape)
    value, indices = reduce((input, index), axis, combine_fn, keep_dims=keep_dims)
    return value, indices


@builtin
def map_elementwise(scalar_fn: Callable[..., Any], *args: tensor, pack: Any = 1) -> Any:
    """`scalar_fn` of each group of scalars: the function may branch on each element.

    Args:
        scalar_fn: a jitted function of scalars: for `pack` > 1, `pack` of the first tensor, then of the second...
        args: tensors, broadcast to one shape.
        pack: elements that one call takes of each tensor.

    Returns:
        A tensor, or a tuple if `scalar_fn` gives several.

    Raises:
        Unsupported: there are fewer elements than `pack`, or the results of one pack differ in type.

    Example:
        >>> @ttkit.jit
        ... def half_or_double(a):
        ...     return a // 2 if a % 2 == 0 else a * 2
        >>> tl.map_elementwise(half_or_double, tl.arange(0, 4))
        int32[4] [0 2 1 6]
    """
    pack = unwrap(pack)
    most = builtins.max(value.numel.value for value in args)
    if not 1 <= pack <= most:
        raise Unsupported(
            function="map_elementwise", reason=f"pack must be from 1 to {most}, the number of elements, got {pack}"
        )
    types = [value.dtype for value in args for _ in builtins.range(pack)]
    block, results, single = _call_in_block(scalar_fn, types, "tt.map_elementwise.return", is_map=True)
    given = [result.type for result in results]
    if any(given[::pack] != given[offset::pack] for offset in builtins.range(pack)):
        raise Unsupported(function="map_elementwise", reason="type mismatch in unpacked results")
    inputs = broadcast_all(list(args))
    result_types = [inputs[0].type.with_element_ty(type.scalar) for type in given[::pack]]
    op = builder().emit_op(
        "tt.map_elementwise",
        [value.handle for value in inputs],
        [ir_type(type) for type in result_types],
        {"pack": f"{pack:d} : i32"},
        [[block]],
    )
    values = [tensor(handle, type) for handle, type in zip(op.results, result_types)]
    return values[0] if single else tuple(values)


@_tensor_member_fn
@builtin
def histogram(input: tensor, num_bins: Any, mask: Any = None) -> tensor:
    """Counts of each of 0 ... `num_bins` - 1, as int32 of shape `(num_bins,)`.

    Args:
        input: a tensor of integers, of one dimension.
        num_bins: a constexpr.
        mask: elements that count.

    Raises:
        Unsupported: not such a tensor.
        BadMask: `mask` is not bool.

    Example:
        >>> tl.histogram(tl.arange(0, 8) // 3, 4)
        int32[4] [3 3 2 0]
        >>> tl.histogram(tl.arange(0, 8) // 3, 4, mask=tl.arange(0, 8) < 6)
        int32[4] [3 3 0 0]
    """
    operands = histogram_operands(input, unwrap(mask))
    return tensor_of("tt.histogram", operands, builder().unit.new_tensor_type(int32, (unwrap(num_bins),)))


def histogram_operands(input: tensor, mask: Any) -> list[tensor]:
    """The operands of a histogram; raises as it does."""
    if len(input.shape) != 1 or not input.dtype.is_int():
        what = "1D" if len(input.shape) != 1 else "integer"
        raise Unsupported(function="histogram", reason=f"histogram only supports {what} input", advice=f"found {input}")
    operands = [input]
    if mask is not None:
        mask = broadcast_like(to_tensor(mask), input.type)
        if not mask.type.scalar.is_bool():
            raise BadMask(type=mask.type.scalar)
        operands.append(mask)
    return operands


@_tensor_member_fn
@builtin
def gather(src: tensor, index: tensor, axis: Any) -> tensor:
    """`src[..., index[..., i, ...], ...]` along `axis`: of the shape of `index`, which differs from `src` only there.

    Raises:
        BadAxis, Unsupported: not for these shapes.

    Example:
        >>> tl.gather(tl.arange(0, 4) * 10, 3 - tl.arange(0, 4), 0)
        int32[4] [30 20 10  0]
    """
    src, index, axis = unwrap(src), unwrap(index), unwrap(axis)
    if not index.dtype.is_int():
        raise Unsupported(function="gather", reason="index must be an integer tensor", advice=f"found {index}")
    source, target = _shape(src), _shape(index)
    if len(source) != len(target):
        reason = "source and index tensors must have the same rank"
        raise Unsupported(function="gather", reason=reason, advice=f"found {source} and {target}")
    if axis >= len(source):
        raise Unsupported(function="gather", reason=f"gather axis {axis} must be < source rank ({len(source)})")
    axis = wrap_axis(axis, len(source))
    for dim, (left, right) in enumerate(zip(source, target)):
        if dim != axis and left != right:
            reason = f"index dim {axis} must match the corresponding source dim"
            raise Unsupported(function="gather", reason=reason, advice=f"found {source} and {target}")
    return tensor_of("tt.gather", (src, index), index.type.with_element_ty(src.dtype), {"axis": f"{axis:d} : i32"})
