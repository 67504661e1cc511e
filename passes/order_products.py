"""Start one warp group's wgmma before the other's, so that each group computes while the other's wgmma runs.

    scf.for %i {                                     // eight warps: two warp groups
      ttg.async_wait ...
      %s = ttng.warp_group_dot %q, %k {isAsync}      =>   {isAsync, ttkit.in_turn = 15}
      %w = ttng.warp_group_dot_wait %s
      %p = softmax(%w)
      %o = ttng.warp_group_dot %p, %v, %sum {isAsync}
    }

In attention, threads that load their operands synchronize in each iteration.  Then both groups start a wgmma, and the
tensor cores run both at once.  Later both groups compute the softmax together, while the tensor cores are idle.  If the
first group's wgmma starts first, it ends first.  The lowering has the second group wait for the first one at
the barrier of this number (lower/wgmma.py).

`ttkit.tuning.passes.ORDER_PRODUCTS` has the gain by the number of columns.

Input:  ttg.      Output: ttg; uses a named barrier, which the surrounding code must leave free.
Order:  late, after loops are pipelined.
Skips:  loops without eight warps that divide the rows; loops without exactly two wgmmas, of which the second's A is
        computed from the first's result with exponentials; few columns; loops in which the groups need not synchronize,
        or do so after the first wgmma, where one would wait for the other; modules with warp specialization.
Test:   test/lit/passes/order_products.mlir
"""

from __future__ import annotations

from mlir import ir

from ttkit.analysis.dot_attributes import PING_PONG
from ttkit.dialects._layouts import layout_of
from ttkit.dialects._ttg_types import MemDescType
from ttkit.inspection import collect
from ttkit.layout.encodings import NvidiaMma
from ttkit.layout.hardware import GROUP_WARPS
from ttkit.operation_sets import ASYNC_WAIT, EXPONENTIALS, NAMED_BARRIERS, WARP_SPECIALIZE, WGMMA
from ttkit.passes.infra import Pass
from ttkit.passes.infra.constants import i32_attribute
from ttkit.passes.infra.loops import body_of, body_operations
from ttkit.passes.infra.value_flow import viewed
from ttkit.passes.overlap_products import is_made_of
from ttkit.tuning.passes import ORDERED_COLUMNS

TAKERS = (*NAMED_BARRIERS, WARP_SPECIALIZE)
"""Operations that may use the barrier, or run other warps."""
COPY = "ttng.async_tma_copy_global_to_local"
BARRIER = 15


class OrderProducts(Pass):
    """Start one of two warp groups' wgmmas before the other's"""

    name = "ttkit-order-products"

    def run(self, op: ir.Operation) -> None:
        """Sets the attribute on the first wgmma of each such loop."""
        if collect(op, TAKERS):
            return
        for loop in collect(op, ["scf.for"]):
            wgmma = first_wgmma(loop)
            if wgmma is not None:
                wgmma.attributes[PING_PONG] = i32_attribute(BARRIER)


def first_wgmma(loop: ir.Operation) -> ir.Operation | None:
    """The wgmma of a loop that the groups should start one after the other."""
    names = {op.name for op in body_operations(loop)}
    if names.isdisjoint(EXPONENTIALS) or "ttg.local_barrier" in names:
        return None
    wgmmas = collect(loop, [WGMMA])
    if len(wgmmas) != 2 or any(op.block != body_of(loop) or not op.opview.isAsync for op in wgmmas):
        return None
    first, second = wgmmas
    left, result = second.opview.a, first.result
    if isinstance(left.type, MemDescType) or not is_made_of(left, first, body_of(loop)):
        return None
    layout = layout_of(result.type)
    divided = isinstance(layout, NvidiaMma) and list(layout.warps_per_cta) == [2 * GROUP_WARPS, 1]
    return first if divided and result.type.shape[-1] >= ORDERED_COLUMNS and groups_synchronize(loop, wgmmas) else None


def groups_synchronize(loop: ir.Operation, wgmmas: list[ir.Operation]) -> bool:
    """Whether the groups synchronize in each iteration.

    They do if threads wait for each other's copies, or before TMA refills a buffer that a wgmma has read.
    """
    ops = body_operations(loop)
    filled = {viewed(op.opview.result) for op in ops if op.name == COPY}
    by_tma = any(viewed(wgmma.opview.b) in filled for wgmma in wgmmas)
    return by_tma or any(op.name == ASYNC_WAIT for op in ops)
