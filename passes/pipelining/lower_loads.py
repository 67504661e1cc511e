"""Loads of a scheduled loop, started as many stages before their use as the schedule says."""

from mlir import ir

from ttkit.analysis.axis_analysis import AxisInfoAnalysis
from ttkit.dialects import arith, tt, ttg
from ttkit.layout.blocked import default_blocked
from ttkit.passes.infra.loops import body_of, body_operations, carry_more, yield_also
from ttkit.passes.layouts.assignment import with_layout
from ttkit.passes.layouts.machine import machine_of
from ttkit.passes.pipelining.async_copies import copy_early
from ttkit.passes.pipelining.buffers import allocate, next_number
from ttkit.passes.pipelining.dependencies import in_block_users
from ttkit.passes.pipelining.load_buffers import EarlyLoad, early_loads
from ttkit.passes.pipelining.schedule import Schedule
from ttkit.passes.pipelining.scheduled_builder import ScheduledBuilder
from ttkit.passes.pipelining.tma_copies import Turn, copy_by_tma, share_barriers
from ttkit.passes.pipelining.uses import first_user


def lower_loads(loop: ir.Operation, schedule: Schedule) -> ir.Operation:
    """Makes those loads asynchronous whose data is used in a later stage; the loop, which may be another one then.

    The data goes to a buffer with a part for each iteration between a load and its last use.  Loads with equally many
    parts count them together.
    """
    loads = early_loads(loop, body_operations(loop), schedule, AxisInfoAnalysis())
    if not loads:
        return loop
    for load in loads:
        if not isinstance(load.op.result.type, ir.RankedTensorType):
            load.op = load_as_tensor(load.op, loop, schedule)
        type = load.op.result.type
        load.buffer = allocate(loop, type, load.layout, load.parts, load.op.location)
    loop, turns = count_turns(loop, loads)
    share_barriers(loads, loop, turns, schedule)
    by_threads = not all(load.is_tma for load in loads)
    for load in loads:
        turn = turns[load.parts]
        if load.is_tma:
            copy_by_tma(load, loop, turn, schedule)
        else:
            copy_early(load, loop, turn.insert, turn.extract, schedule)
    yield_also(loop, [value for turn in turns.values() for value in turn if value is not None])
    schedule_dependencies(loop, schedule)
    if by_threads:
        # The last iterations start copies for iterations that don't come.
        with loop.location, ir.InsertionPoint.after(loop):
            ttg.async_wait([], 0)
    return loop


def load_as_tensor(load: ir.Operation, loop: ir.Operation, schedule: Schedule) -> ir.Operation:
    """Replaces the load of a number by that of a tensor with this one element, which can go through a buffer."""
    user = first_user([load], loop, schedule)
    assert user is not None
    builder = ScheduledBuilder(schedule, load)
    layout = default_blocked([1], *machine_of(load))

    def one_element(type: ir.Type) -> ir.Type:
        """A tensor of one element of that type."""
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


def count_turns(loop: ir.Operation, loads: list[EarlyLoad]) -> tuple[ir.Operation, dict[int, Turn]]:
    """Has a loop count through the parts of buffers.

    What is written and what is read have counters of their own: they are of different iterations.

    Returns:
        The loop that takes the place of `loop`, and the part of each iteration by how many parts there are.
    """
    sizes = dict.fromkeys(load.parts for load in loads)
    with_phase = {load.parts for load in loads if load.is_tma}
    with loop.location, ir.InsertionPoint(loop):
        before_first, zero, one = map(arith.i32, (-1, 0, 1))
    initial = []
    for size in sizes:
        initial += [before_first, before_first, zero] if size in with_phase else [before_first, before_first]
    loop, arguments = carry_more(loop, initial)
    turns = {}
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
        turns[size] = Turn(insert.number, extract.number, phase)
    return loop, turns


def schedule_dependencies(loop: ir.Operation, schedule: Schedule) -> None:
    """Schedules what is not scheduled yet with the first operation that needs it."""
    for op in reversed(body_operations(loop)):
        if op in schedule:
            continue
        users = [schedule[user] for user in in_block_users(op.block, op) if user in schedule]
        if users:
            first = min(users, key=lambda user: (user.stage, user.cluster.index))
            schedule.insert(op, first.stage, first.cluster)
