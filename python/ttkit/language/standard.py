"""The part of the language that is written in the language: jitted functions.

Each becomes a function of the compiled module, named after it, until the inliner has run.
"""

from __future__ import annotations

import builtins
import math as python_math
import warnings
from typing import Any

from ttkit.dialects.tt import PropagateNan
from ttkit.frontend.jit_function import constexpr_function, jit
from ttkit.language import core, math
from ttkit.language.builtin import _tensor_member_fn, builtin
from ttkit.language.constexpr import constexpr, unwrap
from ttkit.language.errors import Unsupported
from ttkit.language.types import base_value


# --- Facts about sizes and types -------------------------------------------------------------------------------------
@constexpr_function
def _log2(i):
    return builtins.max(i.bit_length() - 1, 0)


@constexpr_function
def _is_power_of_two(i):
    return i != 0 and i & (i - 1) == 0


_get_int_dtype = constexpr_function(core.get_int_dtype)


@constexpr_function
def _pick_sum_dtype(in_dtype, dtype):
    """The type to add in: `dtype`, or 32 bits for narrower integers, else None (as it is)."""
    if dtype is not None:
        return dtype
    if not in_dtype.is_int() or in_dtype.int_bitwidth >= 32:
        return None
    return core.int32 if in_dtype.is_int_signed() else core.uint32


@constexpr_function
def _get_flip_dim(dim, shape):
    if dim is None:
        return len(shape) - 1
    return dim + len(shape) if dim < 0 else dim


# --- Elementwise -----------------------------------------------------------------------------------------------------
@_tensor_member_fn
@jit
def cdiv(x, div):
    """`x / div` of non-negative integers, rounded up."""
    return (x + (div - 1)) // div


@_tensor_member_fn
@jit
def sigmoid(x):
    """`1 / (1 + exp(-x))`, elementwise; fp32 or fp64."""
    return 1 / (1 + math.exp(-x))


@_tensor_member_fn
@jit
def softmax(x, dim=None, keep_dims=False, ieee_rounding=False):
    """`exp(x) / sum(exp(x))` along `dim` (0 by default), computed without overflow."""
    if dim is None:
        _dim: core.constexpr = 0
    else:
        _dim: core.constexpr = dim
    z = x - max(x, _dim, keep_dims=keep_dims)
    num = math.exp(z)
    den = sum(num, _dim, keep_dims=keep_dims)
    return math.fdiv(num, den, ieee_rounding)


@jit
def swizzle2d(i, j, size_i, size_j, size_g):
    """Row-major index `(i, j)` of a `size_i` x `size_j` matrix as the index, in groups of `size_g` rows, that runs down
    the columns of each group: for 4 x 4 and groups of 2, the order of visits

        0  1  2  3         0  2  4  6
        4  5  6  7   =>    1  3  5  7
        8  9 10 11         8 10 12 14
       12 13 14 15         9 11 13 15
    """
    ij = i * size_j + j
    size_gj = size_g * size_j
    group_id = ij // size_gj
    off_i = group_id * size_g
    size_g = core.minimum(size_i - off_i, size_g)  # the last group may be smaller
    ij = ij % size_gj
    new_i = off_i + ij % size_g
    new_j = ij // size_g
    return new_i, new_j


# --- Creation and shape ----------------------------------------------------------------------------------------------
@jit
def zeros(shape, dtype):
    """A tensor of `shape` and `dtype`, every element zero."""
    return core.full(shape, 0, dtype)


@jit
def zeros_like(input):
    """Zeros in the shape and type of `input`."""
    return zeros(input.shape, input.dtype)


@_tensor_member_fn
@jit
def ravel(x, can_reorder=False):
    """`x` in one dimension."""
    return core.reshape(x, [x.numel], can_reorder=can_reorder)


@jit
def interleave(a, b):
    """The elements of `a` and `b`, of one shape, alternating along the last dimension."""
    c = core.join(a, b)

    if len(c.shape) == 1:
        return c
    else:
        return core.reshape(c, c.shape[:-2] + [2 * c.shape[-2]])


# --- Largest and smallest --------------------------------------------------------------------------------------------
@jit
def _argmax_combine(value1, index1, value2, index2, tie_break_left):
    if tie_break_left:
        tie = value1 == value2 and index1 < index2
    else:
        tie = False
    gt = value1 > value2 or tie
    v_ret = core.where(gt, value1, value2)
    i_ret = core.where(gt, index1, index2)
    return v_ret, i_ret


