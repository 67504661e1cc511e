"""Lower matrix products: the layout of the result says by which means.

    #ttg.nvidia_mma, version 2    mma.sync (mma.py)
    any other                     fused multiply-adds, without tensor cores (dot_fma.py)

tt.dot_scaled is lowered by mma.sync alone (mma_scaled.py).

Ops: dialects/tt/dot_ops.td    Test: test/lit/lower/mma.mlir, mma_scaled.mlir, dot_fma.mlir
"""

from mlir import ir

from ttkit.dialects._layouts import layout_of
from ttkit.layout.encodings import NvidiaMma
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.registry import lowers
from ttkit.passes.lower.types import StoredOperand
from ttkit.passes.lower.unsupported import CannotLower

MMA_SYNC = 2


@lowers("tt.dot")
def dot(
    low: Lowering, op: ir.OpView, a: ir.Value | StoredOperand, b: ir.Value | StoredOperand, c: ir.Value
) -> ir.Value:
    """d[..., m, n] = c[..., m, n] + the sum over k of a[..., m, k] * b[..., k, n]"""
    layout = layout_of(op.result)
    if isinstance(layout, NvidiaMma) and layout.version_major == MMA_SYNC:
        from ttkit.passes.lower import mma

        return mma.multiply(low, op, a, b, c)
    from ttkit.passes.lower import dot_fma

    return dot_fma.multiply(low, op, a, b, c)


@lowers("tt.dot_scaled")
def dot_scaled(low: Lowering, op: ir.OpView, a: ir.Value, b: ir.Value, c: ir.Value, *scales: ir.Value) -> ir.Value:
    """d[m, n] = c[m, n] + the sum over k of a[m, k] * scale of a[m, k / block] * b[k, n] * scale of b[n, k / block]

    Raises:
        CannotLower: the result is not mma.sync's.
    """
    layout = layout_of(op.result)
    if not isinstance(layout, NvidiaMma) or layout.version_major != MMA_SYNC:
        raise CannotLower(
            "found a result that is not mma.sync's; run ttkit-decompose-dot-scaled, which makes it a tt.dot, before "
            "layouts are assigned"
        )
    from ttkit.passes.lower import mma_scaled

    given = list(scales)
    of_a = given.pop(0) if op.a_scale is not None else None
    return mma_scaled.multiply(low, op, a, b, c, (of_a, given.pop(0) if op.b_scale is not None else None))
