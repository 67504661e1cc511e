"""Which type two operands are computed in, and which shape.

Type of an operation on two operands, the first rule that applies:

1. A Python number with a tensor takes the tensor's type if its kind is not higher: bool < integer < float.
2. fp64 if one is fp64, else fp32 if one is fp32, else fp16 if one is fp16.
3. bf16 if both are; fp32 if one is.
4. Two fp8 types: the type itself if they are equal, else fp16.
5. Integers: the wider; if equally wide, the unsigned one.

Division and remainder of fp16 and bf16 are computed in fp32.

Shapes: a scalar fits every shape; a tensor of lower rank gets dimensions of size one in front; sizes must then be equal
or one of them 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import copysign, isfinite, isnan
from typing import Any

from ttkit.language.builtin import builder
from ttkit.language.constexpr import constexpr
from ttkit.language.errors import (
    BadOperandTypes,
    CannotBroadcast,
    IncompatibleTypes,
    IntegerTooWide,
    MixedSignedness,
    NegativeWithUnsigned,
    NotATensor,
    RankMismatch,
    ScalarOutOfRange,
    ShapeMismatch,
    UnsupportedOnTarget,
)
from ttkit.language.tensor import tensor
from ttkit.language.types import (
    bfloat16,
    dtype,
    float16,
    float32,
    float64,
    int1,
    int32,
    int64,
    tensor_type,
    uint32,
    uint64,
)

_FLOAT32_MIN = 2.0**-126
_FLOAT32_MAX = (2 - 2.0**-23) * 2.0**127


# --- Constants -------------------------------------------------------------------------------------------------------
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
        return f"0.0 : {ir}"
    if isfinite(value):
        digits, exponent, power = repr(float(value)).partition("e")
        return f"{digits if '.' in digits else digits + '.0'}{exponent}{power} : {ir}"
    if ir not in _INFINITIES:
        raise BadOperandTypes(function="constant", reason=f"{ir} has no {value}")
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
            raise BadOperandTypes(function="constant", reason=f"{value} is no {type}; give an integer in its range")
        return tensor(integer_constant(int(value), ir), type)
    if not type.is_floating():
        raise BadOperandTypes(function="constant", reason=f"no constant of type {type} can be made of {value}")
    return tensor(builder().emit("arith.constant", (), ir, {"value": _float_text(value, ir)}), type)


def to_tensor(x: Any, check_type: bool = True) -> Any:
    """`x` as a tensor: bool is int1; int is int32, or the first of uint32, int64, uint64 that holds it; float is fp32,
    or fp64 outside its normal range.

    Raises:
        IntegerTooWide: an int of more than 64 bits.
        NotATensor: anything else, if `check_type`.
    """
    if isinstance(x, tensor):
        return x
    if isinstance(x, constexpr):
        x = x.value
    if isinstance(x, bool):
        return tensor(integer_constant(x, "i1"), int1)
    if isinstance(x, int):
        return scalar_constant(x, integer_type_of(x))
    if isinstance(x, float):
        magnitude = abs(x)
        fits = x == 0 or x != x or magnitude == float("inf") or _FLOAT32_MIN <= magnitude <= _FLOAT32_MAX
        return scalar_constant(x, float32 if fits else float64)
    if isinstance(x, tensor):
        return x
    if check_type:
        raise NotATensor(value=x, type=type(x))
    return x


def integer_type_of(value: int) -> dtype:
    if -(2**31) <= value < 2**31:
        return int32
    if 2**31 <= value < 2**32:
        return uint32
    if -(2**63) <= value < 2**63:
        return int64
    if 2**63 <= value < 2**64:
        return uint64
    raise IntegerTooWide(value=value)


# --- Types -----------------------------------------------------------------------------------------------------------
def promote_integers(left: dtype, right: dtype) -> dtype:
    """The wider; if equally wide, the unsigned one (C's usual arithmetic conversions)."""
    if left.is_int_signed() == right.is_int_signed():
        return left if left.int_bitwidth > right.int_bitwidth else right
    if left.is_int_unsigned():
        return left if left.int_bitwidth >= right.int_bitwidth else right
    return right if right.int_bitwidth >= left.int_bitwidth else left


def computation_type(left: dtype, left_is_number: bool, right: dtype, right_is_number: bool, division: bool) -> dtype:
    """The type in which an operation on `left` and `right` is computed.

    Raises:
        BadOperandTypes: one is no number.
        MixedSignedness: division of integers of different signedness.
    """
    if left_is_number != right_is_number:
        number, other = (left, right) if left_is_number else (right, left)
        if number.kind().value <= other.kind().value:
            return float32 if division and other in (float16, bfloat16) else other
    if left == float64 or right == float64:
        return float64
    if left == float32 or right == float32:
        return float32
    if left == float16 or right == float16:
        return float32 if division else float16
    if left == bfloat16 and right == bfloat16:
        return float32 if division else bfloat16
    if left == bfloat16 or right == bfloat16:
        return float32
    if left.is_fp8() and right.is_fp8():
        return left if left == right else float16
    if not left.is_int() or not right.is_int():
        raise BadOperandTypes(function="arithmetic", reason=f"unexpected type {left} and {right}")
    if division and left.int_signedness != right.int_signedness:
        raise MixedSignedness(left=repr(left), right=repr(right))
    return promote_integers(left, right)


def _check_pointer(left: dtype, right: dtype, allowed: bool) -> None:
    if left.is_ptr() and (not allowed or (right.is_ptr() and left != right) or right.is_floating()):
        raise IncompatibleTypes(left=repr(left), right=repr(right))


def _check_number(value: Any, type: dtype) -> None:
    if type.is_int_unsigned() and value < 0:
        raise NegativeWithUnsigned(value=value, type=type)
    if type.is_int() and not type.get_int_min_value() <= value <= type.get_int_max_value():
        raise ScalarOutOfRange(value=value, type=type)


def binary_operands(
    left: Any,
    right: Any,
    pointer_left: bool = False,
    pointer_right: bool = False,
    arithmetic: bool = True,
    division: bool = False,
) -> tuple[tensor, tensor]:
    """Both operands, numbers or tensors, in one type and shape.

    Args:
        pointer_left, pointer_right: whether that operand may be a pointer; then types stay.
        arithmetic: whether types are promoted.
        division: whether the operation is a division or remainder.

    Raises:
        IncompatibleTypes: a pointer where none may be.
        NegativeWithUnsigned, ScalarOutOfRange: a number that the type does not hold.
        ShapeMismatch: shapes that do not fit.
    """
    from ttkit.language.conversion import cast_to

    left_number, right_number = not isinstance(left, tensor), not isinstance(right, tensor)
    left_value, right_value = left, right
    if left_number:
        left = to_tensor(left)
        left_number = isinstance(left_value, (bool, int, float))
    if right_number:
        right = to_tensor(right)
        right_number = isinstance(right_value, (bool, int, float))
    left_type, right_type = left.type.scalar, right.type.scalar
    left_pointer, right_pointer = left_type.is_ptr(), right_type.is_ptr()
    if left_pointer or right_pointer:
        _check_pointer(left_type, right_type, pointer_left)
        _check_pointer(right_type, left_type, pointer_right)
    elif arithmetic:
        common = computation_type(left_type, left_number, right_type, right_number, division)
        if left_number:
            _check_number(left_value, common)
        if right_number:
            _check_number(right_value, common)
        left = scalar_constant(left_value, common) if left_number else cast_to(left, common)
        right = scalar_constant(right_value, common) if right_number else cast_to(right, common)
    return broadcast_pair(left, right)


# --- Shapes ----------------------------------------------------------------------------------------------------------
def splat(value: tensor, shape: Sequence[int]) -> tensor:
    """A tensor of `shape` all of whose elements are the scalar `value`; of shape (), the scalar itself."""
    if len(shape) == 0:
        return value
    return _splat_to(value, tensor_type(value.type, tuple(shape)))


def _splat_to(value: tensor, type: Any) -> tensor:
    return _spread("tt.splat", value, type)


def _spread(op: str, value: tensor, type: Any) -> tensor:
    """The splat or broadcast of `value`; of a constant, a constant."""
    source = value.handle.owner
    ir = ir_type(type)
    if getattr(source, "name", None) != "arith.constant":
        return tensor(builder().emit(op, (value.handle,), ir), type)
    text = source.attributes["value"].rpartition(" : ")[0] or source.attributes["value"]  # an i1 says no type
    dense = text if text.startswith("dense<") else f"dense<{text}>"
    return tensor(builder().emit("arith.constant", (), ir, {"value": f"{dense} : {ir}"}), type)


def broadcast_to_shape(value: tensor, shape: Sequence[int]) -> tensor:
    """`value` repeated to `shape`, of the same rank if it is a tensor.

    Raises:
        RankMismatch, CannotBroadcast: it does not fit.
    """
    type: Any = value.type
    shape = tuple(shape)
    if not type.is_block():
        return splat(value, shape)
    source = type.shape
    if len(source) != len(shape):
        raise RankMismatch(source=source, target=shape)
    if shape == source:
        return value
    for index, size in enumerate(source):
        if shape[index] != size and size != 1:
            raise CannotBroadcast(expanded=shape[index], size=size, index=index, source=source, target=shape)
    return _spread("tt.broadcast", value, tensor_type(type.element_ty, shape))


def _with_rank(value: tensor, rank: int) -> tensor:
    while len(value.type.shape) < rank:
        type = tensor_type(value.type.scalar, (1, *value.type.shape))
        value = tensor(builder().emit("tt.expand_dims", (value.handle,), ir_type(type), {"axis": "0 : i32"}), type)
    return value


def broadcast_pair(left: tensor, right: tensor) -> tuple[tensor, tensor]:
    """Both in one shape; two scalars stay scalars.

    Raises:
        ShapeMismatch: the shapes do not fit.
    """
    left_type: Any = left.type
    right_type: Any = right.type
    if not left_type.is_block():
        if right_type.is_block():
            left = _splat_to(left, right_type.with_element_ty(left_type.scalar))
        return left, right
    if not right_type.is_block():
        return left, _splat_to(right, left_type.with_element_ty(right_type.scalar))
    if left_type.shape == right_type.shape:
        return left, right
    rank = max(len(left_type.shape), len(right_type.shape))
    left, right = _with_rank(left, rank), _with_rank(right, rank)
    shape = []
    for index, (a, b) in enumerate(zip(left.type.shape, right.type.shape)):
        if a != b and a != 1 and b != 1:
            found = {"left_shape": left.type.shape, "right_shape": right.type.shape}
            raise ShapeMismatch(index=index, left=a, right=b, **found)
        shape.append(b if a == 1 else a)
    return broadcast_to_shape(left, shape), broadcast_to_shape(right, shape)


def broadcast_all(values: Sequence[tensor]) -> list[tensor]:
    """All in one shape."""
    if not values:
        return []
    head, *tail = values
    for index in range(len(tail)):
        head, tail[index] = broadcast_pair(head, tail[index])
    for index in range(len(tail) - 1):
        head, tail[index] = broadcast_pair(head, tail[index])
    return [head, *tail]
