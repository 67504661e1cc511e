"""ttkit profile: runs a script under the profiler and writes a page about its kernels."""

from __future__ import annotations

import argparse
import os
import sys
import time
from contextlib import nullcontext
from typing import Any

import ttkit.knobs as knobs
from ttkit.cuda.libcuda import DriverError
from ttkit.drivers.scripts import on_any_machine, page_of, script_of
from ttkit.drivers.user_errors import UserError
from ttkit.profiler import flags, sessions
from ttkit.profiler.cupti import CuptiError
from ttkit.profiler.gpu_watch import GpuWatch
from ttkit.profiler.kernel_report import Watch, report
from ttkit.profiler.profile import begin
from ttkit.profiler.profile_page import write_page
from ttkit.profiler.roofs import measured
from ttkit.profiler.timeline_page import write_timeline
from ttkit.tracing import trace as tracing
from ttkit.user_scripts import run_script


def run(options: argparse.Namespace) -> int:
    """Does what the command line says; gives the script's exit code; 1 if it launched no kernel."""
    if options.timeline:
        return _draw(options.timeline, options.output)
    script, arguments = script_of(options.script)
    output = page_of(script, "profile", options.output)
    with on_any_machine():
        return _profile(options, script, arguments, output)


def _profile(options: argparse.Namespace, script: str, arguments: list[str], output: str) -> int:
    """Runs the script under the profiler, and writes the page; gives the exit code."""
    watch = Watch()
    before = knobs.compilation.listener
    knobs.compilation.listener = watch.listener(before)
    trace = os.path.splitext(output)[0] + ".trace.html" if options.trace else None
    try:
        session = _begin(watch)
        began = time.perf_counter()
        with nullcontext() if knobs.runtime.device else GpuWatch() as gpu:
            code = _run(script, arguments, trace)
        seconds = time.perf_counter() - began
    finally:
        knobs.compilation.listener = before
    made = report(session, watch, seconds, _roofs())
    if gpu is not None:
        made.gpu_facts = gpu.facts()
        if gpu.problem:
            print(f"ttkit: clocks and power are not in the page: {gpu.problem}", file=sys.stderr)
    write_page(output, made, os.path.basename(script), os.path.basename(trace) if trace else None)
    count = len(made.kernels)
    print(f"wrote {output}: {count} kernel{'s' * (count != 1)}", file=sys.stderr)
    if not made.kernels:
        print("the script launched no kernel, so nothing was measured", file=sys.stderr)
    return code or int(not made.kernels)


def _draw(timeline: str, output: str | None) -> int:
    """Writes the page of a timeline."""
    path = output or f"{os.path.splitext(os.path.basename(timeline))[0]}.timeline.html"
    try:
        count = write_timeline(path, timeline)
    except ValueError as error:
        raise UserError(str(error)) from None
    print(f"wrote {path}: {count} intervals", file=sys.stderr)
    return 0


def _begin(watch: Any) -> Any:
    try:
        number = begin("profile", "shadow", "tree", None, None, "triton")
    except CuptiError as error:
        raise UserError(f"{error}; TTKIT_DEVICE=interpret:sm_90 counts launches without a GPU") from None
    except (DriverError, ValueError) as error:
        raise UserError(str(error)) from None
    session = sessions.SESSIONS[number]
    sessions.add_hook(session, watch)
    flags.command_line = True  # the script's own calls of `start` are ignored
    return session


def _run(script: str, arguments: list[str], trace: str | None) -> int:
    try:
        if trace is None:
            return run_script(script, arguments)
        with tracing(trace, title=os.path.basename(script)):
            return run_script(script, arguments)
    finally:
        flags.command_line = False
        sessions.discard()


def _roofs() -> Any:
    """Measured roofs of the GPU; None where there is none."""
    if knobs.runtime.device:
        return None
    return measured()
