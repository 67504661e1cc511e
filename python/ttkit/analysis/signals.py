"""Which accesses to mbarriers, and to what arrives by them, are in order without a barrier between all threads.

    ttng.barrier_expect %bar, 32768             // one thread
    ttng.async_tma_copy_global_to_local ...     // one thread of the same warp
    ttng.wait_barrier %bar, %phase              // each thread
    ttng.warp_group_dot %a, %b, ...

A phase can't end before one thread has said how many bytes it expects, so nobody passes the wait too early; and as each
thread waits for the copies itself, each may read what they brought.  Triton has a barrier in front of each of the
middle two, and of the wait; a loop of products needs only the one before its buffers are filled again.

A thread that lags by two phases could not tell from a phase's parity that it is over.  So what comes after a wait on
the same mbarrier, another wait too, does need a barrier.

    ttng.warp_group_dot_wait %sum               // each thread
    ttng.arrive_barrier %empty, 128             // each of four warps, of 32

Where each warp has an equal part of an arrival, as of those that release a buffer, it says that the warp itself is
done.  No phase ends before the slowest warp's part.  In Triton one thread arrives for all, after a barrier.

One thread begins and ends all mbarriers.

    ttng.wait_barrier %empty, %phase            // each of two warps
    ttng.barrier_expect %full, 32768            // one thread
    ttng.async_tma_copy_global_to_local ...     // one thread of the same warp

Where warps are specialized, others answer what one thread starts: here they read the buffer and arrive at %empty, whose
next phase may be over before the second warp has asked for this one.  So a group of several warps needs a barrier
after its wait.
"""

from mlir import ir

from ttkit._native import library, operation_handle
from ttkit.inspection import enclosing
from ttkit.operation_sets import ARRIVE_BARRIER, ASYNC_COPY, TCGEN5_MMAS, TMA_LOADS, WAIT_BARRIER, WGMMA, WGMMA_WAIT

INIT, END = "ttng.init_barrier", "ttng.inval_barrier"
EXPECT = "ttng.barrier_expect"
SIGNALS = frozenset({*TMA_LOADS, EXPECT, WAIT_BARRIER})
BY_WARPS = "ttkit.by_warps"
"""Noted at an arrival of which each warp has a part."""
STARTS = frozenset({*TMA_LOADS, EXPECT, *TCGEN5_MMAS, "ttng.tc_gen5_commit", "ttng.clc_try_cancel"})
"""What one thread starts, and mbarriers tell the end of."""
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
    """Whether two operations that touch the same bytes need no barrier between them: a filter for `membar`."""
    if after.name == ARRIVE_BARRIER and BY_WARPS in after.attributes and before.name in BEFORE_A_PART:
        return True
    return after.name in BEHIND.get(before.name, ())


def is_answered(op: ir.Operation) -> bool:
    """Whether `op` starts, for a group of several specialized warps, what other groups may wait for and answer."""
    if op.name not in STARTS or library().ttkitNumWarps(operation_handle(op)) < 2:
        return False
    return enclosing(op, "ttg.warp_specialize") is not None
