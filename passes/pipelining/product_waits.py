"""Barriers for products in tensor memory, and the operations that wait for them.

    %t1 = ttng.tc_gen5_mma %a, %b, %acc[%t0], %use, %true
  =>
    %barrier = ttg.memdesc_index %barriers[%index]
    %t1 = ttng.tc_gen5_mma %a, %b, %acc[%t0], %use, %true, %barrier[%true]
    ttng.wait_barrier %barrier, %phase deps %a, %b                     // in a later stage

The wait is in the stage that the product's self-latency says, or before: where the loop reads the accumulator, and
where an operand's buffer is filled again.
"""

from mlir import ir

from ttkit.dialects import arith, ttg, ttng
from ttkit.dialects._ttg_types import MemDescType
from ttkit.inspection import terminator, users_of
from ttkit.operation_sets import ALLOCATIONS, TMEM_ALLOC, TMEM_LOAD
from ttkit.passes.infra import clone_operations, set_operands
from ttkit.passes.infra.loop_attributes import CLUSTER, STAGE
from ttkit.passes.infra.loops import body_of
from ttkit.passes.infra.nesting import ancestor_in
from ttkit.passes.infra.segments import add_barrier
from ttkit.passes.infra.transforms import replace_operand
from ttkit.passes.pipelining.buffers import allocate_barriers, next_number, replace_buffer
from ttkit.passes.pipelining.schedule import Cluster, Schedule
from ttkit.passes.pipelining.scheduled_builder import ScheduledBuilder
from ttkit.passes.pipelining.tcgen5_overlap import Operand, operands_of, scales_of

# A product waits one stage later than it starts, if nothing needs it before.
SELF_LATENCY = 1


def wait_for(
    product: ir.Operation, alloc: ir.Operation, loop: ir.Operation, schedule: Schedule, phase: ir.Value, index: ir.Value
) -> None:
    """Gives a product a barrier and builds what waits for it.

    Args:
        alloc: the ttng.tmem_alloc of its accumulator.
        phase, index: arguments of the loop's body, which the loop passes on unchanged so far.
    """
    stage, cluster = place_of_wait(product, alloc, loop, schedule)
    count = stage - schedule[product].stage + 1
    barriers = allocate_barriers(loop, count)
    builder = ScheduledBuilder(schedule, product)
    true = builder(arith.true)
    zero, one, limit = (builder(arith.i32, value) for value in (0, 1, count))
    barrier = builder(ttg.memdesc_index, barriers, index if count > 1 else zero)
    add_barrier(product, barrier, true)
    product.attributes["is_async"] = ir.UnitAttr.get(product.context)
    buffers = [product.opview.a, product.opview.b, *scales_of(product)]
    builder.at = ir.InsertionPoint.after(product)
    builder.place = stage, cluster
    builder(ttng.wait_barrier, barrier, phase, buffers)
    wait_in_branches(product, alloc, loop, stage, builder, barrier, phase, buffers)
    builder.run_like(product)
    end = terminator(body_of(loop)).operation
    builder.at = ir.InsertionPoint(end)
    flipped = builder(arith.xori, phase, one)
    if count > 1:
        following = next_number(index, limit, zero, one, builder)
        flipped = builder(arith.select, following.starts_over, flipped, phase)
        replace_operand(end, index, following.number)
    replace_operand(end, phase, flipped)


def place_of_wait(
    product: ir.Operation, alloc: ir.Operation, loop: ir.Operation, schedule: Schedule
) -> tuple[int, Cluster]:
    """The stage and the cluster in which the loop waits for a product."""
    loads = [user for user in users_of(alloc.opview.result) if user.name == TMEM_LOAD]
    needed = [load for load in loads if load.block == product.block]
    stage = schedule[product].stage
    operands: list[Operand] = []
    if alloc.block != product.block:  # else the product ends where the accumulator is read
        operands = operands_of(product, loop, lambda op: op in schedule and schedule[op].stage < stage)
    filled = [fill_in_loop(op, loop, schedule) for op in changes_of(operands)]
    is_known = all(operand.is_known for operand in operands)
    if is_known:
        needed += filled
    _, stage, cluster = schedule[product]
    if not needed or not is_known or not all(op in schedule for op in needed):
        return stage + SELF_LATENCY, cluster
    first = needed[0]
    for other in needed[1:]:
        if runs_first(other, first, product, schedule):
            first = other
    stage = stage_behind(product, first, schedule)
    return stage, schedule.clusters.add_before(schedule.split_cluster_before(first, loop))


def stage_behind(product: ir.Operation, op: ir.Operation, schedule: Schedule) -> int:
    """The stage in which an operation runs next after a product: its own, or that after it, in the next iteration."""
    stage = schedule[op].stage
    if not schedule.is_before(op, product):
        return stage
    # Triton 3.6 takes the stage after the product's, which is late for what runs behind the product, a stage before it.
    return max(stage + 1, schedule[product].stage + (not schedule.runs_before(product, op)))


def runs_first(a: ir.Operation, b: ir.Operation, product: ir.Operation, schedule: Schedule) -> bool:
    """Whether one operation runs before another one when both have run next after a product."""
    stages = stage_behind(product, a, schedule), stage_behind(product, b, schedule)
    return stages[0] < stages[1] or (stages[0] == stages[1] and schedule.runs_before(a, b))


def changes_of(operands: list[Operand]) -> list[ir.Operation]:
    """The operations that change operands in each iteration, each once."""
    found: list[ir.Operation] = []
    for operand in operands:
        if operand.changed_by is not None and operand.changed_by not in found:
            found.append(operand.changed_by)
    return found


def fill_in_loop(buffer: ir.Operation, loop: ir.Operation, schedule: Schedule) -> ir.Operation:
    """Allocates a buffer before a loop, and stores in the loop what filled it.

    Returns:
        The operation that stores, in the place of `buffer`; that itself if it is none or was filled by nothing.
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
    product: ir.Operation,
    alloc: ir.Operation,
    loop: ir.Operation,
    waited: int,
    builder: ScheduledBuilder,
    barrier: ir.Value,
    phase: ir.Value,
    buffers: list[ir.Value],
) -> None:
    """Waits in front of reads of the accumulator in branches that come before stage `waited`."""
    body, schedule = body_of(loop), builder.schedule
    for load in users_of(alloc.opview.result):
        if load.name != TMEM_LOAD or load.block == product.block:
            continue
        top = ancestor_in(body, load)
        if top is None or schedule[top].stage >= waited:
            continue
        builder.run_like(top)
        builder.at = ir.InsertionPoint(load)
        builder(ttng.wait_barrier, barrier, phase, buffers)
