"""Accesses to mbarriers, and to data that they signal, that are in order without a barrier between all threads.

    ttng.barrier_expect %bar, 32768             // one thread
    ttng.async_tma_copy_global_to_local ...     // one thread of the same warp
    ttng.wait_barrier %bar, %phase              // each thread
    ttng.warp_group_dot %a, %b, ...

A phase can't end before one thread has announced the expected bytes, so no thread passes the wait too early.  As each
thread waits for the copies itself, each may read their data.  Triton has a barrier before each of the middle two, and
before the wait; a loop of wgmmas needs only the one before its buffers are filled again.

A thread that is two phases late could not tell from the parity that its phase has ended.  So an operation on the same
mbarrier after a wait, including another wait, does need a barrier.

    ttng.warp_group_dot_wait %sum               // each thread
    ttng.arrive_barrier %empty, 128             // each of four warps, of 32

If each warp has an equal part of an arrival, as for the release of a buffer, the part signals the end of that warp.
No phase ends before the part of the slowest warp.  In Triton one thread arrives for all, after a barrier.

One thread begins and ends all mbarriers.

    ttng.wait_barrier %empty, %phase            // each of two warps
    ttng.barrier_expect %full, 32768            // one thread
    ttng.async_tma_copy_global_to_local ...     // one thread of the same warp

With specialized warps, other warps answer the operation that one thread starts.  Here they read the buffer and arrive
at %empty, whose next phase may end before the second warp has tested this one.  So a group of several warps needs a
barrier after its wait.

    ttng.wait_barrier %done, %phase             // each of two warps
    ttng.tc_gen5_mma ..., %done                 // one thread; the hardware arrives

Without other warps, the hardware may end the next phase of the same mbarrier.  A product and a copy to tensor memory
have no effect on the memory of their mbarriers, unlike a commit.
"""

from collections.abc import Sequence

from mlir import ir

from ttkit._native import library, operation_handle
from ttkit.inspection import enclosing
from ttkit.operation_sets import ARRIVE_BARRIER, ASYNC_COPY, TCGEN5_MMAS, TMA_LOADS, WAIT_BARRIER, WGMMA, WGMMA_WAIT

INIT, END = "ttng.init_barrier", "ttng.inval_barrier"
EXPECT, COPY = "ttng.barrier_expect", "ttng.tmem_copy"
SIGNALS = frozenset({*TMA_LOADS, EXPECT, WAIT_BARRIER})
BY_WARPS = "ttkit.by_warps"
"""The attribute of an arrival of which each warp has a part."""
STARTS = frozenset({*TMA_LOADS, EXPECT, *TCGEN5_MMAS, "ttng.tc_gen5_commit", "ttng.clc_try_cancel"})
"""Operations that one thread starts, and whose end an mbarrier signals."""
READERS = frozenset({WGMMA, WGMMA_WAIT, "ttg.local_load"})
BEFORE_A_PART = READERS | {ARRIVE_BARRIER, WAIT_BARRIER}
# An arrival says that what came before it is done; what comes after it is not its concern.
BEHIND = {
    **dict.fromkeys(TMA_LOADS, SIGNALS | READERS),
    ASYNC_COPY: READERS,
    EXPECT: SIGNALS,
    ARRIVE_BARRIER: SIGNALS | READERS | {ARRIVE_BARRIER},
    INIT: {INIT},
    END: {END},
}


def in_order(before: ir.Operation, after: ir.Operation) -> bool:
    """Whether two operations that access the same bytes need no barrier between them: a filter for `membar`."""
    if after.name == ARRIVE_BARRIER and BY_WARPS in after.attributes and before.name in BEFORE_A_PART:
        return True
    return after.name in BEHIND.get(before.name, ())


def is_answered(op: ir.Operation) -> bool:
    """Whether `op` starts, for a group of several specialized warps, an operation that other groups may answer."""
    if op.name not in STARTS or library().ttkitNumWarps(operation_handle(op)) < 2:
        return False
    return enclosing(op, "ttg.warp_specialize") is not None


def signals(op: ir.Operation) -> Sequence[ir.Value]:
    """The mbarriers at which the hardware arrives for `op`, for a group of several warps, without an effect on them."""
    if op.name in TCGEN5_MMAS:
        barriers = list(op.opview.barriers)
    elif op.name == COPY and op.opview.barrier is not None:
        barriers = [op.opview.barrier]
    else:
        return ()
    return barriers if library().ttkitNumWarps(operation_handle(op)) > 1 else ()
