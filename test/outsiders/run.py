"""Runs programs of others by Triton and by ttkit on a GPU, and writes one table of results and times.

    python test/outsiders/run.py models  [--packages timm] [--only REGEX] [--jobs 8] [--seconds 520] [--output PREFIX]
    python test/outsiders/run.py kernels [--packages vllm sglang] [--shapes 1 4 16] ...
    python test/outsiders/run.py suites  [--packages fla flag_gems unsloth] [--every 10] ...
    python test/outsiders/run.py causes RESULTS.json... --output PREFIX         # of kernels that are slow in them
    python test/outsiders/run.py causes RESULTS.json... --switches loop-addresses --output PREFIX   # what it brings
    python test/outsiders/run.py table RESULTS.json... --output PREFIX          # several runs as one table

Needs a GPU, torch, Triton 3.6 and ttkit.  What else there must be depends on the leg:

- models: torch.compile of models of torchvision, timm and transformers with random weights (`models.py`), forward and
  backward.  Results are those of eager and of both compilers; seconds, those of the first step, in which inductor
  compiles one kernel after the other; microseconds, those of a step.
- kernels: the calls of `test/gpu/public_packages` at several shapes.  The results of a call are compared; each kernel
  in it is a row, with the seconds of its first launch and the microseconds of one, see `kernel_leg.py`.  Autotuners
  keep their first configuration.
- causes: kernels that are slow in results of the leg of kernels, with one mechanism off at a time, see `causes.py`.
- suites: packages' own tests by pytest, a share of them, see `suites.py`.

`pack.py` fetches the packages that a machine without network needs.  Programs are prepared side by side, `--jobs` at
once by either compiler, in processes of their own with empty caches; they are timed one at a time, while nothing
else runs, with turns of both compilers in random order.  After `--seconds` no further program is started: its row says
`not run`, and those at work get a minute.  `PREFIX.json` and `PREFIX.md` are written after each program.

Columns are explained in `rows.py`.  `half` divides kernels and programs by a hash of their names: those that may inform
choices of thresholds, and those that only judge them.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import json
import re
import sys
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from pairs import Deadline, Failed, GpuTime, Pair
from rows import COMPILERS, Row, make_row, markdown, summary

HERE = Path(__file__).resolve().parent
PACKAGES = HERE.parent / "gpu" / "public_packages"
MOST_SECONDS = {"models": 300.0, "kernels": 120.0}  # for a program to be prepared
GRACE = 60.0  # seconds after the last one in which a program that was started may still be prepared
NOT_HERE = ("ModuleNotFoundError", "ImportError")  # of a package that isn't installed
CLOSER_THAN = 2.0  # a model's results may be so much farther from eager's than Triton's are


class Table:
    """Rows as they come, from several threads; in files after each program."""

    def __init__(self, output: str | None, about: dict[str, str]) -> None:
        self.rows: list[Row] = []
        self.output, self.about, self.lock = output, about, threading.Lock()

    def add(self, rows: Iterable[Row]) -> None:
        with self.lock:
            for row in rows:
                self.rows.append(row)
                print(json.dumps(row), flush=True)
            self.write()

    def write(self) -> None:
        if self.output:
            about = ", ".join(f"{name} {value}" for name, value in self.about.items())
            Path(f"{self.output}.json").write_text(json.dumps({"about": self.about, "rows": self.rows}, indent=0))
            Path(f"{self.output}.md").write_text(markdown(self.rows, about))


# --- Judging and timing a program that both workers have prepared -----------------------------------------------------


def outcomes(answers: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """What `judge` takes, of what workers answered."""
    import torch

    return {
        compiler: answer if "error" in answer else torch.load(answer["results"]) for compiler, answer in answers.items()
    }


def judged(answers: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """status, difference and detail of a row; of models, by their distances to eager."""
    from judging import judge

    if all(answer.get("error", "").startswith(NOT_HERE) for answer in answers.values()):
        return {"status": "not run", "detail": answers["ttkit"]["error"]}
    found = outcomes(answers)
    status, detail, difference = judge(*(found[compiler] for compiler in COMPILERS))
    if status in ("differs", "close") and "eager" in found["ttkit"]:
        theirs, ours = (judge({"results": found[c]["eager"]}, found[c])[2] for c in COMPILERS)
        if theirs is not None and ours is not None:
            detail = f"{detail}; from eager Triton {theirs:.1e}, ttkit {ours:.1e}"
            if status == "differs" and ours <= CLOSER_THAN * theirs:
                status = "close"
    return {"status": status, "difference": difference, "detail": detail}


def of_both(answers: dict[str, dict[str, Any]], name: str) -> dict[str, float]:
    """{compiler: seconds of a timer}."""
    return {c: answers[c]["seconds"][name] for c in COMPILERS if name in answers[c].get("seconds", {})}


def slower_kernels(pair: Pair) -> str:
    """Which kernels of a model take longer by ttkit, and the sum of all by both."""
    found = pair.profile()
    theirs, ours = (found[compiler] for compiler in COMPILERS)
    common = sorted(theirs.keys() & ours.keys(), key=lambda name: theirs[name] - ours[name])
    slow = [f"{name} {theirs[name]:.1f} us, ttkit {ours[name]:.1f}" for name in common[:3] if ours[name] > theirs[name]]
    sums = f"kernels of inductor {sum(theirs.values()):.0f} us, ttkit {sum(ours.values()):.0f}"
    return "; ".join([sums, *slow])


def measured(pair: Pair, program: dict[str, Any], leg: str, gpu: GpuTime, deadline: Deadline) -> list[Row]:
    """All rows of one program."""
    described = (leg, program["package"], program["program"], program["variant"])
    with gpu.prepare():
        answers = pair.prepare(program, min(MOST_SECONDS[leg], max(deadline.left + GRACE, 1)))
        verdict = judged(answers)
    timers = answers["triton"].get("timers", answers["ttkit"].get("timers", []))
    known = all("timers" in answer for answer in answers.values())
    rows = []
    with gpu.alone():
        for timer in timers:
            found = {"seconds": of_both(answers, timer), **verdict}
            if known and timer in answers["ttkit"]["timers"]:
                try:
                    found["microseconds"] = pair.time(timer)
                    if leg == "models":
                        found["detail"] = f"{found['detail']}; {slower_kernels(pair)}".strip("; ")
                except Failed as error:
                    found["detail"] = f"{found['detail']}; timing: {error}".strip("; ")
                    known = all(worker.alive for worker in pair.workers.values())
            rows.append(make_row(*described, "" if leg == "models" else timer, **found))
    return rows or [make_row(*described, **verdict)]


# --- The programs of a leg --------------------------------------------------------------------------------------------


def model_programs(options: argparse.Namespace) -> list[list[dict[str, str]]]:
    """One program a list: each has workers of its own, in which nothing was compiled before."""
    from models import MODELS, VARIANTS

    return [
        [{"package": package, "program": name, "variant": VARIANTS[name]}]
        for package, models in MODELS.items()
        for name in models
    ]


def kernel_programs(options: argparse.Namespace) -> list[list[dict[str, str]]]:
    """Lists of calls of a package at a shape, which share workers."""
    from catalogue import all_calls

    compiled = ("torch", "torchvision", "transformers")  # the leg of models has them
    return [
        [{"package": package, "program": name, "variant": f"x{factor}"} for name in calls][start : start + 10]
        for package, calls in all_calls().items()
        if package not in compiled
        for start in range(0, len(calls), 10)
        for factor in options.shapes
    ]


PROGRAMS: dict[str, Callable[[argparse.Namespace], list[list[dict[str, str]]]]] = {
    "models": model_programs,
    "kernels": kernel_programs,
}


def chosen(lists: list[list[dict[str, str]]], options: argparse.Namespace) -> list[list[dict[str, str]]]:
    """Those that the command line asks for; empty lists are left out."""
    kept = [
        [
            program
            for program in programs
            if (not options.packages or program["package"] in options.packages)
            and re.search(options.only, program["program"])
        ]
        for programs in lists
    ]
    return [programs for programs in kept if programs]


def run_programs(leg: str, options: argparse.Namespace, table: Table) -> None:
    """The legs of models and kernels: `--jobs` pairs of workers at once."""
    deadline, gpu = Deadline(options.seconds), GpuTime()

    def run(programs: list[dict[str, str]]) -> None:
        factor = programs[0]["variant"].removeprefix("x")
        environment = {"TORCHINDUCTOR_COMPILE_THREADS": "1"}
        if leg == "kernels":
            environment["PUBLIC_PACKAGES_FACTOR"] = factor
        with Pair(f"{leg.removesuffix('s')}_leg", environment) as pair:
            for program in programs:
                if deadline.left < 0:
                    described = (leg, program["package"], program["program"], program["variant"])
                    table.add([make_row(*described, status="not run", detail="no time was left")])
                    continue
                try:
                    table.add(measured(pair, program, leg, gpu, deadline))
                except Exception as error:  # of this program; the others go on
                    described = (leg, program["package"], program["program"], program["variant"])
                    table.add([make_row(*described, status="not run", detail=f"{type(error).__name__}: {error}")])
                pair.drop()

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for done in concurrent.futures.as_completed(
            [pool.submit(run, programs) for programs in chosen(PROGRAMS[leg](options), options)]
        ):
            done.result()


# --- The command ------------------------------------------------------------------------------------------------------


def about_this_machine() -> dict[str, str]:
    import importlib.metadata

    import torch

    versions = {name: importlib.metadata.version(name) for name in ("torch", "triton", "ttkit")}
    return {"GPU": torch.cuda.get_device_name() if torch.cuda.is_available() else "none", **versions}


def joined(paths: list[Path]) -> tuple[dict[str, str], list[Row]]:
    """What several runs wrote; a later row of the same program takes the earlier one's place, but for `not run`."""
    about: dict[str, str] = {}
    rows: dict[tuple[str, ...], Row] = {}
    for path in paths:
        found = json.loads(path.read_text())
        about |= found["about"]
        for row in found["rows"]:
            key = tuple(row[name] for name in ("leg", "package", "program", "variant", "kernel"))
            if key not in rows or row["status"] != "not run":
                rows[key] = row
    ran = {key[:4] for key, row in rows.items() if row["status"] != "not run"}
    return about, [row for key, row in rows.items() if row["status"] != "not run" or key[:4] not in ran]


