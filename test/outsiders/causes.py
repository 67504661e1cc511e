"""Why kernels are slow: each row below 0.95 of a table is timed again with one mechanism of `ttkit.tuning` off.

A mechanism counts if the cubin is another one without it.  The text of a row is its cause: registers, spilled bytes and
shared bytes by both compilers, the speed now, and the speed without each mechanism that costs or gains 2 % or more.

With `--switches` the question is what these mechanisms bring: all rows of the table are timed, those with other code.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import json
import statistics
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from pairs import Deadline, Failed, GpuTime, Pair
from rows import Row, is_finding, make_row

CHANGED = 0.02  # a mechanism is named if the time without it differs by such a share
Times = dict[str, list[float]]


def kernels_by_program(paths: Iterable[Path], takes: Callable[[Row], bool]) -> dict[tuple[str, str, str], list[str]]:
    """{(package, program, variant): names of kernels} of those rows of tables of the leg of kernels that it takes."""
    found: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for path in paths:
        for row in json.loads(path.read_text())["rows"]:
            if row["leg"] == "kernels" and row["kernel"] and takes(row):
                found[row["package"], row["program"], row["variant"]].append(row["kernel"])
    return dict(found)


def cause_of(pair: Pair, timer: str, seconds: float, least: float) -> tuple[dict[str, float], str]:
    """{compiler: microseconds} and the text of a kernel's cause.

    Args:
        least: the difference, as a share of the time, from which on a mechanism is named.

    Raises:
        Failed: a worker has no answer.
    """
    theirs = pair.workers["triton"].ask(seconds, do="variants", timer=timer)["variants"]["all"]
    variants = pair.workers["ttkit"].ask(seconds, do="variants", timer=timer)["variants"]
    medians = {name: statistics.median(one["microseconds"]) for name, one in variants.items()}
    triton, ours = statistics.median(theirs["microseconds"]), medians["all"]
    texts = [
        f"{name} {one['registers']} registers, {one['spilled']} spilled bytes, {one['shared']} shared"
        for name, one in (("Triton", theirs), ("ttkit", variants["all"]))
    ]
    texts += [
        f"without {name} {triton / time:.3f}"
        for name, time in sorted(medians.items(), key=lambda item: item[1])
        if name != "all" and abs(time / ours - 1) >= least
    ]
    same = [name for name, time in medians.items() if name != "all" and abs(time / ours - 1) < least]
    return {"triton": triton, "ttkit": ours}, "; ".join([*texts, f"no matter: {', '.join(same) or 'none'}"])


def run_causes(options: argparse.Namespace, add: Callable[[list[Row]], None]) -> None:
    """The leg: adds a row for each slow kernel, with its cause as the detail."""
    gpu, deadline = GpuTime(), Deadline(options.seconds)

    def run(program: tuple[str, str, str], kernels: list[str]) -> None:
        package, name, variant = program
        described: dict[str, Any] = {"package": package, "program": name, "variant": variant}
        environment = {"PUBLIC_PACKAGES_FACTOR": variant.removeprefix("x")}
        environment["OUTSIDERS_SWITCHES"] = ",".join(options.switches)
        with Pair("kernel_leg", environment) as pair:
            if deadline.left < 0:
                return
            with gpu.prepare():
                pair.prepare(described, max(deadline.left, 1))
                built = {k: pair.workers["ttkit"].ask(120, do="build", timer=k)["variants"] for k in kernels}
            with gpu.alone():
                for kernel in kernels:
                    if options.switches and len(built[kernel]) == 1:
                        continue
                    times, cause = cause_of(pair, kernel, 60, 0 if options.switches else CHANGED)
                    add([make_row("causes", *program, kernel, status="equal", microseconds=times, detail=cause)])

    chosen = {
        program: kernels
        for program, kernels in kernels_by_program(
            options.results, (lambda row: True) if options.switches else is_finding
        ).items()
        if not options.packages or program[0] in options.packages
        if int(program[2].removeprefix("x")) in options.shapes
    }
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        started = {pool.submit(run, program, kernels): program for program, kernels in chosen.items()}
        for done in concurrent.futures.as_completed(started):
            try:
                done.result()
            except (Failed, KeyError) as error:
                add([make_row("causes", *started[done], status="not run", detail=str(error))])
