"""Floats as integers, whose sums and products do not depend on the order: Triton 3.9's `gl.fpsan`.

The sign of a float stays.  The other w - 1 bits x of a float of w bits, m of them mantissa, become

    h(x) / h(1.0) modulo 2^(w - 1),  where h(x) = y ^ (y >> m) and y = 14940041 x modulo 2^(w - 1)

or the negative of that, for a negative float.  So 0.0, 1.0 and -1.0 become 0, 1 and -1.  A kernel that
adds and multiplies the integers gives the same bits in any order: a difference is one of the values, not of rounding.
"""

from __future__ import annotations

from ttkit.language.arith import where
from ttkit.language.constexpr import constexpr
from ttkit.language.debug import static_assert
from ttkit.language.gluon.jit_function import jit
from ttkit.language.iterators import static_range
from ttkit.language.jit_function import constexpr_function
from ttkit.language.types import get_int_dtype

__all__ = ["embed", "unembed"]

_FACTOR = 14940041


@constexpr_function
def _numbers(type):
    """Mantissa bits of a type of floats, the largest x, two factors that embed it, and their inverses."""
    mantissa, bits = type.fp_mantissa_width, type.primitive_bitwidth - 1
    largest, factor = (1 << bits) - 1, _FACTOR % (1 << bits)
    one = (type.exponent_bias << mantissa) * factor & largest
    one ^= one >> mantissa
    return mantissa, largest, factor, pow(one, -1, largest + 1), one, pow(factor, -1, largest + 1)


@constexpr_function
def _unsigned(type, signed=False):
    return get_int_dtype(type.primitive_bitwidth, signed)


@constexpr_function
def _doublings(mantissa, largest):
    """The least number of doublings after which a shift by `mantissa` leaves no bits."""
    return next(count for count in range(largest.bit_length()) if not largest >> (mantissa << count))


@jit
def _scaled(x, factor: constexpr, negative, largest: constexpr):
    """x * factor, or its negative, in the lower bits."""
    product = x * factor
    return where(negative, 0 - product, product) & largest


@jit
def embed(input):
    """The integers, as many bits wide, that stand for floats.

    Example:
        >>> gl.fpsan.embed(gl.full([4], -1.0, gl.float32, line))
        int32[4] [-1 -1 -1 -1]
    """
    static_assert(input.dtype.is_floating(), "embed takes floats")
    numbers: constexpr = _numbers(input.dtype)
    mantissa: constexpr = numbers[0]
    largest: constexpr = numbers[1]
    bits = input.to(_unsigned(input.dtype), bitcast=True)
    x = bits * numbers[2] & largest
    found = _scaled(x ^ (x >> mantissa), numbers[3], bits > largest, largest) | (bits & (largest + 1))
    return found.to(_unsigned(input.dtype, True), bitcast=True)


@jit
def unembed(input, dtype: constexpr):
    """The floats of a type that integers, as many bits wide, stand for: the inverse of `embed`.

    Example:
        >>> three = gl.fpsan.embed(gl.full([4], 3.0, gl.float32, line))
        >>> gl.fpsan.unembed(three * 1, gl.float32)
        fp32[4] [3. 3. 3. 3.]
    """
    static_assert(input.dtype.is_int(), "unembed takes integers")
    static_assert(dtype.primitive_bitwidth == input.dtype.primitive_bitwidth, "both types must have as many bits")
    numbers: constexpr = _numbers(dtype)
    largest: constexpr = numbers[1]
    bits = input.to(_unsigned(dtype), bitcast=True)
    x = _scaled(bits, numbers[4], bits > largest, largest)
    for doubled in static_range(_doublings(numbers[0], largest)):
        x ^= x >> (numbers[0] << doubled)
    found = (x * numbers[5] & largest) | (bits & (largest + 1))
    return found.to(dtype, bitcast=True)
