"""tt.dot and tt.dot_scaled: numerically a matrix product for each program.

Rounding, which the hardware does not promise either, so stated here:

    operands           product and sum over k                          then
    f16, bf16, fp8     products exact, summed in f32                   + c in f32, rounded once to the type of c
    f32, ieee          f32                                             + c in f32
    f32, tf32          operands cut to tf32 (toward zero), as f32      + c in f32
                       (with a layout that is not mma's: as ieee, since no tensor core computes it)
    f32, tf32x3 ...    sums of products of parts: PARTS                + c in f32, the smallest first
    f64                f64                                             + c in f64
    floats, c in f64   f64, which holds each product                   + c in f64
    integers           exact                                           + c, wrapped to its type
    dot_scaled         elements times scales exact, summed in f64      rounded to f32, + c in f32

The order of the sum over k is not fixed.
"""

from __future__ import annotations

import ml_dtypes
import numpy as np

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.errors import NotInterpretable
from ttkit.interpreter.machine import Machine
from ttkit.interpreter.numerics.elementary import unpack_fp4
from ttkit.interpreter.numerics.rounding import cut_to_tf32
from ttkit.interpreter.ops.registry import interprets

TF32, TF32X3, IEEE, BF16X3, BF16X6 = range(5)


def _round_to_bf16(x: np.ndarray) -> np.ndarray:
    return x.astype(ml_dtypes.bfloat16).astype(np.float32)


# Precision -> how a part is taken, how many there are, and which pairs (part of a, part of b) are multiplied, from the
# smallest products to the largest.  x = part 0 + part 1 + ... , each the rounding of what the ones before leave.
PARTS = {
    TF32: (cut_to_tf32, 1, ((0, 0),)),
    TF32X3: (cut_to_tf32, 2, ((1, 0), (0, 1), (0, 0))),
    BF16X3: (_round_to_bf16, 2, ((1, 0), (0, 1), (0, 0))),
    BF16X6: (_round_to_bf16, 3, ((1, 1), (2, 0), (0, 2), (1, 0), (0, 1), (0, 0))),
}


def split(x: np.ndarray, part, count: int) -> list[np.ndarray]:
    """Parts of a number, each in fewer bits, whose sum is nearly the number."""
    parts = []
    for _ in range(count):
        parts.append(part(x))
        # An infinite part leaves inf - inf: nothing is left of it.
        x = np.where(np.isfinite(parts[-1]), x - parts[-1], np.float32(0))
    return parts


def product(a: np.ndarray, b: np.ndarray, precision: int) -> np.ndarray:
    """sum over k of a[..., m, k] * b[..., k, n], in f32, f64, or f64 that holds exact integers."""
    # NumPy adds in an order that depends on strides, so a transposed view would give other bits than a copy.
    a, b = np.ascontiguousarray(a), np.ascontiguousarray(b)
    if a.dtype.kind in "iub":
        return np.matmul(a.astype(np.float64), b.astype(np.float64))
    if a.dtype == np.float64:
        return np.matmul(a, b)
    wide_a, wide_b = a.astype(np.float32, copy=False), b.astype(np.float32, copy=False)
    if a.dtype != np.float32 or precision not in PARTS:
        return np.matmul(wide_a, wide_b)
    part, count, pairs = PARTS[precision]
    parts_a, parts_b = split(wide_a, part, count), split(wide_b, part, count)
    small = np.float32(0)
    for i, j in pairs[:-1]:
        small = small + np.matmul(parts_a[i], parts_b[j])
    # Infinity times a part that is zero is NaN; whether the result is one is for the largest parts to say.
    return np.where(np.isnan(small), np.float32(0), small) + np.matmul(parts_a[0], parts_b[0])


def multiply_add(a: np.ndarray, b: np.ndarray, c: np.ndarray | None, precision: int, dtype: np.dtype) -> np.ndarray:
    """a * b + c with the rounding that the table above states; without c the product alone."""
    if np.dtype(dtype) == np.float64:
        a, b = a.astype(np.float64, copy=False), b.astype(np.float64, copy=False)
    result = product(a, b, precision)
    if np.dtype(dtype).kind in "iu":
        exact = result.astype(np.int64)
        return (exact if c is None else exact + c).astype(dtype)
    if c is not None:
        result = result + c.astype(result.dtype, copy=False)
    return result.astype(dtype, copy=False)


@interprets("tt.dot")
def dot(machine: Machine, op: Instruction, a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """d[..., m, n] = sum over k of a[..., m, k] * b[..., k, n] + c[..., m, n]."""
    precision = IEEE if is_by_threads(op) else op.attributes.get("inputPrecision", IEEE)
    return multiply_add(a, b, c, precision, op.result_types[0].element)


def is_by_threads(op: Instruction) -> bool:
    """Whether threads multiply by fused multiplications: the result has a layout that is not a tensor core's."""
    if op.name != "tt.dot":
        return False
    kind = op.result_types[0].text
    return "#ttg." in kind and "#ttg.nvidia_mma" not in kind


# --- dot_scaled
# ---------------------------------------------------------------------------------------------------------------------

E2M1 = 4
FORMATS = {
    0: np.dtype(ml_dtypes.float8_e4m3fn),
    1: np.dtype(ml_dtypes.float8_e5m2),
    2: np.dtype(ml_dtypes.float6_e2m3fn),
    3: np.dtype(ml_dtypes.float6_e3m2fn),
    E2M1: np.dtype(ml_dtypes.float4_e2m1fn),
    5: np.dtype(ml_dtypes.bfloat16),
    6: np.dtype(np.float16),
}


def scaled(op: Instruction, x: np.ndarray, format: int, packed_axis: int, k_axis: int, scale) -> np.ndarray:
    """The elements times their scales, in f64, where both are exact.  `scale` is [..., M or N, K / group].

    The format says what the bits are, whatever the type of the elements.

    Raises:
        NotInterpretable: there is no such format.
    """
    kind = FORMATS.get(format)
    if kind is None:
        raise NotInterpretable(f"no element format {format}", op)
    x = unpack_fp4(x, packed_axis) if format == E2M1 else x.view(kind).astype(np.float64)
    if scale is None:
        return x
    powers = scale.view(ml_dtypes.float8_e8m0fnu) if scale.dtype.kind in "iu" else scale
    wide = np.repeat(powers.astype(np.float64), x.shape[k_axis] // scale.shape[-1], axis=-1)
    return x * (wide if k_axis == -1 else np.swapaxes(wide, -1, -2))


@interprets("tt.dot_scaled")
def dot_scaled(machine: Machine, op: Instruction, *operands: np.ndarray) -> np.ndarray:
    """d = (a * a_scale) * (b * b_scale) + c."""
    attributes = op.attributes
    counts = attributes["operandSegmentSizes"]
    given = iter(operands)
    a, b, c, a_scale, b_scale = (next(given) if count else None for count in counts)
    a_axis = -1 if attributes.get("lhs_k_pack", True) else -2
    b_axis = -2 if attributes.get("rhs_k_pack", True) else -1
    wide_a = scaled(op, a, attributes["a_elem_type"], a_axis, -1, a_scale)
    wide_b = scaled(op, b, attributes["b_elem_type"], b_axis, -2, b_scale)
    result = np.matmul(wide_a, wide_b).astype(np.float32) + c.astype(np.float32, copy=False)
    return result.astype(op.result_types[0].element)
