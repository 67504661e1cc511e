"""Asynchronous tcgen05.mmas of a scheduled loop, with the waits that the schedule asks for."""

from mlir import ir

from ttkit.dialects import arith
from ttkit.inspection import collect, users_of
from ttkit.operation_sets import TCGEN5_MMAS
from ttkit.passes.infra.loop_attributes import SELF_LATENCY, take_latencies
from ttkit.passes.infra.loops import body_of, carry_more, yield_also
from ttkit.passes.infra.nesting import places_in
from ttkit.passes.pipelining.accumulators import can_be_multibuffered, first_slot, multibuffer
from ttkit.passes.pipelining.schedule import Schedule
from ttkit.passes.pipelining.tcgen5_overlap import accumulator_of
from ttkit.passes.pipelining.tcgen5_waits import wait_for


def lower_tcgen5_mmas(loop: ir.Operation, schedule: Schedule) -> ir.Operation:
    """Makes the MMAs that may overlap the next iteration asynchronous; returns the loop, which may be a new one.

    Each MMA gets a barrier.  Its accumulator gets as many slots as are in use at a time.
    """
    for mma in collect(loop, TCGEN5_MMAS):
        if accumulator_of(mma) is None or mma not in schedule:
            continue
        if take_latencies([mma], SELF_LATENCY):
            loop = lower_tcgen5_mma(mma, loop, schedule)
    return loop


def lower_tcgen5_mma(mma: ir.Operation, loop: ir.Operation, schedule: Schedule) -> ir.Operation:
    """Has an MMA end in a later stage than it starts in; returns the loop, which carries more values now."""
    alloc = accumulator_of(mma)
    assert alloc is not None
    slots = slots_in_use(alloc, loop, schedule)
    if slots > 1 and not can_be_multibuffered(alloc, loop):
        return loop
    with loop.location, ir.InsertionPoint(loop):
        first, zero = arith.i32(first_slot(alloc, loop)), arith.i32(0)
    loop, carried = carry_more(loop, [zero, zero, *([first] if slots > 1 else [])])
    yield_also(loop, carried)
    wait_for(mma, alloc, loop, schedule, carried[0], carried[1], slots)
    if slots > 1:
        multibuffer(alloc, loop, schedule, slots, carried[2])
    return loop


def slots_in_use(alloc: ir.Operation, loop: ir.Operation, schedule: Schedule) -> int:
    """Number of accumulators that are in use at a time: from the first to the last access of an iteration."""
    accesses = places_in(body_of(loop), users_of(alloc.opview.result))
    first = last = accesses[0]
    for access in accesses[1:]:
        if schedule.is_before(access, first):
            first = access
        if schedule.is_before(last, access):
            last = access
    # The last access of an iteration may run after the first access of a later iteration.
    return schedule[last].stage - schedule[first].stage + schedule.runs_before(first, last)
