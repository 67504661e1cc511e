"""The loads of a loop that are started stages before the use of their data."""

from mlir import ir

from ttkit.analysis.axis_analysis import AxisInfoAnalysis
from ttkit.dialects._layouts import layout_of
from ttkit.inspection import users_of
from ttkit.operation_sets import LOADS
from ttkit.passes.infra import remark
from ttkit.passes.layouts.load_buffers import EarlyLoad, early_load, has_other_values
from ttkit.passes.pipelining.buffer_slots import slots_needed
from ttkit.passes.pipelining.schedule import Schedule
from ttkit.passes.pipelining.uses import is_used_later_first, stages_until_last_use


def early_loads(
    loop: ir.Operation, body: list[ir.Operation], schedule: Schedule, analysis: AxisInfoAnalysis
) -> list[EarlyLoad]:
    """The loads of a loop that run stages before the use of their data and can be asynchronous.

    Args:
        body: the operations of the loop's body; loads in their regions are never asynchronous.
    """
    found = []
    for op in body:
        if op.name not in LOADS or op not in schedule:
            continue
        distance = stages_until_last_use(op, loop, schedule)
        if distance <= 0:  # below 0: the schedule has the use first; such a load stays as it is
            continue
        if is_used_later_first(op, loop, schedule):
            continue
        load = early_load(op, analysis)
        if load is not None:
            load.slots = slots_needed(op, sharing(load), loop, schedule)
            found.append(load)
        elif distance > 1 and isinstance(op.result.type, ir.RankedTensorType):
            remark(
                op,
                "Pipelining load that cannot use vectorized copy. This will likely lead to pipelining in registers "
                "and severe performance degradation.",
            )
    return found


def sharing(load: EarlyLoad) -> list[ir.Operation]:
    """The ttg.local_allocs of the loaded tensor that a slot of the load's buffer replaces.

    Differs from Triton: also where other operations need the data in registers.  Triton's buffer then has no further
    slot for a wgmma, and a copy overwrites data that the wgmma of the previous iteration still reads.
    """
    if has_other_values(load.op):
        return []  # users read another buffer, filled after the select
    allocated = [user for user in users_of(load.op.result) if user.name == "ttg.local_alloc"]
    return [user for user in allocated if layout_of(user.result) == load.layout]
