"""Loads through tensor descriptors, started early: copies by the tensor memory accelerator (TMA) and an mbarrier.

    %x = tt.descriptor_load %d[%i]
  =>
    %barrier = ttg.memdesc_index %barriers[%insert]                        // stage of the load
    ttng.barrier_expect %barrier, 8192                                     // bytes of all loads that share it
    %slot = ttg.memdesc_index %buffer[%insert]
    ttng.async_tma_copy_global_to_local %d[%i] %slot, %barrier, %true
    %read = ttg.memdesc_index %barriers[%extract]                          // stage of the first use
    ttng.wait_barrier %read, %phase
    %tile = ttg.memdesc_index %buffer[%extract]
    %x = ttg.local_load %tile                                              // unless an MMA reads the buffer itself

Neighbouring loads share a barrier if their data is first used at the same time.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mlir import ir

from ttkit.dialects import arith, ttg, ttng
from ttkit.inspection import address_of, next_operation, users_of
from ttkit.passes.infra import PassError
from ttkit.passes.infra.mbarriers import allocate_barriers
from ttkit.passes.infra.nesting import places_in
from ttkit.passes.layouts.gather import divided_as
from ttkit.passes.layouts.load_buffers import EarlyLoad, bytes_of, must_be_in_registers
from ttkit.passes.pipelining.async_copies import share_buffer
from ttkit.passes.pipelining.schedule import Schedule
from ttkit.passes.pipelining.scheduled_builder import ScheduledBuilder
from ttkit.passes.pipelining.uses import first_user


class SlotIndices(NamedTuple):
    """The numbers of the slots that an iteration writes and reads, and the phase of the barrier."""

    insert: ir.Value
    extract: ir.Value
    phase: ir.Value | None


def share_barriers(
    loads: Sequence[EarlyLoad], loop: ir.Operation, indices_of: Mapping[int, SlotIndices], schedule: Schedule
) -> None:
    """Gives each load by TMA its barrier, and the operation that waits at it.

    Args:
        loads: the loads of a loop, in the order of its body.
        indices_of: number of slots of a buffer -> the slots of an iteration.
    """
    by_address = {address_of(load.op): load for load in loads if load.is_tma}
    grouped: set[int] = set()
    for load in by_address.values():
        if address_of(load.op) not in grouped:
            group = neighbours(load, by_address, grouped, schedule)
            grouped.update(address_of(member.op) for member in group)
            make_barrier(group, loop, indices_of[load.slots], schedule)


def neighbours(
    load: EarlyLoad, loads: Mapping[int, EarlyLoad], grouped: set[int], schedule: Schedule
) -> list[EarlyLoad]:
    """A load and the loads after it that can share its barrier: up to the first use of the data of one of them."""
    group = [load]
    users = data_users(load.op)
    op = next_operation(load.op)
    while op is not None:
        address = address_of(op)
        if address in users or address in grouped:
            break
        other = loads.get(address)
        if other is not None:
            if other.slots != load.slots:
                break
            if schedule[op][1:] == schedule[load.op][1:]:
                group.append(other)
                users |= data_users(op)
        op = next_operation(op)
    return group


def data_users(load: ir.Operation) -> set[int]:
    """Addresses of the operations in the block of a load that use its data, themselves or in their regions."""
    if not must_be_in_registers(load):
        (allocated,) = users_of(load.result)
        if allocated.block == load.block:
            return set(map(address_of, places_in(load.block, users_of(allocated.result))))
    return set(map(address_of, places_in(load.block, users_of(load.result))))


def make_barrier(group: list[EarlyLoad], loop: ir.Operation, indices: SlotIndices, schedule: Schedule) -> None:
    """Builds the operation that announces the bytes of a group of loads, and the wait for them.

    Raises:
        PassError: no scheduled operation uses the loaded data.
    """
    first, last = group[0].op, group[-1].op
    user = first_user([load.op for load in group], loop, schedule)
    if user is None:
        raise PassError(first, "nothing that has a stage (loop.stage) in the loop uses what it loads")
    assert indices.phase is not None
    barriers = allocate_barriers(loop, group[0].slots)
    builder = ScheduledBuilder(schedule, first)
    barrier = builder(ttg.memdesc_index, barriers, indices.insert)
    yes = builder(arith.true)
    builder(ttng.barrier_expect, barrier, sum(bytes_of(load.op) for load in group), yes)
    builder.at = ir.InsertionPoint.after(last)
    builder.run_like(user)
    awaited = builder(ttg.memdesc_index, barriers, indices.extract)
    wait = builder(ttng.wait_barrier, awaited, indices.phase, []).operation
    for load in group:
        load.barrier, load.wait = barrier, wait


def copy_by_tma(load: EarlyLoad, loop: ir.Operation, indices: SlotIndices, schedule: Schedule) -> None:
    """Replaces a tt.descriptor_load or tt.descriptor_gather that has its barrier.

    Raises:
        PassError: the load has a place in the schedule, and none of its users.
    """
    op = load.op
    assert load.buffer is not None and load.barrier is not None and load.wait is not None
    if (user := first_user([op], loop, schedule)) is None:
        raise PassError(op, "found a load in the schedule without any of its users; run tritongpu-schedule-loops again")
    builder = ScheduledBuilder(schedule, op)
    slot = builder(ttg.memdesc_index, load.buffer, indices.insert)
    yes = builder(arith.true)
    descriptor, *coordinates = op.operands
    if op.name == "tt.descriptor_gather":
        rows, column = coordinates
        rows = divided_as(load.layout, rows, builder)
        builder(ttng.async_tma_gather, descriptor, rows, column, load.barrier, slot, yes)
    else:
        caching = {key: op.attributes[key] for key in ("cache", "evict") if key in op.attributes}
        copy = ttng.async_tma_copy_global_to_local
        builder(copy, descriptor, coordinates, load.barrier, slot, yes, **caching)
    builder.at = ir.InsertionPoint.after(load.wait)
    builder.run_like(user)
    tile = builder(ttg.memdesc_index, load.buffer, indices.extract)
    share_buffer(op.result, tile, builder)  # may erase the operation after the insertion point
    builder.at = ir.InsertionPoint.after(tile.owner.operation)
    if users_of(op.result):
        result = builder(ttg.local_load, tile, op.result.type)
        op.result.replace_all_uses_with(result)
    schedule.erase(op)
    op.erase()
