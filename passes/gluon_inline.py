"""Inline calls, under the name that Triton's pipeline to LLVM has for it.

    tt.func @k() { tt.call @f() }        =>        tt.func @k() { <the body of f> }

It is MLIR's `inline`, which ttkit's own stages use.  The inlined code is folded; constants and loops do not move.  With
this name, reproducers that Triton writes for that stage run.

Input:  tt or ttg.      Output: the same, without private functions that are not called.
Order:  after convert-scf-to-cf, before passes that allocate memory.
Skips:  functions marked `noinline`.
Test:   test/lit/passes/gluon_inline.mlir
"""

from mlir import ir
from mlir.passmanager import PassManager

from ttkit.passes.infra import Pass, canonicalize_ops


class GluonInline(Pass):
    """Inline calls, by the name of Triton's pass"""

    name = "gluon-inline"

    def run(self, op: ir.Operation) -> None:
        """Inlines all calls of the module; functions without blocks that nothing reaches go into loops, too."""
        canonicalize_ops(op, (), merge_constants=False)
        PassManager.parse(f"{op.name}(inline{{default-pipeline=}})", op.context).run(op)
        canonicalize_ops(op, (), merge_constants=False)
