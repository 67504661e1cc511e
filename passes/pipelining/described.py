"""Schedules read from the IR, as plain values for display."""

from collections.abc import Mapping

from mlir import ir

from ttkit.analysis.unit_cycles import sum_of, unit_cycles
from ttkit.inspection import address_of, collect, holders
from ttkit.layout import UnsuitableShape
from ttkit.operation_sets import ALL_DOTS, ATOMICS, COPIES_TO_SHARED, LOADS, LOOPS
from ttkit.passes.infra import PassError
from ttkit.passes.infra.loop_attributes import LATENCY
from ttkit.passes.infra.loops import body_of, body_operations
from ttkit.passes.infra.operation_attributes import integer
from ttkit.passes.infra.target import target_of
from ttkit.passes.pipelining.dependencies import in_block_users
from ttkit.passes.pipelining.schedule import Schedule
from ttkit.timeline.loop_schedule import Kind, LoopSchedule, Scheduled

STORES = ("tt.store", "tt.descriptor_store", "tt.descriptor_scatter", *ATOMICS)
# The longest text of an operation, in characters.
MAX_TEXT = 72


def described(loop: ir.Operation, latencies: Mapping[int, int] | None = None) -> LoopSchedule | None:
    """The schedule in the attributes of a loop; None if it has none.

    Args:
        loop: an scf.for.
        latencies: address of an operation -> its latency; by default from the attributes of the operations.
    """
    schedule = Schedule.read(loop, normalize=False)
    if schedule is None:
        return None
    operations = []
    for op in body_operations(loop):
        if op in schedule:
            _, stage, cluster = schedule[op]
            latency = integer(op, LATENCY) if latencies is None else latencies.get(address_of(op))
            used = first_use(loop, op, schedule)
            operations.append(Scheduled(text_of(op), kind_of(op), stage, cluster.index, latency, used, variable_of(op)))
    return LoopSchedule(title_of(loop), schedule.num_stages, tuple(operations), units_of(loop))


def units_of(*loops: ir.Operation) -> tuple[tuple[str, float], ...]:
    """The units of a multiprocessor that loops keep busy, with the cycles of an iteration of each; the busiest first.

    Empty if tensors have no layouts, the module names no GPU of NVIDIA, or loops have others inside, whose iterations
    nobody knows.

    loops: of groups of warps that run the same iterations of a program; usually one.
    """
    if any(collect(loop, LOOPS) for loop in loops):
        return ()
    try:
        return sum_of(unit_cycles(loop, target_of(loop)) for loop in loops).named()
    except (PassError, UnsuitableShape):
        return ()


def first_use(loop: ir.Operation, op: ir.Operation, schedule: Schedule) -> tuple[int, int] | None:
    """Stage and cluster of the first operation of the same iteration that uses a result."""
    users = [schedule[user] for user in in_block_users(body_of(loop), op) if user in schedule]
    return min(((user.stage, user.cluster.index) for user in users), default=None)


def kind_of(op: ir.Operation) -> Kind:
    """Kind of an operation in schedules: load, dot, store or other."""
    name = op.name
    if name in LOADS or name in COPIES_TO_SHARED:
        return Kind.LOAD
    if name in ALL_DOTS:
        return Kind.PRODUCT
    return Kind.STORE if name in STORES else Kind.OTHER


def text_of(op: ir.Operation) -> str:
    """An operation in one line, without attributes and types."""
    line: str = op.get_asm(use_name_loc_as_prefix=True).partition("\n")[0]
    for separator in (" <{", " {", " : ", " ({"):
        line = line.partition(separator)[0]
    return line if len(line) <= MAX_TEXT else f"{line[: MAX_TEXT - 3]}..."


def variable_of(op: ir.Operation) -> str:
    """The source's name of the result of an operation; empty if it has none."""
    return op.location.name_str if op.location.is_a_name() else ""


def title_of(loop: ir.Operation) -> str:
    """Title of a loop: its function, and its line if it is known."""
    names = (holder.attributes["sym_name"].value for holder in holders(loop) if "sym_name" in holder.attributes)
    location = loop.location
    line = f", line {location.start_line}" if location.is_a_file() else ""
    return f"loop of @{next(names, '?')}{line}"
