"""The part of the language that is written in the language: jitted functions.

Each becomes a function of the compiled module until the inliner has run, named after it and this file, as in Triton.
Those of `standard_reductions.py` are named as if they were here.
"""

from __future__ import annotations

import builtins

import ttkit.language.core as core
import ttkit.language.math as math
from ttkit.language.builtin import _tensor_member_fn
from ttkit.language.jit_function import constexpr_function, jit
from ttkit.language.standard_reductions import (  # noqa: F401 - its names are those of Triton's `standard`
    _argmax_combine,
    _argmax_combine_tie_break_fast,
    _argmax_combine_tie_break_left,
    _argmin_combine,
    _argmin_combine_tie_break_fast,
    _argmin_combine_tie_break_left,
    _elementwise_max,
    _elementwise_min,
    _or_combine,
    _pick_sum_dtype,
    _prod_combine,
    _since,
    _sum_combine,
    _xor_combine,
    argmax,
    argmin,
    cumprod,
    cumsum,
    max,
    min,
    reduce_or,
    sum,
    xor_sum,
)
from ttkit.lazy_names import lazy_names


# --- Facts about sizes and types -------------------------------------------------------------------------------------
@constexpr_function
def _log2(i):
    return builtins.max(i.bit_length() - 1, 0)


@constexpr_function
def _is_power_of_two(i):
    return i != 0 and i & (i - 1) == 0


_get_int_dtype = constexpr_function(core.get_int_dtype)


@constexpr_function
def _get_flip_dim(dim, shape):
    """`dim`, which may be None or negative, counted from the front."""
    return core.wrap_axis(-1 if dim is None else dim, len(shape))


# --- Elementwise -----------------------------------------------------------------------------------------------------
@_tensor_member_fn
@jit
def cdiv(x, div):
    """`x / div` of non-negative integers, rounded up.

    Example:
        >>> tl.cdiv(tl.arange(0, 4), 2)
        int32[4] [0 1 1 2]
    """
    return (x + (div - 1)) // div


@_tensor_member_fn
@jit
def sigmoid(x):
    """`1 / (1 + exp(-x))`, elementwise; fp32 or fp64.

    Example:
        >>> tl.sigmoid(tl.arange(0, 4) * 1.0)
        fp32[4] [0.5        0.7310586  0.880797   0.95257413]
    """
    return 1 / (1 + math.exp(-x))


@_tensor_member_fn
@jit
def softmax(x, dim=None, keep_dims=False, ieee_rounding=False):
    """`exp(x) / sum(exp(x))` along `dim` (0 by default), computed without overflow.

    Args:
        keep_dims: before Triton 3.9, whether the maximum and the sum keep `dim`; since then they do.
        ieee_rounding: as for `fdiv`.

    Example:
        >>> tl.softmax(tl.arange(0, 4) * 1.0)
        fp32[4] [0.0320586  0.08714432 0.2368828  0.6439142 ]
    """
    axis: core.constexpr = 0 if dim is None else dim
    keep: core.constexpr = keep_dims or _since(3, 9)
    weight = math.exp(x - max(x, axis, keep_dims=keep))
    return math.fdiv(weight, sum(weight, axis, keep_dims=keep), ieee_rounding)


@jit
def swizzle2d(i, j, size_i, size_j, size_g):
    """Row-major index `(i, j)` of a `size_i` x `size_j` matrix as the index, in groups of `size_g` rows, that runs down
    the columns of each group: for 4 x 4 and groups of 2, the order of visits

        0  1  2  3         0  2  4  6
        4  5  6  7   =>    1  3  5  7
        8  9 10 11         8 10 12 14
       12 13 14 15         9 11 13 15

    Example:
        >>> row, column = tl.swizzle2d(0, tl.arange(0, 4), 4, 4, 2)
        >>> row
        int32[4] [0 1 0 1]
        >>> column
        int32[4] [0 0 1 1]
    """
    visit = i * size_j + j
    group_size = size_g * size_j
    group = visit // group_size
    first_row = group * size_g
    rows = core.minimum(size_i - first_row, size_g)  # the last group may be smaller
    visit = visit % group_size
    row = first_row + visit % rows
    return row, visit // rows


