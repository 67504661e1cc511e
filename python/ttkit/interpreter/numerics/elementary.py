"""Functions of integers and floats that numpy lacks: packed fp4, bits, high halves of products, ties, signed zeros."""

from __future__ import annotations

from collections.abc import Callable

import ml_dtypes
import numpy as np

from ttkit.interpreter.numerics.rounding import as_unsigned, width

Array = np.ndarray


FP4 = np.arange(16, dtype=np.uint8).view(ml_dtypes.float4_e2m1fn).astype(np.float64)
"""The numbers that the codes of e2m1 stand for."""


def fp4_codes(x: Array) -> Array:
    """The codes of e2m1 numbers that have a byte each, in bits 2 to 5: as MMAs of mixed 8-bit types take them.

    PTX shows the place in tensor memory in a figure only; CUTLASS shifts fp4 there for the same types on sm_120.

    Raises:
        ValueError: another bit is set, so the numbers were stored in another way.
    """
    x = x.view(np.uint8)
    if (x & 0xC3).any():
        raise ValueError(f"found the byte {int(x[(x & 0xC3) > 0][0]):#04x}; an fp4 is in bits 2 to 5, the others are 0")
    return x >> 2


def unpack_fp4(x: Array, axis: int = -1) -> Array:
    """Pairs of e2m1 numbers, the first in the low bits of a byte: twice as many f64 along `axis`."""
    bits = np.moveaxis(x.view(np.uint8), axis, -1)
    pairs = np.stack([FP4[bits & 15], FP4[bits >> 4]], axis=-1)
    return np.moveaxis(pairs.reshape(*bits.shape[:-1], -1), -1, axis)


def population_count(x: Array) -> Array:
    """Bits that are set."""
    return np.bitwise_count(as_unsigned(x)).astype(np.int64)


def leading_zeros(x: Array) -> Array:
    """Zeros above the highest set bit; the width if none is set."""
    bits = as_unsigned(x).astype(np.uint64)
    for shift in (1, 2, 4, 8, 16, 32):
        bits |= bits >> shift
    return width(x.dtype) - np.bitwise_count(bits).astype(np.int64)


def trailing_zeros(x: Array) -> Array:
    """Zeros below the lowest set bit; the width if none is set."""
    bits = as_unsigned(x).astype(np.uint64)
    below = ~bits & (bits - np.uint64(1))
    return np.minimum(np.bitwise_count(below).astype(np.int64), width(x.dtype))


def high_half(a: Array, b: Array) -> Array:
    """The high half of the product of two unsigned integers of the same width."""
    bits = 8 * a.dtype.itemsize
    if bits < 64:
        return (a.astype(np.uint64) * b.astype(np.uint64) >> bits).astype(a.dtype)
    mask, half = np.uint64(0xFFFFFFFF), np.uint64(32)
    a_high, a_low, b_high, b_low = a >> half, a & mask, b >> half, b & mask
    low = a_low * b_low
    middle = a_high * b_low + (low >> half)
    other = a_low * b_high + (middle & mask)
    return a_high * b_high + (middle >> half) + (other >> half)


def signed_high_half(a: Array, b: Array) -> Array:
    """The high half of the product of two signed integers: a negative x is 2^n too large when read as unsigned."""
    high = high_half(as_unsigned(a), as_unsigned(b)).view(a.dtype)
    return high - np.where(a < 0, b, 0).astype(a.dtype) - np.where(b < 0, a, 0).astype(a.dtype)


def rsqrt(x: Array) -> Array:
    """One by the square root."""
    return 1.0 / np.sqrt(x)


def round_half_away(x: Array) -> Array:
    """The nearest integer; of two the one farther from zero."""
    whole = np.trunc(x)
    return np.copysign(np.where(np.abs(x - whole) >= 0.5, whole + np.copysign(1.0, x), whole), x)


def numeric_max(a: Array, b: Array) -> Array:
    """The larger; the other one if one is NaN; +0 is larger than -0."""
    return _signed_zeros(np.fmax(a, b), a, b, lambda x, y: x + y)


def numeric_min(a: Array, b: Array) -> Array:
    """The smaller; the other one if one is NaN; -0 is smaller than +0."""
    return _signed_zeros(np.fmin(a, b), a, b, lambda x, y: -((-x) + (-y)))


def nan_max(a: Array, b: Array) -> Array:
    """The larger; NaN if one is NaN; +0 is larger than -0."""
    return _signed_zeros(np.maximum(a, b), a, b, lambda x, y: x + y)


def nan_min(a: Array, b: Array) -> Array:
    """The smaller; NaN if one is NaN; -0 is smaller than +0."""
    return _signed_zeros(np.minimum(a, b), a, b, lambda x, y: -((-x) + (-y)))


def _signed_zeros(result: Array, a: Array, b: Array, of_zeros: Callable[[Array, Array], Array]) -> Array:
    both = (result == 0) & (a == 0) & (b == 0)
    return np.where(both, of_zeros(a, b), result) if both.any() else result
