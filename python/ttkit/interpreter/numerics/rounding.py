"""Rounding once, to any float type, in any direction; conversions between floats and integers.

Results are computed exactly, or in float64, and rounded to their type at the end.  Rounding twice, first to a middle
format and then to a narrow one, can be wrong: the first may land on a tie of the second.  Rounding to odd prevents
that: an inexact result becomes the neighbour with an odd last bit.  No such number is a tie of a format two bits
narrower (Boldo and Melquiond, "Emulation of a FMA and correctly rounded sums", 2008).
"""

from __future__ import annotations

from fractions import Fraction

import ml_dtypes
import numpy as np

F16, F32, F64 = np.dtype(np.float16), np.dtype(np.float32), np.dtype(np.float64)
INT4 = np.dtype(ml_dtypes.int4)
BOOL = np.dtype(np.bool_)

NEAREST, TOWARD_ZERO, DOWN, UP = "rn", "rz", "rd", "ru"
"""Directions of rounding: to nearest, ties to even; toward zero; toward minus and plus infinity."""


def _largest_finite(dtype: np.dtype) -> float:
    return float(ml_dtypes.finfo(dtype).max)


def widened(x: np.ndarray) -> np.ndarray:
    """Any float array as float64, exactly."""
    return x.astype(F64, copy=False)


