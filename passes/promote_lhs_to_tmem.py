"""Give an mma its first operand in tensor memory, if the operand is computed in registers.

    %m = ttg.local_alloc %x : (tensor<128x64xf16, #linear>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
    %t = ttng.tc_gen5_mma %m, %b, %acc[%t0], %true, %true
  =>
    %m = ttng.tmem_alloc %x : (tensor<128x64xf16, #linear>) -> !ttg.memdesc<128x64xf16, #tmem, #ttng.tensor_memory>
    %t = ttng.tc_gen5_mma %m, %b, %acc[%t0], %true, %true

A chained mma, as in attention, then does not need shared memory for it.

Input:  ttg and ttng.      Output: the same level.
Order:  after hoist-tmem-alloc, before pipelining.
Skips:  elements of other than 16 and 32 bits; operands that are loaded, unless their layout is that of tensor memory;
        operands made in another region than the product.
Test:   test/lit/passes/promote_lhs_to_tmem.mlir
"""

from typing import Any

from mlir import ir
from mlir.rewrite import PatternRewriter

import ttkit.knobs as knobs
from ttkit.dialects import ttg, ttng
from ttkit.dialects._layouts import layout_of
from ttkit.dialects._ttg_types import MemDescType
from ttkit.layout import to_linear_layout
from ttkit.layout.clusters import cga_layout, cta_splits
from ttkit.layout.encodings import TensorMemory
from ttkit.layout.tensor_memory_registers import HALF_ROWS
from ttkit.operation_sets import TCGEN5_MMAS
from ttkit.passes.infra import MATCHED, NO_MATCH, Match, Pass, apply_greedily, defining_op, set_operands
from ttkit.passes.layouts.assignment import tensor_layout, with_layout
from ttkit.passes.layouts.thread_counts import num_warps
from ttkit.passes.layouts.tmem_access_layouts import access_layout, is_accessible
from ttkit.passes.products.operands import is_loaded

WIDTHS = (16, 32)


class PromoteLHSToTMem(Pass):
    """Give an mma its first operand in tensor memory, if the operand is computed in registers"""

    name = "tritongpu-promote-lhs-to-tmem"
    dependent_dialects = ("ttng",)

    def run(self, op: ir.Operation) -> None:
        """Applies the pattern to mmas in tensor memory until nothing changes."""
        apply_greedily(op, dict.fromkeys(TCGEN5_MMAS, promote))


def promote(op: Any, rewriter: PatternRewriter) -> Match:
    """mma(local_alloc(x), b, d) -> mma(tmem_alloc(x), b, d)"""
    alloc = defining_op(op.a, "ttg.local_alloc")
    if alloc is None or alloc.src is None or alloc.operation.block.region != op.operation.block.region:
        return NO_MATCH
    memory, accumulator = op.a.type, layout_of(op.d)
    if memory.element_type.width not in WIDTHS or not isinstance(accumulator, TensorMemory):
        return NO_MATCH
    value = alloc.src
    cga = cga_layout(tensor_layout(value.type))
    above, beside = cta_splits(cga, 2)
    if beside > 1:
        return NO_MATCH  # each CTA has some of the columns, and needs all
    blocks = TensorMemory(accumulator.block_m, memory.shape[1], 1, above, beside, accumulator.two_ctas)
    buffer = MemDescType.get(memory.shape, memory.element_type, blocks)
    if has_interleaved_rows(buffer) and has_interleaved_rows(op.d.type):
        return NO_MATCH  # the instruction can't read one such block for another
    wanted = value.type
    if not is_accessible(wanted, buffer):
        if is_loaded(value) and not knobs.inspection.allow_lhs_tmem_layout_conversion:
            return NO_MATCH
        wanted = with_layout(wanted, access_layout(buffer, num_warps(op.operation), cga))
    with ir.InsertionPoint.after(alloc), op.location:
        if wanted != value.type:
            value = ttg.convert_layout(value, wanted)
        (promoted,) = ttng.tmem_alloc(buffer, None, src=value)
    set_operands(op, [promoted, *list(op.operation.operands)[1:]])
    return MATCHED


def has_interleaved_rows(buffer: MemDescType) -> bool:
    """Whether each warp's 32 rows of tensor memory hold sixteen of one block of 64 rows, and sixteen of another."""
    layout = layout_of(buffer)
    if not isinstance(layout, TensorMemory) or layout.block_m != HALF_ROWS:
        return False
    return any(to_linear_layout(buffer.shape[-2:], layout).bases("row")[4])
