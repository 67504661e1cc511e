"""Barriers for tcgen05.mmas, and the operations that wait at them.

    %t1 = ttng.tc_gen5_mma %a, %b, %acc[%t0], %use, %true
  =>
    %barrier = ttg.memdesc_index %barriers[%index]
    %t1 = ttng.tc_gen5_mma %a, %b, %acc[%t0], %use, %true, %barrier[%true]
    ttng.wait_barrier %barrier, %phase deps %a, %b                     // in a later stage

The self-latency of the MMA gives the stage of the wait.  The wait comes earlier if the loop reads the accumulator or
fills the buffer of an operand earlier.
"""

from mlir import ir

from ttkit.dialects import arith, ttg, ttng
from ttkit.dialects._ttg_types import MemDescType
from ttkit.inspection import terminator, users_of
from ttkit.operation_sets import ALLOCATIONS, TMEM_ALLOC, TMEM_LOAD, TMEM_STORE
from ttkit.passes.infra import clone_operations, set_operands
from ttkit.passes.infra.loop_attributes import CLUSTER, STAGE
from ttkit.passes.infra.loops import body_of
from ttkit.passes.infra.mbarriers import allocate_barriers
from ttkit.passes.infra.nesting import ancestor_in, places_in
from ttkit.passes.infra.segments import add_barrier
from ttkit.passes.pipelining.buffers import next_number, replace_buffer
from ttkit.passes.pipelining.schedule import Cluster, Schedule
from ttkit.passes.pipelining.scheduled_builder import ScheduledBuilder
from ttkit.passes.pipelining.tcgen5_overlap import Operand, operands_of, scales_of

# The stages from an MMA to the wait for it, if nothing needs its end earlier.
SELF_LATENCY = 1


def wait_for(
    mma: ir.Operation,
    alloc: ir.Operation,
    loop: ir.Operation,
    schedule: Schedule,
    phase: ir.Value,
    index: ir.Value,
    slots: int,
) -> None:
    """Gives an MMA a barrier and builds the waits at it.

    Args:
        slots: those of its accumulator.
        alloc: the ttng.tmem_alloc of its accumulator.
        phase, index: arguments of the loop's body.  So far the loop passes them on unchanged.
    """
    stage, cluster = place_of_wait(mma, alloc, loop, schedule, slots)
    count = stage - schedule[mma].stage + 1
    barriers = allocate_barriers(loop, count)
    builder = ScheduledBuilder(schedule, mma)
    true = builder(arith.true)
    zero, one, limit = (builder(arith.i32, value) for value in (0, 1, count))
    barrier = builder(ttg.memdesc_index, barriers, index if count > 1 else zero)
    add_barrier(mma, barrier, true)
    mma.attributes["is_async"] = ir.UnitAttr.get(mma.context)
    buffers = [mma.opview.a, mma.opview.b, *scales_of(mma)]
    builder.at = ir.InsertionPoint.after(mma)
    builder.place = stage, cluster
    builder(ttng.wait_barrier, barrier, phase, buffers)
    wait_in_branches(mma, alloc, loop, (stage, cluster.index), builder, barrier, phase, buffers)
    builder.run_like(mma)
    end = terminator(body_of(loop)).operation
    builder.at = ir.InsertionPoint(end)
    flipped = builder(arith.xori, phase, one)
    if count > 1:
        following = next_number(index, limit, zero, one, builder)
        flipped = builder(arith.select, following.starts_over, flipped, phase)
        end.operation.replace_uses_of_with(index, following.number)
    end.operation.replace_uses_of_with(phase, flipped)


def place_of_wait(
    mma: ir.Operation, alloc: ir.Operation, loop: ir.Operation, schedule: Schedule, slots: int
) -> tuple[int, Cluster]:
    """The stage and the cluster in which the loop waits for an MMA.

    Differs from Triton, which does not wait before a branch that reads the accumulator in the next iteration, nor
    before a store to an accumulator with one slot.
    """
    loads = [user for user in users_of(alloc.opview.result) if user.name == TMEM_LOAD]
    needed = [load for load in loads if load.block == mma.block]
    if slots == 1:
        needed += [op for op in users_of(alloc.opview.result) if op.name == TMEM_STORE and op.block == mma.block]
    branches = branches_before(mma, loads, loop, schedule)
    needed += branches
    stage = schedule[mma].stage
    operands: list[Operand] = []
    if alloc.block != mma.block:  # otherwise the wait is where the accumulator is read
        operands = operands_of(mma, loop, lambda op: op in schedule and schedule[op].stage < stage)
    filled = [fill_in_loop(op, loop, schedule) for op in changes_of(operands)]
    is_known = all(operand.is_known for operand in operands)
    if is_known:
        needed += filled
    _, stage, cluster = schedule[mma]
    if not needed or not (is_known or branches) or not all(op in schedule for op in needed):
        return stage + SELF_LATENCY, cluster
    first = needed[0]
    for other in needed[1:]:
        if runs_first(other, first, mma, schedule):
            first = other
    stage = stage_after(mma, first, schedule)
    return stage, schedule.clusters.add_before(schedule.split_cluster_before(first, loop))


