"""Lower mathematical functions.

f32 functions with an instruction of the hardware use it, with the accuracy that Triton accepts too; the others call
libdevice.

Ops: MLIR's math dialect, dialects/tt/math_ops.td    Test: test/lit/lower/math.mlir
"""

from mlir import ir

from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.registry import lowers

LOG2_E = 1.4426950408889634


@lowers("math.exp2")
def exp2(low: Lowering, op: ir.OpView, value: ir.Value) -> ir.Value:
    """2 ** x"""
    return low.each(lambda x: low.emit.intrinsic("llvm.nvvm.ex2.approx", low.emit.f32, x), value)


@lowers("math.exp")
def exp(low: Lowering, op: ir.OpView, value: ir.Value) -> ir.Value:
    """2 ** (x * log2 e)"""
    emit = low.emit
    return exp2(low, op, emit.same("llvm.fmul", value, emit.constant(value.type, LOG2_E)))
