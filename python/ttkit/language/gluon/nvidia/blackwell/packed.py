"""Arithmetic of floats by instructions that take two elements at once.

Ops: dialects/ttng/packed_ops.td    Interpreter: interpreter/ops/packed.py
"""

from __future__ import annotations

from typing import Any

from ttkit.dialects._tt_enums import PackedArith
from ttkit.language.broadcasting import broadcast_pair
from ttkit.language.building import builder
from ttkit.language.builtin import builtin
from ttkit.language.constants import ir_type, scalar_constant
from ttkit.language.constexpr import unwrap
from ttkit.language.errors import BadArgument
from ttkit.language.memory import enum_attribute
from ttkit.language.promotion import computation_type
from ttkit.language.tensor import tensor
from ttkit.language.type_conversion import cast_to
from ttkit.language.types import bfloat16, float16, float32

__all__ = ["add2", "fma2", "max2", "min2", "mul2", "sub2"]


def _packed(function: str, operands: list[Any], dtype_given: Any) -> tensor:
    """The operation on operands of one type and shape, those of the largest tensor of floats or `dtype_given`."""
    kind = function.removesuffix("2")
    values = [unwrap(each) for each in operands]
    blocks = [each for each in values if isinstance(each, tensor) and each.type.is_block() and each.dtype.is_floating()]
    if not blocks:
        raise BadArgument(function=function, reason=f"expected a tensor of floats, found {operands[0]}")
    like = max(blocks, key=lambda each: unwrap(each.numel))
    found = unwrap(dtype_given) or like.dtype
    if unwrap(dtype_given) is None:
        for each in values:
            is_number = not isinstance(each, tensor)
            found = computation_type(found, False, float32 if is_number else each.dtype, is_number, False)
    possible = (float16, bfloat16) if kind in ("min", "max") else (float16, bfloat16, float32)
    if found not in possible:
        reason = f"it computes in {' or '.join(map(str, possible))}, found {found}"
        raise BadArgument(function=function, reason=reason, advice="pass dtype, or convert the operands with to")
    handles, type = [], like.type.with_element_ty(found)
    for each in values:
        operand = each if isinstance(each, tensor) else scalar_constant(each, found)
        operand = cast_to(operand, found)
        handles.append(broadcast_pair(cast_to(like, found), operand)[1].handle)
    attributes = {"packed_arith_op": enum_attribute(PackedArith[kind.upper()])}
    return tensor(builder().emit("ttng.packed_arith", handles, ir_type(type), attributes), type)


@builtin
def add2(lhs: Any, rhs: Any, dtype: Any = None) -> tensor:
    """`lhs + rhs`, two elements in one instruction.

    Args:
        lhs, rhs: tensors of floats, or one of them a number; broadcast.
        dtype: fp16, bf16 or fp32, in which it is computed; by default as of `lhs + rhs`.

    Raises:
        BadArgument: none is a tensor of floats, or of another type.

    Example:
        >>> blackwell.add2(gl.full([4], 1.5, gl.float32, line), 2.0)
        fp32[4] [3.5 3.5 3.5 3.5]
    """
    return _packed("add2", [lhs, rhs], dtype)


@builtin
def sub2(lhs: Any, rhs: Any, dtype: Any = None) -> tensor:
    """`lhs - rhs`, see `add2`.

    Example:
        >>> blackwell.sub2(gl.full([4], 1.5, gl.float32, line), 2.0)
        fp32[4] [-0.5 -0.5 -0.5 -0.5]
    """
    return _packed("sub2", [lhs, rhs], dtype)


@builtin
def mul2(lhs: Any, rhs: Any, dtype: Any = None) -> tensor:
    """`lhs * rhs`, see `add2`.

    Example:
        >>> blackwell.mul2(gl.full([4], 1.5, gl.float32, line), 2.0)
        fp32[4] [3. 3. 3. 3.]
    """
    return _packed("mul2", [lhs, rhs], dtype)


@builtin
def fma2(lhs: Any, rhs: Any, acc: Any, dtype: Any = None) -> tensor:
    """`lhs * rhs + acc`, rounded once, see `add2`.

    Example:
        >>> blackwell.fma2(gl.full([4], 1.5, gl.float32, line), 2.0, 1.0)
        fp32[4] [4. 4. 4. 4.]
    """
    return _packed("fma2", [lhs, rhs, acc], dtype)


@builtin
def min2(lhs: Any, rhs: Any, dtype: Any = None) -> tensor:
    """The smaller number, of fp16 or bf16, see `add2`; the other one if one is NaN.

    Example:
        >>> blackwell.min2(gl.full([4], 1.5, gl.float16, line), 2.0)
        fp16[4] [1.5 1.5 1.5 1.5]
    """
    return _packed("min2", [lhs, rhs], dtype)


@builtin
def max2(lhs: Any, rhs: Any, dtype: Any = None) -> tensor:
    """The larger number, likewise.

    Example:
        >>> blackwell.max2(gl.full([4], 1.5, gl.float16, line), 2.0)
        fp16[4] [2. 2. 2. 2.]
    """
    return _packed("max2", [lhs, rhs], dtype)
