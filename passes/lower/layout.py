"""Lower conversions between layouts.

What moves decides the means (ttkit.layout.conversion): nothing, registers of a thread, lanes of a warp by shuffles,
or warps through shared memory.

Ops: dialects/ttg/layout_ops.td    Test: test/lit/lower/layout.mlir
"""

from mlir import ir

from ttkit.layout.conversion import Movement, plan_conversion
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.registry import lowers


@lowers("ttg.convert_layout")
def convert_layout(low: Lowering, op: ir.OpView, value: ir.Value) -> ir.Value:
    """result = src, element by element."""
    source, target = low.layout(op.operation.operands[0]), low.layout(op.operation.results[0])
    plan = plan_conversion(source, target)
    if plan.movement <= Movement.REGISTERS:
        return low.emit.pick(value, plan.source_registers())
    raise ValueError("not yet")
