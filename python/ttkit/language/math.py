"""Elementwise mathematics.

Ops: MLIR's math, dialects/tt/math_ops.td    Interpreter: interpreter/ops/math.py
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ttkit.language.arith import and_, clamp, divide_floats, maximum, minimum  # noqa: F401
from ttkit.language.builtin import _tensor_member_fn, builtin
from ttkit.language.constants import flag, operand, to_tensor
from ttkit.language.errors import BadArgument, IncompatibleTypes, UnexpectedFloat, UnexpectedType
from ttkit.language.promotion import binary_operands, ternary_operands
from ttkit.language.tensor import tensor
from ttkit.language.types import int8
from ttkit.language.versions import since
from ttkit.language.view import full, tensor_of
from ttkit.notices import say_once

_FLOATS = ("fp32", "fp64")
_SMALL_FLOATS = ("fp16", "bf16")


def __getattr__(name: str) -> Any:
    """Raises AttributeError, with the function of libdevice if there is one of that name."""
    from ttkit.suggestions import in_libdevice

    near = "" if name.startswith("__") else in_libdevice(name)  # Python asks for `__all__` and `__path__` itself
    raise AttributeError(f"module 'ttkit.language.math' has no attribute '{name}'{near}")


def _check(function: str, allowed: tuple[str, ...], *values: Any) -> None:
    for value in values:
        if isinstance(value, tensor) and value.dtype.name not in allowed:
            raise UnexpectedFloat(type=value.dtype, operation=function, expected=list(allowed))


def _unary(name: str, op: str, what: str, example: str, allowed: tuple[str, ...] = _FLOATS) -> Callable[[Any], tensor]:
    argument, _, shown = example.partition(" -> ")
    of_method = (*allowed, *_SMALL_FLOATS) if allowed is _FLOATS else allowed

    def emitted(x: Any, allowed: tuple[str, ...]) -> tensor:
        """Checks the type, and emits the operation."""
        x = to_tensor(x)
        _check(name, allowed, x)
        return tensor_of(op, (x,), x.type)

    def function(x: Any) -> tensor:
        """The function that kernels call."""
        return emitted(x, allowed)

    def method(x: Any) -> tensor:
        """The method of tensors, which takes numbers of 16 bits too, as Triton's does."""
        return emitted(x, of_method)

    function.__name__ = function.__qualname__ = method.__name__ = name
    function.__doc__ = f"""The {what} of `x`, elementwise; {" or ".join(allowed)}.

    The method of tensors takes {", ".join(of_method)}; the result of 16 bits is that of fp32, rounded.

    Raises:
        UnexpectedType: another type; cast first.

    Example:
        >>> tl.{name}({argument})
        {shown}
    """
    _tensor_member_fn(builtin(method))
    return builtin(function)


exp = _unary(
    "exp", "math.exp", "exponential", "tl.arange(0, 4) * 1.0 -> fp32[4] [ 1.         2.7182817  7.389056  20.085537 ]"
)
exp2 = _unary("exp2", "math.exp2", "exponential to base 2", "tl.arange(0, 4) * 1.0 -> fp32[4] [1. 2. 4. 8.]")
log = _unary("log", "math.log", "natural logarithm", "tl.full((2,), 10.0, tl.float32) -> fp32[2] [2.3025851 2.3025851]")
log2 = _unary("log2", "math.log2", "logarithm to base 2", "tl.full((2,), 8.0, tl.float32) -> fp32[2] [3. 3.]")
cos = _unary("cos", "math.cos", "cosine (of radians)", "tl.zeros((2,), tl.float32) -> fp32[2] [1. 1.]")
sin = _unary("sin", "math.sin", "sine (of radians)", "tl.zeros((2,), tl.float32) -> fp32[2] [0. 0.]")
sqrt = _unary(
    "sqrt",
    "math.sqrt",
    "approximate square root",
    "tl.arange(0, 4) * 1.0 -> fp32[4] [0.        1.        1.4142135 1.7320508]",
)
sqrt_rn = _unary(
    "sqrt_rn",
    "tt.precise_sqrt",
    "square root, rounded to nearest as IEEE 754 says,",
    "tl.full((2,), 2.0, tl.float32) -> fp32[2] [1.4142135 1.4142135]",
    ("fp32",),
)
rsqrt = _unary("rsqrt", "math.rsqrt", "inverse square root", "tl.full((2,), 4.0, tl.float32) -> fp32[2] [0.5 0.5]")
erf = _unary(
    "erf", "math.erf", "error function", "tl.arange(0, 4) / 2 -> fp32[4] [0.         0.5204999  0.8427008  0.96610516]"
)
floor = _unary(
    "floor", "math.floor", "floor (the largest integer not above)", "tl.arange(0, 4) / 2 -> fp32[4] [0. 0. 1. 1.]"
)
ceil = _unary(
    "ceil", "math.ceil", "ceiling (the smallest integer not below)", "tl.arange(0, 4) / 2 -> fp32[4] [0. 1. 1. 2.]"
)


