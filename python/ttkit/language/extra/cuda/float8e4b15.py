"""Conversion from and to fp8e4b15, a byte of sign, four bits of exponent with bias 15 and three of mantissa, without
infinities and NaNs.

fp16 has the same bias, so its upper bits are the byte's: seven bits at 0x3f80 and the sign.
"""

from __future__ import annotations

from typing import Any

from ttkit.language.builtin import builtin
from ttkit.language.extern import inline_asm_elementwise
from ttkit.language.tensor import tensor
from ttkit.language.type_conversion import cast_to
from ttkit.language.types import float8e4b15, float16, float32

# $2 holds four bytes; each goes to the upper half of 16 bits, from where all but the sign moves down by one.
_TO_FLOAT16 = """{
    .reg .b32 low, high, magnitude;
    prmt.b32 low, $2, 0, 0x1404;
    prmt.b32 high, $2, 0, 0x3424;
    and.b32 magnitude, low, 0x7f007f00;
    shr.b32 magnitude, magnitude, 1;
    lop3.b32 $0, low, 0x80008000, magnitude, 0xea;
    and.b32 magnitude, high, 0x7f007f00;
    shr.b32 magnitude, magnitude, 1;
    lop3.b32 $1, high, 0x80008000, magnitude, 0xea;
}"""

# Magnitudes above 1.75, the largest, become it; then half a unit is added for rounding.
_FROM_FLOAT16 = """{{
    .reg .b32 low, high;
    and.b32 low, $1, 0x7fff7fff;
    and.b32 high, $2, 0x7fff7fff;
{clamp}
    mad.lo.u32 low, low, 2, 0x00800080;
    mad.lo.u32 high, high, 2, 0x00800080;
    lop3.b32 low, $1, 0x80008000, low, 0xea;
    lop3.b32 high, $2, 0x80008000, high, 0xea;
    prmt.b32 $0, low, high, 0x7531;
}}"""
_CLAMP_PAIRS = """    .reg .b32 largest;
    mov.b32 largest, 0x3f003f00;
    min.f16x2 low, low, largest;
    min.f16x2 high, high, largest;"""
_CLAMP_EACH = """    .reg .b16 part<4>;
    .reg .pred fits<4>;
    mov.b32 {part0, part1}, low;
    mov.b32 {part2, part3}, high;
""" + "\n".join(
    f"    setp.lt.u16 fits{i}, part{i}, 0x3f00;\n    selp.b16 part{i}, part{i}, 0x3f00, fits{i};" for i in range(4)
)
_CLAMP_EACH += """
    mov.b32 low, {part0, part1};
    mov.b32 high, {part2, part3};"""


def convert(value: tensor, type: Any, rounding: str | None, has_min_of_pairs: bool) -> tensor:
    """`value` as `type`, one of which is fp8e4b15; others than fp16 by way of it."""
    if value.dtype == float8e4b15:
        half = inline_asm_elementwise(_TO_FLOAT16, "=r,=r,r", [value], dtype=float16, is_pure=True, pack=4)
        return cast_to(half, type.scalar)
    if value.dtype == float32:
        value = cast_to(value, float16, "rtz")
    value = cast_to(value, float16)
    asm = _FROM_FLOAT16.format(clamp=_CLAMP_PAIRS if has_min_of_pairs else _CLAMP_EACH)
    return inline_asm_elementwise(asm, "=r,r,r", [value], dtype=float8e4b15, is_pure=True, pack=4)


@builtin
def convert_custom_float8_sm80(arg: tensor, dst_ty: Any, fp_downcast_rounding: Any = None) -> tensor:
    """`arg` as `dst_ty`, one of which is fp8e4b15, on sm_80 and later."""
    return convert(arg, dst_ty, fp_downcast_rounding, has_min_of_pairs=True)


@builtin
def convert_custom_float8_sm70(arg: tensor, dst_ty: Any, fp_downcast_rounding: Any = None) -> tensor:
    """`arg` as `dst_ty`, one of which is fp8e4b15, before sm_80."""
    return convert(arg, dst_ty, fp_downcast_rounding, has_min_of_pairs=False)
