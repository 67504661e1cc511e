"""Buffers in shared memory with a slot for each iteration in flight, and counters of the slots."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from mlir import ir

from ttkit.dialects import arith, ttg, ttng
from ttkit.dialects._ttg_types import MemDescType
from ttkit.layout.encodings import Layout, SwizzledShared
from ttkit.operation_sets import MEMDESC_VIEWS, WGMMA_WAIT
from ttkit.passes.infra import PassError
from ttkit.passes.infra.placed_builder import direct
from ttkit.passes.infra.transforms import replace_use
from ttkit.passes.layouts.machine import num_ctas
from ttkit.passes.pipelining.scheduled_builder import ScheduledBuilder
from ttkit.target import MOST_SHARED_BYTES

# The layout of an mbarrier, and of a tensor of one element that stands for a number.
ONE_ELEMENT = SwizzledShared(1, 1, 1, (0,))
BARRIER_BYTES = 8


def allocate(loop: ir.Operation, type: ir.RankedTensorType, layout: Layout, slots: int, at: ir.Location) -> ir.Value:
    """A buffer that lives as long as the loop runs, with room for `slots` tensors.

    Args:
        loop: the buffer is allocated before it and freed after it.
        type: the type of one tensor.
        at: the location of the allocation.
    """
    buffer_type = MemDescType.get([slots, *type.shape], type.element_type, layout, mutable=True)
    with at, ir.InsertionPoint(loop):
        buffer = ttg.local_alloc(buffer_type)
    with loop.location, ir.InsertionPoint.after(loop):
        ttg.local_dealloc(buffer)
    return buffer


def barriers_type(op: ir.Operation, slots: int) -> MemDescType:
    """The type of `slots` mbarriers for an operation: each CTA of a cluster has its own.

    Raises:
        PassError: the cluster has more CTAs than a layout can describe.
    """
    copies = ((0,),) * (num_ctas(op).bit_length() - 1)
    try:
        layout = replace(ONE_ELEMENT, cga_layout=copies)
    except ValueError as error:
        raise PassError(op, f"found {num_ctas(op)} CTAs: {error}") from error
    return MemDescType.get([slots, 1], ir.IntegerType.get_signless(64, op.context), layout, mutable=True)


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


class Counter(NamedTuple):
    """The next number of a counter that wraps around at a limit."""

    number: ir.Value
    starts_over: ir.Value  # i1: it would have reached the limit


def next_number(
    number: ir.Value, limit: ir.Value, zero: ir.Value, one: ir.Value, build: Callable[..., Any] = direct
) -> Counter:
    """(number + 1) mod limit, built by `build`; by default at the current insertion point and location."""
    following = build(arith.addi, number, one)
    starts_over = build(arith.cmpi, "sge", following, limit)
    return Counter(build(arith.select, starts_over, zero, following), starts_over)


def replace_buffer(old: ir.Value, new: ir.Value, builder: ScheduledBuilder | None = None) -> None:
    """Replaces a buffer by a mutable one, and changes the types of its views.

    Args:
        builder: views run at its place in the schedule, even if their users run later; without one there is none.
    """
    for use in list(old.uses):
        replace_use(use, new)
    _change_users(new, builder)


def _change_users(memory: ir.Value, builder: ScheduledBuilder | None) -> None:
    for use in memory.uses:
        user = use.owner.operation
        if user.name in MEMDESC_VIEWS:
            if builder is not None and builder.place is not None and user in builder.schedule:
                builder.schedule.insert(user, *builder.place)
            _make_mutable(user.result, builder)
        elif user.name == WGMMA_WAIT:  # holds the operands of wgmmas
            _make_mutable(user.results[use.operand_number], builder)


def _make_mutable(memory: ir.Value, builder: ScheduledBuilder | None) -> None:
    type = memory.type
    if not type.mutable:
        memory.set_type(
            MemDescType.get(type.shape, type.element_type, type.encoding, type.memory_space, True, type.alloc_shape)
        )
    _change_users(memory, builder)