def narrowed(x: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """A float64 array in a float type, rounded once, to nearest even.  Overflow gives infinity, or NaN in a type that
    has none."""
    if dtype == F64:
        return x
    # numpy rounds float64 to these two directly; ml_dtypes goes through float32.
    return x.astype(dtype) if dtype in (F16, F32) else odd_float32(x).astype(dtype)


def flushed(x: np.ndarray) -> np.ndarray:
    """Numbers that float32 has as subnormal ones only as zero."""
    return np.where(np.abs(x) < np.finfo(F32).tiny, np.copysign(0, x), x)


def odd_float32(x: np.ndarray) -> np.ndarray:
    """A float64 array in float32, rounded to odd."""
    near = x.astype(F32)
    wide = near.astype(F64)
    bits = near.view(np.int32)
    even = (wide != x) & ~np.isnan(x) & (bits & 1 == 0)
    if not even.any():
        return near
    # The bits of a float, read as an integer, count its magnitude in steps.
    return (bits + np.where(even, np.where(np.abs(wide) < np.abs(x), 1, -1), 0).astype(np.int32)).view(F32)


def odd_sum(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a + b in float64, rounded to odd."""
    total, error = exact_sum(a, b)
    bits = total.view(np.int64)
    even = np.isfinite(total) & (error != 0) & (bits & 1 == 0)
    if not even.any():
        return total
    return (bits + np.where(even, np.where((error > 0) == (total > 0), 1, -1), 0)).view(F64)


def rounded(x: np.ndarray, dtype: np.dtype, direction: str = NEAREST) -> np.ndarray:
    """A float64 array in a narrower float type, rounded once in a direction.

    Toward zero, finite numbers beyond the largest give the largest; infinities stay.
    """
    if direction == NEAREST:
        return narrowed(x, dtype)
    limit = _largest_finite(dtype)
    near = narrowed(np.clip(x, -limit, limit), dtype)
    wide = widened(near)
    # Steps of the magnitude that bring the nearest number to the wanted side of x.
    if direction == TOWARD_ZERO:
        step = -(np.abs(wide) > np.abs(x)).astype(np.int8)
    else:
        wrong = wide < x if direction == UP else wide > x
        outward = x > 0 if direction == UP else x < 0
        step = np.where(wrong, np.where(outward, 1, -1), 0)
    raw = f"u{dtype.itemsize}"
    bits = near.view(raw)
    result = np.where(np.isfinite(x), (bits + step.astype(raw)).astype(raw), narrowed(x, dtype).view(raw))
    negative_zero = np.array([1 << (8 * dtype.itemsize - 1)], raw)
    if np.isnan(negative_zero.view(dtype))[0]:
        # A type with one zero has NaN at the pattern of the other.
        result = np.where(np.isfinite(x) & (result == negative_zero), np.array(0, raw), result)
    return result.astype(raw).view(dtype)


def cut_to_tf32(x: np.ndarray) -> np.ndarray:
    """The 10 first bits of an f32 mantissa."""
    return (np.ascontiguousarray(x).view(np.uint32) & np.uint32(0xFFFFE000)).view(np.float32)


def round_to_tf32(x: np.ndarray, ties_to_even: bool = False) -> np.ndarray:
    """To nearest, ties away from zero, as `cvt.rna` does, or to even, as TMA does (H200); NaN and infinity stay."""
    bits = np.ascontiguousarray(x).view(np.uint32)
    half = np.uint32(0xFFF) + (bits >> np.uint32(13) & np.uint32(1)) if ties_to_even else np.uint32(0x1000)
    return np.where(np.isfinite(x), cut_to_tf32(bits + half), x)


def saturated(x: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Numbers beyond the largest of a type, infinities included, as the largest; NaN stays."""
    limit = _largest_finite(dtype)
    return np.clip(x, -limit, limit)


def fused_multiply_add(a: np.ndarray, b: np.ndarray, c: np.ndarray, direction: str = NEAREST) -> np.ndarray:
    """a * b + c, rounded once.

    Raises:
        ValueError: a direction other than to nearest in float64.
    """
    dtype = a.dtype
    if dtype != F64:
        # Twice the bits of a float32 fit in a float64: the product is exact.
        return rounded(odd_sum(widened(a) * widened(b), widened(c)), dtype, direction)
    if direction != NEAREST:
        raise ValueError("float64 is rounded to nearest only")
    a, b, c = np.broadcast_arrays(a, b, c)
    plain = a * b + c
    result = np.where(np.isfinite(a) & np.isfinite(b) & np.isfinite(c), fused_double(a, b, c), plain)
    exotic = np.isfinite(a) & np.isfinite(b) & np.isfinite(c) & ~(moderate(a) & moderate(b) & moderate(c))
    if exotic.any():
        result[exotic] = np.frompyfunc(_fused_double, 3, 1)(a[exotic], b[exotic], c[exotic]).astype(F64)
    return result


def moderate(x: np.ndarray) -> np.ndarray:
    """Zero, or of a magnitude whose products, and the errors of these, are normal numbers."""
    return (x == 0) | ((np.abs(x) < 2.0**400) & (np.abs(x) > 2.0**-400))


def fused_double(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """a * b + c of moderate numbers, rounded once (Boldo and Melquiond, Emulation of a FMA, 2008): a product and its
    error are exact, and what the last sum loses is rounded to odd before."""
    high, low = exact_product(a, b)
    near, error = exact_sum(c, low)
    total, rest = exact_sum(high, near)
    # The sum of zeros has the sign that one operation gives it.
    return np.where((high == 0) & (low == 0), a * b + c, total + odd_sum(rest, error))


def exact_sum(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """a + b and its rounding error, which is exact (Knuth's TwoSum)."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def exact_product(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """a * b and its rounding error, which is exact (Dekker, with Veltkamp's halves)."""
    product = a * b
    (a_high, a_low), (b_high, b_low) = halves(a), halves(b)
    return product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low


def halves(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A float64 as the sum of two with 26 bits."""
    scaled = x * 134217729.0  # 2^27 + 1
    high = scaled - (scaled - x)
    return high, x - high


def _fused_double(a: float, b: float, c: float) -> float:
    rough = float(np.float64(a) * np.float64(b) + np.float64(c))
    if not np.isfinite([a, b, c]).all():
        return rough
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if exact == 0:
        return rough  # The sign of zero; no rounding happened on the way.
    try:
        return float(exact) or (0.0 if exact > 0 else -0.0)
    except OverflowError:
        return float("inf") if exact > 0 else float("-inf")


# --- integers ---------------------------------------------------------------------------------------------------------


def width(dtype: np.dtype) -> int:
    """Bits of an integer type."""
    return {BOOL: 1, INT4: 4}.get(dtype, 8 * dtype.itemsize)


def as_signed(x: np.ndarray) -> np.ndarray:
    """Integers read as signed, in a type that numpy computes with; true is -1."""
    if x.dtype == BOOL:
        return -x.view(np.int8)
    return x.astype(np.int8) if x.dtype == INT4 else x


def as_unsigned(x: np.ndarray) -> np.ndarray:
    """Integers read as unsigned; true is 1."""
    if x.dtype == INT4:
        return x.astype(np.int8).view(np.uint8) & 15
    return x.view(f"u{x.dtype.itemsize}")


def fitted(x: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """The low bits of integers, in an integer type."""
    if dtype == BOOL:
        return x.astype(BOOL, copy=False) if x.dtype == BOOL else (x & 1).astype(BOOL)
    if dtype == INT4:
        return (((x & 15) ^ 8).astype(np.int8) - 8).astype(INT4)
    return x.view(dtype) if x.dtype.itemsize == dtype.itemsize else x.astype(dtype)


def integer_to_float(x: np.ndarray, dtype: np.dtype, direction: str = NEAREST) -> np.ndarray:
    """Integers, signed or not as their type says, in a float type, rounded once."""
    if dtype in (F32, F64) and direction == NEAREST:
        return x.astype(dtype)
    if x.dtype.itemsize == 8:
        # Integers of more than 53 bits are rounded to odd: one bit says whether any of the low 12 was set.
        negative = x < 0
        magnitude = np.where(negative, np.negative(x), x).view(np.uint64)
        sticky = (magnitude >> 12 << 12) | ((magnitude & 0xFFF != 0).astype(np.uint64) << 12)
        magnitude = np.where(magnitude >> 53 != 0, sticky, magnitude)
        return rounded(np.where(negative, -1.0, 1.0) * magnitude.astype(F64), dtype, direction)
    return rounded(x.astype(F64), dtype, direction)


ROUND_TO_INTEGER = {NEAREST: np.rint, TOWARD_ZERO: np.trunc, DOWN: np.floor, UP: np.ceil}


def float_to_integer(x: np.ndarray, dtype: np.dtype, signed: bool, direction: str = TOWARD_ZERO) -> np.ndarray:
    """Floats as integers of a type of `values.DTYPES`.  What does not fit gives the nearest that does; NaN gives 0."""
    bits = width(dtype)
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
    whole = ROUND_TO_INTEGER[direction](widened(x))
    whole = np.where(np.isnan(whole), 0.0, whole)
    inside = np.where((whole >= low) & (whole <= float(high)) & (whole < 2.0 ** (bits - signed)), whole, 0.0)
    wide = np.dtype(np.int64 if signed else np.uint64)
    result = inside.astype(wide)
    result = np.where(whole < low, np.array(low, wide), result)
    result = np.where(whole > inside, np.where(whole > 0, np.array(high, wide), result), result)
    return fitted(result, dtype)
