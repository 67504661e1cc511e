"""Give accesses with gluon's coalesced layout the one in which a warp accesses neighbouring addresses.

    %q = gluon.set_auto_layout %p : tensor<..., #gluon.auto_encoding> -> tensor<..., #gluon.coalesced_encoding>
    %x = tt.load %q : tensor<1024x!tt.ptr<f32>, #gluon.coalesced_encoding>
  =>
    %q = gluon.set_auto_layout %p : tensor<..., #gluon.auto_encoding> -> tensor<..., #blocked>
    %x = tt.load %q : tensor<1024x!tt.ptr<f32>, #blocked>     // sizePerThread = [4]

That layout is the one of tritongpu-coalesce.  Operands of the access, and values computed from its result, get it too
if they have the coalesced layout.

Input:  ttg with gluon, one CTA.      Output: the same without #gluon.coalesced_encoding.
Order:  after inlining, before gluon-resolve-auto-encodings.
Skips:  accesses with other layouts; a tensor with the coalesced layout that no access reaches is an error.
Test:   test/lit/passes/gluon_infer_coalesced_encodings.mlir
"""

from mlir import ir

from ttkit.analysis.axis_analysis import AxisInfoAnalysis
from ttkit.dialects._layouts import attribute
from ttkit.inspection import collect
from ttkit.operation_sets import ALL_POINTER_ACCESSES
from ttkit.passes.coalesce import Coalesce, coalesced_layouts, note_argument_facts, points_to_elements
from ttkit.passes.infra import Pass
from ttkit.passes.infra.masks import pointer_of
from ttkit.passes.layouts.open_layouts import COALESCED, has_layout, refuse_open, settle


class GluonInferCoalescedEncodings(Pass):
    """Give accesses with gluon's coalesced layout the one in which a warp accesses neighbouring addresses"""

    name = "gluon-infer-coalesced-encodings"

    def run(self, op: ir.Operation) -> None:
        """Chooses the layouts of a module's accesses, then settles one function after the other."""
        analysis = AxisInfoAnalysis()
        note_argument_facts(op, analysis)
        for function in collect(op, ["tt.func"]):
            accesses = [access for access in collect(function, ALL_POINTER_ACCESSES) if points_to_elements(access)]
            accesses = [access for access in accesses if has_layout(pointer_of(access).type, COALESCED)]
            layouts = [
                (access, attribute(layout, op.context))
                for access, layout in coalesced_layouts(op, accesses, analysis, Coalesce())
            ]
            settle(function, COALESCED, [(value, layout) for access, layout in layouts for value in access.operands])
        refuse_open(op, COALESCED)