# --- Creation and shape ----------------------------------------------------------------------------------------------
@jit
def zeros(shape, dtype):
    """A tensor of `shape` and `dtype`, every element zero.

    Example:
        >>> tl.zeros((2, 2), tl.int32)
        int32[2, 2]
        [[0 0]
         [0 0]]
    """
    return core.full(shape, 0, dtype)


@jit
def zeros_like(input):
    """Zeros in the shape and type of `input`.

    Example:
        >>> tl.zeros_like(tl.arange(0, 4))
        int32[4] [0 0 0 0]
    """
    return zeros(input.shape, input.dtype)


@_tensor_member_fn
@jit
def ravel(x, can_reorder=False):
    """`x` in one dimension.

    Example:
        >>> tl.ravel(tl.arange(0, 4).reshape(2, 2))
        int32[4] [0 1 2 3]
    """
    return core.reshape(x, [x.numel], can_reorder=can_reorder)


@jit
def interleave(a, b):
    """The elements of `a` and `b`, of one shape, alternating along the last dimension; of two scalars, both.

    Example:
        >>> tl.interleave(tl.arange(0, 4), tl.arange(0, 4) + 100)
        int32[8] [  0 100   1 101   2 102   3 103]
    """
    pairs = core.join(a, b)
    if len(pairs.shape) == 1:
        return pairs
    else:  # an early return would leave a second one after it
        return core.reshape(pairs, pairs.shape[:-2] + [2 * pairs.shape[-2]])


# --- Sorting ---------------------------------------------------------------------------------------------------------
# A tensor of 2**n elements as a hypercube of n dimensions of size two: then neighbours at distance 2**i differ in one
# dimension only, and one xor along it swaps them.  The network is Batcher's bitonic sort.
@jit
def _indicator(n_dims: core.constexpr, j: core.constexpr):
    """0 and 1 along the j-th dimension from the end."""
    return core.reshape(core.arange(0, 2), [1] * (n_dims - j - 1) + [2] + [1] * j)


@jit
def _compare_and_swap(x, flip, i: core.constexpr):
    """Orders pairs along the i-th dimension from the end, downward where `flip`."""
    rank: core.constexpr = _log2(x.numel)
    bits_type = _get_int_dtype(bitwidth=x.dtype.primitive_bitwidth, signed=True)
    bits = x.to(bits_type, bitcast=True)
    partner = (bits ^ xor_sum(bits, rank - 1 - i, True)).to(
        x.dtype, bitcast=True
    )  # the xor of a pair, less one, is the other
    is_second = _indicator(rank, i)
    if _since(3, 9):
        return core.where((x > partner) != (flip ^ is_second).to(core.int1), partner, x)
    else:
        return core.where((x > partner) != (flip ^ is_second), partner, x)


@jit
def _bitonic_merge_hypercube(x, stage: core.constexpr, order: core.constexpr):
    """Sorts bitonic runs of 2**stage elements: up (order 0), down (1) or alternating (2)."""
    flip = _indicator(_log2(x.numel), stage) if order == 2 else order
    for step in core.static_range(stage):
        x = _compare_and_swap(x, flip, stage - 1 - step)
    return x


@jit
def _bitonic_merge(x, stage: core.constexpr, order: core.constexpr, n_dims: core.constexpr):
    cube = _bitonic_merge_hypercube(core.reshape(x, [2] * _log2(x.numel)), stage, order)
    return core.reshape(cube, x.shape)


@constexpr_function
def _last_dim(dim, shape):
    """`dim`, which may be None, if it is the last one; else None."""
    last = core.wrap_axis(-1, len(shape))
    return last if dim is None or dim == last else None


@constexpr_function
def _has_top(k, size):
    """Whether the network of sort_impl can keep `k` of `size` elements."""
    return k is None or (_is_power_of_two(k) and k <= size)


