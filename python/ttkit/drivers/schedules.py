"""`ttkit schedule FILE`: the schedules of the loops of a kernel, as tables and pictures.

FILE is tt or ttg.  If its loops are not scheduled yet, the passes of the stages up to schedule-loops run first: those
of the stage ttkit-ttgir that come before it, from its beginning if the file has no layouts.  A loop that a kernel
in Gluon pipelines by hand is counted through.  FILE may be a script, which is run.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from mlir import ir

import ttkit
from ttkit.analysis.value_names import named_values, without_locations
from ttkit.drivers.ir_of_scripts import ir_after_passes
from ttkit.drivers.scripts import script_of
from ttkit.drivers.user_errors import UserError, ir_text_of
from ttkit.inspection import address_of, collect
from ttkit.module_attributes import NUM_WARPS
from ttkit.passes.infra.loop_attributes import LATENCY, SCHEDULED_MAX_STAGE
from ttkit.passes.infra.loops import body_operations
from ttkit.passes.infra.operation_attributes import integer
from ttkit.passes.infra.steps import pass_name
from ttkit.passes.pipelining.by_hand import by_hand
from ttkit.passes.pipelining.described import described
from ttkit.passes.stages import parse_options, stage_passes
from ttkit.timeline.loop_schedule import LoopSchedule
from ttkit.timeline.svg import svg
from ttkit.timeline.table import table

_GIVEN_BY_MLIR = re.compile(r"\d+|(cst|true|false|c-?\d+(_\w+?)?)(_\d+)?")
"""Names that the printer makes up: numbers, and those of constants."""
SCHEDULING = ("tritongpu-assign-latencies", "tritongpu-schedule-loops")


def run(options: argparse.Namespace) -> int:
    """Prints tables, and writes a picture if asked; the exit code.

    Raises:
        UserError: there is no scheduled loop, or not just one to draw.
    """
    try:
        found = _of_script(options) if options.file.endswith(".py") else schedules(ir_text_of(options.file), options)
    except FileNotFoundError:
        raise UserError(f"no such file: {options.file}") from None
    except ValueError as error:
        raise UserError(str(error)) from error
    if not found:
        raise UserError(
            "found no loop to pipeline: pipelined loops have loads that a dot operation uses, or num_stages"
        )
    if options.loop is not None:
        if not 0 <= options.loop < len(found):
            raise UserError(f"there is no loop {options.loop}; found {len(found)}, counted from 0")
        found = [found[options.loop]]
    if options.output is None:
        print("\n\n".join(map(table, found)))
    elif len(found) > 1:
        raise UserError(f"found {len(found)} loops; choose one with --loop 0 to --loop {len(found) - 1}")
    else:
        Path(options.output).write_text(svg(found[0], options.iterations))
    return 0


def _of_script(options: argparse.Namespace) -> list[LoopSchedule]:
    """The schedules of all kernels of a script, which is run; those in Gluon have none of passes."""
    script, arguments = script_of([options.file, *options.arguments])
    steps, code = ir_after_passes(script, arguments)
    if code:
        raise UserError(f"the script ended with exit code {code}")
    found: list[LoopSchedule] = []
    for kernel, variant in dict.fromkeys((step.kernel, step.variant) for step in steps):
        texts = {step.name: step.text for step in steps if (step.kernel, step.variant) == (kernel, variant)}
        found += schedules(texts.get(SCHEDULING[-1], [*texts.values()][-1]), options)
    return found


def schedules(text: str, options: argparse.Namespace) -> list[LoopSchedule]:
    """The schedules of all loops that have one, after the passes that make them if none has."""
    with ttkit.Context():
        module = _named(text)
        loops = collect(module.operation, ["scf.for"])
        latencies = None
        if not any(SCHEDULED_MAX_STAGE in loop.attributes for loop in loops):
            *before, scheduling = passes_to_schedule(module, options)
            ttkit.run_passes(module, ",".join(before))
            loops = collect(module.operation, ["scf.for"])
            latencies = noted_latencies(loops)
            ttkit.run_passes(module, scheduling)  # changes attributes alone: addresses stay
        found = [each for loop in loops if (each := described(loop, latencies)) is not None]
        return found or list(by_hand(module))


def _named(text: str) -> ir.Module:
    """The module, whose values keep the names of the text where it has no locations, which would have names."""
    module = ttkit.parse(text)
    if without_locations(text) == text:
        for found in named_values(module, text):
            name, owner = found.name[1:].partition("#")[0], found.value.owner
            if not _GIVEN_BY_MLIR.fullmatch(name) and not isinstance(owner, ir.Block):
                owner.operation.location = ir.Location.name(name, owner.operation.location)
    return module


def noted_latencies(loops: list[ir.Operation]) -> dict[int, int]:
    """Address of each operation in loops that has a latency -> the latency."""
    noted = [(op, integer(op, LATENCY)) for loop in loops for op in body_operations(loop)]
    return {address_of(op): latency for op, latency in noted if latency is not None}


def passes_to_schedule(module: ir.Module, options: argparse.Namespace) -> list[str]:
    """The passes of the stage ttkit-ttgir up to schedule-loops; of IR with layouts, only those that schedule.

    Raises:
        UserError: the GPU has no asynchronous copies.
    """
    stage = parse_options(
        f"capability={options.capability} num-stages={options.num_stages} num-warps={options.num_warps}"
    )
    passes = stage_passes("ttkit-ttgir", stage)
    names = [pass_name(text) for text in passes]
    if SCHEDULING[-1] not in names:
        raise UserError(f"sm_{options.capability} has no asynchronous copies: loops are not pipelined")
    passes = passes[: names.index(SCHEDULING[-1]) + 1]
    if NUM_WARPS in module.operation.attributes:
        return [text for text in passes if pass_name(text) in SCHEDULING]
    return passes
