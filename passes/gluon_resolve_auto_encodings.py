"""Give tensors whose layout is open the one that their uses ask for.

    %0 = tt.make_range ... : tensor<128xi32, #gluon.auto_encoding>
    %1 = arith.addi %0, %0 : tensor<128xi32, #gluon.auto_encoding>
    %2 = gluon.set_auto_layout %1 : tensor<128xi32, #gluon.auto_encoding> -> tensor<128xi32, #blocked>
  =>
    %0 = tt.make_range ... : tensor<128xi32, #blocked>
    %1 = arith.addi %0, %0 : tensor<128xi32, #blocked>

The layout of a `gluon.set_auto_layout` spreads to operands and users, through loops, branches and changes of shape.  If
a join, split, reshape or transposition could have several layouts, a requested layout wins over an inferred one.

Input:  ttg with gluon.      Output: ttg without open layouts.
Order:  after inlining and gluon-infer-coalesced-encodings.
Skips:  nothing; a tensor without a requested layout, or with two of them, is an error.
Test:   test/lit/passes/gluon_resolve_auto_encodings.mlir
"""

from mlir import ir

from ttkit.inspection import collect
from ttkit.passes.infra import Pass
from ttkit.passes.layouts.open_layouts import AUTO, refuse_open, settle


class GluonResolveAutoEncodings(Pass):
    """Give tensors whose layout is open the one that their uses ask for"""

    name = "gluon-resolve-auto-encodings"

    def run(self, op: ir.Operation) -> None:
        """Resolves each function, and removes the operations that set layouts."""
        for function in collect(op, ["tt.func"]):
            setters = collect(function, ["gluon.set_auto_layout"])
            settle(function, AUTO, [(setter.opview.src, setter.result.type.encoding) for setter in setters])
            for setter in setters:
                setter.result.replace_all_uses_with(setter.opview.src)
                setter.erase()
        refuse_open(op, AUTO)
