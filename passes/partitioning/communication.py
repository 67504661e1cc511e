"""Sending loads from one task to others, by buffers, mbarriers, and tokens that tell when slots are empty.

task 0                                                  tasks 1 and 2
  nvws.producer_acquire %token1, %slot, %phase            ttng.wait_barrier %barrier, %phase
  nvws.producer_acquire %token2, %slot, %phase            %x = ttg.local_load %buffer[%slot]
  ttng.barrier_expect %barrier, 16384                     ... users of %x
  ttng.async_tma_copy_global_to_local ...                 nvws.consumer_release %token1, %slot    // of task 1

Loads through pointers become cp.async, after which each thread of task 0 arrives at the barrier.
"""

from typing import Any

from mlir import ir

from ttkit.dialects import arith, nvws, ttg, ttng
from ttkit.dialects._ttg_types import MemDescType
from ttkit.inspection import collect, defining, name_of
from ttkit.passes.infra.masks import access_mask
from ttkit.passes.infra.mbarriers import make_barriers
from ttkit.passes.layouts.load_buffers import buffer_layout, bytes_of, other_of
from ttkit.passes.partitioning.channels import Channel, Group
from ttkit.passes.partitioning.counters import Counters, Slot
from ttkit.passes.partitioning.tasks import THREADS, TaskBuilder, tasks_of
from ttkit.records import dataclass

# The nvws.TokenLoadType of buffers that TMA fills.
TMA_LOAD = 2


@dataclass
class Memory:
    """The memory that a group sends by.

    Attributes:
        buffers: the buffer of each channel.
        tokens: consumer task -> its token.
        barriers: the mbarriers on which the copies arrive, one for each slot.
    """

    buffers: list[ir.Value]
    tokens: dict[int, ir.Value]
    barriers: ir.Value


def make_memories(function: ir.Operation, channels: list[Channel], groups: list[Group]) -> dict[int, Memory]:
    """Makes the memory of groups, by their identity.

    Args:
        function: gets the memory, at its start.
        channels: all of the function, in order.
        groups: those that have buffers of their own.
    """
    owned = {id(channel) for group in groups for channel in group.channels}
    ordered = [channel for channel in channels if id(channel) in owned]
    buffers = dict(zip(map(id, ordered), allocate(function, ordered)))
    made = {}
    for group, tokens in zip(groups, make_tokens(function, groups)):
        at = ir.InsertionPoint.at_block_begin(function.regions[0].blocks[0])
        barriers = make_barriers(function, group.channels[0].stages, THREADS if group.by_threads else 1, at)
        made[id(group)] = Memory([buffers[id(channel)] for channel in group.channels], tokens, barriers)
    return made


def allocate(function: ir.Operation, channels: list[Channel]) -> list[ir.Value]:
    """Allocates the buffer of each channel, at the start of a function."""
    buffers = []
    at = ir.InsertionPoint.at_block_begin(function.regions[0].blocks[0])
    for channel in channels:
        type: Any = channel.source.result.type
        shape = [channel.slots, *type.shape]
        memory = MemDescType.get(shape, type.element_type, buffer_layout(channel.source.result), mutable=True)
        with function.location, at:
            buffers.append(ttg.local_alloc(memory))
    return buffers


def make_tokens(function: ir.Operation, groups: list[Group]) -> list[dict[int, ir.Value]]:
    """Creates the tokens of each group, consumer task -> token, at the start of a function, before the buffers."""
    at = ir.InsertionPoint.at_block_begin(function.regions[0].blocks[0])
    made = []
    for group in groups:
        slots = group.channels[0].slots
        type = ir.Type.parse(f"tensor<{slots}x!nvws.token>", function.context)
        with function.location, at:
            made.append({task: nvws.create_token(type, slots, TMA_LOAD) for task in group.consumers})
    return made