@jit
def _argmax_combine_tie_break_left(value1, index1, value2, index2):
    return _argmax_combine(value1, index1, value2, index2, True)


@jit
def _argmax_combine_tie_break_fast(value1, index1, value2, index2):
    return _argmax_combine(value1, index1, value2, index2, False)


@jit
def _elementwise_max(a, b):
    return core.maximum(a, b)


@_tensor_member_fn
@jit
def max(input, axis=None, return_indices=False, return_indices_tie_break_left=True, keep_dims=False):
    """The largest element along `axis` (of all, if None); floats and integers of less than 32 bits give 32 bits.

    Args:
        return_indices: also give its index along `axis`, int32.
        return_indices_tie_break_left: of equal ones, the first; otherwise any.
        keep_dims: keep the dimension, with size one.
    """
    input = core._promote_bfloat16_to_float32(input)
    if return_indices:
        if return_indices_tie_break_left:
            return core._reduce_with_indices(input, axis, _argmax_combine_tie_break_left, keep_dims=keep_dims)
        else:
            return core._reduce_with_indices(input, axis, _argmax_combine_tie_break_fast, keep_dims=keep_dims)
    else:
        if core.constexpr(input.dtype.primitive_bitwidth) < core.constexpr(32):
            if core.constexpr(input.dtype.is_floating()):
                input = input.to(core.float32)
            else:
                assert input.dtype.is_int(), "Expecting input to be integer type"
                input = input.to(core.int32)
        return core.reduce(input, axis, _elementwise_max, keep_dims=keep_dims)


@_tensor_member_fn
@jit
def argmax(input, axis, tie_break_left=True, keep_dims=False):
    """The index of the largest element along `axis`, int32; of equal ones the first, or any unless `tie_break_left`."""
    (_, ret) = max(input, axis, return_indices=True, return_indices_tie_break_left=tie_break_left, keep_dims=keep_dims)
    return ret


@jit
def _argmin_combine(value1, index1, value2, index2, tie_break_left):
    if tie_break_left:
        tie = value1 == value2 and index1 < index2
    else:
        tie = False
    lt = value1 < value2 or tie
    value_ret = core.where(lt, value1, value2)
    index_ret = core.where(lt, index1, index2)
    return value_ret, index_ret


@jit
def _argmin_combine_tie_break_left(value1, index1, value2, index2):
    return _argmin_combine(value1, index1, value2, index2, True)


@jit
def _argmin_combine_tie_break_fast(value1, index1, value2, index2):
    return _argmin_combine(value1, index1, value2, index2, False)


@jit
def _elementwise_min(a, b):
    return core.minimum(a, b)


@_tensor_member_fn
@jit
def min(input, axis=None, return_indices=False, return_indices_tie_break_left=True, keep_dims=False):
    """The smallest element along `axis`; otherwise as `max`."""
    input = core._promote_bfloat16_to_float32(input)
    if return_indices:
        if return_indices_tie_break_left:
            return core._reduce_with_indices(input, axis, _argmin_combine_tie_break_left, keep_dims=keep_dims)
        else:
            return core._reduce_with_indices(input, axis, _argmin_combine_tie_break_fast, keep_dims=keep_dims)
    else:
        if core.constexpr(input.dtype.primitive_bitwidth) < 32:
            if core.constexpr(input.dtype.is_floating()):
                input = input.to(core.float32)
            else:
                assert input.dtype.is_int(), "Expecting input to be integer type"
                input = input.to(core.int32)
        return core.reduce(input, axis, _elementwise_min, keep_dims=keep_dims)


@_tensor_member_fn
@jit
def argmin(input, axis, tie_break_left=True, keep_dims=False):
    """The index of the smallest element along `axis`; otherwise as `argmax`."""
    _, ret = min(input, axis, return_indices=True, return_indices_tie_break_left=tie_break_left, keep_dims=keep_dims)
    return ret


# --- Sums and other folds --------------------------------------------------------------------------------------------
@jit
def _sum_combine(a, b):
    return a + b


