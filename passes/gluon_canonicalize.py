"""Canonicalize arithmetic and accesses, without touching layouts or control flow.

    %mask = arith.constant dense<true> : tensor<128xi1, #blocked>
    %x = tt.load %p, %mask : tensor<128x!tt.ptr<f32>, #blocked>
  =>
    %x = tt.load %p : tensor<128x!tt.ptr<f32>, #blocked>

The pass has the patterns of arith, of loads, stores, broadcasts and expand_dims, and of warp specialization.  It does
not have those of layout conversions and others that would choose layouts, nor, as in Triton 3.6, those of scf and cf.
Loops yield dead carried values unchanged.

Input:  ttg, with gluon or without.      Output: the same.
Order:  anywhere; used where canonicalize would change layouts chosen in the kernel.
Skips:  other operations, which are only folded.
Test:   test/lit/passes/gluon_canonicalize.mlir
"""

from mlir import ir

from ttkit.operation_sets import PARTITIONS, WARP_SPECIALIZE
from ttkit.passes.infra import Pass, canonicalize_ops
from ttkit.passes.infra.dead_loop_arguments import drop_dead_loop_arguments
from ttkit.passes.infra.retyping import operation_names

_ACCESSES_AND_SHAPES = ("tt.load", "tt.store", "tt.broadcast", "tt.expand_dims")
_SPECIALIZATION = (WARP_SPECIALIZE, PARTITIONS)


class GluonCanonicalize(Pass):
    """Canonicalize arithmetic and accesses, without touching layouts or control flow"""

    name = "gluon-canonicalize"

    def run(self, op: ir.Operation) -> None:
        """Applies the patterns until they make nothing new."""
        drop_dead_loop_arguments(op)
        changed = True
        while changed:
            arithmetic = [name for name in operation_names(op) if name.startswith("arith.")]
            changed = canonicalize_ops(op, [*arithmetic, *_ACCESSES_AND_SHAPES, *_SPECIALIZATION])
