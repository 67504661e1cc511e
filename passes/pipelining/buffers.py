"""Buffers in shared memory with a slot for each iteration in flight, and counters of the slots."""

from collections.abc import Callable
from typing import Any, NamedTuple

from mlir import ir

from ttkit.analysis.control_flow import partitions
from ttkit.dialects import arith, ttg
from ttkit.dialects._ttg_types import MemDescType
from ttkit.inspection import next_operation
from ttkit.layout.encodings import Layout
from ttkit.operation_sets import MEMDESC_VIEWS, WARP_SPECIALIZE, WGMMA_WAIT
from ttkit.passes.infra.placed_builder import direct
from ttkit.passes.infra.transforms import replace_use
from ttkit.passes.pipelining.scheduled_builder import ScheduledBuilder


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
    """Replaces a buffer by a mutable one, and changes the types of its views and captures.

    Args:
        builder: views run at its place in the schedule, even if their users run later; without one there is none.
    """
    for use in list(old.uses):
        replace_use(use, new)
    _change_users(new, builder)


def can_be_replaced(memory: ir.Value) -> bool:
    """Whether `replace_buffer` can replace a buffer: no loop, branch or select passes it on."""
    users = [use.owner.operation for use in memory.uses]
    return all(
        can_be_replaced(user.result)
        if user.name in MEMDESC_VIEWS
        else user.name in (WGMMA_WAIT, WARP_SPECIALIZE) or not (_is_terminator(user) or _returns_memory(user))
        for user in users
    )


def _is_terminator(op: ir.Operation) -> bool:
    return next_operation(op) is None


def _returns_memory(op: ir.Operation) -> bool:
    return any(isinstance(result.type, MemDescType) for result in op.results)


def _change_users(memory: ir.Value, builder: ScheduledBuilder | None) -> None:
    for use in memory.uses:
        user = use.owner.operation
        if user.name in MEMDESC_VIEWS:
            if builder is not None and builder.place is not None and user in builder.schedule:
                builder.schedule.insert(user, *builder.place)
            _make_mutable(user.result, builder)
        elif user.name == WGMMA_WAIT:  # holds the operands of wgmmas
            _make_mutable(user.results[use.operand_number], builder)
        elif user.name == WARP_SPECIALIZE:  # partitions take what it captures as arguments
            for partition in partitions(user):
                _make_mutable(partition.blocks[0].arguments[use.operand_number], builder)


def _make_mutable(memory: ir.Value, builder: ScheduledBuilder | None) -> None:
    type = memory.type
    if not type.mutable:
        memory.set_type(
            MemDescType.get(type.shape, type.element_type, type.encoding, type.memory_space, True, type.alloc_shape)
        )
    _change_users(memory, builder)