@_tensor_member_fn
@jit
def sum(input, axis=None, keep_dims=False, dtype: core.constexpr = None):
    """The sum along `axis` (of all, if None), in `dtype`; by default integers of less than 32 bits are added in 32."""
    out_dtype: core.constexpr = _pick_sum_dtype(input.dtype, dtype)

    if out_dtype is not None:
        input = input.to(out_dtype)
    return core.reduce(input, axis, _sum_combine, keep_dims=keep_dims)


@jit
def _xor_combine(a, b):
    return a ^ b


@_tensor_member_fn
@jit
def xor_sum(input, axis=None, keep_dims=False):
    """The exclusive or of integers along `axis` (of all, if None)."""
    core.static_assert(input.type.scalar.is_int(), "xor_sum only supported for integers")
    return core.reduce(input, axis, _xor_combine, keep_dims=keep_dims)


@jit
def _or_combine(x, y):
    return x | y


@_tensor_member_fn
@jit
def reduce_or(input, axis, keep_dims=False):
    """The bitwise or of integers along `axis` (of all, if None)."""
    core.static_assert(input.type.scalar.is_int(), "reduce_or only supported for integers")
    return core.reduce(input, axis, _or_combine, keep_dims=keep_dims)


@_tensor_member_fn
@jit
def cumsum(input, axis=0, reverse=False, dtype: core.constexpr = None):
    """At each place the sum of all up to it along `axis` (from the end if `reverse`); `dtype` as of `sum`, bf16 gives
    fp32.
    """
    input = core._promote_bfloat16_to_float32(input)
    out_dtype: core.constexpr = _pick_sum_dtype(input.dtype, dtype)

    if out_dtype is not None:
        input = input.to(out_dtype)

    return core.associative_scan(input, axis, _sum_combine, reverse)


@jit
def _prod_combine(a, b):
    return a * b


@_tensor_member_fn
@jit
def cumprod(input, axis=0, reverse=False):
    """At each place the product of all up to it along `axis` (from the end if `reverse`); bf16 gives fp32."""
    input = core._promote_bfloat16_to_float32(input)
    return core.associative_scan(input, axis, _prod_combine, reverse)


# --- Sorting ---------------------------------------------------------------------------------------------------------
# A tensor of 2**n elements as a hypercube of n dimensions of size two: then neighbours at distance 2**i differ in one
# dimension only, and one xor along it swaps them.  The network is Batcher's bitonic sort.
@jit
def _indicator(n_dims: core.constexpr, j: core.constexpr):
    """0 and 1 along the j-th dimension from the end."""
    ar = core.arange(0, 2)
    ar = core.reshape(ar, [1] * (n_dims - j - 1) + [2] + [1] * j)
    return ar


@jit
def _compare_and_swap(x, flip, i: core.constexpr):
    """Orders pairs along the i-th dimension from the end, downward where `flip`."""
    n_dims: core.constexpr = _log2(x.numel)

    idtype = _get_int_dtype(bitwidth=x.dtype.primitive_bitwidth, signed=True)
    ix = x.to(idtype, bitcast=True)
    iy = ix ^ xor_sum(ix, n_dims - 1 - i, True)
    y = iy.to(x.dtype, bitcast=True)

    is_right = _indicator(n_dims, i)

    ret = core.where((x > y) != (flip ^ is_right), y, x)
    return ret


@jit
def _bitonic_merge_hypercube(x, stage: core.constexpr, order: core.constexpr):
    """Sorts bitonic runs of 2**stage elements: up (order 0), down (1) or alternating (2)."""
    if order == 2:
        flip = _indicator(_log2(x.numel), stage)
    else:
        flip = order
    for i in core.static_range(stage):
        x = _compare_and_swap(x, flip, stage - 1 - i)
    return x


@jit
def _bitonic_merge(x, stage: core.constexpr, order: core.constexpr, n_dims: core.constexpr):
    h = core.reshape(x, [2] * _log2(x.numel))
    h = _bitonic_merge_hypercube(h, stage, order)
    x = core.reshape(h, x.shape)
    return x


