"""Move a tensor between threads once, where it is needed in layouts that differ in the order of registers alone.

    %a = ttg.convert_layout %x : tensor<128x2xi8, #b> -> tensor<128x2xi8, #c>
    %d = ttg.convert_layout %x : tensor<128x2xi8, #b> -> tensor<128x2xi8, #e>
  =>
    %a = ttg.convert_layout %x : tensor<128x2xi8, #b> -> tensor<128x2xi8, #c>
    %d = ttg.convert_layout %a : tensor<128x2xi8, #c> -> tensor<128x2xi8, #e>     // takes no instruction

Passes that divide a product along its operand's columns choose a layout for the masks, and another one for the numbers,
of each part.  Both tensors may come from one of scales, which then goes through shared memory twice.

Input:  ttg.      Output: ttg.
Order:  after the last canonicalize, which would take the second conversion's source from the first; before allocation.
Skips:  conversions in other blocks; layouts for which a thread needs elements that the first one does not give it.
Test:   test/lit/passes/convert_once.mlir
"""

from mlir import ir

from ttkit.layout import LinearLayout, to_linear_layout
from ttkit.layout.conversion_plan import Movement, plan_conversion
from ttkit.operation_sets import CONVERT_LAYOUT
from ttkit.passes.infra import Pass, collect
from ttkit.passes.layouts.assignment import tensor_layout


class ConvertOnce(Pass):
    """Convert tensors once to layouts that differ in the order of registers"""

    name = "ttkit-convert-once"

    def run(self, op: ir.Operation) -> None:
        """Takes each conversion's source from an earlier one of the same tensor, if registers then stay in threads."""
        earlier: dict[tuple[ir.Value, ir.Block], list[ir.Value]] = {}
        for conversion in collect(op, [CONVERT_LAYOUT]):
            source, result = conversion.operands[0], conversion.results[0]
            if stays(source, result):
                continue
            found = earlier.setdefault((source, conversion.block), [])
            near = next((other for other in found if stays(other, result)), None)
            if near is None:
                found.append(result)
            else:
                conversion.operands[0] = near


def stays(source: ir.Value, result: ir.Value) -> bool:
    """Whether a conversion between the layouts of two tensors moves nothing between threads."""
    return plan_conversion(linear_layout(source), linear_layout(result)).movement <= Movement.REGISTERS


def linear_layout(tensor: ir.Value) -> LinearLayout:
    """A tensor's layout as a linear one."""
    return to_linear_layout(tuple(tensor.type.shape), tensor_layout(tensor.type))
