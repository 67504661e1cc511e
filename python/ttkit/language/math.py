"""Elementwise mathematics.

Ops: MLIR's math, dialects/tt/math_ops.td    Interpreter: interpreter/math_ops.py
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ttkit.language.arith import and_, clamp, divide_floats, maximum, minimum  # noqa: F401
from ttkit.language.builtin import _tensor_member_fn, builtin
from ttkit.language.errors import UnexpectedType
from ttkit.language.promotion import binary_operands, to_tensor
from ttkit.language.tensor import tensor
from ttkit.language.types import int8
from ttkit.language.view import full, tensor_of

_FLOATS = ("fp32", "fp64")


def _check(function: str, allowed: tuple[str, ...], *values: Any) -> None:
    for value in values:
        if isinstance(value, tensor) and value.dtype.name not in allowed:
            expected = f"one of {list(allowed)}; cast with .to()"
            raise UnexpectedType(type=value.dtype, operation=function, expected=expected)


def _unary(name: str, op: str, what: str, allowed: tuple[str, ...] = _FLOATS) -> Callable[[Any], tensor]:
    def function(x: Any) -> tensor:
        _check(name, allowed, x)
        x = to_tensor(x)
        return tensor_of(op, (x,), x.type)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""The {what} of `x`, elementwise; {" or ".join(allowed)}.

    Raises:
        UnexpectedType: another type; cast first.
    """
    return _tensor_member_fn(builtin(function))


exp = _unary("exp", "math.exp", "exponential")
exp2 = _unary("exp2", "math.exp2", "exponential to base 2")
log = _unary("log", "math.log", "natural logarithm")
log2 = _unary("log2", "math.log2", "logarithm to base 2")
cos = _unary("cos", "math.cos", "cosine (of radians)")
sin = _unary("sin", "math.sin", "sine (of radians)")
sqrt = _unary("sqrt", "math.sqrt", "approximate square root")
sqrt_rn = _unary("sqrt_rn", "tt.precise_sqrt", "square root, rounded to nearest as IEEE 754 says,", ("fp32",))
rsqrt = _unary("rsqrt", "math.rsqrt", "inverse square root")
erf = _unary("erf", "math.erf", "error function")
floor = _unary("floor", "math.floor", "largest integer not above")
ceil = _unary("ceil", "math.ceil", "smallest integer not below")


@_tensor_member_fn
@builtin
def abs(x: Any) -> tensor:
    """The absolute value, elementwise; of any number type."""
    x = to_tensor(x)
    if x.dtype.is_fp8e4b15():
        return tensor_of("arith.andi", (x, full(x.shape, 0x7F, int8)), x.type)
    if x.dtype.is_floating():
        return tensor_of("math.absf", (x,), x.type)
    if x.dtype.is_int_signed():
        return tensor_of("math.absi", (x,), x.type)
    if x.dtype.is_int_unsigned():
        return x
    raise UnexpectedType(type=x.dtype, operation="abs", expected="a number")


@builtin
def umulhi(x: Any, y: Any) -> tensor:
    """The upper half of the product of unsigned integers of 32 or 64 bits."""
    _check("umulhi", ("int32", "int64", "uint32", "uint64"), x, y)
    x, y = binary_operands(to_tensor(x), to_tensor(y))
    return tensor_of("tt.mulhiui", (x, y), x.type)


@builtin
def fdiv(x: Any, y: Any, ieee_rounding: Any = False) -> tensor:
    """`x / y` of floats of one type, approximate; `ieee_rounding` is accepted and ignored, see `div_rn`."""
    x = to_tensor(x)
    return divide_floats(x, to_tensor(y))


@builtin
def div_rn(x: Any, y: Any) -> tensor:
    """`x / y`, fp32, rounded to nearest as IEEE 754 says."""
    _check("div_rn", ("fp32",), x, y)
    x = to_tensor(x)
    x, y = binary_operands(x, to_tensor(y))
    return tensor_of("tt.precise_divf", (x, y), x.type)


@builtin
def fma(x: Any, y: Any, z: Any) -> tensor:
    """`x * y + z` rounded once, all in one type and shape."""
    x, y, z = to_tensor(x), to_tensor(y), to_tensor(z)
    x, y = binary_operands(x, y)
    z, x = binary_operands(z, x)
    z, y = binary_operands(z, y)
    return tensor_of("math.fma", (x, y, z), x.type)
