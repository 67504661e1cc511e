"""Divide tensors among the CTAs of a cluster so that the CTAs need not exchange data.

    %d = tt.dot %a, %b, %c : ... -> tensor<128x128xf32, #rows>       // CGALayout = [[1, 0]]: one CTA above the other
  =>
    %d = tt.dot %a, %b, %c : ... -> tensor<128x128xf32, #columns>    // CGALayout = [[0, 1]]: side by side, 128 x 64

The result of a dot is divided so that each CTA has a large part.  A reduction is not divided along its axis.  Without
either, the first store decides.  The layout then spreads to operands and users of these operations.  A conversion
remains where two layouts differ.  The planner is in passes/layouts/cta_planner.py.

Input:  ttg.      Output: ttg.
Order:  after coalesce, whose layouts it keeps within each CTA; before remove-layout-conversions.
Skips:  modules whose clusters have one CTA.
Test:   test/lit/passes/plan_cta.mlir
"""

from mlir import ir

from ttkit.layout import to_linear_layout
from ttkit.layout.blocked import blocked_in_ctas
from ttkit.layout.clusters import cga_bases, cga_layout
from ttkit.layout.distribution import contiguous_per_thread, order
from ttkit.layout.encodings import Bases, Blocked, DotOperand, Layout, Slice
from ttkit.operation_sets import ATOMICS, DESCRIPTOR_STORES
from ttkit.passes.infra import Pass, PassError, collect
from ttkit.passes.layouts.assignment import tensor_layout
from ttkit.passes.layouts.cta_planner import CtaPlanner, with_cga_layout
from ttkit.passes.layouts.machine import num_ctas, num_warps, threads_per_warp

# The least number of rows and columns of a CTA's part of a dot, if there are enough; and the preferred number of rows.
MIN_PART, PREFERRED_PART = 64, 128
STORES = ("tt.store", *ATOMICS, *DESCRIPTOR_STORES)


class PlanCTA(Pass):
    """Divide tensors among the CTAs of a cluster so that they need not exchange data"""

    name = "triton-nvidia-gpu-plan-cta"

    def run(self, op: ir.Operation) -> None:
        """Plans each function, unless clusters have one CTA."""
        if num_ctas(op) == 1:
            return
        for function in collect(op, ["tt.func"]):
            plan(function)


def plan(function: ir.Operation) -> None:
    """Divides the tensors of a function among the CTAs of a cluster, starting from its dots and reductions."""
    planner = CtaPlanner(function)
    dots, reductions = collect(function, ["tt.dot"]), collect(function, ["tt.reduce"])
    for dot in dots:
        plan_dot(planner, dot)
    for reduction in reductions:
        plan_reduction(planner, reduction)
    if not dots and not reductions:
        plan_stores(planner, collect(function, STORES))
    planner.spread()


def plan_dot(planner: CtaPlanner, dot: ir.Operation) -> None:
    """Divides the result of a dot so that each CTA has a large part.

    Raises:
        PassError: the dot already has the layout of an instruction.
    """
    type = dot.result.type
    layout = tensor_layout(type)
    operands = [tensor_layout(operand.type) for operand in (dot.opview.a, dot.opview.b)]
    if not isinstance(layout, Blocked) or not all(isinstance(operand, DotOperand) for operand in operands):
        raise PassError(
            dot, "found a dot that already has the layout of an instruction; run this pass before accelerate-matmul"
        )
    rows, columns = divided(type.shape[-2], type.shape[-1], num_ctas(dot))
    splits = [1] * (type.rank - 2) + [rows, columns]
    bases = cga_bases(splits, splits, range(type.rank)[::-1])
    warps, threads = num_warps(dot), threads_per_warp(dot)
    new = blocked_in_ctas(type.shape, layout.size_per_thread, layout.order, warps, threads, bases)
    planner.change(dot, [DotOperand(0, new), DotOperand(1, new), new], [new])


def divided(rows: int, columns: int, ctas: int) -> tuple[int, int]:
    """The numbers of CTAs that divide the rows and the columns of a dot."""
    part = PREFERRED_PART
    while True:
        row_ctas = max(1, min(rows // part, ctas))
        column_ctas = ctas // row_ctas
        part //= 2
        if columns // column_ctas >= MIN_PART or part < MIN_PART:
            return row_ctas, column_ctas


def plan_reduction(planner: CtaPlanner, reduction: ir.Operation) -> None:
    """Divides the operands, but not along the axis; without other dimensions all CTAs reduce all elements."""
    type, axis = reduction.opview.srcs[0].type, reduction.attributes["axis"].value
    layout = tensor_layout(type)
    linear = to_linear_layout(type.shape, layout)
    widths, dimensions = contiguous_per_thread(linear), order(linear)
    left = num_ctas(reduction)
    ctas = [1] * type.rank
    slowest_first = [d for d in reversed(dimensions) if d != axis]
    for d in slowest_first:
        ctas[d] = min(type.shape[d] // widths[d], left)
        left //= ctas[d]
    splits = list(ctas)
    if slowest_first:
        ctas[slowest_first[0]] *= left
        splits = list(ctas)
    else:
        ctas[dimensions[-1]] *= left
    new = with_cga_layout(layout, type.shape, cga_bases(ctas, splits, cta_order(layout)), reduction)
    result: list[Layout | None] = [Slice(axis, new) if type.rank > 1 else None] * len(reduction.results)
    planner.change(reduction, [new] * len(reduction.operands), result)


def cta_order(layout: Layout) -> list[int]:
    """The dimensions along which CTAs move, fastest first, then the others, innermost first."""
    bases: Bases = cga_layout(layout)
    moved = [d for basis in bases for d, step in enumerate(basis) if step]
    return list(dict.fromkeys([*moved, *range(layout.rank)[::-1]]))


def laid_out(store: ir.Operation) -> ir.Value:
    """The operand of a store or an atomic operation that determines the layout of the access."""
    return store.opview.src if store.name in DESCRIPTOR_STORES else store.opview.ptr


def plan_stores(planner: CtaPlanner, stores: list[ir.Operation]) -> None:
    """Divides all stored tensors like that of the first store."""
    stored = [(store, laid_out(store).type) for store in stores]
    stored = [(store, type) for store, type in stored if isinstance(type, ir.RankedTensorType)]
    if not stored:
        return
    first = tensor_layout(stored[0][1])
    for store, type in stored:
        layout = tensor_layout(type)
        if layout.rank == first.rank:
            layout = with_cga_layout(layout, type.shape, cga_layout(first), store)
        planner.change_all(store, layout)
