"""Removing conversions by computing their operands in the layout needed."""

from mlir import ir

from ttkit.passes.layout_propagation.backward_slice import Use
from ttkit.passes.layout_propagation.cost import is_worth_it
from ttkit.passes.layout_propagation.function_state import FunctionState
from ttkit.passes.layout_propagation.layout_anchors import is_dot_operand
from ttkit.passes.layout_propagation.slice_rewriting import rewrite_slice


def rematerialize(conversion: ir.OpView, state: FunctionState) -> None:
    """Removes a conversion by computing its operand in the layout of the result, if that costs less."""
    encoding = conversion.result.type.encoding
    if is_dot_operand(encoding):  # hoist_dot_operand does better
        return
    root = Use(conversion.operation, 0)
    existing = state.copy_before(root.value, encoding, root.owner)
    if existing is not None:
        conversion.result.replace_all_uses_with(existing)
        state.remove(conversion.operation)
        return
    found = state.slice_before(root, encoding)
    if found is not None and is_worth_it(conversion, found, state.layouts):
        rewrite_slice(found, conversion, state)
