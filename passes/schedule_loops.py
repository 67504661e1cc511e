"""Give the operations of a loop stages and an order, so that loads run iterations ahead of the dots that use them.

    scf.for ... {                                         scf.for ... {
      %a = tt.load %p {tt.latency = 2 : i32}                %a = tt.load %p {loop.cluster = 2, loop.stage = 0}
      %d = tt.dot %a, %b, %acc                  =>          %d = tt.dot %a, %b, %acc {loop.cluster = 0, loop.stage = 2}
      %q = tt.addptr %p, %c                                 %q = tt.addptr %p, %c {loop.cluster = 1, loop.stage = 1}
    }                                                     } {tt.scheduled_max_stage = 2 : i32}

Operations with a latency and their users are scheduled first.  Each starts as many stages before the end as the sum of
the latencies on the longest path there.  The operations on which they depend get the same stages.  An operation that
computes a value for the next iteration gets one stage more.  All others go to the last stage.
passes/pipelining/schedule.py explains stages and clusters.

Input:  ttg with tt.latency.      Output: ttg; loop.stage, loop.cluster on the operations of scheduled loops.
Order:  after assign-latencies; before pipeline, which rewrites the loops by these attributes.
Skips:  loops without latencies, with loops or barriers in them, that use a value of the iteration before the last, or
        that would fill shared memory before the last iteration has read it (passes/pipelining/single_buffers.py).
Test:   test/lit/passes/schedule_loops.mlir
"""

from mlir import ir

from ttkit.inspection import address_of, collect, defining
from ttkit.operation_sets import ACCUMULATOR_USES, ARRIVE_BARRIER, COPIES_TO_SHARED, LOADS, WAIT_BARRIER
from ttkit.passes.infra import Pass, option, remark
from ttkit.passes.infra.loop_attributes import WARP_SPECIALIZE_LOOP, take_latencies
from ttkit.passes.infra.loops import body_of, body_operations, carried_number, yielded
from ttkit.passes.infra.nesting import nested_operands, operations_in
from ttkit.passes.pipelining.dependencies import backward_slice
from ttkit.passes.pipelining.key_operations import schedule_key_operations
from ttkit.passes.pipelining.memory_order import keep_order
from ttkit.passes.pipelining.pipelinable_loops import can_be_scheduled
from ttkit.passes.pipelining.schedule import Cluster, Schedule
from ttkit.passes.pipelining.single_buffers import fill_after_reads
from ttkit.records import dataclass

# Operations that stages separate: a partition's loop needs stages only if two of them have different ones.
SLOW = (
    *(*LOADS, *COPIES_TO_SHARED, "ttg.local_store", "ttg.local_load"),
    *ACCUMULATOR_USES,
    *(WAIT_BARRIER, ARRIVE_BARRIER),
)


@dataclass(frozen=True)
class ScheduleLoops(Pass):
    """Give the operations of loops with latencies stages and an order"""

    name = "tritongpu-schedule-loops"
    print_schedule: bool = option(False, "say as a remark which operation runs when")

    def run(self, op: ir.Operation) -> None:
        """Takes the latencies of all loops, then schedules each loop, and tells the schedule if asked to."""
        loops = collect(op, ["scf.for"])
        latencies: dict[int, int] = {}
        for loop in loops:
            latencies.update(take_latencies(nested_operations(loop)))
        for loop in loops:
            if schedule_loop(loop, latencies) and self.print_schedule:
                say(loop, latencies)


def nested_operations(loop: ir.Operation) -> list[ir.Operation]:
    """The operations of a loop's body, and those in their regions."""
    return [inner for op in body_operations(loop) for inner in operations_in(op)]


def say(loop: ir.Operation, latencies: dict[int, int]) -> None:
    """Reports the schedule of a loop as a remark: a table of its stages."""
    from ttkit.passes.pipelining.described import described
    from ttkit.timeline.table import table

    found = described(loop, latencies)
    if found is not None:
        remark(loop, table(found))


def schedule_loop(loop: ir.Operation, latencies: dict[int, int]) -> bool:
    """Schedules a loop; whether there was anything to schedule."""
    body = body_operations(loop)
    schedule = initial_schedule(loop, body, latencies)
    if not schedule:
        return False
    after_prologue = schedule_branches(loop, body, schedule)
    schedule_dependencies(loop, schedule)
    schedule_carried(loop, body, schedule)
    schedule_rest(loop, body, schedule, after_prologue)
    if not (keep_order(body, schedule) and fill_after_reads(loop, schedule)):
        return False
    schedule.write(loop)
    return True


