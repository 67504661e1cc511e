"""Arithmetic, comparisons, bits, selection.

Ops: arith's, tt.addptr, tt.clampf.    Interpreter: interpreter/ops/arith.py
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ttkit.dialects._tt_enums import PropagateNan
from ttkit.language.broadcasting import broadcast_pair
from ttkit.language.building import builder, warn
from ttkit.language.builtin import builtin
from ttkit.language.comparison import compare
from ttkit.language.constants import integer_constant, ir_type, operand, scalar_constant, to_tensor
from ttkit.language.constexpr import unwrap
from ttkit.language.errors import BadArgument, BadClamp, BadOperandTypes, IncompatibleTypes, PointerSum, UnexpectedType
from ttkit.language.promotion import binary_operands, promote_integers, ternary_operands
from ttkit.language.tensor import tensor
from ttkit.language.type_conversion import bitcast_to, cast_to, int_cast
from ttkit.language.types import bfloat16, float32, int1, int64
from ttkit.language.versions import since


def _emit(name: str, left: tensor, right: tensor) -> tensor:
    return tensor(builder().emit(name, (left.handle, right.handle), ir_type(left.type)), left.type)


# --- Sums and products -----------------------------------------------------------------------------------------------
@builtin
def add(x: Any, y: Any, sanitize_overflow: Any = True) -> tensor:
    """`x + y`; a pointer moves by that many elements.

    Args:
        sanitize_overflow: in debug mode, assert that a sum of integers of less than 64 bits fits its type.

    Raises:
        PointerSum: both are pointers.

    Example:
        >>> tl.add(tl.arange(0, 4), 0.5)
        fp32[4] [0.5 1.5 2.5 3.5]
    """
    return _add(unwrap(x), unwrap(y), sanitize_overflow)


def _add(x: Any, y: Any, sanitize_overflow: Any = True) -> tensor:
    x, y = binary_operands(x, y, True, True)
    left, right = x.type.scalar, y.type.scalar
    if left.is_ptr() and right.is_ptr():
        raise PointerSum()
    if right.is_ptr():
        x, y, left = y, x, right
    if left.is_ptr():
        offset = y
        if y.dtype.is_int_unsigned() and y.dtype.int_bitwidth < 64:
            # addptr takes offsets as signed
            offset = int_cast(y, y.type.with_element_ty(int64), False)
        return tensor(builder().emit("tt.addptr", (x.handle, offset.handle), ir_type(x.type)), x.type)
    if left.is_floating():
        return _emit("arith.addf", x, y)
    if sanitize_overflow:
        _assert_no_overflow(x, y, "add", _add)
    return _emit("arith.addi", x, y)


@builtin
def sub(x: Any, y: Any, sanitize_overflow: Any = True) -> tensor:
    """`x - y`; `x` may be a pointer.  `sanitize_overflow` as for `add`.

    Example:
        >>> tl.sub(tl.arange(0, 4), 1)
        int32[4] [-1  0  1  2]
    """
    return _sub(unwrap(x), unwrap(y), sanitize_overflow)


def _sub(x: Any, y: Any, sanitize_overflow: Any = True) -> tensor:
    x, y = binary_operands(x, y, True, False)
    if x.type.scalar.is_ptr():
        return _add(x, minus(y), False)
    if x.type.scalar.is_floating():
        return _emit("arith.subf", x, y)
    if sanitize_overflow:
        _assert_no_overflow(x, y, "sub", _sub)
    return _emit("arith.subi", x, y)


@builtin
def mul(x: Any, y: Any, sanitize_overflow: Any = True) -> tensor:
    """`x * y`.  `sanitize_overflow` as for `add`.

    Example:
        >>> tl.mul(tl.arange(0, 4), tl.arange(0, 4))
        int32[4] [0 1 4 9]
    """
    return _mul(unwrap(x), unwrap(y), sanitize_overflow)


def _mul(x: Any, y: Any, sanitize_overflow: Any = True) -> tensor:
    x, y = binary_operands(x, y)
    if x.type.scalar.is_floating():
        return _emit("arith.mulf", x, y)
    if sanitize_overflow:
        _assert_no_overflow(x, y, "mul", _mul)
    return _emit("arith.muli", x, y)


def _assert_no_overflow(x: tensor, y: tensor, name: str, operation: Callable[..., tensor]) -> None:
    """In debug mode, computes in 64 bits and asserts that the result fits."""
    scalar, options = x.type.scalar, builder().unit.options
    if scalar.int_bitwidth >= 64 or not (options.debug and options.sanitize_overflow):
        return
    wide = operation(cast_to(x, int64), cast_to(y, int64), False)
    highest = scalar_constant(scalar.get_int_max_value(), int64)
    lowest = scalar_constant(scalar.get_int_min_value(), int64)
    fits = and_(less_equal(wide, highest), greater_equal(wide, lowest))
    message = f'"int{scalar.int_bitwidth} overflow detected for operation {name}"'
    builder().emit_op("tt.assert", (fits.handle,), (), {"message": message})


# --- Quotients -------------------------------------------------------------------------------------------------------
def truediv(x: Any, y: Any) -> tensor:
    """`x / y`; integers are divided in fp32."""
    x, y = binary_operands(x, y, division=True)
    left, right = x.type.scalar, y.type.scalar
    if left.is_int() and right.is_int():
        x, y = cast_to(x, float32), cast_to(y, float32)
    elif left.is_floating() and right.is_int():
        y = cast_to(y, left)
    elif left.is_int():
        x = cast_to(x, right)
    elif left.fp_mantissa_width > right.fp_mantissa_width:
        y = cast_to(y, left)
    else:
        x = cast_to(x, right)
    return _emit("arith.divf", x, y)


def floordiv(x: Any, y: Any) -> tensor:
    """`x // y` of integers, rounded toward zero.  Raises UnexpectedType for others."""
    x, y = binary_operands(x, y, division=True)
    left, right = x.type.scalar, y.type.scalar
    if not left.is_int() or not right.is_int():
        raise UnexpectedType(type=left, operation="//", expected="integers; use tl.floor(x / y)")
    common = promote_integers(left, right)
    x, y = cast_to(x, common), cast_to(y, common)
    return _emit("arith.divsi" if common.is_int_signed() else "arith.divui", x, y)


def divide_floats(x: Any, y: Any, op: str = "arith.divf") -> tensor:
    """`fdiv` of floats, as the operation `op`.

    Raises:
        BadOperandTypes: others; before Triton 3.9 also an integer and a float.
        BadArgument: tt.approx_divf of other floats than fp32.
    """
    if not since(3, 9, "number_type") and not (x.type.scalar.is_floating() and y.type.scalar.is_floating()):
        raise BadOperandTypes(function="fdiv", reason="both operands of fdiv must have floating scalar type")
    x, y = binary_operands(x, y, arithmetic=since(3, 9, "number_type"), division=True)
    if not x.type.scalar.is_floating():
        reason = "fdiv requires floating-point operands after type promotion"
        raise BadOperandTypes(function="fdiv", reason=reason)
    if op == "tt.approx_divf" and x.type.scalar != float32:
        raise BadArgument(function="fdiv", reason="approx division requires float32 operands")
    return _emit(op, x, y)


def mod(x: Any, y: Any) -> tensor:
    """`x % y`, with the sign of `x`."""
    x, y = binary_operands(x, y, division=True)
    scalar = x.type.scalar
    if scalar.is_floating():
        return _emit("arith.remf", x, y)
    return _emit("arith.remsi" if scalar.is_int_signed() else "arith.remui", x, y)


# --- Smallest and largest --------------------------------------------------------------------------------------------
def _as_float32_if_bfloat16(x: Any) -> Any:
    if isinstance(x, (bool, int, float)) or x.type.scalar is not bfloat16 or since(3, 9, "narrow_extremes"):
        return x
    return cast_to(x, float32)


@builtin
def _promote_bfloat16_to_float32(t: tensor) -> tensor:
    """bf16 as fp32, which Triton compares instead up to 3.8."""
    return cast_to(t, float32) if t.type.scalar is bfloat16 else t


@builtin
def minimum(x: Any, y: Any, propagate_nan: Any = PropagateNan.NONE) -> tensor:
    """The smaller of `x` and `y`, elementwise; bf16 gives fp32 (with the rules of Triton 3.9, bf16).

    Args:
        propagate_nan: tl.PropagateNan.ALL: NaN if one is; NONE: the other one.

    Example:
        >>> tl.minimum(tl.arange(0, 4), 2)
        int32[4] [0 1 2 2]
    """
    return _extreme("min", x, y, propagate_nan)


@builtin
def maximum(x: Any, y: Any, propagate_nan: Any = PropagateNan.NONE) -> tensor:
    """The larger of `x` and `y`, elementwise; otherwise as `minimum`.

    Example:
        >>> tl.maximum(tl.arange(0, 4), 2)
        int32[4] [2 2 2 3]
        >>> nan = tl.full((1,), float("nan"), tl.float32)
        >>> tl.maximum(nan, 1.0), tl.maximum(nan, 1.0, propagate_nan=tl.PropagateNan.ALL)
        (fp32[1] [1.], fp32[1] [nan])
    """
    return _extreme("max", x, y, propagate_nan)


def _extreme(kind: str, x: Any, y: Any, propagate_nan: Any) -> tensor:
    x, y = operand(x), operand(y)
    x, y = _as_float32_if_bfloat16(x), _as_float32_if_bfloat16(y)
    propagate_nan = unwrap(propagate_nan)
    x, y = binary_operands(x, y)
    scalar = x.type.scalar
    if scalar.is_floating():
        if propagate_nan == PropagateNan.ALL:
            return _emit(f"arith.{kind}imumf", x, y)
        if propagate_nan == PropagateNan.NONE:
            return _emit(f"arith.{kind}numf", x, y)
        expected = "expected one of tl.PropagateNan.ALL, NONE"
        raise BadArgument(function=f"{kind}imum", reason=f"Unexpected propagate_nan {propagate_nan}", advice=expected)
    return _emit(f"arith.{kind}{'s' if scalar.is_int_signed() else 'u'}i", x, y)


@builtin
def clamp(x: Any, min: Any, max: Any, propagate_nan: Any = PropagateNan.NONE) -> tensor:
    """`x` within [min, max], floats; undefined where min > max or one of them is NaN.  With the rules of Triton 3.9
    also integers, and a bf16 result.

    Args:
        propagate_nan: as for `minimum`, of `x` only.

    Raises:
        BadClamp: integers, before Triton 3.9.

    Example:
        >>> tl.clamp(tl.arange(0, 4) * 1.0, 0.5, 2.0)
        fp32[4] [0.5 1.  2.  2. ]
    """
    x, min, max = (_as_float32_if_bfloat16(value) for value in (operand(x), operand(min), operand(max)))
    if since(3, 9, "ternary_type"):
        x, min, max = ternary_operands(x, min, max)
    else:
        min, max = binary_operands(min, max)
        x, min = binary_operands(x, min)
        x, max = binary_operands(x, max)
    if not x.type.scalar.is_floating():
        if since(3, 9, "ternary_type") and x.type.scalar.is_int():
            return _extreme("min", _extreme("max", x, min, propagate_nan), max, propagate_nan)
        raise BadClamp(type=x.type.scalar)
    if not isinstance(propagate_nan := unwrap(propagate_nan), PropagateNan):
        raise BadArgument(reason=f"propagate_nan must be tl.PropagateNan.ALL or NONE, found {propagate_nan}")
    attributes = {"propagateNan": f"{int(propagate_nan)} : i32"}
    handle = builder().emit("tt.clampf", (x.handle, min.handle, max.handle), ir_type(x.type), attributes)
    return tensor(handle, x.type)


# --- Bits ------------------------------------------------------------------------------------------------------------
def _bitwise(name: str) -> Callable[[Any, Any], tensor]:
    def operation(x: Any, y: Any) -> tensor:
        """Elementwise, of integers, broadcast and promoted to one type.

        Raises:
            IncompatibleTypes: an operand is no integer.
        """
        x, y = binary_operands(x, y)
        left, right = x.type.scalar, y.type.scalar
        if not left.is_int() or not right.is_int():
            raise IncompatibleTypes(left=repr(left), right=repr(right))
        common = promote_integers(left, right)
        return _emit(name, cast_to(x, common), cast_to(y, common))

    return operation


and_ = _bitwise("arith.andi")
or_ = _bitwise("arith.ori")
xor_ = _bitwise("arith.xori")
shl = _bitwise("arith.shli")
ashr = _bitwise("arith.shrsi")
lshr = _bitwise("arith.shrui")


def _lshift(x: Any, y: Any) -> tensor:
    _warn_if_too_far(x, y)
    return shl(x, y)


def _rshift(x: Any, y: Any) -> tensor:
    """Arithmetic if the tensor (the left one, of two) is signed."""
    _warn_if_too_far(x, y)
    known = x if isinstance(x, tensor) else y
    return ashr(x, y) if known.dtype.is_int_signed() else lshr(x, y)


def _warn_if_too_far(x: Any, distance: Any) -> None:
    if isinstance(x, tensor) and isinstance(distance, int) and distance >= x.dtype.primitive_bitwidth:
        bits = x.dtype.primitive_bitwidth
        warn(
            f"Value {distance} exceeds the maximum bitwidth ({bits}) for type '{x.dtype}'. "
            "This may result in undefined behavior."
        )


def _as_bool(x: tensor) -> tensor:
    return x if x.type == int1 else bitcast_to(x, int1)


def logical_and(x: tensor, y: tensor) -> tensor:
    """`x and y` of bools."""
    return and_(_as_bool(x), _as_bool(y))


def logical_or(x: tensor, y: tensor) -> tensor:
    """`x or y` of bools."""
    return or_(_as_bool(x), _as_bool(y))


def not_(x: tensor) -> tensor:
    """`not x` of bools."""
    return invert(_as_bool(x))


def minus(x: tensor) -> tensor:
    """`-x`: `0 - x`, of floats the negation from Triton 3.8 on, which makes -0.0 of 0.0.  Raises BadArgument for a
    pointer."""
    scalar = x.type.scalar
    if scalar.is_ptr():
        raise BadArgument(function="-", reason=f"wrong type argument to unary minus ({scalar!r})")
    if scalar.is_floating() and since(3, 8, "negation"):
        return tensor(builder().emit("arith.negf", (x.handle,), ir_type(x.type)), x.type)
    return _sub(scalar_constant(0, scalar), x, True)


def invert(x: tensor) -> tensor:
    """`~x` of integers.  Raises BadArgument for others."""
    scalar = x.type.scalar
    if scalar.is_ptr() or scalar.is_floating():
        raise BadArgument(function="~", reason=f"wrong type argument to unary invert ({scalar!r})")
    return xor_(x, tensor(integer_constant(-1, scalar.ir), scalar))


# --- Comparisons and selection ---------------------------------------------------------------------------------------
def _comparison(name: str) -> Callable[[Any, Any], tensor]:
    return lambda x, y: compare(name, *binary_operands(x, y))


equal = _comparison("eq")
not_equal = _comparison("ne")
less_than = _comparison("lt")
less_equal = _comparison("le")
greater_than = _comparison("gt")
greater_equal = _comparison("ge")


@builtin
def where(condition: Any, x: Any, y: Any) -> tensor:
    """`x` where `condition` holds, else `y`; all broadcast to one shape.

    Both are computed everywhere: to skip loads and stores use their masks.

    Example:
        >>> x = tl.arange(0, 4)
        >>> tl.where(x > 1, x, -1)
        int32[4] [-1 -1  2  3]
    """
    condition = to_tensor(condition)
    x, y = unwrap(x), unwrap(y)
    if condition.dtype != int1:
        warn(
            "tl.where with a non-boolean condition is deprecated and will error out in a future triton release. "
            f"Got {condition.dtype}"
        )
    condition = cast_to(condition, int1)
    x, y = binary_operands(x, y, True, True)
    if condition.type.is_block():
        condition, x = broadcast_pair(condition, x)
        x, y = broadcast_pair(x, y)
    else:
        condition, _ = broadcast_pair(condition, x)
    return tensor(builder().emit("arith.select", (condition.handle, x.handle, y.handle), ir_type(x.type)), x.type)


def binary_op_type_legalization(lhs: Any, rhs: Any, semantic: Any = None) -> tuple[tensor, tensor]:
    """Both in the type and shape of an arithmetic operation on them."""
    return binary_operands(lhs, rhs)
