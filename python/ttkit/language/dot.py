"""Matrix products.

Ops: dialects/tt/dot_ops.td    Interpreter: interpreter/ops/dot.py
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from ttkit.dialects._tt_enums import InputPrecision, ScaleDotElemType
from ttkit.language.broadcasting import splat
from ttkit.language.building import builder, warn
from ttkit.language.builtin import builtin
from ttkit.language.constants import attribute_of_32_bits, flag_attribute, scalar_constant
from ttkit.language.constexpr import unwrap
from ttkit.language.errors import BadArgument, Unsupported
from ttkit.language.memory import enum_attribute
from ttkit.language.tensor import tensor
from ttkit.language.type_conversion import bitcast_to, cast_to
from ttkit.language.types import (
    bfloat16,
    block_type,
    dtype,
    float8e4nv,
    float8e5,
    float16,
    float32,
    float64,
    int8,
    int32,
    tensor_type,
    uint8,
    uint16,
)
from ttkit.language.versions import since
from ttkit.language.view import reshape_to, tensor_of

_PRECISIONS = {
    "tf32": InputPrecision.TF32,
    "tf32x3": InputPrecision.TF32x3,
    "ieee": InputPrecision.IEEE,
    "bf16x3": InputPrecision.BF16x3,
    "bf16x6": InputPrecision.BF16x6,
}
_OPERAND_TYPES = (int8, uint8, float16, bfloat16, float32, float64)


@builtin
def dot(
    input: tensor,
    other: tensor,
    acc: Any = None,
    input_precision: Any = None,
    allow_tf32: Any = None,
    max_num_imprecise_acc: Any = None,
    out_dtype: Any = None,
) -> tensor:
    """The matrix product `input @ other + acc`, of shape (..., M, N).

    Args:
        input: (..., M, K), int8, fp8, fp16, bf16, fp32 or fp64; K at least 16, or 32 for 8 bits.  By the rules of
            Triton 3.8 and later, K is at least 8 for fp32, and 4 for fp64.
        other: (..., K, N), of the same type, or also fp8.
        acc: (..., M, N), int32 for int8, fp64 for fp64, `out_dtype` otherwise; zeros by default.
        input_precision: how fp32 operands are multiplied: "tf32" (default), "tf32x3", "ieee", "bf16x3" or "bf16x6".
        allow_tf32: deprecated: False means "ieee".
        max_num_imprecise_acc: for fp8 on sm_90, after how many products along K to add up in fp32.
        out_dtype: type of the result, fp32 (also for None) or fp16.  By the rules of 3.8, that of `acc`.

    Raises:
        Unsupported: shapes or types that do not go together.
        BadArgument: options that do not go together.

    Example:
        >>> x = tl.full((16, 16), 0.5, tl.float16)
        >>> tl.dot(x, x, acc=tl.full((16, 16), 1.0, tl.float32)).dtype
        triton.language.float32
        >>> tl.max(tl.dot(x, x))
        fp32[] 4.0
    """
    if input_precision is not None and allow_tf32 is not None:
        raise Unsupported(function="dot", reason="Only one of input_precision and allow_tf32 can be specified")
    if input_precision is None:
        input_precision = _default_precision(allow_tf32)
    max_num_imprecise_acc, acc = unwrap(max_num_imprecise_acc), unwrap(acc)
    input_precision, out_dtype = unwrap(input_precision), _asked_type(unwrap(out_dtype), acc)
    left, right = _plain_shape(input), _plain_shape(other)
    if not len(left) == len(right) >= 2:
        raise Unsupported(
            function="dot", reason="input and other must have equal ranks >= 2", advice=f"found {left} and {right}"
        )
    if left[:-2] != right[:-2]:
        advice = f"found {left} and {right}"
        raise Unsupported(function="dot", reason="input and other must have equal batch shapes", advice=advice)
    if left[-1] != right[-2]:
        advice = f"the last size of the first shape {left} must be the last but one of the second {right}"
        reason = "input and other must have equal reduction dimensions"
        raise Unsupported(function="dot", reason=reason, advice=advice)
    shape = [*left[:-1], right[-1]]
    if acc is not None and _plain_shape(acc) != shape:
        raise Unsupported(function="dot", reason="accumulator shape is incompatible", advice=f"found {acc} for {shape}")
    if len(shape) < 4:
        return _dot(input, other, acc, input_precision, max_num_imprecise_acc, out_dtype)
    batch = prod(shape[:-2])
    input = reshape_to(input, [batch, *left[-2:]])
    other = reshape_to(other, [batch, *right[-2:]])
    acc = None if acc is None else reshape_to(acc, [batch, *shape[-2:]])
    return reshape_to(_dot(input, other, acc, input_precision, max_num_imprecise_acc, out_dtype), shape)


def _default_precision(allow_tf32: Any) -> str:
    options = builder().unit.options
    if options.fp32_default:
        return options.fp32_default
    tf32 = "tf32" in options.allowed_dot_input_precisions
    return "tf32" if tf32 and (allow_tf32 is None or unwrap(allow_tf32)) else "ieee"


def _plain_shape(value: tensor) -> list[int]:
    return [unwrap(size) for size in value.shape]


def _check_operand_types(left: dtype, right: dtype) -> None:
    if left.is_fp8() and right.is_fp8():
        return
    for side, type in (("lhs", left), ("rhs", right)):
        if type not in _OPERAND_TYPES:
            raise Unsupported(function="dot", reason=f"Unsupported {side} dtype {type}")
    if left != right:
        raise Unsupported(function="dot", reason=f"Both operands must be same dtype. Got {left} and {right}")


def _through_float16(left: tensor, right: tensor) -> tuple[tensor, tensor]:
    """fp8 types that the target does not multiply, as fp16."""
    names = {left.dtype.name, right.dtype.name}
    deprecated = builder().unit.options.deprecated_fp8_dot_operand_dtypes
    if "fp8e4b15" in names and "fp8e4b15" in deprecated:
        warn(
            "the use of fp8e4b15 is deprecated on Hopper and later architectures and can cause significant slow down. "
            "It will be removed in a future triton release"
        )
    emulated = next((name for name in ("fp8e4b8", "fp8e5b16") if name in names), None)
    if "fp8e4b15" in names or emulated in deprecated:
        return cast_to(left, float16), cast_to(right, float16)
    return left, right


def _asked_type(out: dtype | None, acc: tensor | None) -> dtype:
    """The `out_dtype` of a call.

    Raises:
        Unsupported: it is not the accumulator's, by the rules of Triton 3.8.
    """
    if acc is None or not since(3, 8):
        return out or float32
    if out not in (None, acc.dtype):
        reason = f"out_dtype={out}, but the accumulator is of {acc.dtype}"
        raise Unsupported(function="dot", reason=reason, advice=f"pass out_dtype={acc.dtype} or cast it")
    return acc.dtype


def _result_type(operand: dtype, out: dtype) -> tuple[dtype, dtype]:
    """The type of the result, and of the zero it starts from."""
    if operand.is_int():
        if operand != int8:
            raise Unsupported(function="dot", reason="only int8 supported!", advice=f"found {operand}")
        return int32, int32
    if out == bfloat16:
        reason = (
            "out_dtype=bfloat16 is unsupported. Please use out_dtype=float32/float16 and cast with `.to(tl.bfloat16)`"
        )
        raise BadArgument(function="dot", reason=reason)
    if operand in (float32, bfloat16):
        return float32, float32
    if operand == float64:
        return float64, float64
    if out not in (float16, float32):
        raise BadArgument(function="dot", reason=f"products of {operand} have no out_dtype={out}")
    return out, float16 if out == float16 else float32


def precision_attribute(function: str, precision: Any) -> str:
    """An attribute that says how fp32 operands are multiplied; by default (None) as the options say.

    Raises:
        Unsupported: the options do not allow it.
    """
    options = builder().unit.options
    precision = str(options.default_dot_input_precision if precision in (None, "") else precision).lower()
    if precision not in options.allowed_dot_input_precisions:
        reason = f"input_precision must be one of {options.allowed_dot_input_precisions}. Got {precision}"
        advice = "TRITON_F32_DEFAULT sets it" if precision == options.fp32_default else ""
        raise Unsupported(function=function, reason=reason, advice=advice)
    return enum_attribute(_PRECISIONS[precision])


def _dot(left: tensor, right: tensor, acc: Any, precision: str, max_imprecise: Any, out: dtype) -> tensor:
    _check_operand_types(left.dtype, right.dtype)
    left, right = _through_float16(left, right)
    options = builder().unit.options
    precision = precision_attribute("dot", precision)
    a, b = _plain_shape(left), _plain_shape(right)
    least = builder().unit.min_dot_size(left.type, right.type)
    if a[-2] < least[0] or b[-1] < least[1] or a[-1] < least[2]:
        reason = f"Input shapes should have M >= {least[0]}, N >= {least[1]} and K >= {least[2]}"
        raise Unsupported(function="dot", reason=reason, advice=f"found {a} and {b}")
    result, zero_type = _result_type(left.type.scalar, out)
    zero = scalar_constant(0, zero_type)
    type = tensor_type(result, (*a[:-1], b[-1]))
    acc = _accumulator("dot", acc, type, zero)
    both_fp8 = left.dtype.is_fp8() and right.dtype.is_fp8()
    if max_imprecise is None:
        max_imprecise = options.max_num_imprecise_acc_default if both_fp8 else 0
    elif both_fp8 and max_imprecise > a[-1]:
        reason = f"max_num_imprecise_acc ({max_imprecise}) must be <= K ({a[-1]})"
        raise BadArgument(function="dot", reason=reason)
    attributes = {
        "inputPrecision": precision,
        "maxNumImpreciseAcc": attribute_of_32_bits("dot", "max_num_imprecise_acc", max_imprecise),
    }
    return tensor_of("tt.dot", (left, right, acc), acc.type, attributes)


# --- Scaled ----------------------------------------------------------------------------------------------------------
# Format: (its type, the integer type that may hold its bits)
_FORMATS = {
    "e5m2": (float8e5, uint8),
    "e4m3": (float8e4nv, uint8),
    "bf16": (bfloat16, uint16),
    "fp16": (float16, uint16),
    "e2m1": (None, uint8),  # two in a byte
}


@builtin
def dot_scaled(
    lhs: tensor,
    lhs_scale: Any,
    lhs_format: Any,
    rhs: tensor,
    rhs_scale: Any,
    rhs_format: Any,
    acc: Any = None,
    fast_math: Any = False,
    lhs_k_pack: Any = True,
    rhs_k_pack: Any = True,
    out_dtype: Any = float32,
) -> tensor:
    """The matrix product of operands in microscaling formats, `(lhs * lhs_scale) @ (rhs * rhs_scale) + acc`.

    Formats as in the OCP Microscaling (MX) specification 1.0; fp8e4nv scales are NVFP4's, one for 16 elements.

    Args:
        lhs: (M, K) in `lhs_format`; of "e2m1" two elements in a uint8, the first in the lower bits.
        lhs_scale: (M, K / 32), powers of two with bias 127 as uint8, or None.
        rhs: (K, N) in `rhs_format`.
        rhs_scale: (N, K / 32), not transposed, or None.
        lhs_format, rhs_format: "e2m1", "e4m3", "e5m2", "bf16" or "fp16".
        acc: (M, N) of `out_dtype`, which is fp32; zeros by default.
        lhs_k_pack, rhs_k_pack: whether "e2m1" is packed along K; else along M or N.
        fast_math: whether NaN scales may be ignored.

    Raises:
        Unsupported: formats, types or shapes that do not go together.

    Example:
        >>> x, y = tl.full((16, 32), 1.0, tl.float8e4nv), tl.full((32, 16), 2.0, tl.float8e4nv)
        >>> scale = tl.full((16, 1), 128, tl.uint8)  # 2 ** (128 - 127)
        >>> tl.max(tl.dot_scaled(x, scale, "e4m3", y, scale, "e4m3"))
        fp32[] 256.0
    """
    out_dtype, acc, lhs_scale, rhs_scale = map(unwrap, (out_dtype, acc, lhs_scale, rhs_scale))
    lhs_format, rhs_format, lhs_k_pack, rhs_k_pack = map(unwrap, (lhs_format, rhs_format, lhs_k_pack, rhs_k_pack))
    if out_dtype != float32:
        raise Unsupported(function="dot_scaled", reason="Only float32 is supported for out_dtype at the moment")
    lhs, rhs = _in_format(lhs, lhs_format, lhs_k_pack), _in_format(rhs, rhs_format, rhs_k_pack)
    a, b = _plain_shape(lhs), _plain_shape(rhs)
    m, n, k = _scaled_sizes(a, _packed(lhs_format), lhs_k_pack, b, _packed(rhs_format), rhs_k_pack)
    type = tensor_type(out_dtype, (*a[:-2], m, n))
    zero = scalar_constant(0, float32)  # as in Triton also where nobody uses it
    acc = _accumulator("dot_scaled", acc, type, zero)
    type = acc.type  # in Gluon it has a layout
    _check_scale("lhs_scale", lhs_scale, m, k)
    _check_scale("rhs_scale", rhs_scale, n, k)
    scales = [lhs_scale, rhs_scale]
    attributes = {
        **_scaled_attributes("a", "lhs", lhs_format, lhs_k_pack),
        **_scaled_attributes("b", "rhs", rhs_format, rhs_k_pack),
        "fastMath": flag_attribute("dot_scaled", "fast_math", fast_math),
        "operandSegmentSizes": f"array<i32: 1, 1, 1, {', '.join(str(int(scale is not None)) for scale in scales)}>",
    }
    return tensor_of("tt.dot_scaled", [lhs, rhs, acc, *(one for one in scales if one is not None)], type, attributes)


def _accumulator(function: str, acc: tensor | None, type: block_type, zero: Any) -> tensor:
    """The operand to which products of `type` are added: `acc`, or zeros.

    Raises:
        Unsupported: it has another shape or element type.
    """
    if acc is None:
        return splat(zero, type.shape)
    if acc.type.shape != type.shape or acc.type.element_ty != type.element_ty:
        wanted = f"{type.element_ty}[{', '.join(map(str, type.shape))}]"
        reason = f"the accumulator must be {wanted}, got {acc}; pass out_dtype or cast it"
        raise Unsupported(function=function, reason=reason)
    return acc


def _scaled_attributes(letter: str, side: str, format: str, k_pack: Any) -> dict[str, str]:
    """Attributes of tt.dot_scaled about one operand."""
    kind = enum_attribute(getattr(ScaleDotElemType, format.upper()))
    return {f"{letter}_elem_type": kind, f"{side}_k_pack": flag_attribute("dot_scaled", f"{side}_k_pack", k_pack)}


def _packed(format: str) -> int:
    return 2 if format == "e2m1" else 1


def _scaled_sizes(
    a: Sequence[int], a_packed: int, a_k_pack: bool, b: Sequence[int], b_packed: int, b_k_pack: bool
) -> tuple[int, int, int]:
    """M, N and K of a product, in elements: operands of shapes `a` and `b` have so many packed along K, or M and N."""
    if not len(a) == len(b) or len(a) not in (2, 3):
        raise Unsupported(function="dot_scaled", reason=f"Both inputs must be either 2D or 3D; (lhs: {a} vs rhs: {b})")
    k = a[-1] * (a_packed if a_k_pack else 1)
    if k != b[-2] * (b_packed if b_k_pack else 1):
        reason = f"Reduction dimension should pack the same number of elements; (lhs: {a} vs rhs: {b})"
        raise Unsupported(function="dot_scaled", reason=reason)
    return a[-2] * (1 if a_k_pack else a_packed), b[-1] * (1 if b_k_pack else b_packed), k


def _in_format(value: tensor, format: str, k_pack: bool) -> tensor:
    if format not in _FORMATS:
        advice = f"expected one of {', '.join(_FORMATS)}"
        raise BadArgument(function="dot_scaled", reason=f"Invalid float format: {format}.", advice=advice)
    if not k_pack and format != "e2m1":
        reason = "only mxfp4 inputs can be packed along a dimension different than K"
        raise Unsupported(function="dot_scaled", reason=reason)
    type, bits = _FORMATS[format]
    if type is None or value.dtype != type:
        if value.dtype != bits:
            what = "e2m1 format must be packed as uint8" if type is None else f"Unexpected dtype for {format}"
            advice = "" if type is None else f"expected {type} or {bits}"
            raise Unsupported(function="dot_scaled", reason=f"{what}. Got {value.dtype}", advice=advice)
        return value if type is None else bitcast_to(value, type)
    return value


def _check_scale(name: str, scale: Any, rows: int, k: int) -> None:
    if scale is None:
        return
    expected = (rows, k // (16 if scale.dtype == float8e4nv else 32))
    if scale.type.shape != expected:
        found = [str(size) for size in scale.type.shape]
        reason = f"{name} must be a tensor of shape {list(expected)}. Got {found}"
        raise Unsupported(function="dot_scaled", reason=reason)
