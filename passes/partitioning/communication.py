"""Sending what TMA loads from one task to others: buffers, tokens that say when they are full and empty, and mbarriers.

task 0                                                  tasks 1 and 2
  nvws.producer_acquire %token1, %part, %phase            ttng.wait_barrier %barrier, %phase
  nvws.producer_acquire %token2, %part, %phase            %x = ttg.local_load %buffer[%part]
  ttng.barrier_expect %barrier, 16384                     ... users of %x
  ttng.async_tma_copy_global_to_local ...                 nvws.consumer_release %token1, %part    // of task 1
"""

from typing import Any

from mlir import ir

from ttkit.dialects import arith, nvws, ttg, ttng
from ttkit.dialects._ttg_types import MemDescType
from ttkit.inspection import collect, defining, name_of
from ttkit.passes.partitioning.channels import Channel, Group
from ttkit.passes.partitioning.counters import Counters, Turn
from ttkit.passes.partitioning.tasks import TaskBuilder, tasks_of
from ttkit.passes.pipelining.load_buffers import buffer_layout, bytes_of

# What fills the buffers of a token, nvws.TokenLoadType.
TMA_LOAD = 2


def allocate(function: ir.Operation, channels: list[Channel]) -> list[ir.Value]:
    """Makes the buffer of each channel, at the start of a function."""
    buffers = []
    at = ir.InsertionPoint.at_block_begin(function.regions[0].blocks[0])
    for channel in channels:
        type: Any = channel.source.result.type
        shape = [channel.parts, *type.shape]
        memory = MemDescType.get(shape, type.element_type, buffer_layout(channel.source), mutable=True)
        with function.location, at:
            buffers.append(ttg.local_alloc(memory))
    return buffers


def make_tokens(function: ir.Operation, groups: list[Group]) -> list[dict[int, ir.Value]]:
    """Makes the tokens of each group: task that reads -> its token; at the start of a function, before the buffers."""
    at = ir.InsertionPoint.at_block_begin(function.regions[0].blocks[0])
    made = []
    for group in groups:
        parts = group.channels[0].parts
        type = ir.Type.parse(f"tensor<{parts}x!nvws.token>", function.context)
        with function.location, at:
            made.append({task: nvws.create_token(type, parts, TMA_LOAD) for task in group.consumers})
    return made


def send(
    group: Group, buffers: list[ir.Value], tokens: dict[int, ir.Value], barriers: ir.Value, counters: Counters
) -> None:
    """Replaces the loads of a group.

    Args:
        buffers: of each channel.
        tokens: by the task that reads.
        barriers: on which the copies arrive.
    """
    source, user = group.first_source, group.first_user
    channel = group.channels[0]
    ends = {task: group.last_use(task) for task in tokens}
    both = TaskBuilder(_before_turn(source), source.location, (group.task, *group.consumers))
    turn = counters.turn(channel.region, channel.parts, both)
    produce = TaskBuilder(ir.InsertionPoint(source), source.location, (group.task,))
    for token in tokens.values():
        produce(nvws.producer_acquire, token, turn.part, turn.phase)
    _copy(group, buffers, barriers, turn, produce)
    consume = TaskBuilder(ir.InsertionPoint(user), source.location, group.consumers)
    _read(group, buffers, barriers, turn, consume)
    for task, token in tokens.items():
        release = TaskBuilder(ir.InsertionPoint.after(ends[task]), ends[task].location, (task,))
        release(nvws.consumer_release, token, turn.part)
    for channel in group.channels:
        channel.source.erase()


def _before_turn(source: ir.Operation) -> ir.InsertionPoint:
    """The place where the numbers of a turn are computed."""
    parent = source.parent.operation
    return ir.InsertionPoint.at_block_begin(source.block) if parent.name == "tt.func" else ir.InsertionPoint(source)


def _copy(group: Group, buffers: list[ir.Value], barriers: ir.Value, turn: Turn, build: TaskBuilder) -> None:
    barrier = build(ttg.memdesc_index, barriers, turn.part)
    yes = build(arith.true)
    build(ttng.barrier_expect, barrier, sum(bytes_of(channel.source) for channel in group.channels), yes)
    for channel, buffer in zip(group.channels, buffers):
        build.at = ir.InsertionPoint(channel.source)
        part = build(ttg.memdesc_index, buffer, turn.part)
        descriptor, *coordinates = channel.source.operands
        build(ttng.async_tma_copy_global_to_local, descriptor, coordinates, barrier, part, yes)


def _read(group: Group, buffers: list[ir.Value], barriers: ir.Value, turn: Turn, build: TaskBuilder) -> None:
    barrier = build(ttg.memdesc_index, barriers, turn.part)
    # Zero-extended: the phase of a wait is 0 or 1.
    phase = build(arith.extui, ir.IntegerType.get_signless(32, build.location.context), turn.phase)
    build(ttng.wait_barrier, barrier, phase, [])
    for channel, buffer in zip(group.channels, buffers):
        type: Any = buffer.type
        view = MemDescType.get(list(type.shape)[1:], type.element_type, type.encoding, mutable=False)
        part = build(ir.Operation.create, "ttg.memdesc_index", [view], [buffer, turn.part]).result
        loaded = build(ttg.local_load, part, channel.source.result.type)
        channel.source.result.replace_all_uses_with(loaded)


def use_buffers(function: ir.Operation) -> None:
    """Has operations that read a copy of a buffer in shared memory read the buffer itself."""
    for copy in collect(function, ["ttg.local_alloc"]):
        source = defining(copy.opview.src) if copy.opview.src is not None else None
        if source is None or name_of(source) != "ttg.local_load" or tasks_of(source.operation) != tasks_of(copy):
            continue
        if source.src.type == copy.result.type:
            copy.result.replace_all_uses_with(source.src)
