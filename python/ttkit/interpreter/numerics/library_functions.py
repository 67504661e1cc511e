"""The functions of libdevice and ocml, as numpy computes them: in float64, rounded once to the type of the result.

The device's functions are within a few ulps of these; the names that say fast_ are no different here.  For float32 a
name ends in f (`__nv_expf`), for float64 it does not (`__nv_exp`); ocml's end in the type (`__ocml_exp_f32`).
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable

import numpy as np

from ttkit.interpreter.numerics.directed_rounding import directed
from ttkit.interpreter.numerics.elementary import (
    high_half,
    leading_zeros,
    numeric_max,
    numeric_min,
    population_count,
    round_half_away,
    rsqrt,
    signed_high_half,
    trailing_zeros,
)
from ttkit.interpreter.numerics.rounding import (
    DOWN,
    F32,
    F64,
    NEAREST,
    TOWARD_ZERO,
    UP,
    fitted,
    float_to_integer,
    fused_multiply_add,
    integer_to_float,
    narrowed,
    odd_sum,
    rounded,
    widened,
)
from ttkit.interpreter.numerics.special import each, erf, erfc, special

Array = np.ndarray
Function = Callable[..., Array | None]
"""Takes the result's dtype and the operands; None where they do not fit."""


def _gamma(x: float) -> float:
    try:
        return math.gamma(x)
    except ValueError:  # A pole.
        return math.copysign(math.inf, x) if x == 0 else math.nan
    except OverflowError:
        return math.inf


def _log_gamma(x: float) -> float:
    try:
        return math.lgamma(x)
    except (ValueError, OverflowError):
        return math.inf


def _positive_difference(x: Array, y: Array) -> Array:
    return np.where(x > y, x - y, np.where(np.isnan(x) | np.isnan(y), np.nan, 0.0))


def norm(*parts: Array) -> Array:
    """The length of a vector."""
    return functools.reduce(np.hypot, parts)


_OF_NUMPY = (
    "cbrt ceil copysign cos cosh exp exp2 expm1 floor fmod hypot log log10 log1p log2 rint sin sinh sqrt tan tanh trunc"
)
FLOAT: dict[str, Callable[..., Array]] = {
    **{name: getattr(np, name) for name in _OF_NUMPY.split()},
    **{f"a{name}": getattr(np, f"arc{name}") for name in "cos cosh sin sinh tan tan2 tanh".split()},
    **{name: special(name) for name in "erfcinv erfcx erfinv j0 j1 y0 y1".split()},
    "cospi": lambda x: np.cos(np.pi * np.fmod(x, 2.0)),
    "cyl_bessel_i0": special("i0"),
    "cyl_bessel_i1": special("i1"),
    "div": np.divide,
    "erf": erf,
    "erfc": erfc,
    "exp10": lambda x: np.power(10.0, x),
    "fabs": np.abs,
    "fdim": _positive_difference,
    "fdivide": np.divide,
    "fmax": numeric_max,
    "fmin": numeric_min,
    "lgamma": each(_log_gamma),
    "logb": lambda x: np.where(x == 0, -np.inf, np.where(np.isinf(x), np.inf, np.frexp(x)[1] - 1.0)),
    "nearbyint": np.rint,
    "norm3d": norm,
    "norm4d": norm,
    "normcdf": lambda x: erfc(-x / math.sqrt(2)) / 2,
    "normcdfinv": special("ndtri"),
    "pow": np.power,
    "rcbrt": lambda x: 1.0 / np.cbrt(x),
    "remainder": lambda x, y: x - y * np.rint(x / y),
    "rhypot": lambda x, y: 1.0 / np.hypot(x, y),
    "rnorm3d": lambda *parts: 1.0 / norm(*parts),
    "rnorm4d": lambda *parts: 1.0 / norm(*parts),
    "round": round_half_away,
    "rsqrt": rsqrt,
    "saturate": lambda x: np.where(np.isnan(x), 0.0, np.clip(x, 0.0, 1.0)),
    "sinpi": lambda x: np.sin(np.pi * np.fmod(x, 2.0)),
    "tgamma": each(_gamma),
}

# Functions with an integer beside the float.
WITH_INTEGER: dict[str, Callable[..., Array]] = {
    "jn": special("jv"),
    "yn": lambda n, x: np.where(n < 0, np.nan, special("yn")(n, x)),
    "ldexp": lambda x, n: np.ldexp(x, np.clip(n, -5000, 5000)),
    "scalbn": lambda x, n: np.ldexp(x, np.clip(n, -5000, 5000)),
    "powi": lambda x, n: np.power(x, n.astype(F64)),
}

