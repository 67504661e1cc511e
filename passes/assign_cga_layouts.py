"""Divide products, reductions and the loads that feed them among the CTAs of a cluster; all else stays.

    %x = tt.load %p : tensor<32x256x!tt.ptr<f32>, #rows>             // CGALayout = [[1, 0]]
    %s = "tt.reduce"(%x) <{axis = 0 : i32}> : ... -> tensor<256xf32, #ttg.slice<{dim = 0, parent = #rows}>>
  =>
    %q = ttg.convert_layout %p : ... -> tensor<32x256x!tt.ptr<f32>, #columns>        // CGALayout = [[0, 1]]
    %x = tt.load %q : tensor<32x256x!tt.ptr<f32>, #columns>
    %t = "tt.reduce"(%x) <{axis = 0 : i32}> : ... -> tensor<256xf32, #ttg.slice<{dim = 0, parent = #columns}>>
    %s = ttg.convert_layout %t : ... -> tensor<256xf32, #ttg.slice<{dim = 0, parent = #rows}>>

The layouts are those of triton-nvidia-gpu-plan-cta, but operands of one dimension are divided along it: the CTAs then
exchange what they found.  Results are converted back.  The elementwise operations and loads of the same block that an
operand is computed from get its division too, if nothing else uses their results.

Input:  ttg.      Output: ttg; conversions around these operations.
Order:  as triton-nvidia-gpu-plan-cta, in whose place it is in Triton 3.9; optimize-cta-locality follows.
Skips:  modules whose clusters have one CTA.
Test:   test/lit/passes/assign_cga_layouts.mlir
"""

from collections.abc import Sequence

from mlir import ir

from ttkit.inspection import address_of, has_uses
from ttkit.layout.clusters import cga_layout
from ttkit.layout.encodings import Bases, Layout
from ttkit.operation_sets import BLOCK_LOADS, CONVERT_LAYOUT
from ttkit.passes.infra import Pass, collect
from ttkit.passes.layout_propagation.layout_anchors import is_tensor
from ttkit.passes.layouts.assignment import convert_operand, convert_result, tensor_layout, with_layout
from ttkit.passes.layouts.cta_divisions import (
    divided_dot,
    divided_reduction,
    is_blocked,
    of_dot,
    of_reduction,
    with_cga_layout,
)
from ttkit.passes.layouts.cta_planner import is_elementwise
from ttkit.passes.layouts.thread_counts import num_ctas


class AssignCGALayouts(Pass):
    """Divide products, reductions and the loads that feed them among the CTAs of a cluster"""

    name = "triton-nvidia-gpu-assign-cga-layouts"

    def run(self, op: ir.Operation) -> None:
        """Divides one operation after another.

        Raises:
            PassError: a dot already has the layout of an instruction.
        """
        if num_ctas(op) == 1:
            return
        for dot in collect(op, ["tt.dot"]):
            new = divided_dot(dot)
            assign(dot, of_dot(new), new)
        for reduction in collect(op, ["tt.reduce"]):
            layout = divided_reduction(reduction, divides_vectors=True)
            assign(reduction, [layout] * len(reduction.operands), of_reduction(reduction, layout))


def assign(op: ir.Operation, operands: Sequence[Layout], result: Layout | None) -> None:
    """Gives an operation layouts, with the division of its CTAs up to the loads, and converts what it makes."""
    for index, layout in enumerate(operands):
        type = with_layout(op.operands[index].type, layout)
        if op.operands[index].type != type:
            convert_from_loads(op, index, type, cga_layout(layout))
    for value in op.results:
        if result is not None and is_tensor(value):
            old = value.type
            value.set_type(with_layout(old, result))
            if value.type != old:
                convert_result(value, old)


def convert_from_loads(op: ir.Operation, index: int, type: ir.Type, bases: Bases) -> None:
    """Converts an operand, and divides what it is computed from alike, as far as nothing else uses that."""
    before = op.operands[index].owner
    convert_operand(op, index, type, op.location)
    conversion = op.operands[index].owner.operation
    if isinstance(before, ir.OpView) and before.operation.name == CONVERT_LAYOUT:  # one conversion for both
        conversion.operands[0] = before.operation.operands[0]
        if not has_uses(before.operation.result):
            before.operation.erase()
    for producer in producers(conversion):
        divide(producer, bases)
    if conversion.operands[0].type == type:
        op.operands[index] = conversion.operands[0]
        conversion.erase()


def divide(op: ir.Operation, bases: Bases) -> None:
    """Gives the results of an operation another division among CTAs, and its operands, where it needs that."""
    for number, operand in enumerate(op.operands):
        if op.name != CONVERT_LAYOUT and is_tensor(operand):
            type = divided_type(operand.type, bases, op)
            if operand.type != type:
                convert_operand(op, number, type, op.location)
    for result in op.results:
        result.set_type(divided_type(result.type, bases, op))


def divided_type(type: ir.RankedTensorType, bases: Bases, op: ir.Operation) -> ir.RankedTensorType:
    """A tensor type with another division among CTAs."""
    return with_layout(type, with_cga_layout(tensor_layout(type), type.shape, bases, op))


def producers(conversion: ir.Operation) -> list[ir.Operation]:
    """The operations of the block that compute what is converted, first to last, and whose results are used only so."""
    found: dict[int, ir.Operation] = {address_of(conversion): conversion}
    wanted = [conversion.operands[0]]
    while wanted:
        owner = wanted.pop().owner
        if isinstance(owner, ir.Block):
            continue
        op = owner.operation
        if address_of(op) in found or op.block != conversion.block or not can_be_divided(op):
            continue
        if all(address_of(use.owner.operation) in found for result in op.results for use in result.uses):
            found[address_of(op)] = op
            if op.name not in BLOCK_LOADS:
                wanted += [operand for operand in op.operands if is_tensor(operand)]
    return list(found.values())[:0:-1]


def can_be_divided(op: ir.Operation) -> bool:
    """Whether an operation may have any division among CTAs, the same for all of its tensors."""
    if not (op.name in (*BLOCK_LOADS, CONVERT_LAYOUT) or (is_elementwise(op) and len(op.operands))):
        return False
    return all(is_blocked(tensor_layout(value.type)) for value in (*op.operands, *op.results) if is_tensor(value))
