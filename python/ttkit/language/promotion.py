"""Which type two operands are computed in, and which shape.

Type of an operation on two operands, the first rule that applies:

1. A Python number with a tensor takes the tensor's type if its kind is not higher: bool < integer < float.
2. fp64 if one is fp64, else fp32 if one is fp32, else fp16 if one is fp16.
3. bf16 if both are; fp32 if one is.
4. Two fp8 types: the type itself if they are equal, else fp16.
5. Integers: the wider; if equally wide, the unsigned one.

Division and remainder of fp16 and bf16 are computed in fp32.  So are those of all narrower floats from Triton 3.9 on,
where rule 1 also holds for comparisons, minima and maxima (`constants.operand`).

Shapes are those of `broadcasting`.
"""

from __future__ import annotations

from typing import Any

from ttkit.language.broadcasting import broadcast_pair
from ttkit.language.constants import scalar_constant, to_tensor, type_of_number
from ttkit.language.errors import (
    BadOperandTypes,
    IncompatibleTypes,
    MixedSignedness,
    NegativeWithUnsigned,
    ScalarOutOfRange,
)
from ttkit.language.tensor import tensor
from ttkit.language.type_conversion import cast_to
from ttkit.language.types import bfloat16, dtype, float16, float32, float64
from ttkit.language.versions import since


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
            if not since(3, 9, "quotient_type" if division and other.is_fp8() else ""):
                return float32 if division and other in (float16, bfloat16) else other
            left = right = other
    if left == float64 or right == float64:
        return float64
    eight_bits = left.is_fp8() or right.is_fp8()
    if division and since(3, 9, "quotient_type" if eight_bits else "") and (left.is_floating() or right.is_floating()):
        return float32
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
    if not left.is_ptr():
        return
    is_block_pointer = left.element_ty.is_block()
    if not allowed or is_block_pointer or (right.is_ptr() and left != right) or right.is_floating():
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
    left_value, right_value = left, right
    left, right = to_tensor(left), to_tensor(right)
    left_number, right_number = (isinstance(value, (bool, int, float)) for value in (left_value, right_value))
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


def ternary_operands(*operands: Any) -> tuple[tensor, tensor, tensor]:
    """Three operands in one type and shape, by the rules of Triton 3.9: the type of the tensors, then the numbers'.

    Raises:
        as `binary_operands`.
    """
    types: dict[bool, Any] = {}
    for given in operands:
        is_number = isinstance(given, (bool, int, float))
        type = type_of_number(given) if is_number else to_tensor(given).type.scalar
        known = types.get(is_number)
        types[is_number] = type if known is None else computation_type(known, is_number, type, is_number, False)
    if len(types) == 1:
        (common,) = types.values()
    else:
        common = computation_type(types[False], False, types[True], True, False)
    a, b, c = (_in_type(given, common) for given in operands)
    a, b = broadcast_pair(a, b)
    a, c = broadcast_pair(a, c)
    b, c = broadcast_pair(b, c)
    return a, b, c


def _in_type(value: Any, type: dtype) -> tensor:
    if not isinstance(value, (bool, int, float)):
        return cast_to(value, type)
    _check_number(value, type)
    return scalar_constant(value, type)
