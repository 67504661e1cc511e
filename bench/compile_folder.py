"""Compile time of many kernels beside Triton's: how the ratios are distributed, the slowest kernels, stages and passes.

    TRITON_KERNEL_DUMP=1 TRITON_DUMP_DIR=FOLDER python script.py         # by ttkit or Triton: tt of the kernels
    .venv/bin/python bench/compile_folder.py FOLDER [--oracle-python PYTHON] [--repeat 2] [--only TEXT]
        [--passes] [--jobs N] [--output FILE]

Takes each .ttir file of the folder, with the warps of the .json file beside it (else 4; `name@8.ttir` has 8).  One
process for each compiler compiles all of them for sm_90, several times, in turns with the other compiler; the least
counts for each stage.  CPU time with that of ptxas, in milliseconds, once all modules are loaded.
`--passes`: the share of each pass, and of each step after them, of ttkit, measured apart.
`--jobs`: instead, the wall time of all kernels in so many processes, which each compiler forks after one kernel.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import statistics
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from compile_time import STAGES, times_of_passes, times_of_triton, times_of_ttkit, versions
from result_file import as_text

SLOWEST = 12
LEAST_SHARE = 0.01
ANSWER = "times: "
MEASURES = {"ttkit": times_of_ttkit, "triton": times_of_triton, "passes": times_of_passes}


def kernels(folder: Path, only: str) -> list[tuple[str, Path, int]]:
    """Name, file and warps of each kernel of a folder."""
    found = []
    for path in sorted(folder.rglob("*.ttir")):
        name, _, warps = path.stem.rpartition("@")
        told = path.with_suffix(".json")
        if told.exists():
            name, warps = path.stem, json.loads(told.read_text()).get("num_warps", 4)
        name = str(path.relative_to(folder).with_name(name or path.stem))
        if only in name:
            found.append((name, path, int(warps) if name and str(warps).isdigit() else 4))
    return found


def work(which: str) -> None:
    """For each request, a line of JSON with a file and its warps, prints the times of one compilation, or its error.

    The times follow `ANSWER`, since compilers may print too.
    """
    os.environ["TRITON_ALWAYS_COMPILE"] = "1"
    for request in sys.stdin:
        path, warps = json.loads(request)
        try:
            told = {"times": MEASURES[which](path, warps)}
        except Exception as error:
            told = {"error": str(error).partition("\n")[0][:200]}
        print(f"\n{ANSWER}{json.dumps(told)}", flush=True)


def work_together(which: str, jobs: int) -> None:
    """Compiles the kernels of standard input in forked processes, and prints how many: one first, which loads modules.

    The largest files go first, so that no process is left with one at the end.
    """
    os.environ["TRITON_ALWAYS_COMPILE"] = "1"
    requests = sorted(json.load(sys.stdin), key=lambda request: -Path(request[0]).stat().st_size)
    done = [is_done(which, requests.pop(len(requests) // 2))]
    with multiprocessing.get_context("fork").Pool(jobs) as pool:
        done += pool.starmap(is_done, [(which, request) for request in requests], chunksize=1)
    print(f"\n{ANSWER}{json.dumps({'kernels': sum(done)})}", flush=True)


def is_done(which: str, request: tuple[str, int]) -> bool:
    """Compiles a kernel, and says whether the compiler took it."""
    try:
        MEASURES[which](*request)
    except Exception as error:
        print(f"{which} refuses {request[0]}: {error}"[:200], file=sys.stderr)
        return False
    return True


def report_together(pythons: dict[str, str], options: argparse.Namespace) -> dict[str, dict[str, list[float]]]:
    """Seconds of wall and CPU time of all kernels with each compiler, by turns; its start and end count."""
    requests = json.dumps([(str(path), warps) for _, path, warps in kernels(options.folder, options.only)])
    found: dict[str, dict[str, list[float]]] = {which: {"wall": [], "cpu": []} for which in pythons}
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    for number in range(options.repeat):
        for which, python in list(pythons.items())[:: -1 if number % 2 else 1]:
            command = [python, __file__, "--together", which, str(options.jobs)]
            before, start = os.times(), time.monotonic()
            done = subprocess.run(
                command, input=requests, text=True, check=True, env=environment, stdout=subprocess.PIPE
            )
            after = os.times()
            spent = after.children_user + after.children_system - before.children_user - before.children_system
            found[which]["wall"].append(round(time.monotonic() - start, 2))
            found[which]["cpu"].append(round(spent, 2))
            answer = next(line for line in done.stdout.splitlines() if line.startswith(ANSWER))
            found[which]["kernels"] = [json.loads(answer.removeprefix(ANSWER))["kernels"]]
    for which, times in found.items():
        least = f"wall {min(times['wall'])} s, CPU {min(times['cpu'])} s"
        print(f"{which}, {options.jobs} processes, {times['kernels'][0]} kernels: {least}")
    return found


class Worker:
    """A process that compiles one kernel whenever it is asked to.

    Args:
        python: the interpreter that has the compiler.
        which: one of `MEASURES`.
    """

    def __init__(self, python: str, which: str) -> None:
        self.which = which
        command = [python, __file__, "--work", which]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def times(self, path: Path, warps: int) -> dict[str, float]:
        """Seconds of CPU time of each step of one compilation.

        Raises:
            Refused: the compiler refuses the kernel.
            SystemExit: the process has ended.
        """
        assert self._process.stdin and self._process.stdout
        print(json.dumps([str(path), warps]), file=self._process.stdin, flush=True)
        line = next((line for line in self._process.stdout if line.startswith(ANSWER)), None)
        if line is None:
            raise SystemExit(f"{self.which} ended with exit code {self._process.wait()} at {path}")
        told = json.loads(line.removeprefix(ANSWER))
        if "error" in told:
            raise Refused(f"{self.which} refuses {path.name}: {told['error']}")
        return told["times"]

    def end(self) -> None:
        """Ends the process."""
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait()


class Refused(Exception):
    """A compiler refuses a kernel."""


def measured(workers: list[Worker], options: argparse.Namespace) -> dict[str, dict[str, dict[str, float]]]:
    """Milliseconds of each step, by compiler and kernel, of the kernels that all compilers take.

    The compilers take turns kernel by kernel, and the one that begins changes, so that the load of the machine is the
    same for both.
    """
    found: dict[str, dict[str, dict[str, float]]] = {worker.which: {} for worker in workers}
    for name, path, warps in kernels(options.folder, options.only):
        runs: dict[str, list[dict[str, float]]] = {worker.which: [] for worker in workers}
        try:
            for number in range(options.repeat + 1):
                for worker in workers if number % 2 else workers[::-1]:
                    runs[worker.which].append(worker.times(path, warps))
        except Refused as error:
            print(error, file=sys.stderr)
            continue
        for which, (_, *warm) in runs.items():
            found[which][name] = {step: round(1e3 * min(run[step] for run in warm), 2) for step in warm[0]}
    return found


def report_ratios(ours: dict[str, dict[str, float]], theirs: dict[str, dict[str, float]]) -> None:
    """Prints how the ratios are distributed, the slowest kernels, and the stages."""
    both = sorted(name for name in ours if name in theirs)
    ratios = {name: sum(ours[name].values()) / sum(theirs[name].values()) for name in both}
    in_order = sorted(ratios.values())
    if not in_order:
        raise SystemExit("no kernel that both compilers take")
    ninth = in_order[int(0.9 * len(in_order))]
    print(f"{len(both)} kernels, ttkit / Triton: median {statistics.median(in_order):.2f}, ", end="")
    above, half = sum(ratio > 1 for ratio in in_order), sum(ratio <= 0.5 for ratio in in_order)
    print(f"90 % below {ninth:.2f}, worst {in_order[-1]:.2f}, {above} above 1.0, {half} at most 0.5\n")
    print(f"| kernel | ratio | {' | '.join(STAGES)} |")
    print("| --- | --- |" + " --- |" * len(STAGES))
    for name in sorted(both, key=ratios.__getitem__)[: -SLOWEST - 1 : -1]:
        cells = [f"{ours[name][stage]:.0f} / {theirs[name][stage]:.0f}" for stage in STAGES]
        print(f"| `{name}` | {ratios[name]:.2f} | {' | '.join(cells)} |")
    totals = [[sum(times[name][stage] for name in both) for times in (ours, theirs)] for stage in STAGES]
    middle = [statistics.median(ours[name][stage] / theirs[name][stage] for name in both) for stage in STAGES]
    print(f"| all, seconds | | {' | '.join(f'{a / 1e3:.1f} / {b / 1e3:.1f}' for a, b in totals)} |")
    print(f"| median ratio | | {' | '.join(f'{one:.2f}' for one in middle)} |\n")


def report_passes(passes: dict[str, dict[str, float]]) -> None:
    """Prints the share of each pass and step in the time of all kernels."""
    steps = Counter[str]()
    for times in passes.values():
        steps.update(times)
    total = sum(steps.values())
    print("| pass or step | share |\n| --- | --- |")
    for step, spent in steps.most_common():
        if spent >= LEAST_SHARE * total:
            print(f"| `{step}` | {100 * spent / total:.1f} % |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--oracle-python", default=os.environ.get("TTKIT_ORACLE_PYTHON"), help="a Python with Triton")
    parser.add_argument("--repeat", type=int, default=2)
    parser.add_argument("--only", default="", metavar="TEXT", help="kernels whose name has this text")
    parser.add_argument("--output", type=Path, help="a JSON file for the results")
    parser.add_argument("--passes", action="store_true", help="the share of each pass too")
    parser.add_argument("--jobs", type=int, help="processes that share the kernels, for the wall time of all")
    options = parser.parse_args()
    if not kernels(options.folder, options.only):
        raise SystemExit(f"no .ttir file in {options.folder}")
    pythons = {"ttkit": sys.executable, **({"triton": options.oracle_python} if options.oracle_python else {})}
    if options.jobs:
        together = report_together(pythons, options)
        if options.output:
            options.output.write_text(as_text({"versions": versions(options.oracle_python), "together": together}))
        return
    workers = [Worker(python, which) for which, python in pythons.items()]
    found = measured(workers, options)
    if "triton" in found:
        report_ratios(found["ttkit"], found["triton"])
    if options.passes:
        workers.append(Worker(sys.executable, "passes"))
        found |= measured(workers[-1:], options)
        report_passes(found["passes"])
    for worker in workers:
        worker.end()
    if options.output:
        options.output.write_text(as_text({"versions": versions(options.oracle_python), **found}))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--work"]:
        work(sys.argv[2])
    elif sys.argv[1:2] == ["--together"]:
        work_together(sys.argv[2], int(sys.argv[3]))
    else:
        main()
