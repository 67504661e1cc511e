"""mbarriers in shared memory: allocated, initialized and freed."""

from mlir import ir

from ttkit.dialects import arith, ttg, ttng
from ttkit.dialects._ttg_types import MemDescType
from ttkit.layout.encodings import SwizzledShared
from ttkit.passes.infra.base import PassError
from ttkit.passes.layouts.thread_counts import num_ctas
from ttkit.target import MOST_SHARED_BYTES

BARRIER_BYTES = 8
MULTICAST = "multicast"
"""An attribute of copies and products: the CTAs with the same part of a buffer or an operand get their arrivals too."""


def one_element(op: ir.Operation) -> SwizzledShared:
    """The layout of an mbarrier, and of a tensor of one element that stands for a number: each CTA has its own.

    Raises:
        PassError: the cluster has more CTAs than a layout can describe.
    """
    copies = ((0,),) * (num_ctas(op).bit_length() - 1)
    try:
        return SwizzledShared(1, 1, 1, (0,), copies)
    except ValueError as error:
        raise PassError(op, f"found {num_ctas(op)} CTAs: {error}") from error


def barriers_type(op: ir.Operation, slots: int) -> MemDescType:
    """The type of `slots` mbarriers for an operation.

    Raises:
        PassError: the cluster has more CTAs than a layout can describe.
    """
    i64 = ir.IntegerType.get_signless(64, op.context)
    return MemDescType.get([slots, 1], i64, one_element(op), mutable=True)


def make_barriers(op: ir.Operation, slots: int, arrivals: int = 1, at: ir.InsertionPoint | None = None) -> ir.Value:
    """Allocates and initializes mbarriers, one for each slot of a buffer.

    Args:
        op: the operation that they belong to.
        arrivals: the number of arrivals that complete a phase.
        at: where to build them; by default in front of `op`.

    Raises:
        PassError: no target has shared memory for so many.
    """
    if slots * BARRIER_BYTES > MOST_SHARED_BYTES:
        room = f"a program has {MOST_SHARED_BYTES} bytes of shared memory at most; use fewer slots"
        raise PassError(op, f"found {slots} buffer slots, each with an mbarrier of {BARRIER_BYTES} bytes: {room}")
    with op.location, at or ir.InsertionPoint(op):
        barriers = ttg.local_alloc(barriers_type(op, slots))
        for number in range(slots):
            ttng.init_barrier(ttg.memdesc_index(barriers, arith.i32(number)), arrivals)
    return barriers


def allocate_barriers(
    op: ir.Operation, slots: int, arrivals: int = 1, end: ir.InsertionPoint | None = None
) -> ir.Value:
    """`make_barriers` in front of an operation; the barriers are freed at `end`, by default after the operation."""
    barriers = make_barriers(op, slots, arrivals)
    with op.location, end or ir.InsertionPoint.after(op):
        for number in range(slots):
            ttng.inval_barrier(ttg.memdesc_index(barriers, arith.i32(number)))
        ttg.local_dealloc(barriers)
    return barriers