# Floats to booleans, as integers.
CLASSES: dict[str, Callable[[Array], Array]] = {
    "isnan": np.isnan,
    "isinf": np.isinf,
    "isfinite": np.isfinite,
    "finite": np.isfinite,
    "signbit": np.signbit,
}

# Floats rounded to integers.
TO_INTEGER: dict[str, Callable[[Array], Array]] = {
    "lrint": np.rint,
    "llrint": np.rint,
    "lround": round_half_away,
    "llround": round_half_away,
    "ilogb": lambda x: np.frexp(x)[1] - 1.0,
}

DIRECTED: dict[str, Callable[..., Array]] = {
    "add": odd_sum,
    "sub": lambda x, y: odd_sum(x, -y),
    "mul": np.multiply,
    "div": np.divide,
    "rcp": lambda x: 1.0 / x,
    "sqrt": np.sqrt,
    "rsqrt": rsqrt,
}
"""In float64, of float32 operands: exact, or so close that no float32 lies between the result and the exact one."""


def _reversed_bits(x: Array) -> Array:
    bits = x.dtype.itemsize * 8
    octets = np.ascontiguousarray(x).view(np.uint8).reshape(*x.shape, -1)
    flipped = np.packbits(np.unpackbits(octets, axis=-1, bitorder="little"), axis=-1)[..., ::-1]
    return np.ascontiguousarray(flipped).view(f"u{bits // 8}").reshape(x.shape)


def select_bytes(x: Array, y: Array, selector: Array, repeats_signs: bool = False) -> Array:
    """Byte i of the result is byte number (selector >> 4 i) & 7 of y:x, or with `repeats_signs` its sign alone if the
    next bit of the selector is set."""
    both = _raw(x) | _raw(y).astype(np.uint64) << np.uint64(32)
    chosen = _raw(selector)[..., None] >> np.arange(0, 16, 4, dtype=np.uint32)
    byte = (both[..., None] >> (chosen & 7) * np.uint64(8)).astype(np.uint8)
    if repeats_signs:
        byte = np.where(chosen & 8, np.uint8(0xFF) * (byte >> 7), byte)
    return np.ascontiguousarray(byte).view(np.uint32)[..., 0]


def _low_24(x: Array, signed: bool) -> Array:
    wide = x.astype(np.int64) & 0xFFFFFF
    return (wide ^ 0x800000) - 0x800000 if signed else wide


def _raw(x: Array) -> Array:
    return x.view(f"u{x.dtype.itemsize}")


# Operands are signed; the low bits of what comes back are the result.  Names without the `ll` and `64` of wide ones.
INTEGER: dict[str, Callable[..., Array]] = {
    "abs": np.abs,
    "brev": _reversed_bits,
    "byte_perm": select_bytes,
    "clz": leading_zeros,
    "ffs": lambda x: np.where(x == 0, 0, trailing_zeros(x) + 1),
    "hadd": lambda x, y: (x.astype(np.int64) + y) >> 1,
    "rhadd": lambda x, y: (x.astype(np.int64) + y + 1) >> 1,
    "max": np.maximum,
    "min": np.minimum,
    "mul24": lambda x, y: _low_24(x, True) * _low_24(y, True),
    "umul24": lambda x, y: _low_24(x, False) * _low_24(y, False),
    "mulhi": signed_high_half,
    "umulhi": lambda x, y: high_half(_raw(x), _raw(y)),
    "popc": population_count,
    "sad": lambda x, y, z: np.abs(x.astype(np.int64) - y) + z,
}


def _of_unsigned(function: Callable[..., Array]) -> Callable[..., Array]:
    return lambda *operands: function(*map(_raw, operands))


INTEGER |= {f"u{name}": _of_unsigned(INTEGER[name]) for name in ("hadd", "rhadd", "max", "min", "sad")}


def upper_reciprocal(dtype: np.dtype, x: Array) -> Array:
    """1 / x of the upper half of a double, of which the upper half is kept."""
    upper = np.uint64(0xFFFFFFFF00000000)
    return ((1.0 / (_raw(x) & upper).view(F64)).view(np.uint64) & upper).view(F64)


