"""Store tensors as the CTAs of a cluster hold them, where an exchange between CTAs precedes the store.

    %y = ttg.convert_layout %x : tensor<64x128xf32, #rows> -> tensor<64x128xf32, #columns>   // other CTAs, other layout
    tt.store %p, %y : tensor<64x128x!tt.ptr<f32>, #columns>
  =>
    %y = ttg.convert_layout %x : tensor<64x128xf32, #rows> -> tensor<64x128xf32, #columns_in_rows>  // within each CTA
    %q = ttg.convert_layout %p : ... -> tensor<64x128x!tt.ptr<f32>, #columns_in_rows>
    tt.store %q, %y : tensor<64x128x!tt.ptr<f32>, #columns_in_rows>

The store keeps its layout within each CTA, which coalesces it; only the CTAs are those of the tensor that is converted.

Input:  ttg.      Output: ttg; conversions of pointers and masks, for remove-layout-conversions to remove.
Order:  after remove-layout-conversions, which leaves the exchanges that are needed; before accelerate-matmul.
Skips:  stores whose pointers or masks can't be computed again in another layout.
Test:   test/lit/passes/optimize_cta_locality.mlir
"""

from mlir import ir

from ttkit.inspection import has_uses
from ttkit.layout.clusters import cga_layout
from ttkit.operation_sets import CONVERT_LAYOUT
from ttkit.passes.infra import Pass, collect
from ttkit.passes.infra.layout_inference import LayoutInference
from ttkit.passes.layout_propagation.backward_slice import Use
from ttkit.passes.layout_propagation.function_state import FunctionState
from ttkit.passes.layout_propagation.layout_anchors import is_tensor
from ttkit.passes.layouts.assignment import convert_operand, tensor_layout, with_layout
from ttkit.passes.layouts.cta_divisions import is_blocked, with_cga_layout
from ttkit.passes.layouts.thread_counts import num_ctas

VALUE = 1
"""The operand of a store that is stored."""


class OptimizeCTALocality(Pass):
    """Store tensors as the CTAs of a cluster hold them, where an exchange between CTAs precedes the store"""

    name = "triton-nvidia-gpu-optimize-cta-locality"

    def run(self, op: ir.Operation) -> None:
        """Changes one store after another, unless clusters have one CTA."""
        if num_ctas(op) == 1:
            return
        state = FunctionState(LayoutInference())
        for store in collect(op, ["tt.store"]):
            type = type_of_ctas(store)
            if type is not None and all(
                state.slice_before(Use(store, index), type.encoding) is not None
                for index in range(len(store.operands))
                if index != VALUE
            ):
                keep_ctas(store, type)


def type_of_ctas(store: ir.Operation) -> ir.RankedTensorType | None:
    """The stored tensor's type, divided as the tensor of which it is an exchange; None if nothing is exchanged."""
    value = store.operands[VALUE]
    if not is_tensor(value) or isinstance(value.owner, ir.Block) or value.owner.operation.name != CONVERT_LAYOUT:
        return None
    layout, source = tensor_layout(value.type), tensor_layout(value.owner.operation.operands[0].type)
    bases = cga_layout(source)
    if not is_blocked(layout) or bases == cga_layout(layout):
        return None
    return with_layout(value.type, with_cga_layout(layout, value.type.shape, bases, store))


def keep_ctas(store: ir.Operation, type: ir.RankedTensorType) -> None:
    """Stores the tensor in the layout of `type`."""
    conversion = store.operands[VALUE].owner.operation
    store.operands[VALUE] = conversion.operands[0]
    for index, operand in enumerate(store.operands):
        wanted = with_layout(operand.type, type.encoding)
        if operand.type != wanted:
            convert_operand(store, index, wanted, store.location)
    if not has_uses(conversion.result):
        conversion.erase()
