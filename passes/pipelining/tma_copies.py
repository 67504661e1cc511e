"""Loads through tensor descriptors, started early: copies by the tensor memory accelerator (TMA) and an mbarrier.

    %x = tt.descriptor_load %d[%i]
  =>
    %barrier = ttg.memdesc_index %barriers[%insert]                        // stage of the load
    ttng.barrier_expect %barrier, 8192                                     // bytes of all loads that share it
    %part = ttg.memdesc_index %buffer[%insert]
    ttng.async_tma_copy_global_to_local %d[%i] %part, %barrier, %true
    %read = ttg.memdesc_index %barriers[%extract]                          // stage of the first use
    ttng.wait_barrier %read, %phase
    %tile = ttg.memdesc_index %buffer[%extract]
    %x = ttg.local_load %tile                                              // unless a product reads the buffer itself

Neighbouring loads whose data is first used at the same time share a barrier.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mlir import ir

from ttkit.dialects import arith, ttg, ttng
from ttkit.inspection import address_of, next_operation, users_of
from ttkit.passes.infra import PassError
from ttkit.passes.infra.nesting import places_in
from ttkit.passes.pipelining.async_copies import share_buffer
from ttkit.passes.pipelining.buffers import allocate_barriers
from ttkit.passes.pipelining.load_buffers import EarlyLoad, bytes_of, must_be_in_registers
from ttkit.passes.pipelining.schedule import Schedule
from ttkit.passes.pipelining.scheduled_builder import ScheduledBuilder
from ttkit.passes.pipelining.uses import first_user


class Turn(NamedTuple):
    """The part of its buffer that a load writes in an iteration, the one that is read, and the phase of its barrier."""

    insert: ir.Value
    extract: ir.Value
    phase: ir.Value | None


def share_barriers(
    loads: Sequence[EarlyLoad], loop: ir.Operation, turns: Mapping[int, Turn], schedule: Schedule
) -> None:
    """Gives each load by TMA its barrier, and the operation that waits for it.

    Args:
        loads: of a loop, in the order of its body.
        turns: by the number of a buffer's parts.
    """
    by_address = {address_of(load.op): load for load in loads if load.is_tma}
    grouped: set[int] = set()
    for load in by_address.values():
        if address_of(load.op) not in grouped:
            group = neighbours(load, by_address, grouped, schedule)
            grouped.update(address_of(member.op) for member in group)
            make_barrier(group, loop, turns[load.parts], schedule)


def neighbours(
    load: EarlyLoad, loads: Mapping[int, EarlyLoad], grouped: set[int], schedule: Schedule
) -> list[EarlyLoad]:
    """A load and those after it that can share its barrier: up to where something uses the data of one of them."""
    group = [load]
    users = data_users(load.op)
    op = next_operation(load.op)
    while op is not None:
        address = address_of(op)
        if address in users or address in grouped:
            break
        other = loads.get(address)
        if other is not None:
            if other.parts != load.parts:
                break
            if schedule[op][1:] == schedule[load.op][1:]:
                group.append(other)
                users |= data_users(op)
        op = next_operation(op)
    return group


def data_users(load: ir.Operation) -> set[int]:
    """Addresses of the operations beside a load, in its block, that need its data."""
    if not must_be_in_registers(load):
        (allocated,) = users_of(load.result)
        if allocated.block == load.block:
            return {address_of(user) for user in users_of(allocated.result)}
    return set(map(address_of, places_in(load.block, users_of(load.result))))


def make_barrier(group: list[EarlyLoad], loop: ir.Operation, turn: Turn, schedule: Schedule) -> None:
    """Builds what announces the bytes of a group of loads, and what waits for them.

    Raises:
        PassError: nothing with a stage uses what is loaded.
    """
    first, last = group[0].op, group[-1].op
    user = first_user([load.op for load in group], loop, schedule)
    if user is None:
        raise PassError(first, "nothing that has a stage (loop.stage) in the loop uses what it loads")
    assert turn.phase is not None
    barriers = allocate_barriers(loop, group[0].parts)
    builder = ScheduledBuilder(schedule, first)
    barrier = builder(ttg.memdesc_index, barriers, turn.insert)
    yes = builder(arith.true)
    builder(ttng.barrier_expect, barrier, sum(bytes_of(load.op) for load in group), yes)
    builder.at = ir.InsertionPoint.after(last)
    builder.run_like(user)
    awaited = builder(ttg.memdesc_index, barriers, turn.extract)
    wait = builder(ttng.wait_barrier, awaited, turn.phase, []).operation
    for load in group:
        load.barrier, load.wait = barrier, wait


def copy_by_tma(load: EarlyLoad, loop: ir.Operation, turn: Turn, schedule: Schedule) -> None:
    """Replaces a tt.descriptor_load or tt.descriptor_gather whose barrier is made."""
    op = load.op
    assert load.buffer is not None and load.barrier is not None and load.wait is not None
    user = first_user([op], loop, schedule)
    assert user is not None
    builder = ScheduledBuilder(schedule, op)
    part = builder(ttg.memdesc_index, load.buffer, turn.insert)
    yes = builder(arith.true)
    descriptor, *coordinates = op.operands
    if op.name == "tt.descriptor_gather":
        builder(ttng.async_tma_gather, descriptor, *coordinates, load.barrier, part, yes)
    else:
        caching = {key: op.attributes[key] for key in ("cache", "evict") if key in op.attributes}
        copy = ttng.async_tma_copy_global_to_local
        builder(copy, descriptor, coordinates, load.barrier, part, yes, **caching)
    builder.at = ir.InsertionPoint.after(load.wait)
    builder.run_like(user)
    tile = builder(ttg.memdesc_index, load.buffer, turn.extract)
    share_buffer(op.result, tile, builder)  # may erase the operation that the point is in front of
    builder.at = ir.InsertionPoint.after(tile.owner.operation)
    if users_of(op.result):
        result = builder(ttg.local_load, tile, op.result.type)
        op.result.replace_all_uses_with(result)
    schedule.erase(op)
    op.erase()
