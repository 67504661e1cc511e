"""Lower matrix products: the layout of the result says by which means.

    #ttg.nvidia_mma, version 2    mma.sync (mma.py)
    any other                     fused multiply-adds, without tensor cores (dot_fma.py)

Ops: dialects/tt/dot_ops.td    Test: test/lit/lower/mma.mlir, dot_fma.mlir
"""

from mlir import ir

from ttkit.dialects._layouts import layout_of
from ttkit.layout.encodings import NvidiaMma
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.registry import lowers
from ttkit.passes.lower.types import StoredOperand

MMA_SYNC = 2


@lowers("tt.dot")
def dot(
    low: Lowering, op: ir.OpView, a: ir.Value | StoredOperand, b: ir.Value | StoredOperand, c: ir.Value
) -> ir.Value:
    """d[..., m, n] = c[..., m, n] + the sum over k of a[..., m, k] * b[..., k, n]"""
    layout = layout_of(op.operation.results[0])
    if isinstance(layout, NvidiaMma) and layout.version_major == MMA_SYNC:
        from ttkit.passes.lower import mma

        return mma.multiply(low, op, a, b, c)
    from ttkit.passes.lower import dot_fma

    return dot_fma.multiply(low, op, a, b, c)
