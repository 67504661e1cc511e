"""Lower products of scaled operands by mma.sync with block scales (sm_120).

As mma.py, with a word of scales for each operand, and which of its bytes count:

    d = llvm.nvvm.mma.block.scale.m16n8k32...(words of a, words of b, d, scales of a, byte, 0, scales of b, byte, 0)

Ops: dialects/tt/dot_ops.td    Test: test/lit/lower/mma_scaled.mlir
"""

from mlir import ir

from ttkit.dialects.tt import ScaleDotElemType as Formats
from ttkit.layout.mma_fragments import MmaShape, plan_mma
from ttkit.layout.mma_scales import plan_scales
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.mma import operand_words
from ttkit.passes.lower.unsupported import CannotLower, require_f32_accumulator
from ttkit.passes.lower.words import to_words

FP8 = {Formats.E4M3: "e4m3", Formats.E5M2: "e5m2"}
SHAPE = MmaShape(16, 8, 32)
"""Tiles of an instruction; k in bytes: elements of fp8, pairs of fp4."""
BYTES_IN_WORD = 4
ONES = 0x7F7F7F7F
"""Four scales in ue8m0 that change nothing."""


def multiply(
    low: Lowering, op: ir.OpView, a: ir.Value, b: ir.Value, c: ir.Value, scales: tuple[ir.Value | None, ir.Value | None]
) -> ir.Value:
    """c + (a * its scales) * (b * its scales).

    Raises:
        CannotLower: the target has no instruction for these formats, or for a result that is not in f32.
        UnsuitableLayout: operands or scales are not where it takes them from.
    """
    emit = low.emit
    low.require("has_scaled_mma_sync", "products of scaled operands on tensor cores")
    types = [value.type for value in (op.a, op.b, op.result)]
    left, right, result = (low.types.layout(type) for type in types)
    require_f32_accumulator(types[2])
    ending, block = instruction(op)
    plan = plan_mma(result, left, right, (SHAPE,), 8)
    bytes_of_scales = []
    for index, (given, value, layout) in enumerate(zip((op.a_scale, op.b_scale), scales, (left, right))):
        if value is None:
            bytes_of_scales.append([(emit.i32_constant(ONES), 0)] * len(plan.steps))
            continue
        words = to_words(low, value)
        registers = plan_scales(plan, layout, low.layout(given), index, block)
        bytes_of_scales.append([(words[r // BYTES_IN_WORD], r % BYTES_IN_WORD) for r in registers])
    words_a, words_b = operand_words(low, a, plan), operand_words(low, b, plan)
    parts, name = emit.unpack(c), f"llvm.nvvm.mma.block.scale.{ending}"
    struct, zero = emit.struct([emit.f32] * 4), emit.constant(emit.i16, 0)
    for step, (scale_a, byte_a), (scale_b, byte_b) in zip(plan.steps, *bytes_of_scales, strict=True):
        operands = [
            *(words_a[register // plan.elements] for register in step.a),
            *(words_b[register // plan.elements] for register in step.b),
            *(parts[register] for register in step.result),
            *(scale_a, emit.constant(emit.i16, byte_a), zero),
            *(scale_b, emit.constant(emit.i16, byte_b), zero),
        ]
        found = emit.intrinsic(name, struct, *operands)
        for index, register in enumerate(step.result):
            parts[register] = emit.field(found, index, emit.f32)
    return emit.pack(parts)


def instruction(op: ir.OpView) -> tuple[str, int]:
    """Suffix of the instruction for an operation's formats, and the number of bytes that share a scale.

    Raises:
        CannotLower: there is none.
    """
    formats = op.a_elem_type, op.b_elem_type
    kinds = {str(scale.type.element_type) for scale in (op.a_scale, op.b_scale) if scale is not None}
    if all(format in FP8 for format in formats) and kinds <= {"i8"}:
        a, b = (FP8[format] for format in formats)
        return f"m16n8k32.row.col.mxf8f6f4.scale.1x.f32.{a}.{b}.f32.ue8m0", 32
    packed = op.lhs_k_pack and op.rhs_k_pack
    if formats == (Formats.E2M1, Formats.E2M1) and packed:
        if kinds == {"f8E4M3FN"} and op.a_scale is not None and op.b_scale is not None:
            return "m16n8k64.row.col.mxf4nvf4.scale.4x.f32.e2m1.e2m1.f32.ue4m3", 8
        if kinds <= {"i8"}:
            return "m16n8k64.row.col.mxf4nvf4.scale.2x.f32.e2m1.e2m1.f32.ue8m0", 16
    names = " and ".join(str(format).rpartition(".")[2].lower() for format in formats)
    raise CannotLower(f"mma.sync has no product of {names} with these scales; run ttkit-decompose-dot-scaled")
