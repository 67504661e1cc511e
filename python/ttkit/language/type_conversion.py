"""Conversions between types.

Ops: dialects/tt/math_ops.td (fp_to_fp, bitcast), arith's.    Interpreter: interpreter/ops/type_conversion.py
"""

from __future__ import annotations

from typing import Any

from ttkit.language.broadcasting import broadcast_pair
from ttkit.language.building import builder
from ttkit.language.builtin import _tensor_member_fn, builtin
from ttkit.language.comparison import compare
from ttkit.language.constants import ir_type, scalar_constant, to_tensor
from ttkit.language.constexpr import unwrap
from ttkit.language.errors import BadCast, BitcastSizes, NotACondition, RoundingWithoutTruncation, UnknownRounding
from ttkit.language.tensor import as_triton_prints, tensor
from ttkit.language.types import dtype, float32, int64
from ttkit.language.versions import since

_ROUNDINGS = {"rtz": "0 : i32", "rtne": "1 : i32"}


@_tensor_member_fn
@builtin
def cast(input: Any, dtype: Any, fp_downcast_rounding: Any = None, bitcast: Any = False) -> tensor:
    """`input` converted to `dtype`, in its shape.

    Floats to integers round toward zero; to bool, everything but zero is true; wider floats to narrower ones round to
    nearest, ties to even.

    Args:
        dtype: the type to convert to.
        fp_downcast_rounding: "rtne" or "rtz" (toward zero), only for a wider float to a narrower one.
        bitcast: keep the bits instead of the value; both types must have equally many.

    Raises:
        RoundingWithoutTruncation: a rounding where nothing is rounded.
        BitcastSizes: bitcast between types of different width.
        BadCast: no such conversion.

    Example:
        >>> tl.cast(tl.full((2,), 2.75, tl.float32), tl.int32)
        int32[2] [2 2]
        >>> tl.cast(tl.full((2,), 1.0, tl.float32), tl.int32, bitcast=True)
        int32[2] [1065353216 1065353216]
        >>> (tl.arange(0, 4) / 3).to(tl.bfloat16)
        bf16[4] [0 0.333984 0.667969 1]
    """
    input = to_tensor(input)
    dtype = unwrap(dtype)
    if unwrap(bitcast):
        return bitcast_to(input, dtype)
    return cast_to(input, dtype, unwrap(fp_downcast_rounding))


def _shaped(value: tensor, element_ty: dtype) -> Any:
    return value.type.with_element_ty(element_ty)


def bitcast_to(value: tensor, target: dtype) -> tensor:
    """The bits of each element as `target`; pointers are converted as by `cast`.

    Raises:
        BitcastSizes: elements of another width.
    """
    target = _shaped(value, target.scalar)
    if value.type == target:
        return value
    source, element = value.type.scalar, target.scalar
    if source.is_ptr() or element.is_ptr():
        return cast_to(value, target)
    if source.primitive_bitwidth != element.primitive_bitwidth:
        sizes = {"source": source.primitive_bitwidth, "target": element.primitive_bitwidth}
        if element.primitive_bitwidth == 1:
            raise NotACondition(**sizes, found=value)
        raise BitcastSizes(**sizes, source_type=source, target_type=element)
    return tensor(builder().emit("tt.bitcast", (value.handle,), ir_type(target)), target)


def cast_to(value: tensor, target: dtype, rounding: str | None = None) -> tensor:
    """`cast` with plain arguments.

    Raises:
        UnknownRounding: another rounding.
        RoundingWithoutTruncation: a rounding where nothing is cut off.
        BadCast: there is no such conversion.
    """
    source, element = value.type.scalar, target.scalar
    if source == element:
        return value
    target = _shaped(value, element)
    if rounding is not None and rounding not in _ROUNDINGS:
        raise UnknownRounding(value=rounding)
    if source.is_floating() and element.is_floating():
        return _cast_float(value, target, rounding)
    if rounding is not None:
        raise RoundingWithoutTruncation(source=source, target=element)
    if source.is_standard_floating() and source.primitive_bitwidth == 16:
        return cast_to(cast_to(value, float32), element)
    if source.is_int() and element.is_int():
        if element.is_bool():
            return _is_nonzero(value)
        return int_cast(value, target, source.is_int_signed())
    if source.is_standard_floating() and element.is_int():
        if element.is_bool():
            return _is_nonzero(value)
        return _emit("arith.fptosi" if element.is_int_signed() else "arith.fptoui", value, target)
    if source.is_int() and element.is_standard_floating():
        return _emit("arith.sitofp" if source.is_int_signed() else "arith.uitofp", value, target)
    if source.is_ptr() and element.is_int() and element.int_bitwidth == 64:
        return _emit("tt.ptr_to_int", value, target)
    if source.is_ptr() and element.is_bool():
        return _is_nonzero(cast_to(value, int64))
    if source.is_int() and element.is_ptr():
        return _emit("tt.int_to_ptr", value, target)
    if source.is_ptr() and element.is_ptr():
        return _emit("tt.bitcast", value, target)
    raise BadCast(source=as_triton_prints(value), target=target)


def _emit(name: str, value: tensor, target: Any) -> tensor:
    return tensor(builder().emit(name, (value.handle,), ir_type(target)), target)


def _is_nonzero(value: tensor) -> tensor:
    return compare("ne", *broadcast_pair(value, scalar_constant(0, value.type.scalar)))


def int_cast(value: tensor, target: Any, signed: bool) -> tensor:
    """An integer widened (as signed or not), cut or reinterpreted."""
    source_bits, bits = value.type.scalar.int_bitwidth, target.scalar.int_bitwidth
    if source_bits == bits:
        return _emit("arith.bitcast", value, target)
    if source_bits > bits:
        return _emit("arith.trunci", value, target)
    return _emit("arith.extsi" if signed else "arith.extui", value, target)


def _cast_float(value: tensor, target: Any, rounding: str | None) -> tensor:
    source, element = value.type.scalar, target.scalar
    narrower = element.primitive_bitwidth < source.primitive_bitwidth
    if narrower:
        rounding = rounding or "rtne"
    elif rounding is not None:
        raise RoundingWithoutTruncation(source=source, target=element)
    if source.name == "fp8e4b15" or element.name == "fp8e4b15":
        return builder().unit.convert_custom_types(value, target, rounding)
    if {source.name, element.name} == {"fp16", "bf16"} and since(3, 9):
        return tensor(
            builder().emit("tt.fp_to_fp", (value.handle,), ir_type(target), {"rounding": _ROUNDINGS["rtne"]}), target
        )
    if source.is_fp8() or element.is_fp8() or rounding == "rtz":
        attributes = {"rounding": _ROUNDINGS[rounding]} if rounding else {}
        handle = builder().emit("tt.fp_to_fp", (value.handle,), ir_type(target), attributes)
        return tensor(handle, target)
    if source.primitive_bitwidth == 16 and element != float32:  # fp16 and bf16 reach other types through fp32
        return cast_to(cast_to(value, float32), element)
    return _emit("arith.truncf" if narrower else "arith.extf", value, target)
