"""Lower cluster launch control: a program takes over the work of another one before that starts (sm_100).

One thread of the cluster sends the request.  Each CTA receives the answer and counts its bytes at its own barrier.

Ops: dialects/ttng/clc_ops.td    Test: test/lit/lower/clc.mlir
"""

from mlir import ir

from ttkit.passes.lower.buffer_places import first_element
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.registry import lowers
from ttkit.passes.lower.tma import elected, is_first_copy
from ttkit.passes.lower.types import SharedView

WHAT = "requests for more work"
QUERY = "llvm.nvvm.clusterlaunchcontrol.query_cancel"
ANSWER_BYTES = 16


@lowers("ttng.clc_try_cancel")
def clc_try_cancel(low: Lowering, op: ir.OpView, result: SharedView, barrier: SharedView) -> None:
    """Sends the request; the barrier counts the 16 bytes of the answer."""
    low.require("has_cluster_launch_control", WHAT)
    operation = op.operation
    to_all = "" if low.num_ctas == 1 else ".multicast::cluster::all"
    condition = None if low.num_ctas == 1 else is_first_copy(low, low.num_ctas - 1)
    text = (
        f"@$0 clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes{to_all}.b128 [$1], [$2];"
    )
    places = (first_element(low, view, operand.type) for view, operand in zip((result, barrier), operation.operands))
    low.emit.inline_asm(text, "b,r,r", None, elected(low, 1, condition), *places)


@lowers("ttng.clc_load_result")
def clc_load_result(low: Lowering, op: ir.OpView, view: SharedView) -> ir.Value:
    """The answer, as i128."""
    pointer = first_element(low, view, op.src.type)
    return low.emit.load(pointer, op.clcResult.type, ANSWER_BYTES)


@lowers("ttng.clc_is_canceled")
def clc_is_canceled(low: Lowering, op: ir.OpView, answer: ir.Value) -> ir.Value:
    """Whether a program was canceled, so that its work can be taken over."""
    low.require("has_cluster_launch_control", WHAT)
    return low.emit.intrinsic(f"{QUERY}.is_canceled", low.emit.i1, answer)


@lowers("ttng.clc_get_program_id")
def clc_get_program_id(low: Lowering, op: ir.OpView, answer: ir.Value) -> ir.Value:
    """The index in the grid of the canceled program; its CTAs are neighbours along x."""
    low.require("has_cluster_launch_control", WHAT)
    emit, axis = low.emit, op.dim
    found = emit.intrinsic(f"{QUERY}.get_first_ctaid.{'xyz'[axis]}", emit.i32, answer)
    return emit.lshr(found, low.num_ctas.bit_length() - 1) if axis == 0 and low.num_ctas > 1 else found
