"""Canonicalize arithmetic and accesses, without touching layouts or control flow.

    %mask = arith.constant dense<true> : tensor<128xi1, #blocked>
    %x = tt.load %p, %mask : tensor<128x!tt.ptr<f32>, #blocked>
  =>
    %x = tt.load %p : tensor<128x!tt.ptr<f32>, #blocked>

The patterns of arith, of loads, stores, broadcasts and expansions of dimensions, and of warp specialization; not those
of layout conversions and others that would choose layouts, nor, as in Triton 3.6, those of scf and cf.  Loops yield
unchanged what only leads to itself.

Input:  ttg, with gluon or without.      Output: the same.
Order:  anywhere; where canonicalize would change the layouts that the kernel's author chose.
Skips:  operations of other kinds, which are folded only.
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