@jit
def sort_impl(x, k: core.constexpr = None, dim: core.constexpr = None, descending: core.constexpr = core.CONSTEXPR_0):
    """The first `k` (all, if None) of the elements of `x` in order along `dim`, which must be the last."""
    axis: core.constexpr = _last_dim(dim, x.shape)
    core.static_assert(axis is not None, "only minor dimension is currently supported")
    core.static_assert(_has_top(k, x.shape[axis]), "k must be a power of two, and at most the size along `dim`")
    stages: core.constexpr = _log2(x.shape[axis])
    kept_stages: core.constexpr = stages if k is None else _log2(k)
    rank: core.constexpr = _log2(x.numel)
    if kept_stages == 0 and (_since(3, 9) or (k is not None and len(x.shape) == 1)):  # else it becomes a scalar
        return max(x, axis=axis, keep_dims=True) if descending else min(x, axis=axis, keep_dims=True)
    else:
        cube = core.reshape(x, [2] * rank if rank else [1])
        for stage in core.static_range(1, kept_stages + 1):
            cube = _bitonic_merge_hypercube(cube, stage, 2 if stage < stages else descending)
        # In two sorted runs of k, only the better of each pair can be among the first k.
        for stage in core.static_range(kept_stages + 1, stages + 1):
            if descending:
                cube = max(cube, axis=_log2(cube.numel) - 1 - kept_stages)
            else:
                cube = min(cube, axis=_log2(cube.numel) - 1 - kept_stages)
            cube = _bitonic_merge_hypercube(cube, kept_stages, 2 if stage < stages else descending)
        return core.reshape(cube, x.shape[:-1] + [2**kept_stages])


@_tensor_member_fn
@jit
def sort(x, dim: core.constexpr = None, descending: core.constexpr = core.CONSTEXPR_0):
    """The elements of `x` in order along `dim`, which must be the last dimension.

    Example:
        >>> tl.sort((tl.arange(0, 8) * 5) % 8)
        int32[8] [0 1 2 3 4 5 6 7]
        >>> tl.sort(tl.arange(0, 4), descending=True)
        int32[4] [3 2 1 0]
    """
    return sort_impl(x, dim=dim, descending=descending)


@jit
def topk(x, k: core.constexpr, dim: core.constexpr = None, descending: core.constexpr = True):
    """The `k` (a power of two) largest elements of `x` along `dim`, the last dimension, in descending order; or the
    smallest, in ascending order, unless `descending`.

    Example:
        >>> tl.topk((tl.arange(0, 8) * 5) % 8, 2)
        int32[2] [7 6]
        >>> tl.topk(tl.arange(0, 8), 2, descending=False)
        int32[2] [0 1]
    """
    return sort_impl(x, k=k, dim=dim, descending=descending)


topk.unnamed = frozenset(["descending"])  # Triton 3.6 has none


@jit
def bitonic_merge(x, dim: core.constexpr = None, descending: core.constexpr = core.CONSTEXPR_0):
    """The elements of `x`, that first rise and then fall along `dim`, in order.

    Example:
        >>> rising, falling = tl.arange(0, 4), 7 - tl.arange(0, 4)
        >>> tl.bitonic_merge(tl.cat(rising, falling, can_reorder=True))
        int32[8] [0 1 2 3 4 5 6 7]
    """
    core.static_assert(_last_dim(dim, x.shape) is not None, "only minor dimension is currently supported")
    stages: core.constexpr = _log2(x.shape[-1])
    return _bitonic_merge(x, stages, descending, stages)


@_tensor_member_fn
@jit
def flip(x, dim=None):
    """`x` backwards along `dim` (the last, if None).

    Example:
        >>> tl.flip(tl.arange(0, 4))
        int32[4] [3 2 1 0]
    """
    axis: core.constexpr = _get_flip_dim(dim, x.shape)
    core.static_assert(_is_power_of_two(x.shape[axis]), "the size along `dim` must be a power of two")
    steps: core.constexpr = _log2(x.shape[axis])
    bits_type = _get_int_dtype(bitwidth=x.dtype.primitive_bitwidth, signed=True)
    bits = core.reshape(x.to(bits_type, bitcast=True), x.shape[:axis] + [2] * steps + x.shape[axis + 1 :])
    for step in core.static_range(steps):
        bits = bits ^ xor_sum(bits, axis + step, True)
    return core.reshape(bits, x.shape).to(x.dtype, bitcast=True)


__getattr__ = lazy_names(__name__, dict.fromkeys(("squeeze", "unsqueeze"), "ttkit.language.newer"))
