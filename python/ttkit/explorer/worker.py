"""A process that runs passes on IR, or the IR on the interpreter.

`main` reads a `Job` from standard input, pickled, and writes the reply to the file that the job names.  Edited IR
may end this process, but not the one that shows the page.
"""

from __future__ import annotations

import pickle
import sys
import time
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from mlir import ir

from ttkit.compiler.levels import get_cubin_ready, limit_registers, llvm_ir, make_cubin, make_ptx, passes_of
from ttkit.context import Context, parse
from ttkit.interpreter.argument_specs import read_arguments
from ttkit.interpreter.check.check_passes import Settings, compare, tolerance_of
from ttkit.interpreter.check.generated_inputs import Inputs, Outcome, find_inputs, run
from ttkit.interpreter.check.pipelines import ReportedChecks
from ttkit.interpreter.decode import Function, Module, decode_module
from ttkit.interpreter.launch import read_grid
from ttkit.options import CompileOptions
from ttkit.passes.infra import bridge
from ttkit.passes.manager import run_passes
from ttkit.tracing.recorder import Recorder
from ttkit.tracing.records import KernelRecord

SHOWN = 8
"""Elements of a buffer that are shown."""


@dataclass
class Passes:
    """Work: pipelines, one after the other.

    text: the IR.
    stages: names, and passes of each as in a pipeline; None for all that the stage has.
    options: of the kernel, by name.
    check: whether each pass is checked on the interpreter.
    """

    text: str
    stages: list[tuple[str, list[str] | None]]
    name: str
    options: dict[str, Any]
    capability: int = 90
    check: bool = False


@dataclass
class Interpretation:
    """Work: IR on the interpreter.

    grid: number of programs, `X,Y,Z`; empty to choose.
    arguments: as for tt-run; missing ones are those of the launch, or generated.
    before: other IR, for the same inputs, to compare with; empty for none.
    launch: what the kernel was launched on, if that is known.
    """

    text: str
    grid: str = ""
    arguments: list[str] = field(default_factory=list)
    before: str = ""
    launch: Inputs | None = None


@dataclass
class Job:
    """Work, and the file that takes the reply, a `KernelRecord` or lines of text; pickled."""

    work: Passes | Interpretation
    reply: str


def main() -> None:
    """Reads a job from stdin, does it, and writes the reply to the job's file, both by pickle."""
    job: Job = pickle.load(sys.stdin.buffer)
    made = done(job.work)
    with open(job.reply, "wb") as file:
        pickle.dump(made, file)


def done(work: Passes | Interpretation) -> KernelRecord | list[str]:
    """Does work: returns the kernel that the passes make, or lines about an interpretation."""
    return _run_passes(work) if isinstance(work, Passes) else _interpret(work)


# --- passes -----------------------------------------------------------------------------------------------------------


def _run_passes(work: Passes) -> KernelRecord:
    checks = ReportedChecks(Settings(), None) if work.check else None
    recorder = Recorder(checks)
    made = KernelRecord(work.name)
    options = CompileOptions.parse(work.options, work.capability)
    with Context() as context:
        try:
            module = parse(work.text, context)
            for stage, passes in work.stages:
                began = time.perf_counter()
                if stage == "ttgir":
                    limit_registers(module, options)
                chosen = passes_of(module, stage, options) if passes is None else passes
                if chosen:
                    observers = [recorder] if checks is None else [checks, recorder]
                    run_passes(module, ",".join(chosen), observers, kernel=work.name, stage=stage)
                made.seconds[stage] = time.perf_counter() - began
                made.files[stage] = module.operation.get_asm(enable_debug_info=True).encode()
            if work.stages and work.stages[-1][0] == "llir":
                del made.files["llir"]
                _make_code(module, options, work.capability, made)
        except Exception as error:
            made.error = _told(error)
        made.stages = [stage for kernel in recorder.finish() for stage in kernel.stages]
    return made


def _make_code(module: ir.Module, options: CompileOptions, capability: int, made: KernelRecord) -> None:
    """LLVM IR, PTX and machine code, made as for a launch.

    Args:
        capability: of the GPU that code is assembled for.
    """
    metadata: dict[str, Any] = {"name": made.name}
    lowered = llvm_ir(module, metadata, options, options.target.capability)
    try:
        made.files["llir"] = str(lowered).encode()
        get_cubin_ready(options, capability)
        text = make_ptx(lowered, metadata, options, capability)
    finally:
        if not isinstance(lowered, str):
            lowered.close()
    made.files["ptx"] = text.encode()
    made.files["cubin"] = make_cubin(text, metadata, options, capability)


def _told(error: BaseException) -> str:
    if isinstance(error, ir.MLIRError):
        lines = [f"{diagnostic.location}: {diagnostic.message}" for diagnostic in error.error_diagnostics]
        return "\n".join(lines) or str(error)
    return bridge.one_line(error)


# --- the interpreter --------------------------------------------------------------------------------------------------


def _interpret(work: Interpretation) -> list[str]:
    try:
        return _interpreted(work)
    except Exception as error:
        return [f"error: {error}"]


def _interpreted(work: Interpretation) -> list[str]:
    module = _decoded(work.text)
    function = module.public_function(None)
    grid = read_grid(work.grid, "the grid") if work.grid else None
    first = _decoded(work.before) if work.before else module
    other = first.public_function(function.name)
    inputs = None if work.launch is None else _of_launch(work.launch, other, work.arguments, grid)
    lines = [] if inputs is None else ["the arguments of the kernel's first launch"]
    if inputs is None:
        inputs = find_inputs(first, other, 0, work.arguments, grid)
    lines += [inputs.describe(function)]
    outcome = run(module, function, inputs)
    lines += _shown(outcome)
    if work.before:
        difference = compare(run(first, other, inputs), outcome, tolerance_of(other, function))
        lines.append(f"unlike before the edit: {difference}" if difference else "the same results as before the edit")
    return lines


def _of_launch(launch: Inputs, function: Function, texts: list[str], grid: Any) -> Inputs | None:
    """A launch's inputs, with the arguments and the grid that were given; None if the function takes others."""
    if len(function.argument_names) != len({**launch.given, **launch.scalars}):
        return None
    given = read_arguments(function, texts, np.random.default_rng(0)) if texts else {}
    chosen = {function.argument_names.index(name): argument for name, argument in given.items()}
    return replace(launch, grid=grid or launch.grid, given={**launch.given, **chosen})


def _decoded(text: str) -> Module:
    with Context() as context:
        return decode_module(parse(text, context))


def _shown(outcome: Outcome) -> list[str]:
    lines = [f"error: {outcome.error}"] if outcome.error is not None else []
    for name, array in outcome.buffers.items():
        first = np.array2string(array[:SHOWN], separator=", ", max_line_width=200)
        rest = f" and {array.size - SHOWN} more" if array.size > SHOWN else ""
        lines.append(f"{name}: {array.dtype}[{array.size}] {first}{rest}")
    return lines
