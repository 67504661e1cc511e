"""Reductions and scans of the language that are written in the language: the part of `standard.py` that reduces.

Its functions have symbols of the module `triton.language.standard`, as in Triton (frontend/calls.py).
"""

from __future__ import annotations

import ttkit.language.core as core
from ttkit.language.builtin import _tensor_member_fn
from ttkit.language.jit_function import constexpr_function, jit
from ttkit.language.versions import since

_since = constexpr_function(since)


@constexpr_function
def _pick_sum_dtype(in_dtype, dtype):
    """The type to add in: `dtype`, or 32 bits for narrower integers, else None (as it is)."""
    if dtype is not None:
        return dtype
    if not in_dtype.is_int() or in_dtype.int_bitwidth >= 32:
        return None
    return core.int32 if in_dtype.is_int_signed() else core.uint32


# --- Largest and smallest --------------------------------------------------------------------------------------------
@jit
def _argmax_combine(value1, index1, value2, index2, tie_break_left):
    first_of_equals = (value1 == value2 and index1 < index2) if tie_break_left else False
    keep = value1 > value2 or first_of_equals
    return core.where(keep, value1, value2), core.where(keep, index1, index2)


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

    Example:
        >>> x = tl.arange(0, 8).reshape(2, 4)
        >>> tl.max(x, 1)
        int32[2] [3 7]
        >>> tl.max(x)
        int32[] 7
        >>> tl.max(x, 0, return_indices=True)
        (int32[4] [4 5 6 7], int32[4] [1 1 1 1])
    """
    if not _since(3, 9):
        input = core._promote_bfloat16_to_float32(input)
    if return_indices:
        combine: core.constexpr = (
            _argmax_combine_tie_break_left if return_indices_tie_break_left else _argmax_combine_tie_break_fast
        )
        return core._reduce_with_indices(input, axis, combine, keep_dims=keep_dims)
    else:
        if input.dtype.primitive_bitwidth < 32:
            if input.dtype.is_floating():
                input = input.to(core.float32)
            else:
                assert input.dtype.is_int(), "Expecting input to be integer type"
                input = input.to(core.int32)
        return core.reduce(input, axis, _elementwise_max, keep_dims=keep_dims)


@_tensor_member_fn
@jit
def argmax(input, axis, tie_break_left=True, keep_dims=False):
    """The index of the largest element along `axis`, int32; of equal ones the first, or any unless `tie_break_left`.

    Example:
        >>> tl.argmax(tl.arange(0, 8) % 5, 0)
        int32[] 4
    """
    (_, ret) = max(input, axis, return_indices=True, return_indices_tie_break_left=tie_break_left, keep_dims=keep_dims)
    return ret


@jit
def _argmin_combine(value1, index1, value2, index2, tie_break_left):
    first_of_equals = (value1 == value2 and index1 < index2) if tie_break_left else False
    keep = value1 < value2 or first_of_equals
    return core.where(keep, value1, value2), core.where(keep, index1, index2)


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
    """The smallest element along `axis`; otherwise as `max`.

    Example:
        >>> x = tl.arange(0, 8).reshape(2, 4)
        >>> tl.min(x, axis=0, keep_dims=True)
        int32[1, 4]
        [[0 1 2 3]]
    """
    if not _since(3, 9):
        input = core._promote_bfloat16_to_float32(input)
    if return_indices:
        combine: core.constexpr = (
            _argmin_combine_tie_break_left if return_indices_tie_break_left else _argmin_combine_tie_break_fast
        )
        return core._reduce_with_indices(input, axis, combine, keep_dims=keep_dims)
    else:
        if input.dtype.primitive_bitwidth < 32:
            if input.dtype.is_floating():
                input = input.to(core.float32)
            else:
                assert input.dtype.is_int(), "Expecting input to be integer type"
                input = input.to(core.int32)
        return core.reduce(input, axis, _elementwise_min, keep_dims=keep_dims)


@_tensor_member_fn
@jit
def argmin(input, axis, tie_break_left=True, keep_dims=False):
    """The index of the smallest element along `axis`; otherwise as `argmax`.

    Example:
        >>> tl.argmin(tl.arange(0, 8) % 4, 0, tie_break_left=True)
        int32[] 0
    """
    _, ret = min(input, axis, return_indices=True, return_indices_tie_break_left=tie_break_left, keep_dims=keep_dims)
    return ret


# --- Sums and other folds --------------------------------------------------------------------------------------------
@jit
def _sum_combine(a, b):
    return a + b


@_tensor_member_fn
@jit
def sum(input, axis=None, keep_dims=False, dtype: core.constexpr = None):
    """The sum along `axis` (of all, if None), in `dtype`; by default integers of less than 32 bits are added in 32.

    Example:
        >>> x = tl.arange(0, 8).reshape(2, 4)
        >>> tl.sum(x, 1)
        int32[2] [ 6 22]
        >>> tl.sum(x)
        int32[] 28
        >>> tl.sum((x > 2).to(tl.int8), dtype=tl.int64)
        int64[] 5
    """
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
    """The exclusive or of integers along `axis` (of all, if None).

    Example:
        >>> tl.xor_sum(tl.arange(0, 8), 0)
        int32[] 0
    """
    core.static_assert(input.type.scalar.is_int(), "xor_sum only supported for integers")
    return core.reduce(input, axis, _xor_combine, keep_dims=keep_dims)


@jit
def _or_combine(x, y):
    return x | y


@_tensor_member_fn
@jit
def reduce_or(input, axis, keep_dims=False):
    """The bitwise or of integers along `axis` (of all, if None).

    Example:
        >>> tl.reduce_or(tl.arange(0, 4), 0)
        int32[] 3
    """
    core.static_assert(input.type.scalar.is_int(), "reduce_or only supported for integers")
    return core.reduce(input, axis, _or_combine, keep_dims=keep_dims)


@_tensor_member_fn
@jit
def cumsum(input, axis=0, reverse=False, dtype: core.constexpr = None):
    """At each place the sum of all up to it along `axis` (from the end if `reverse`); `dtype` as of `sum`, bf16 gives
    fp32 before Triton 3.9.

    Example:
        >>> tl.cumsum(tl.arange(0, 4))
        int32[4] [0 1 3 6]
        >>> tl.cumsum(tl.arange(0, 4), reverse=True)
        int32[4] [6 6 5 3]
    """
    if not _since(3, 9, "scan_type"):
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
def cumprod(input, axis=0, reverse=False, dtype: core.constexpr = None):
    """At each place the product of all up to it along `axis` (from the end if `reverse`), in `dtype`.  By default bf16
    gives fp32; with the rules of Triton 3.9 it stays, and integers of less than 32 bits give 32.

    Example:
        >>> tl.cumprod(tl.arange(0, 4) + 1)
        int32[4] [ 1  2  6 24]
        >>> tl.cumprod(tl.arange(0, 4) + 1, dtype=tl.float32)
        fp32[4] [ 1.  2.  6. 24.]
    """
    if not _since(3, 9, "scan_type"):
        input = core._promote_bfloat16_to_float32(input)
    out_dtype: core.constexpr = _pick_sum_dtype(input.dtype, dtype) if _since(3, 9, "scan_type") else dtype
    if out_dtype is not None:
        input = input.to(out_dtype)
    return core.associative_scan(input, axis, _prod_combine, reverse)


cumprod.unnamed = frozenset(["dtype"])  # Triton 3.6 has none
