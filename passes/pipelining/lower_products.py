"""Products in tensor memory of a scheduled loop, waited for as late as the schedule says."""

from mlir import ir

from ttkit.dialects import arith
from ttkit.inspection import collect, users_of
from ttkit.operation_sets import TCGEN5_MMAS
from ttkit.passes.infra.loop_attributes import SELF_LATENCY, take_latencies
from ttkit.passes.infra.loops import body_of, carry_more, yield_also
from ttkit.passes.infra.nesting import places_in
from ttkit.passes.pipelining.accumulators import can_have_parts, first_part, give_parts
from ttkit.passes.pipelining.product_waits import wait_for
from ttkit.passes.pipelining.schedule import Schedule
from ttkit.passes.pipelining.tcgen5_overlap import accumulator_of


def lower_products(loop: ir.Operation, schedule: Schedule) -> ir.Operation:
    """Makes those products asynchronous that may overlap the next iteration; the loop, which may be another one then.

    Each gets a barrier, and its accumulator as many parts as are in use at a time.
    """
    for product in collect(loop, TCGEN5_MMAS):
        if accumulator_of(product) is None or product not in schedule:
            continue
        if take_latencies([product], SELF_LATENCY):
            loop = lower_product(product, loop, schedule)
    return loop


def lower_product(product: ir.Operation, loop: ir.Operation, schedule: Schedule) -> ir.Operation:
    """Has a tcgen05 product end in a later stage than it starts in; the loop, which carries more values now."""
    alloc = accumulator_of(product)
    assert alloc is not None
    parts = parts_in_use(alloc, loop, schedule)
    if parts > 1 and not can_have_parts(alloc, loop):
        return loop
    with loop.location, ir.InsertionPoint(loop):
        first, zero = arith.i32(first_part(alloc, loop)), arith.i32(0)
    loop, carried = carry_more(loop, [zero, zero, *([first] if parts > 1 else [])])
    yield_also(loop, carried)
    wait_for(product, alloc, loop, schedule, carried[0], carried[1])
    if parts > 1:
        give_parts(alloc, loop, schedule, parts, carried[2])
    return loop


def parts_in_use(alloc: ir.Operation, loop: ir.Operation, schedule: Schedule) -> int:
    """Number of accumulators that are in use at a time: from the first to the last access of an iteration."""
    accesses = places_in(body_of(loop), users_of(alloc.opview.result))
    first = last = accesses[0]
    for access in accesses[1:]:
        if schedule.is_before(access, first):
            first = access
        if schedule.is_before(last, access):
            last = access
    # The last one of an iteration and the first one of a later iteration, which runs before it.
    return schedule[last].stage - schedule[first].stage + schedule.runs_before(first, last)