def branches_before(
    mma: ir.Operation, loads: list[ir.Operation], loop: ir.Operation, schedule: Schedule
) -> list[ir.Operation]:
    """The operations of a loop's body that hold loads, and that run before an MMA in an iteration, or without it."""
    inside = [load for load in loads if load.block != mma.block]
    return [op for op in places_in(body_of(loop), inside) if op in schedule and schedule.is_before(op, mma)]


def stage_after(mma: ir.Operation, op: ir.Operation, schedule: Schedule) -> int:
    """The stage in which an operation runs next after an MMA: its own stage, or a later one in the next iteration."""
    stage = schedule[op].stage
    if not schedule.is_before(op, mma):
        return stage
    # Triton 3.6 takes the stage after that of the MMA: too late for an operation of an earlier stage after the MMA.
    return max(stage + 1, schedule[mma].stage + (not schedule.runs_before(mma, op)))


def runs_first(a: ir.Operation, b: ir.Operation, mma: ir.Operation, schedule: Schedule) -> bool:
    """Whether the next run of `a` after an MMA comes before the next run of `b`."""
    stages = stage_after(mma, a, schedule), stage_after(mma, b, schedule)
    return stages[0] < stages[1] or (stages[0] == stages[1] and schedule.runs_before(a, b))


def changes_of(operands: list[Operand]) -> list[ir.Operation]:
    """The operations that change operands in each iteration, each once."""
    found: list[ir.Operation] = []
    for operand in operands:
        if operand.changed_by is not None and operand.changed_by not in found:
            found.append(operand.changed_by)
    return found


def fill_in_loop(buffer: ir.Operation, loop: ir.Operation, schedule: Schedule) -> ir.Operation:
    """Allocates a buffer before a loop, and stores its contents in the loop.

    Returns:
        The store that replaces `buffer`; `buffer` itself if it does not allocate a buffer with initial contents.
    """
    if buffer.name not in ALLOCATIONS or len(buffer.operands) == 0:
        return buffer
    old, source = buffer.opview.result, buffer.opview.src
    type = old.type
    (hoisted,) = clone_operations([buffer], [], ir.InsertionPoint(buffer))
    set_operands(hoisted, [])
    for name in (STAGE, CLUSTER):
        if name in hoisted.attributes:
            del hoisted.attributes[name]
    hoisted.move_before(loop)
    new = hoisted.opview.result
    new.set_type(MemDescType.get(type.shape, type.element_type, type.encoding, type.memory_space, True))
    builder = ScheduledBuilder(schedule, buffer)
    builder.at = ir.InsertionPoint.after(buffer)
    if buffer.name == TMEM_ALLOC:
        store = builder(ttng.tmem_store, None, new, source, builder(arith.true))
    else:
        store = builder(ttg.local_store, source, new)
    replace_buffer(old, new, builder)
    schedule.erase(buffer)
    buffer.erase()
    made: ir.Operation = store.owner.operation if isinstance(store, ir.OpResultList) else store.operation
    return made


def wait_in_branches(
    mma: ir.Operation,
    alloc: ir.Operation,
    loop: ir.Operation,
    waited: tuple[int, int],
    builder: ScheduledBuilder,
    barrier: ir.Value,
    phase: ir.Value,
    buffers: list[ir.Value],
) -> None:
    """Waits in front of reads of the accumulator in branches that run before the stage and cluster `waited`."""
    body, schedule = body_of(loop), builder.schedule
    for load in users_of(alloc.opview.result):
        if load.name != TMEM_LOAD or load.block == mma.block:
            continue
        top = ancestor_in(body, load)
        if top is None or (schedule[top].stage, schedule[top].cluster.index) >= waited:
            continue
        if schedule.is_before(top, mma):
            continue
        builder.run_like(top)
        builder.at = ir.InsertionPoint(load)
        builder(ttng.wait_barrier, barrier, phase, buffers)
