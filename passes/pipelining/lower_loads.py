"""Asynchronous loads of a scheduled loop, started in the stage that the schedule gives them."""

from mlir import ir

from ttkit.analysis.axis_analysis import AxisInfoAnalysis
from ttkit.dialects import arith, tt, ttg
from ttkit.layout.blocked import default_blocked
from ttkit.passes.infra.loops import body_of, body_operations, carry_more, yield_also
from ttkit.passes.layouts.assignment import with_layout
from ttkit.passes.layouts.load_buffers import EarlyLoad
from ttkit.passes.layouts.thread_counts import machine_of
from ttkit.passes.pipelining.async_copies import copy_by_threads
from ttkit.passes.pipelining.buffers import allocate, next_number
from ttkit.passes.pipelining.dependencies import in_block_users
from ttkit.passes.pipelining.early_loads import early_loads
from ttkit.passes.pipelining.schedule import Schedule
from ttkit.passes.pipelining.scheduled_builder import ScheduledBuilder
from ttkit.passes.pipelining.tma_copies import SlotIndices, copy_by_tma, share_barriers
from ttkit.passes.pipelining.uses import first_user


def lower_loads(loop: ir.Operation, schedule: Schedule) -> ir.Operation:
    """Makes the loads whose data is used in a later stage asynchronous; returns the loop, which may be a new one.

    The data goes to a buffer with a slot for each iteration between a load and its last use.  Loads with the same
    number of slots share their counters.
    """
    loads = early_loads(loop, body_operations(loop), schedule, AxisInfoAnalysis())
    if not loads:
        return loop
    for load in loads:
        if not isinstance(load.op.result.type, ir.RankedTensorType):
            load.op = load_as_tensor(load.op, loop, schedule)
        type = load.op.result.type
        load.buffer = allocate(loop, type, load.layout, load.slots, load.op.location)
    loop, indices_of = carry_slot_indices(loop, loads)
    share_barriers(loads, loop, indices_of, schedule)
    by_threads = not all(load.is_tma for load in loads)
    for load in loads:
        indices = indices_of[load.slots]
        if load.is_tma:
            copy_by_tma(load, loop, indices, schedule)
        else:
            copy_by_threads(load, loop, indices.insert, indices.extract, schedule)
    yield_also(loop, [value for indices in indices_of.values() for value in indices if value is not None])
    schedule_dependencies(loop, schedule)
    if by_threads:
        # The last iterations start copies for iterations that do not exist.
        with loop.location, ir.InsertionPoint.after(loop):
            ttg.async_wait([], 0)
    return loop


def load_as_tensor(load: ir.Operation, loop: ir.Operation, schedule: Schedule) -> ir.Operation:
    """Replaces the load of a scalar by that of a tensor of one element, which can go through a buffer."""
    user = first_user([load], loop, schedule)
    assert user is not None
    builder = ScheduledBuilder(schedule, load)
    layout = default_blocked([1], *machine_of(load))

    def one_element(type: ir.Type) -> ir.Type:
        """The type of a tensor of one element of `type`."""
        return with_layout(ir.RankedTensorType.get([1], type, loc=load.location), layout)

    operands = [builder(tt.splat, value, one_element(value.type)) for value in load.operands]
    attributes = {name: load.attributes[name] for name in load.attributes}
    tensor = builder(ir.Operation.create, "tt.load", [one_element(load.result.type)], operands, attributes=attributes)
    builder.run_like(user)
    number = builder(tt.unsplat, tensor)
    load.result.replace_all_uses_with(number)
    schedule.erase(load)
    load.erase()
    return tensor


def carry_slot_indices(loop: ir.Operation, loads: list[EarlyLoad]) -> tuple[ir.Operation, dict[int, SlotIndices]]:
    """Has a loop count the slots of buffers.

    Writes and reads have separate counters, since they belong to different iterations.

    Returns:
        The loop that replaces `loop`; and number of slots -> the slots of an iteration.
    """
    sizes = dict.fromkeys(load.slots for load in loads)
    with_phase = {load.slots for load in loads if load.is_tma}
    with loop.location, ir.InsertionPoint(loop):
        before_first, zero, one = map(arith.i32, (-1, 0, 1))
    initial = []
    for size in sizes:
        initial += [before_first, before_first, zero] if size in with_phase else [before_first, before_first]
    loop, arguments = carry_more(loop, initial)
    indices_of = {}
    remaining = iter(arguments)
    for size in sizes:
        with loop.location, ir.InsertionPoint.at_block_begin(body_of(loop)):
            limit = arith.i32(size)
            insert = next_number(next(remaining), limit, zero, one)
            extract = next_number(next(remaining), limit, zero, one)
            phase = None
            if size in with_phase:
                phase = next(remaining)
                phase = arith.select(extract.starts_over, arith.xori(phase, one), phase)
        indices_of[size] = SlotIndices(insert.number, extract.number, phase)
    return loop, indices_of


def schedule_dependencies(loop: ir.Operation, schedule: Schedule) -> None:
    """Schedules each operation that has no place yet with its first user."""
    for op in reversed(body_operations(loop)):
        if op in schedule:
            continue
        users = [schedule[user] for user in in_block_users(op.block, op) if user in schedule]
        if users:
            first = min(users, key=lambda user: (user.stage, user.cluster.index))
            schedule.insert(op, first.stage, first.cluster)