@_tensor_member_fn
@builtin
def abs(x: Any) -> tensor:
    """The absolute value, elementwise; of any number type.

    Raises:
        UnexpectedType: no numbers.

    Example:
        >>> tl.abs(tl.arange(0, 4) - 2)
        int32[4] [2 1 0 1]
    """
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
    """The upper half of the product of unsigned integers of 32 or 64 bits.

    Example:
        >>> tl.umulhi(tl.full((2,), 2**31, tl.uint32), 6)
        uint32[2] [3 3]
    """
    x, y = operand(x), operand(y)
    _check("umulhi", ("int32", "int64", "uint32", "uint64"), x, y)
    x, y = binary_operands(x, y)
    return tensor_of("tt.mulhiui", (x, y), x.type)


@builtin
def fdiv(x: Any, y: Any, ieee_rounding: Any = False, approx: Any = False) -> tensor:
    """`x / y` of floats of one type, to within 2 units in the last place.

    Args:
        ieee_rounding: round to nearest, as `div_rn`; ignored before Triton 3.8.
        approx: also of fp32 whose quotient is subnormal, or whose divisor is beyond 2**126.

    Raises:
        IncompatibleTypes: they are not floats of one type.  With the rules of Triton 3.9 they are promoted.
        BadArgument: both `ieee_rounding` and `approx`, or `approx` of other types than fp32.

    Example:
        >>> tl.fdiv(tl.arange(0, 4) * 1.0, 4.0)
        fp32[4] [0.   0.25 0.5  0.75]
    """
    precise, approx = flag("fdiv", "ieee_rounding", ieee_rounding), flag("fdiv", "approx", approx)
    if precise and approx:
        raise BadArgument(function="fdiv", reason="approx and ieee_rounding cannot both be True")
    if precise and not since(3, 8, "fdiv_rounding"):
        say_once("tl.fdiv: ieee_rounding is ignored; use tl.div_rn")
        precise = False
    x, y = operand(x), operand(y)
    if not since(3, 9, "number_type") and x.dtype != y.dtype and x.dtype.is_floating() and y.dtype.is_floating():
        raise IncompatibleTypes(left=x.dtype, right=y.dtype)
    return divide_floats(x, y, "tt.approx_divf" if approx else "tt.precise_divf" if precise else "arith.divf")


@builtin
def div_rn(x: Any, y: Any) -> tensor:
    """`x / y`, fp32, rounded to nearest as IEEE 754 says.

    Example:
        >>> tl.div_rn(tl.arange(0, 4) * 1.0, 3.0)
        fp32[4] [0.         0.33333334 0.6666667  1.        ]
    """
    _check("div_rn", ("fp32",), x, y)
    x, y = binary_operands(operand(x), operand(y))
    return tensor_of("tt.precise_divf", (x, y), x.type)


@builtin
def fma(x: Any, y: Any, z: Any) -> tensor:
    """`x * y + z` rounded once, all in one type and shape.

    Example:
        >>> tl.fma(tl.arange(0, 4) * 1.0, 2.0, 0.5)
        fp32[4] [0.5 2.5 4.5 6.5]
    """
    if since(3, 9, "ternary_type"):
        x, y, z = ternary_operands(operand(x), operand(y), operand(z))
    else:
        x, y, z = to_tensor(x), to_tensor(y), to_tensor(z)
        x, y = binary_operands(x, y)
        z, x = binary_operands(z, x)
        z, y = binary_operands(z, y)
    return tensor_of("math.fma", (x, y, z), x.type)