@jit
def sort_impl(x, k: core.constexpr = None, dim: core.constexpr = None, descending: core.constexpr = core.CONSTEXPR_0):
    """The first `k` (all, if None) of the elements of `x` in order along `dim`, which must be the last."""
    _dim: core.constexpr = len(x.shape) - 1 if dim is None else dim
    core.static_assert(_dim == len(x.shape) - 1, "only minor dimension is currently supported")

    log_n: core.constexpr = _log2(x.shape[_dim])
    log_k: core.constexpr = log_n if k is None else _log2(k)

    n_dims: core.constexpr = _log2(x.numel)

    h = core.reshape(x, [2] * n_dims if n_dims else [1])

    for i in core.static_range(1, log_k + 1):
        h = _bitonic_merge_hypercube(h, i, 2 if i < log_n else descending)

    # Of two sorted runs of k only the better half of each pair can be among the first k.
    for i in core.static_range(log_k + 1, log_n + 1):
        h = max(h, axis=(_log2(h.numel) - 1 - log_k)) if descending else min(h, axis=(_log2(h.numel) - 1 - log_k))
        h = _bitonic_merge_hypercube(h, log_k, 2 if i < log_n else descending)

    x = core.reshape(h, x.shape[:-1] + [2**log_k])
    return x


@jit
def sort(x, dim: core.constexpr = None, descending: core.constexpr = core.CONSTEXPR_0):
    """The elements of `x` in order along `dim`, which must be the last dimension."""
    return sort_impl(x, dim=dim, descending=descending)


@jit
def topk(x, k: core.constexpr, dim: core.constexpr = None):
    """The `k` (a power of two) largest elements of `x` along `dim`, the last dimension, in descending order."""
    return sort_impl(x, k=k, dim=dim, descending=True)


@jit
def bitonic_merge(x, dim: core.constexpr = None, descending: core.constexpr = core.CONSTEXPR_0):
    """The elements of `x`, that first rise and then fall along `dim`, in order."""
    _dim: core.constexpr = len(x.shape) - 1 if dim is None else dim
    core.static_assert(_dim == len(x.shape) - 1, "only minor dimension is currently supported")
    n_dims: core.constexpr = _log2(x.shape[-1])
    return _bitonic_merge(x, n_dims, descending, n_dims)


@_tensor_member_fn
@jit
def flip(x, dim=None):
    """`x` backwards along `dim` (the last, if None)."""
    core.static_assert(-len(x.shape) <= dim and dim < len(x.shape))
    _dim: core.constexpr = _get_flip_dim(dim, x.shape)
    core.static_assert(_is_power_of_two(x.shape[_dim]))
    steps: core.constexpr = _log2(x.shape[_dim])

    idtype = _get_int_dtype(bitwidth=x.dtype.primitive_bitwidth, signed=True)
    y = core.reshape(x.to(idtype, bitcast=True), x.shape[:_dim] + [2] * steps + x.shape[_dim + 1 :])
    for i in core.static_range(steps):
        y = y ^ xor_sum(y, _dim + i, True)
    x = core.reshape(y, x.shape).to(x.dtype, bitcast=True)
    return x


# --- Python's min and max in a kernel --------------------------------------------------------------------------------
def _builtin_extreme(name: str, elementwise: Any, python: Any, args: Any, propagate_nan: Any) -> Any:
    values = [unwrap(arg) for arg in args]
    if not any(isinstance(value, base_value) for value in values):
        flat = values[0] if len(values) == 1 else values
        if any(value != value or (value == 0.0 and python_math.copysign(1.0, value) < 0) for value in flat):
            raise Unsupported(function=name, reason=f"neither NaN nor -0.0 may be among constants, got {flat}")
        return constexpr(python(flat))
    if len(values) < 2:
        raise Unsupported(function=name, reason=f"{name} requires at least 2 values; use tl.{name} to reduce a tensor")
    result = values[0]
    for value in values[1:]:
        result = elementwise(result, value, propagate_nan=propagate_nan)
    if result.type.is_block():
        message = f"builtin {name} on non-scalar tensor values is deprecated, use tl.{name}imum instead"
        warnings.warn(message, DeprecationWarning, stacklevel=2)
    return result


@builtin
def builtin_max(*args: Any, propagate_nan: Any = PropagateNan.NONE) -> Any:
    """Python's `max` of constexprs and scalars."""
    return _builtin_extreme("max", core.maximum, builtins.max, args, propagate_nan)


@builtin
def builtin_min(*args: Any, propagate_nan: Any = PropagateNan.NONE) -> Any:
    """Python's `min` of constexprs and scalars."""
    return _builtin_extreme("min", core.minimum, builtins.min, args, propagate_nan)
