"""Compute f32 dots on tensor cores, as a sum of dots of tf32 or bf16 parts.

    %d = tt.dot %a, %b, %c, inputPrecision = tf32x3
  =>
    %a0 = %a rounded to tf32      %a1 = arith.subf %a, %a0      // likewise %b0, %b1
    %0 = tt.dot %a1, %b0, %zero, inputPrecision = tf32
    %1 = tt.dot %a0, %b1, %0, inputPrecision = tf32
    %2 = arith.select (%1 is NaN), %zero, %1
    %3 = tt.dot %a0, %b0, %2, inputPrecision = tf32
    %d = arith.addf %3, %c

`bf16x3` and `bf16x6` use two and three bf16 parts.  The dots of small parts are added first.  The select is for
infinities: their remainders are NaN, while their product is not.

Input:  tt or ttg.      Output: the same level.
Order:  before accelerate-matmul, which needs the types that the tensor cores take.
Skips:  dots of other types or precisions; tf32x3 unless `emu-tf32` asks for it.
Test:   test/lit/passes/f32_dot_tc.mlir
"""

from mlir import ir
from mlir.rewrite import PatternRewriter

from ttkit.dialects import arith, tt
from ttkit.dialects.tt import InputPrecision
from ttkit.passes.infra import MATCHED, NO_MATCH, Match, Pass, apply_greedily, option
from ttkit.records import dataclass

# The pairs of parts of a and b to multiply, smallest first.  Part 0 is the rounded number, part 1 its remainder ...
TWO_PARTS = ((1, 0), (0, 1), (0, 0))
THREE_PARTS = ((1, 1), (2, 0), (0, 2), (1, 0), (0, 1), (0, 0))
ROUND_TO_TF32 = "cvt.rna.tf32.f32 $0, $1;"


@dataclass(frozen=True)
class F32DotTC(Pass):
    """Compute f32 dots on tensor cores, as a sum of dots of tf32 or bf16 parts"""

    name = "tritongpu-F32DotTC"
    may_change = "the rounding of dots"

    emu_tf32: bool = option(False, "also split dots of precision tf32x3, into tf32 parts")

    def run(self, op: ir.Operation) -> None:
        """Splits each dot of float32 that asks for it."""
        apply_greedily(op, {"tt.dot": self.split_dot})

    def split_dot(self, op: ir.OpView, rewriter: PatternRewriter) -> Match:
        """dot(a, b, c) -> sum of dot(part of a, part of b) + c"""
        if not all(isinstance(operand.type.element_type, ir.F32Type) for operand in (op.a, op.b)):
            return NO_MATCH
        precision = op.inputPrecision
        with rewriter.ip, op.location:
            if precision == InputPrecision.TF32x3 and self.emu_tf32:
                parts = [tf32_parts(operand) for operand in (op.a, op.b)]
                imprecise = op.maxNumImpreciseAcc
                total = sum_of_dots(op, parts, TWO_PARTS, InputPrecision.TF32, imprecise)
            elif precision == InputPrecision.BF16x3:
                total = sum_of_dots(op, [bf16_parts(operand, 2) for operand in (op.a, op.b)], TWO_PARTS)
            elif precision == InputPrecision.BF16x6:
                total = sum_of_dots(op, [bf16_parts(operand, 3) for operand in (op.a, op.b)], THREE_PARTS)
            else:
                return NO_MATCH
        rewriter.replace_op(op, [total])
        return MATCHED


def tf32_parts(value: ir.Value) -> list[ir.Value]:
    """A number rounded to tf32, and the remainder."""
    rounded = tt.elementwise_inline_asm(ROUND_TO_TF32, "=r,r", [value], [value.type])
    return [rounded, arith.subf(value, rounded)]


def bf16_parts(value: ir.Value, count: int) -> list[ir.Value]:
    """A number rounded to bf16, the remainder rounded to bf16, and so on."""
    type = value.type
    bf16 = ir.RankedTensorType.get(type.shape, ir.BF16Type.get(), type.encoding)
    parts = []
    for i in range(count):
        parts.append(arith.truncf(bf16, value))
        if i < count - 1:
            value = arith.subf(value, arith.extf(type, parts[-1]))
    return parts


def sum_of_dots(
    op: ir.OpView,
    parts: list[list[ir.Value]],
    pairs: tuple[tuple[int, int], ...],
    precision: int = InputPrecision.IEEE,
    imprecise: int = 0,
) -> ir.Value:
    """c + the sum of the dots of parts of a and b."""
    zero = arith.constant(op.c.type, 0.0)
    total = zero
    for i, j in pairs:
        if (i, j) == pairs[-1]:
            is_nan = arith.cmpf("uno", total, total)
            total = arith.select(is_nan, zero, total)
        operands = (parts[0][i], parts[1][j], total)
        total = tt.dot(*operands, input_precision=precision, max_num_imprecise_acc=imprecise)
    return arith.addf(total, op.c)
