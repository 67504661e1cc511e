"""Let each thread reduce its own elements, and exchange between threads as rarely as possible.

    %r = scf.for ... iter_args(%acc = %init) {           %r:2 = scf.for ... iter_args(%acc = %init, %part = %neutral) {
      %x = tt.load ...                                     %x = tt.load ...
      %s = tt.reduce(%x) {axis = 1}                        %y = tt.reshape %x : 32x128 -> 32x16x8   // 8 of one thread
      %t = arith.addf %acc, %s                   =>        %s = tt.reduce(%y) {axis = 2}
      scf.yield %t                                         %t = arith.addf %part, %s
    }                                                      scf.yield %acc, %t
                                                         }
                                                         %u = tt.reduce(%r#1) {axis = 1}
                                                         %v = arith.addf %init, %u

Threads exchange once, after the loop (layouts/partial_reduction.py).  A reshape that may reorder elements before a
reduction gives each thread whole rows to reduce; a gather gets a layout in which every index is found in its warp.

Input:  ttg.      Output: ttg.
Order:  after remove-layout-conversions, which has chosen the layouts; it runs again after this pass.
Skips:  reductions of other values than loads, or along other dimensions than the last; those whose running result has
        other users.
Test:   test/lit/passes/optimize_thread_locality.mlir
"""

from math import prod

from mlir import ir
from mlir.rewrite import PatternRewriter

from ttkit.dialects import tt
from ttkit.dialects._layouts import layout_of
from ttkit.inspection import name_of
from ttkit.layout import to_linear_layout
from ttkit.layout.blocked import blocked
from ttkit.layout.clusters import cga_layout, cta_splits
from ttkit.layout.distribution import order as order_of
from ttkit.layout.encodings import Blocked
from ttkit.passes.infra import MATCHED, NO_MATCH, Match, Pass, apply_greedily, collect
from ttkit.passes.infra.transforms import recreate
from ttkit.passes.layouts.assignment import convert_layout, elements_per_thread, tensor_layout, with_layout
from ttkit.passes.layouts.orders import moving_order
from ttkit.passes.layouts.partial_reduction import find_running_reduction, reduce_after_loop
from ttkit.passes.layouts.thread_counts import machine_of, num_warps, threads_per_warp


class OptimizeThreadLocality(Pass):
    """Let each thread reduce its own elements, and exchange between threads as rarely as possible"""

    name = "tritongpu-optimize-thread-locality"
    may_change = "the order in which reductions combine elements"

    def run(self, op: ir.Operation) -> None:
        """Applies the patterns, then moves running reductions to after their loops."""
        apply_greedily(op, {"tt.reshape": reshape_for_reduction, "tt.gather": gather_within_warps})
        found = [find_running_reduction(reduce) for reduce in collect(op, ["tt.reduce"])]
        for running in found:
            if running is not None:
                reduce_after_loop(running)


def reshape_for_reduction(op: ir.OpView, rewriter: PatternRewriter) -> Match:
    """reshape, may reorder -> convert_layout(reshape so that no two threads share a row to be reduced)"""
    if "allow_reorder" not in op.attributes:
        return NO_MATCH
    users = (use.owner for use in op.result.uses)
    axes = {user.axis for user in users if name_of(user) == "tt.reduce"}
    if len(axes) != 1:
        return NO_MATCH
    axis = axes.pop()
    type = op.result.type
    layout = layout_of(type)
    if layout is None or (isinstance(layout, Blocked) and is_in_one_thread(layout, axis)):
        return NO_MATCH
    rows = [d for d in order_of(to_linear_layout(type.shape, layout)) if d != axis]
    machine = machine_of(op.operation)
    wanted = with_layout(type, blocked(type.shape, [1] * type.rank, [*rows, axis], *machine))
    if wanted == type or elements_per_thread(op.src.type) != elements_per_thread(wanted):
        return NO_MATCH
    with rewriter.ip, op.location:
        reshaped = tt.reshape(op.src, wanted, allow_reorder=True, efficient_layout=True)
        converted = convert_layout(reshaped, type, rewriter.ip, op.location)
    rewriter.replace_op(op, [converted])
    return MATCHED


def is_in_one_thread(layout: Blocked, axis: int) -> bool:
    """Whether one thread holds all elements along the axis."""
    splits = cta_splits(layout.cga_layout, layout.rank)
    return layout.threads_per_warp[axis] == layout.warps_per_cta[axis] == splits[axis] == 1


def gather_within_warps(op: ir.OpView, rewriter: PatternRewriter) -> Match:
    """gather -> convert_layout(gather of operands in a layout whose warps hold whole columns)"""
    source, result = op.src.type, op.result.type
    if "efficient_layout" in op.attributes or source.rank == 1 or source.encoding is None:
        return NO_MATCH
    layout = column_layout(op, source)
    with rewriter.ip, op.location:
        moved = [
            convert_layout(value, with_layout(value.type, layout), rewriter.ip, op.location)
            for value in (op.src, op.indices)
        ]
        attributes = {**dict(op.attributes), "efficient_layout": ir.UnitAttr.get()}
        gathered = recreate(op.operation, [with_layout(result, layout)], moved, attributes)
        converted = convert_layout(gathered.result, result, rewriter.ip, op.location)
    rewriter.replace_op(op, [converted])
    return MATCHED


def column_layout(op: ir.OpView, source: ir.RankedTensorType) -> Blocked:
    """Lanes along the axis as far as it has elements, and one warp; other lanes and warps along other dimensions."""
    axis, shape = op.axis, source.shape
    warps_left, lanes = num_warps(op.operation), threads_per_warp(op.operation)
    linear = to_linear_layout(shape, tensor_layout(source))
    threads, warps = [1] * source.rank, [1] * source.rank
    threads[axis] = min(shape[axis], lanes)
    size_per_thread = [1] * source.rank
    size_per_thread[axis] = shape[axis] // threads[axis]
    lanes_left = lanes // threads[axis]
    others = [d for d in moving_order(linear, "lane") if d != axis]
    for d in others:
        threads[d] = min(shape[d], lanes_left)
        lanes_left //= threads[d]
    for d in moving_order(linear, "warp"):
        if d != axis:
            warps[d] = min(shape[d] // threads[d], warps_left)
            warps_left //= warps[d]
    # Remaining lanes repeat elements along the axis.
    threads[axis] *= lanes_left
    warps[axis] *= warps_left
    assert prod(threads) == lanes
    return Blocked(
        tuple(size_per_thread), tuple(threads), tuple(warps), (axis, *others), cga_layout(tensor_layout(source))
    )