def send(group: Group, memory: Memory, counters: Counters) -> None:
    """Replaces the loads of a group by copies to buffers, which the consumers wait for; `counters` choose the slot."""
    buffers, tokens, barriers = memory.buffers, memory.tokens, memory.barriers
    source, user = group.first_source, group.first_user
    channel = group.channels[0]
    ends = {task: group.last_use(task) for task in tokens}
    both = TaskBuilder(_slot_place(source), source.location, (group.task, *group.consumers))
    slot = counters.slot(channel.region, channel.slots, both)
    produce = TaskBuilder(ir.InsertionPoint(source), source.location, (group.task,))
    for token in tokens.values():
        produce(nvws.producer_acquire, token, slot.index, slot.phase)
    _copy(group, buffers, barriers, slot, produce)
    consume = TaskBuilder(ir.InsertionPoint(user), source.location, group.consumers)
    _read(group, buffers, barriers, slot, consume)
    for task, token in tokens.items():
        release = TaskBuilder(ir.InsertionPoint.after(ends[task]), ends[task].location, (task,))
        release(nvws.consumer_release, token, slot.index)
    for channel in group.channels:
        channel.source.erase()


def _slot_place(source: ir.Operation) -> ir.InsertionPoint:
    """The place where the index and phase of a slot are computed."""
    parent = source.parent.operation
    return ir.InsertionPoint.at_block_begin(source.block) if parent.name == "tt.func" else ir.InsertionPoint(source)


def _copy(group: Group, buffers: list[ir.Value], barriers: ir.Value, slot: Slot, build: TaskBuilder) -> None:
    barrier = build(ttg.memdesc_index, barriers, slot.index)
    if group.by_threads:
        _copy_by_threads(group, buffers, barrier, slot, build)
        return
    yes = build(arith.true)
    build(ttng.barrier_expect, barrier, sum(bytes_of(channel.source) for channel in group.channels), yes)
    for channel, buffer in zip(group.channels, buffers):
        build.at = ir.InsertionPoint(channel.source)
        view = build(ttg.memdesc_index, buffer, slot.index)
        descriptor, *coordinates = channel.source.operands
        build(ttng.async_tma_copy_global_to_local, descriptor, coordinates, barrier, view, yes)


def _copy_by_threads(group: Group, buffers: list[ir.Value], barrier: ir.Value, slot: Slot, build: TaskBuilder) -> None:
    """Copies by cp.async; each thread arrives when its own copies have."""
    for channel, buffer in zip(group.channels, buffers):
        build.at = ir.InsertionPoint(channel.source)
        view = build(ttg.memdesc_index, buffer, slot.index)
        load, given = channel.source, channel.source.attributes
        hints = {"cache": given["cache"], "evict": given["evict"], "is_volatile": given["isVolatile"]}
        wide = {"mask": access_mask(load), "other": other_of(load), "contiguity": channel.width}
        build(ttg.async_copy_global_to_local, load.opview.ptr, view, **wide, **hints)
    build(ttng.async_copy_mbarrier_arrive, barrier, no_increment=True)


def _read(group: Group, buffers: list[ir.Value], barriers: ir.Value, slot: Slot, build: TaskBuilder) -> None:
    barrier = build(ttg.memdesc_index, barriers, slot.index)
    # Zero-extended: the phase of a wait is 0 or 1.
    phase = build(arith.extui, ir.IntegerType.get_signless(32, build.location.context), slot.phase)
    build(ttng.wait_barrier, barrier, phase, [])
    if group.by_threads:  # tensor cores read through another proxy than threads write
        build(ttng.fence_async_shared, False)
    for channel, buffer in zip(group.channels, buffers):
        type: Any = buffer.type
        view_type = MemDescType.get(list(type.shape)[1:], type.element_type, type.encoding, mutable=False)
        view = build(ir.Operation.create, "ttg.memdesc_index", [view_type], [buffer, slot.index]).result
        loaded = build(ttg.local_load, view, channel.source.result.type)
        channel.source.result.replace_all_uses_with(loaded)


def use_buffers(function: ir.Operation) -> None:
    """Replaces copies of a buffer in shared memory by the buffer itself."""
    for copy in collect(function, ["ttg.local_alloc"]):
        source = defining(copy.opview.src) if copy.opview.src is not None else None
        if source is None or name_of(source) != "ttg.local_load" or tasks_of(source.operation) != tasks_of(copy):
            continue
        if source.src.type == copy.result.type:
            copy.result.replace_all_uses_with(source.src)
