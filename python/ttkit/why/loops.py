"""Loops of a kernel: how each is pipelined, and what passes said of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from mlir import ir

from ttkit.context import Context, parse_text
from ttkit.inspection import address_of, collect
from ttkit.options import CompileOptions
from ttkit.passes.infra.loop_attributes import LATENCY
from ttkit.passes.infra.loops import body_operations
from ttkit.passes.infra.operation_attributes import integer
from ttkit.passes.infra.steps import pass_name
from ttkit.passes.manager import run_passes
from ttkit.passes.pipelining.by_hand import group_of
from ttkit.passes.pipelining.described import described
from ttkit.passes.stages import stage_passes
from ttkit.timeline.loop_schedule import LoopSchedule

_SCHEDULING = "tritongpu-schedule-loops"


@dataclass
class Loops:
    """The loops of a kernel.

    schedules: of those that are pipelined.  divided: location -> the warp groups among which a loop is.
    plain: locations of the others.  remarks: (location, text with notes).
    """

    schedules: list[LoopSchedule] = field(default_factory=list)
    divided: dict[str, list[str]] = field(default_factory=dict)
    plain: list[str] = field(default_factory=list)
    remarks: list[tuple[str, str]] = field(default_factory=list)


def loops_of(ttir: str, options: CompileOptions) -> Loops:
    """Runs the passes of the stage ttgir on a kernel in tt, and looks at its loops when they are scheduled."""
    found = Loops()
    passes = stage_passes("ttkit-ttgir", options)
    names = [pass_name(text) for text in passes]
    first = names.index(_SCHEDULING) if _SCHEDULING in names else len(names)
    with Context() as context:
        handler = context.attach_diagnostic_handler(lambda said: _noted(said, found))
        try:
            module = parse_text(ttir, context)
            run_passes(module, ",".join(passes[:first]))
            loops = collect(module.operation, ["scf.for"])
            latencies = {
                address_of(op): latency
                for loop in loops
                for op in body_operations(loop)
                if (latency := integer(op, LATENCY)) is not None
            }
            if first < len(passes):
                run_passes(module, passes[first])  # changes attributes alone: addresses stay
            for loop in loops:
                if (schedule := described(loop, latencies)) is not None:
                    found.schedules.append(schedule)
                elif group := group_of(loop):
                    found.divided.setdefault(str(loop.location), []).append(group)
                else:
                    found.plain.append(str(loop.location))
            if first + 1 < len(passes):
                run_passes(module, ",".join(passes[first + 1 :]))
        finally:
            handler.detach()
    return found


def _noted(said: ir.Diagnostic, found: Loops) -> bool:
    """Keeps a remark, but not the tables of schedules."""
    if said.severity not in (ir.DiagnosticSeverity.REMARK, ir.DiagnosticSeverity.WARNING):
        return False
    if "stages," not in said.message:
        lines = [str(said.message).strip(), *(str(note.message) for note in said.notes)]
        found.remarks.append((str(said.location), "\n".join(lines)))
    return True
