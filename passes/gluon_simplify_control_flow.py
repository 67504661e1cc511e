"""Fold without merging equal constants, under Triton's name for it.

    %0 = arith.addi %x, %zero : tensor<128xi32, #gluon.auto_encoding>        =>      the users of %0 use %x

While layouts are unresolved, one constant with two uses might need two layouts.  As in Triton 3.6, control flow does
not change.

Input:  any.      Output: the same.
Order:  before gluon-resolve-auto-encodings.
Skips:  nothing.
Test:   test/lit/passes/gluon_simplify_control_flow.mlir
"""

from mlir import ir

from ttkit.passes.infra import Pass, canonicalize_ops


class GluonSimplifyControlFlow(Pass):
    """Fold, with equal constants apart, under the name that Triton has for it"""

    name = "gluon-slimplify-control-flow"

    def run(self, op: ir.Operation) -> None:
        """Folds all operations of the module."""
        canonicalize_ops(op, (), merge_constants=False)