def initial_schedule(loop: ir.Operation, body: list[ir.Operation], latencies: dict[int, int]) -> Schedule | None:
    """The key operations: those with a latency and their users."""
    if not can_be_scheduled(loop):
        return None
    if any(address_of(op) in latencies for op in body):
        return schedule_key_operations(body, latencies)
    return schedule_of_partition(loop, body) if WARP_SPECIALIZE_LOOP in loop.attributes else None


def schedule_of_partition(loop: ir.Operation, body: list[ir.Operation]) -> Schedule | None:
    """The schedule that a partition's loop has of the whole loop, with stages from 0; one stage if all waits share one.

    Operations without a place then get one like others.
    """
    noted = Schedule.read(loop)
    if not noted:
        return None
    schedule = Schedule()
    clusters = [schedule.clusters.add_last() for _ in noted.clusters]
    slow = [op for op in body if op in noted and any(inner.name in SLOW for inner in operations_in(op))]
    if len({noted[op].stage for op in slow}) <= 1:
        for op in body:
            schedule.insert(op, 0, clusters[0])
        return schedule
    places = noted.in_order(loop)
    lowest = min(stage for _, stage, _ in places)
    for op, stage, cluster in places:
        schedule.insert(op, stage - lowest, clusters[cluster.index])
    return schedule


def schedule_branches(loop: ir.Operation, body: list[ir.Operation], schedule: Schedule) -> Cluster:
    """Puts each scf.if that scheduled operations need first, in its earliest stage, and the others last.

    Returns:
        The cluster after the first ones.
    """
    after_prologue = schedule.clusters[0]
    branches = [op for op in body if op.name == "scf.if"]
    if not branches:
        schedule.clusters.add_last()
        return after_prologue
    needed: dict[int, tuple[ir.Operation, int]] = {}
    by_stage = sorted(schedule.in_order(loop), key=lambda scheduled: scheduled.stage)
    for op, stage, _ in by_stage:
        for source in backward_slice(op):
            if source.name == "scf.if":
                needed.setdefault(address_of(source), (source, stage))
    if needed:
        prologue = schedule.clusters.add_first()
        for branch, stage in needed.values():
            schedule.insert_if_absent(branch, stage, prologue)
    epilogue = schedule.clusters.add_last()
    for branch in branches:
        if address_of(branch) not in needed:
            schedule.insert_if_absent(branch, schedule.num_stages - 1, epilogue)
    return after_prologue


def schedule_dependencies(loop: ir.Operation, schedule: Schedule) -> None:
    """Schedule the same-iteration dependencies of scheduled operations along with them, in order of stage."""
    for op, stage, cluster in sorted(schedule.in_order(loop), key=lambda scheduled: scheduled.stage):
        schedule.insert_dependencies(op, stage, cluster, if_earlier=True)


def schedule_carried(loop: ir.Operation, body: list[ir.Operation], schedule: Schedule) -> None:
    """Schedule the sources of carried values one stage after their users, in a cluster before them.

    A carried value is used one iteration after it is computed, so a stage later it is still in time.  Loads stay in the
    stage and cluster of their users.
    """
    block = body_of(loop)
    before: dict[Cluster, Cluster] = {}
    for op in body:
        if op not in schedule or schedule[op].stage == schedule.num_stages - 1:
            continue
        _, stage, cluster = schedule[op]
        for value in nested_operands(op):
            number = carried_number(value, block)
            source = None if number is None else defining(yielded(block, number))
            if source is None or source.operation in schedule:
                continue
            source = source.operation
            at_stage, at = stage, cluster
            if source.name not in LOADS:  # a load is scheduled with its user, an iteration earlier than needed
                if cluster not in before:
                    before[cluster] = schedule.clusters.add_before(cluster)
                at_stage, at = stage + 1, before[cluster]
            if source.block != block:
                continue  # from outside of the loop: its cluster stays empty, since numbers are Triton's
            schedule.insert(source, at_stage, at)
            schedule.insert_dependencies(source, at_stage, at, through_arguments=True, if_earlier=True)


def schedule_rest(loop: ir.Operation, body: list[ir.Operation], schedule: Schedule, after_prologue: Cluster) -> None:
    """Schedules all other operations in the last stage, in no cluster before their operands."""
    last = schedule.num_stages - 1
    clusters = {address_of(op): (op, after_prologue) for op in body if op not in schedule}
    waiting = [(op, cluster) for op, stage, cluster in schedule.in_order(loop) if stage == last]
    while waiting:
        op, cluster = waiting.pop()
        for result in op.results:
            for use in result.uses:
                user = use.owner.operation
                found = clusters.get(address_of(user))
                if found is not None and found[1].index < cluster.index:
                    clusters[address_of(user)] = user, cluster
                    waiting.append((user, cluster))
    for op, cluster in clusters.values():
        schedule.insert(op, last, cluster)
