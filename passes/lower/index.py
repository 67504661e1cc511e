"""Lower what makes indices.

Ops: dialects/tt/index_ops.td    Test: test/lit/lower/index.mlir
"""

from mlir import ir

from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.registry import lowers


@lowers("tt.make_range")
def make_range(low: Lowering, op: ir.OpView) -> ir.Value:
    """start + the coordinate of each register."""
    emit, layout = low.emit, low.layout(op.result)
    coordinates = low.index.coordinate(layout, layout.out_dims[0])
    start = op.start
    return emit.add(coordinates, emit.constant(coordinates.type, start)) if start else coordinates
