"""Lower mbarriers: counters in shared memory that threads and asynchronous copies arrive at, and threads wait for.

One thread of the CTA sets them up, announces bytes and arrives, or one of each warp does; all threads wait.

Ops: dialects/ttng/mbarrier_ops.td    Test: test/lit/lower/mbarrier.mlir
"""

from mlir import ir

from ttkit.analysis.signals import BY_WARPS
from ttkit.operation_sets import ARRIVE_BARRIER, WAIT_BARRIER
from ttkit.passes.lower.buffer_places import first_element
from ttkit.passes.lower.cluster import in_cta
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.registry import lowers
from ttkit.passes.lower.tensor_memory_order import may_be_read
from ttkit.passes.lower.thread_index import linear_sum
from ttkit.passes.lower.types import SharedView
from ttkit.passes.lower.unsupported import CannotLower

# The waiting thread asks again until the phase is over.  Labels are local to the braces.
WAIT_LOOP = "waitLoop:\n\t{test}.shared::cta.b64 complete, [$0], $1;\n\t@!complete bra.uni waitLoop;"


def leader(low: Lowering, condition: ir.Value | None = None, of_warp: bool = False) -> ir.Value:
    """i1: whether this is thread 0 of the CTA, or of its warp, and the condition holds."""
    emit, number = low.emit, low.index.lane() if of_warp else low.index.thread()
    first = low.index.once(("leader", of_warp), lambda: emit.compare("eq", number, emit.i32_constant(0)))
    return first if condition is None else emit.and_(first, condition)


def by_leader(
    low: Lowering,
    text: str,
    op: ir.OpView,
    barrier: SharedView,
    condition: ir.Value | None = None,
    *,
    of_warp: bool = False,
) -> None:
    """The instruction `text` on the barrier [$1], by one thread, or one of each warp."""
    low.require("has_mbarriers", "mbarriers")
    chosen, memdesc = leader(low, condition, of_warp), op.alloc.type
    low.emit.inline_asm(f"@$0 {text};", "b,r", None, chosen, first_element(low, barrier, memdesc))


def routed(low: Lowering, op: ir.OpView) -> int | None:
    """The mask of the attribute `fromCTA`, of bits of CTA numbers that stay; None for arrivals at the own barrier."""
    found = op.operation.attributes
    return ir.IntegerAttr(found["fromCTA"]).value if "fromCTA" in found and low.num_ctas > 1 else None


def at_ctas(
    low: Lowering, text: str, op: ir.OpView, barrier: SharedView, condition: ir.Value | None, mask: int
) -> None:
    """The instruction `text` on the barriers [$1] of the CTAs that share this one's bits in `mask`.

    The CTA without other bits runs it, a thread for each barrier.
    """
    low.require("has_clusters", "arrivals at barriers of other CTAs")
    emit, thread, block = low.emit, low.index.thread(), low.index.block()
    bits = range(low.num_ctas.bit_length() - 1)
    free = [bit for bit in bits if not mask >> bit & 1]
    chosen = emit.compare("ult", thread, emit.i32_constant(1 << len(free)))
    others = emit.and_(block, emit.i32_constant(sum(1 << bit for bit in free)))
    chosen = emit.and_(chosen, emit.compare("eq", others, emit.i32_constant(0)))
    chosen = chosen if condition is None else emit.and_(chosen, condition)
    number = emit.and_(thread, emit.i32_constant((1 << len(free)) - 1))
    cta = linear_sum(emit, [(number, [1 << bit for bit in free]), (block, [1 << bit for bit in bits])])
    pointer = in_cta(low, first_element(low, barrier, op.alloc.type), cta)
    emit.inline_asm(f"@$0 {text};", "b,l", None, chosen, pointer)


@lowers("ttng.init_barrier")
def init_barrier(low: Lowering, op: ir.OpView, barrier: SharedView) -> None:
    """Phase 0 ends after `count` arrivals."""
    by_leader(low, f"mbarrier.init.shared::cta.b64 [$1], {op.count}", op, barrier)


@lowers("ttng.inval_barrier")
def inval_barrier(low: Lowering, op: ir.OpView, barrier: SharedView) -> None:
    """Its bytes may be used for something else."""
    by_leader(low, "mbarrier.inval.shared::cta.b64 [$1]", op, barrier)


@lowers("ttng.barrier_expect")
def barrier_expect(low: Lowering, op: ir.OpView, barrier: SharedView, condition: ir.Value) -> None:
    """One arrival, and the phase waits for `size` more bytes."""
    low.require("has_barrier_waits", "barriers that count bytes")
    if (mask := routed(low, op)) is not None:
        text = f"mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [$1], {op.size}"
        at_ctas(low, text, op, barrier, condition, mask)
        return
    by_leader(low, f"mbarrier.arrive.expect_tx.shared::cta.b64 _, [$1], {op.size}", op, barrier, condition)


@lowers(ARRIVE_BARRIER)
def arrive_barrier(low: Lowering, op: ir.OpView, barrier: SharedView, *condition: ir.Value) -> None:
    """`count` arrivals, by one thread or divided among the warps."""
    count, by_warps = op.count, BY_WARPS in op.operation.attributes
    if by_warps:
        count //= low.num_warps
        low.warps.synchronize_warp()
    elif low.num_warps > 1 and may_be_read(op.operation):
        low.warps.synchronize()  # What it says holds for all warps' loads of tensor memory.
    if (mask := routed(low, op)) is not None:
        text = f"mbarrier.arrive.release.cluster.shared::cluster.b64 _, [$1], {count}"
        at_ctas(low, text, op, barrier, next(iter(condition), None), mask)
        return
    text = "mbarrier.arrive.shared::cta.b64 _, [$1]"
    if count != 1 or low.target.has_barrier_waits:
        low.require("has_barrier_waits", "arrivals by count")
        text += f", {count}"
    by_leader(low, text, op, barrier, *condition, of_warp=by_warps)


@lowers(WAIT_BARRIER)
def wait_barrier(low: Lowering, op: ir.OpView, barrier: SharedView, phase: ir.Value, *rest: ir.Value) -> None:
    """Returns once the phase is over.  Raises CannotLower before PTX 7.1."""
    low.require("has_mbarriers", "mbarriers")
    # From sm_90 on the thread may sleep meanwhile.
    test = "mbarrier.try_wait.parity" if low.target.has_barrier_waits else "mbarrier.test_wait.parity"
    if low.target.ptx_version < 71:
        raise CannotLower(f"waiting for a phase needs PTX 7.1, found {low.target.ptx_version / 10}")
    loop = WAIT_LOOP.format(test=test)
    pointer = first_element(low, barrier, op.alloc.type)
    if op.pred is None:
        low.emit.inline_asm(f"{{\n\t.reg .pred complete;\n\t{loop}\n}}", "r,r", None, pointer, phase)
        return
    text = f"{{\n\t.reg .pred complete;\n\t@!$2 bra.uni skipWait;\n\t{loop}\n\tskipWait:\n}}"
    low.emit.inline_asm(text, "r,r,b", None, pointer, phase, rest[0])


@lowers("ttng.async_copy_mbarrier_arrive")
def async_copy_mbarrier_arrive(low: Lowering, op: ir.OpView, barrier: SharedView) -> None:
    """Each thread arrives when the copies that it has started are done."""
    low.require("has_mbarriers", "mbarriers")
    noinc = ".noinc" if "noIncrement" in op.operation.attributes else ""
    pointer = first_element(low, barrier, op.barrier.type)
    low.emit.inline_asm(f"cp.async.mbarrier.arrive{noinc}.shared::cta.b64 [$0];", "r", None, pointer)
