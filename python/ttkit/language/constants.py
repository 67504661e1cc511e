"""Python numbers as tensors, and types as the IR spells them."""

from __future__ import annotations

from math import copysign, isfinite, isnan
from typing import Any

from ttkit.language.building import builder
from ttkit.language.constexpr import constexpr, unwrap
from ttkit.language.errors import BadArgument, BadOperandTypes, IntegerTooWide, NotATensor, UnsupportedOnTarget
from ttkit.language.tensor import tensor
from ttkit.language.types import dtype, float32, float64, int1, int32, int64, uint32, uint64
from ttkit.language.versions import since

_FLOAT32_MIN = 2.0**-126
_FLOAT32_MAX = (2 - 2.0**-23) * 2.0**127


def ir_type(type: Any) -> str:
    """The type in the IR.

    Raises:
        UnsupportedOnTarget: an fp8 type that the target does not have.
    """
    scalar = type.scalar
    if scalar.is_ptr():
        scalar = scalar.element_ty.scalar
    if scalar.is_fp8():
        supported = builder().unit.options.supported_fp8_dtypes
        if scalar.name not in supported:
            raise UnsupportedOnTarget(type=scalar, supported=supported)
    return type.ir


def attribute_of_32_bits(function: str, name: str, value: Any) -> str:
    """An integer that an attribute of the IR is.  Raises BadArgument for anything else, and for what has more bits."""
    if not isinstance(value, int) or not -(1 << 31) <= value < 1 << 31:
        raise BadArgument(function=function, reason=f"{name} of {function} must be a constant integer, got {value}")
    return f"{int(value)} : i32"


def flag(function: str, name: str, value: Any) -> bool:
    """A decision of the kernel's author while it is compiled.  Raises BadArgument for what is not known then."""
    value = unwrap(value)
    if value is not None and (isinstance(value, tensor) or not hasattr(type(value), "__bool__")):
        raise BadArgument(function=function, reason=f"{name} of {function} must be True or False, got {value}")
    return bool(value)


def flag_attribute(function: str, name: str, value: Any) -> str:
    """`flag`, as an attribute of the IR."""
    return str(flag(function, name, value)).lower()


def integer_constant(value: int, type: str) -> Any:
    """An integer in the IR, wrapped to the width of `type`."""
    if type == "i1":
        text = "true" if value else "false"
    else:
        bits = int(type[1:])
        value &= (1 << bits) - 1
        text = f"{value - (1 << bits) if value >> (bits - 1) else value} : {type}"
    return builder().emit("arith.constant", (), type, {"value": text})


# Bits of infinity; the quiet NaN is those and the highest bit of the mantissa.
_INFINITIES = {"f16": 0x7C00, "bf16": 0x7F80, "f32": 0x7F800000, "f64": 0x7FF0000000000000, "f8E5M2": 0x7C}
_QUIET_BITS = {"f16": 1 << 9, "bf16": 1 << 6, "f32": 1 << 22, "f64": 1 << 51, "f8E5M2": 1 << 1}


def _float_text(value: float, ir: str) -> str:
    """A float attribute; MLIR rounds it to the type, to nearest."""
    if value == 0:
        return f"-0.0 : {ir}" if copysign(1, value) < 0 and since(3, 9, "negative_zero") else f"0.0 : {ir}"
    if isfinite(value):
        digits, exponent, power = repr(float(value)).partition("e")
        return f"{digits if '.' in digits else digits + '.0'}{exponent}{power} : {ir}"
    if ir not in _INFINITIES:
        raise BadOperandTypes(function="constant", reason=f"{ir} can't represent {value}")
    bits = _INFINITIES[ir] | (_QUIET_BITS[ir] if isnan(value) else 0)
    width = int(ir.lstrip("bf").partition("E")[0])
    return f"{hex(bits | (1 << (width - 1) if copysign(1, value) < 0 else 0))} : {ir}"


def scalar_constant(value: Any, type: dtype) -> tensor:
    """The Python number `value` as a scalar of `type`; integers wrap.

    Raises:
        BadOperandTypes: a float for an integer type, a negative number for an unsigned one, more than 64 bits, or a
            type that has no constants.
    """
    ir = ir_type(type)
    if type.is_bool():
        return tensor(integer_constant(bool(value), ir), type)
    if type.is_int() or ir == "i8":
        low = 0 if type.is_int_unsigned() else -(2**63)
        if value != 0 and (not isinstance(value, int) or not low <= value < low + 2**64):
            raise BadOperandTypes(
                function="constant", reason=f"{value} is not of type {type}; use an integer in its range"
            )
        return tensor(integer_constant(int(value), ir), type)
    if type.is_fp8() and (since(3, 9) or (value != 0 and since(3, 7))):
        number = builder().emit("arith.constant", (), "f32", {"value": _float_text(value, "f32")})
        return tensor(builder().emit("arith.truncf", (number,), ir), type)
    if not type.is_floating():
        raise BadOperandTypes(function="constant", reason=f"{value} can't be a constant of type {type}")
    return tensor(builder().emit("arith.constant", (), ir, {"value": _float_text(value, ir)}), type)


def to_tensor(x: Any, check_type: bool = True) -> Any:
    """`x` as a tensor: bool is int1; int is int32, or the first of uint32, int64, uint64 that holds it; float is fp32,
    or fp64 outside its normal range.

    Raises:
        IntegerTooWide: an int of more than 64 bits.
        NotATensor: anything else, if `check_type`.
    """
    if isinstance(x, tensor):
        if x.handle is None:
            raise NotATensor(value="the result of a function that returns nothing,", type=x.type)
        return x
    if isinstance(x, constexpr):
        x = x.value
    if isinstance(x, bool):
        return tensor(integer_constant(x, "i1"), int1)
    if isinstance(x, int):
        return scalar_constant(x, type_of_number(x))
    if isinstance(x, float):
        return scalar_constant(x, type_of_number(x))
    if isinstance(x, tensor):
        return x
    if check_type:
        raise NotATensor(value=x, type=type(x))
    return x


def type_of_number(value: bool | int | float) -> dtype:
    """The type of a number as a tensor, see `to_tensor`.

    Raises:
        IntegerTooWide: an int of more than 64 bits.
    """
    if isinstance(value, bool):
        return int1
    if isinstance(value, int):
        return _integer_type_of(value)
    magnitude = abs(value)
    fits = value == 0 or value != value or magnitude == float("inf") or _FLOAT32_MIN <= magnitude <= _FLOAT32_MAX
    return float32 if fits else float64


def operand(x: Any) -> Any:
    """An operand of a comparison or a function of several operands: from Triton 3.9 on a number takes the type of the
    others, as it does in a sum; before, it is a tensor of its own type."""
    value = unwrap(x)
    return value if isinstance(value, (bool, int, float)) and since(3, 9, "number_type") else to_tensor(value)


def _integer_type_of(value: int) -> dtype:
    if -(2**31) <= value < 2**31:
        return int32
    if 2**31 <= value < 2**32:
        return uint32
    if -(2**63) <= value < 2**63:
        return int64
    if 2**63 <= value < 2**64:
        return uint64
    raise IntegerTooWide(value=value)
