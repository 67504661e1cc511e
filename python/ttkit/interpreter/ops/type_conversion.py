"""Conversions of tt and ttg: bits, floats of any width, addresses, packed fp4."""

from __future__ import annotations

import numpy as np

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.machine import Machine
from ttkit.interpreter.numerics.elementary import unpack_fp4
from ttkit.interpreter.numerics.rounding import NEAREST, TOWARD_ZERO, rounded, saturated, widened
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


@interprets("ttg.fp4_to_fp")
def fp4_to_fp(machine: Machine, op: Instruction, src: Array) -> Array:
    """Each byte is two e2m1 numbers along `axis`: element 2 i in the low half, element 2 i + 1 in the high one."""
    return unpack_fp4(src, op.attributes["axis"] + 1).astype(op.result_types[0].element)
