"""math and tt's math: computed in float64 and rounded once to the type of the result.

Float64 itself gets numpy's result, which is within an ulp.  Fast-math flags change nothing.  Subnormal f32 numbers are
zero where the instruction that GPUs have for a function takes them so.
"""

from __future__ import annotations

from collections.abc import Callable

import ml_dtypes
import numpy as np

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.errors import NotInterpretable
from ttkit.interpreter.machine import Machine
from ttkit.interpreter.numerics.elementary import (
    high_half,
    leading_zeros,
    nan_max,
    nan_min,
    numeric_max,
    numeric_min,
    population_count,
    trailing_zeros,
)
from ttkit.interpreter.numerics.library_functions import FLOAT
from ttkit.interpreter.numerics.rounding import (
    F64,
    as_signed,
    as_unsigned,
    fitted,
    flushed,
    fused_multiply_add,
    narrowed,
    widened,
    width,
)
from ttkit.interpreter.ops.registry import interprets

Array = np.ndarray


FUNCTIONS: dict[str, Callable[..., Array]] = {
    **{
        f"math.{name}": FLOAT[name]
        for name in """acos acosh asin asinh atan atan2 atanh cbrt ceil cos cosh erf erfc exp
        exp2 expm1 floor log log10 log1p log2 round rsqrt sin sinh sqrt tan tanh trunc""".split()
    },
    "math.powf": FLOAT["pow"],
    "math.roundeven": FLOAT["rint"],
    "tt.approx_divf": FLOAT["div"],
    "tt.precise_divf": FLOAT["div"],
    "tt.precise_sqrt": FLOAT["sqrt"],
}


FLUSHING = ("math.exp2", "math.rsqrt", "math.sqrt")
"""Functions that GPUs compute for numbers of up to 32 bits by instructions with .ftz."""


@interprets(*FUNCTIONS)
def function(machine: Machine, op: Instruction, *operands: Array) -> Array:
    """The row of FUNCTIONS, rounded once."""
    element = op.result_types[0].element
    if op.name in FLUSHING and element != F64:
        return narrowed(flushed(FUNCTIONS[op.name](flushed(widened(operands[0])))), element)
    return narrowed(FUNCTIONS[op.name](*(widened(operand) for operand in operands)), element)


@interprets("math.absf")
def absf(machine: Machine, op: Instruction, x: Array) -> Array:
    """|x|: the sign bit cleared, of NaN too."""
    return np.abs(x)


@interprets("math.absi")
def absi(machine: Machine, op: Instruction, x: Array) -> Array:
    """|x|; INT_MIN stays."""
    return fitted(np.abs(as_signed(x)), x.dtype)


@interprets("math.copysign")
def copysign(machine: Machine, op: Instruction, x: Array, sign: Array) -> Array:
    """|x| with the sign of `sign`."""
    return np.copysign(x, sign)


@interprets("math.fma")
def fma(machine: Machine, op: Instruction, a: Array, b: Array, c: Array) -> Array:
    """a * b + c, rounded once."""
    return fused_multiply_add(a, b, c)


@interprets("math.sincos")
def sincos(machine: Machine, op: Instruction, x: Array) -> tuple[Array, Array]:
    """(sin x, cos x)."""
    return narrowed(np.sin(widened(x)), x.dtype), narrowed(np.cos(widened(x)), x.dtype)


@interprets("math.fpowi")
def fpowi(machine: Machine, op: Instruction, x: Array, power: Array) -> Array:
    """x to an integer power."""
    return narrowed(np.power(widened(x), as_signed(power).astype(F64)), x.dtype)


@interprets("math.ipowi")
def ipowi(machine: Machine, op: Instruction, x: Array, power: Array) -> Array:
    """x to an integer power, modulo 2^width; to a negative one the integer part of the quotient 1 / x^-power."""
    base, exponent = as_signed(x), as_signed(power)
    result = np.ones(np.broadcast_shapes(base.shape, exponent.shape), base.dtype)
    factor, left = base, np.maximum(exponent, 0)
    while left.any():
        result = np.where(left & 1 != 0, result * factor, result)
        factor, left = factor * factor, left >> 1
    parity = np.where(exponent & 1 != 0, base, 1)
    inverse = np.where(base == 1, 1, np.where(base == -1, parity, 0))
    return fitted(np.where(exponent < 0, inverse, result).astype(base.dtype), x.dtype)


CLASSES: dict[str, Callable[[Array], Array]] = {
    "math.isfinite": np.isfinite,
    "math.isinf": np.isinf,
    "math.isnan": np.isnan,
}


@interprets(*CLASSES)
def float_class(machine: Machine, op: Instruction, x: Array) -> Array:
    """The row of CLASSES."""
    return CLASSES[op.name](x)


@interprets("math.isnormal")
def isnormal(machine: Machine, op: Instruction, x: Array) -> Array:
    """Neither zero, subnormal, infinite nor NaN."""
    return np.isfinite(x) & (np.abs(widened(x)) >= float(ml_dtypes.finfo(x.dtype).smallest_normal))


# --- bits -------------------------------------------------------------------------------------------------------------


BITS: dict[str, Callable[[Array], Array]] = {
    "math.ctpop": population_count,
    "math.ctlz": leading_zeros,
    "math.cttz": trailing_zeros,
}


@interprets(*BITS)
def count_bits(machine: Machine, op: Instruction, x: Array) -> Array:
    """The row of BITS."""
    return fitted(BITS[op.name](x), x.dtype)


# --- tt ---------------------------------------------------------------------------------------------------------------


@interprets("math.clampf")
def clampf(machine: Machine, op: Instruction, x: Array, low: Array, high: Array) -> Array:
    """minimum(maximum(x, low), high)."""
    return nan_min(nan_max(x, low), high)


@interprets("tt.clampf")
def tt_clampf(machine: Machine, op: Instruction, x: Array, low: Array, high: Array) -> Array:
    """minimum(maximum(x, min), max); with propagateNan = none, of two numbers one of which is NaN the other."""
    propagates = int(op.attributes["propagateNan"]) != 0
    maximum, minimum = (nan_max, nan_min) if propagates else (numeric_max, numeric_min)
    return minimum(maximum(x, low), high)


@interprets("tt.mulhiui")
def mulhiui(machine: Machine, op: Instruction, x: Array, y: Array) -> Array:
    """(x * y) >> N, unsigned, with the product in 2 N bits."""
    if width(x.dtype) < 8:
        raise NotInterpretable(f"integers of {width(x.dtype)} bits", op)
    return high_half(as_unsigned(x), as_unsigned(y)).view(x.dtype)