def command_line() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("leg", choices=["models", "kernels", "suites", "causes", "table"])
    parser.add_argument("results", nargs="*", type=Path, help="of earlier runs, for `causes` and `table`")
    parser.add_argument("--packages", nargs="*", default=[])
    parser.add_argument("--only", default="", help="a regular expression for names of programs or of test files")
    parser.add_argument("--jobs", type=int, default=7, help="pairs of processes at once")
    parser.add_argument("--seconds", type=float, default=500, help="after which no further program is started")
    parser.add_argument("--shapes", nargs="*", type=int, default=[1, 4, 16], help="factors of rows, tokens or batches")
    parser.add_argument(
        "--every", type=int, default=1, help="runs one in so many tests of a suite, by hash of its name"
    )
    parser.add_argument("--folder", type=Path, default=Path(".outsiders"), help="where `pack.py` put the packages")
    parser.add_argument("--switches", nargs="*", default=[], help="for `causes`: mechanisms of `ttkit.tuning`")
    parser.add_argument("--output", help="PREFIX of the files that are written")
    return parser


def main() -> None:
    options = command_line().parse_args()
    sys.path.insert(0, str(PACKAGES))
    if options.leg == "table":
        about, rows = joined(options.results)
        table = Table(options.output, about)
        table.rows = rows
        table.write()
    else:
        table = Table(options.output, about_this_machine())
        if options.leg == "causes":
            from causes import run_causes

            run_causes(options, table.add)
        elif options.leg == "suites":
            from suites import run_suites

            run_suites(options, table.add)
        else:
            run_programs(options.leg, options, table)
    print(*summary(table.rows), sep="\n")


if __name__ == "__main__":
    main()