# Functions of a double's halves, and of neighbours, in the type itself.
HALVES: dict[str, Function] = {
    "hiloint2double": lambda dtype, high, low: (
        _raw(high).astype(np.uint64) << np.uint64(32) | _raw(low).astype(np.uint64)
    ).view(F64),
    "double2hiint": lambda dtype, x: (_raw(x) >> np.uint64(32)).astype(np.uint32).view(dtype),
    "double2loint": lambda dtype, x: _raw(x).astype(np.uint32).view(dtype),
    "nextafter": lambda dtype, x, y: np.nextafter(x, y),
    "nextafterf": lambda dtype, x, y: np.nextafter(x, y),
    "rcp64h": upper_reciprocal,
}

BITS = {
    "float_as_int", "float_as_uint", "int_as_float", "uint_as_float", "double_as_longlong", "longlong_as_double",
}  # fmt: skip


# --- from a symbol to a function
# ------------------------------------------------------------------------------------------


def find(symbol: str) -> Function | None:
    """The function of that name; None if it is not known."""
    if match := re.fullmatch(r"__ocml_(?:native_)?(\w+)_f(16|32|64)", symbol):
        return float_function(match[1])
    if not symbol.startswith("__nv_"):
        return None
    name = symbol.removeprefix("__nv_").removeprefix("fast_")
    if name in BITS:
        return lambda dtype, x: x.view(dtype) if x.dtype.itemsize == dtype.itemsize else None
    if name in HALVES:
        return HALVES[name]
    if (function := INTEGER.get(re.sub("ll|64", "", name))) is not None:
        return lambda dtype, *operands: (
            fitted(function(*operands), dtype) if all(x.dtype.kind == "i" for x in operands) else None
        )
    return converting_function(name) or directed_function(name) or float_function(name) or float_function(name[:-1])


def float_function(name: str) -> Function | None:
    """A function of floats of one type, named without that type."""
    if name in ("fma", "fmaf"):
        return lambda dtype, x, y, z: fused_multiply_add(x, y, z)
    name = {"isfinited": "isfinite", "isnand": "isnan", "isinfd": "isinf", "signbitd": "signbit"}.get(name, name)
    for table in (FLOAT, WITH_INTEGER):
        if name in table:
            return lambda dtype, *operands: narrowed(
                table[name](*(x if x.dtype.kind == "i" else widened(x) for x in operands)), dtype
            )
    if name in CLASSES:
        return lambda dtype, x: CLASSES[name](x).astype(dtype)
    if name in TO_INTEGER:
        return lambda dtype, x: float_to_integer(TO_INTEGER[name](widened(x)), dtype, signed=True)
    return None


CONVERSION = re.compile(r"(float|double|int|uint|ll|ull)2(float|double|int|uint|ll|ull)(?:_(rn|rz|rd|ru))?")


def converting_function(name: str) -> Function | None:
    """float2int_rz and its kind."""
    match = CONVERSION.fullmatch(name)
    if match is None:
        return None
    source, target, direction = match[1], match[2], match[3] or NEAREST
    if target in ("float", "double"):
        if source in ("float", "double"):
            return lambda dtype, x: rounded(widened(x), dtype, direction)
        return lambda dtype, x: integer_to_float(_raw(x) if source[0] == "u" else x, dtype, direction)
    return lambda dtype, x: float_to_integer(x, dtype, target[0] != "u", direction)


BASIC = {"ma": "fma", "fmaf": "fma"}
"""Names that symbols have for basic operations."""


def directed_function(name: str) -> Function | None:
    """fadd_rz, fmaf_rd, dmul_rn, frcp_ru and their kind: a basic operation, rounded in a direction."""
    match = re.fullmatch(r"([fd]?)(add|sub|mul|div|rcp|sqrt|rsqrt|fmaf?|ma)_(rn|rz|rd|ru)", name)
    if match is None:
        return None
    basic, direction = match[2], {"rn": NEAREST, "rz": TOWARD_ZERO, "rd": DOWN, "ru": UP}[match[3]]

    def apply(dtype: np.dtype, *operands: Array) -> Array | None:
        """Elementwise: float64 by exact fractions, float32 by rounding wider results."""
        if dtype == F64 and direction != NEAREST:
            return directed(BASIC.get(basic, basic), direction, *operands)
        if basic not in DIRECTED:
            a, b, c = operands
            return fused_multiply_add(a, b, c, direction)
        if dtype == F64:
            return {"add": np.add, "sub": np.subtract}.get(basic, DIRECTED[basic])(*operands)
        return rounded(DIRECTED[basic](*(widened(x) for x in operands)), F32, direction)

    return apply
