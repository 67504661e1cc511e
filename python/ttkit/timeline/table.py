"""A schedule as a table."""

from ttkit.timeline.loop_schedule import LoopSchedule

_HEADINGS = ("cluster", "stage", "latency", "operation")


def table(schedule: LoopSchedule) -> str:
    """A line an operation, in the order of an iteration of the pipelined loop; then what is idle, and the units."""
    counts = f"{schedule.num_stages} stages, {schedule.num_clusters} clusters; a latency is a number of stages"
    lines = [f"{schedule.title}: {counts}", "  ".join(_HEADINGS)]
    previous = -1
    for op in schedule.in_order():
        cells = (
            "" if op.cluster == previous else str(op.cluster),
            str(op.stage),
            "" if op.latency is None else str(op.latency),
        )
        previous = op.cluster
        padded = [cell.rjust(len(heading)) for cell, heading in zip(cells, _HEADINGS)]
        lines.append("  ".join([*padded, op.text]))
    return "\n".join([*lines, *filter(None, [schedule.told_idle()]), *schedule.told_units()])
