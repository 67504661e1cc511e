"""Conversions of tt and ttg: bits, floats of any width, addresses, packed fp4."""

from __future__ import annotations

import numpy as np

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.machine import Machine
from ttkit.interpreter.numerics.rounding import NEAREST, TOWARD_ZERO, as_unsigned, rounded, saturated, widened
from ttkit.interpreter.ops.registry import interprets

Array = np.ndarray


@interprets("tt.bitcast")
def bitcast(machine: Machine, op: Instruction, src: Array) -> Array:
    """result[i] has the bits of src[i]; addresses stay."""
    return src if op.operand_types[0].pointee is not None else src.view(op.result_types[0].element)


@interprets("tt.int_to_ptr", "tt.ptr_to_int")
def address(machine: Machine, op: Instruction, src: Array) -> Array:
    """The same 64 bits: a pointer is its byte address."""
    return src


@interprets("tt.fp_to_fp")
def fp_to_fp(machine: Machine, op: Instruction, src: Array) -> Array:
    """src[i] in the type of the result, rounded to nearest even (rtne) or toward zero (rtz).

    An fp8 result saturates: beyond the largest number, and at infinities, it is the largest; NaN stays.  f16, bf16 and
    f32 overflow as IEEE asks: rtne to infinity, rtz to the largest.
    """
    dtype = op.result_types[0].element
    wide = widened(src)
    if dtype.itemsize == 1:
        wide = saturated(wide, dtype)
    return rounded(wide, dtype, TOWARD_ZERO if op.attributes.get("rounding", 1) == 0 else NEAREST)


FP4 = np.array([0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0], np.float32)
"""The magnitudes of e2m1; the fourth bit is the sign."""


@interprets("ttg.fp4_to_fp")
def fp4_to_fp(machine: Machine, op: Instruction, src: Array) -> Array:
    """Each byte is two e2m1 numbers along `axis`: element 2 i in the low half, element 2 i + 1 in the high one."""
    axis = op.attributes["axis"] + 1
    bits = as_unsigned(src)
    codes = np.stack([bits & 15, bits >> 4], axis + 1).reshape(*src.shape[:axis], -1, *src.shape[axis + 1 :])
    return np.concatenate([FP4, -FP4])[codes].astype(op.result_types[0].element)
