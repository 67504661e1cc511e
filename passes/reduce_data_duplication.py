"""Convert dot operands through shared memory, in which each element is stored once.

    %d = ttg.convert_layout %x : tensor<128x32xf16, #blocked> -> tensor<128x32xf16, #ttg.dot_op<...>>
  =>
    %m = ttg.local_alloc %x : (tensor<128x32xf16, #blocked>) -> !ttg.memdesc<128x32xf16, #shared, #smem>
    %d = ttg.local_load %m : !ttg.memdesc<128x32xf16, #shared, #smem> -> tensor<128x32xf16, #ttg.dot_op<...>>

Many threads need the same element of an operand.  A conversion would store it in its own order; this buffer is
swizzled so that ldmatrix can read the operand.

Input:  ttg.      Output: ttg.
Order:  after the last pass that removes conversions, before reorder-instructions, which moves buffers to their data.
Skips:  other conversions, and those that need no shared memory.
Test:   test/lit/passes/reduce_data_duplication.mlir
"""

from mlir import ir

from ttkit.dialects import ttg
from ttkit.dialects._layouts import layout_of
from ttkit.dialects._ttg_types import MemDescType
from ttkit.layout import to_linear_layout
from ttkit.layout.clusters import cga_layout
from ttkit.layout.conversion_plan import plan_conversion
from ttkit.layout.encodings import DotOperand
from ttkit.operation_sets import CONVERT_LAYOUT
from ttkit.passes.infra import Pass, collect, replace_by
from ttkit.passes.layouts.assignment import tensor_layout
from ttkit.passes.layouts.orders import order_for_memory
from ttkit.passes.layouts.shared import swizzled_for_operand


class ReduceDataDuplication(Pass):
    """Convert dot operands through shared memory"""

    name = "tritongpu-reduce-data-duplication"

    def run(self, op: ir.Operation) -> None:
        """Looks at each conversion to the layout of a dot operand."""
        for conversion in collect(op, [CONVERT_LAYOUT]):
            if isinstance(layout_of(conversion.result), DotOperand):
                go_through_shared_memory(conversion)


def go_through_shared_memory(conversion: ir.Operation) -> None:
    """Replaces a conversion to a dot operand by a store to shared memory and a load, unless shuffles suffice."""
    source, result = conversion.opview.src.type, conversion.result.type
    source_layout, operand = tensor_layout(source), tensor_layout(result)
    shape, bits = tuple(source.shape), source.element_type.width
    linear = to_linear_layout(shape, source_layout)
    if not plan_conversion(linear, to_linear_layout(shape, operand)).needs_shared_memory:
        return
    assert isinstance(operand, DotOperand)
    shared = swizzled_for_operand(operand, shape, order_for_memory(linear), bits, cga_layout(source_layout))
    with conversion.location, ir.InsertionPoint(conversion):
        buffer = MemDescType.get(shape, result.element_type, shared)
        loaded = ttg.local_load(ttg.local_alloc(buffer, src=conversion.opview.src), result)
    replace_by(conversion, [loaded])
