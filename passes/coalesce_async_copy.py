"""Limit the neighbours that a thread copies to shared memory to those that are contiguous there.

    ttg.async_copy_global_to_local %p, %m mask %c : tensor<32x64x!tt.ptr<i8>, #wide> -> <32x64xi8, #shared, ...>
                                                        // sizePerThread = [1, 16]; #shared keeps 8 together: vec = 8
  =>
    %q = ttg.convert_layout %p : ... -> tensor<32x64x!tt.ptr<i8>, #narrow>              // sizePerThread = [1, 8]
    %d = ttg.convert_layout %c : ... -> tensor<32x64xi1, #narrow>
    ttg.async_copy_global_to_local %q, %m mask %d : tensor<32x64x!tt.ptr<i8>, #narrow> -> <32x64xi8, #shared, ...>

If the swizzle of a buffer separates the neighbours of a thread, the copies of a warp do not cover whole sectors of
global memory; with fewer neighbours a thread they do.  This happens if an operand is read from shared memory and then
cast in registers: the swizzle is for the wider elements.

In clusters, pointers that are divided among CTAs otherwise than the buffer get its division too, since a thread copies
to its own CTA: a buffer is divided as its readers are.  Triton leaves these, and refuses them when it lowers.

Input:  ttg.      Output: ttg, all operations folded.
Order:  after pipeline, which makes the copies; before remove-layout-conversions.
Skips:  pointers whose layout is not blocked; else buffers that are not swizzled, or keep enough neighbours together.
Test:   test/lit/passes/coalesce_async_copy.mlir
"""

from mlir import ir

from ttkit.dialects._layouts import layout_of, linear_layout_of
from ttkit.layout.blocked import blocked_in_ctas
from ttkit.layout.clusters import cga_layout
from ttkit.layout.distribution import contiguous_per_thread
from ttkit.layout.encodings import Blocked, SwizzledShared
from ttkit.operation_sets import ASYNC_COPY
from ttkit.passes.infra import Pass, canonicalize_ops, collect
from ttkit.passes.infra.constants import i32_attribute
from ttkit.passes.layouts.assignment import convert_operand, with_layout
from ttkit.passes.layouts.thread_counts import num_warps, threads_per_warp


class CoalesceAsyncCopy(Pass):
    """Limit the neighbours that a thread copies to shared memory to those that are contiguous there"""

    name = "tritongpu-coalesce-async-copy"

    def run(self, op: ir.Operation) -> None:
        """Folds, then converts the operands of each copy whose pointers lack the layout that the buffer asks for."""
        canonicalize_ops(op, ())
        for copy in collect(op, [ASYNC_COPY]):
            layout = copied_layout(copy)
            if layout is not None:
                set_layout(copy, layout)


def copied_layout(copy: ir.Operation) -> Blocked | None:
    """The layout for the pointers of a copy; None if theirs is good."""
    pointers, buffer = copy.opview.src, copy.opview.result
    layout, memory = layout_of(pointers), layout_of(buffer)
    if not isinstance(layout, Blocked) or memory is None or memory.rank != layout.rank:
        return None
    linear, fastest, division = linear_layout_of(pointers), layout.order[0], cga_layout(memory)
    if len(division) != len(layout.cga_layout):  # of a buffer that was not made for the cluster
        division = layout.cga_layout
    sizes = contiguous_per_thread(linear)
    together = sizes[fastest]
    if isinstance(memory, SwizzledShared):
        together = linear.invert_and_compose(linear_layout_of(buffer)).num_consecutive_in_out()
    if sizes[fastest] <= together and layout.cga_layout == division:
        return None
    sizes[fastest] = min(sizes[fastest], together)
    warps, threads = num_warps(copy), threads_per_warp(copy)
    return blocked_in_ctas(pointers.type.shape, sizes, layout.order, warps, threads, division)


def set_layout(copy: ir.Operation, layout: Blocked) -> None:
    """Converts the operands of a copy, but for its buffer, to a layout."""
    buffer = copy.opview.result
    for number, operand in enumerate(list(copy.operands)):
        if operand != buffer:
            convert_operand(copy, number, with_layout(operand.type, layout), copy.location)
    # It was that of the wide layout; an axis analysis finds that of the new one.
    copy.attributes["contiguity"] = i32_attribute(1)
