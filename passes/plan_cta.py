"""Divide tensors among the CTAs of a cluster so that the CTAs need not exchange data.

    %d = tt.dot %a, %b, %c : ... -> tensor<128x128xf32, #rows>       // CGALayout = [[1, 0]]: one CTA above the other
  =>
    %d = tt.dot %a, %b, %c : ... -> tensor<128x128xf32, #columns>    // CGALayout = [[0, 1]]: side by side, 128 x 64

The result of a dot is divided so that each CTA has a large part.  A reduction is not divided along its axis.  Without
either, the first store decides.  The layout then spreads to operands and users of these operations.  A conversion
remains where two layouts differ.  The planner is in passes/layouts/cta_planner.py.

With `divide-axis`, a reduction whose other dimensions have fewer elements than there are CTAs is divided along its
axis.  The CTAs exchange what they found; otherwise all of them repeat the reduction.

Input:  ttg.      Output: ttg.
Order:  after coalesce, whose layouts it keeps within each CTA; before remove-layout-conversions.
Skips:  modules whose clusters have one CTA.
Test:   test/lit/passes/plan_cta.mlir
"""

from mlir import ir

from ttkit.layout.clusters import cga_layout
from ttkit.operation_sets import ATOMICS, DESCRIPTOR_STORES
from ttkit.passes.infra import Pass, collect, option
from ttkit.passes.layouts.assignment import tensor_layout
from ttkit.passes.layouts.cta_divisions import divided_dot, divided_reduction, of_dot, of_reduction, with_cga_layout
from ttkit.passes.layouts.cta_planner import CtaPlanner
from ttkit.passes.layouts.thread_counts import num_ctas
from ttkit.records import dataclass

STORES = ("tt.store", *ATOMICS, *DESCRIPTOR_STORES)


@dataclass(frozen=True)
class PlanCTA(Pass):
    """Divide tensors among the CTAs of a cluster so that they need not exchange data"""

    name = "triton-nvidia-gpu-plan-cta"
    divide_axis: bool = option(False, "divide reductions along their axis where no other dimension can be divided")

    def run(self, op: ir.Operation) -> None:
        """Plans each function, unless clusters have one CTA."""
        if num_ctas(op) == 1:
            return
        for function in collect(op, ["tt.func"]):
            plan(function, self.divide_axis)


def plan(function: ir.Operation, divides_axis: bool) -> None:
    """Divides the tensors of a function among the CTAs of a cluster, starting from its dots and reductions."""
    planner = CtaPlanner(function)
    dots, reductions = collect(function, ["tt.dot"]), collect(function, ["tt.reduce"])
    for dot in dots:
        plan_dot(planner, dot)
    for reduction in reductions:
        plan_reduction(planner, reduction, divides_axis)
    if not dots and not reductions:
        plan_stores(planner, collect(function, STORES))
    planner.spread()


def plan_dot(planner: CtaPlanner, dot: ir.Operation) -> None:
    """Divides the result of a dot so that each CTA has a large part.  Raises PassError, as `divided_dot`."""
    new = divided_dot(dot)
    planner.change(dot, of_dot(new), [new])


def plan_reduction(planner: CtaPlanner, reduction: ir.Operation, divides_axis: bool) -> None:
    """Divides the operands, but not along the axis; without other dimensions `divides_axis` decides."""
    new = divided_reduction(reduction, divides_axis=divides_axis)
    result = of_reduction(reduction, new)
    planner.change(reduction, [new] * len(reduction.operands), [result] * len(reduction.results))


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
