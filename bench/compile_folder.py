"""Compile time of many kernels beside Triton's: how the ratios are distributed, the slowest kernels, stages and passes.

    TRITON_KERNEL_DUMP=1 TRITON_DUMP_DIR=FOLDER python script.py         # by ttkit or Triton: tt of the kernels
    .venv/bin/python bench/compile_folder.py FOLDER [--oracle-python PYTHON] [--repeat 2] [--only TEXT] [--output FILE]

Takes each .ttir file of the folder, with the warps of the .json file beside it (else 4; `name@8.ttir` has 8).  One
process for each compiler compiles all of them for sm_90, several times; the least counts for each stage.  CPU time with
that of ptxas, in milliseconds, once all modules are loaded.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from collections import Counter
from pathlib import Path

from compile_time import STAGES, times_of_passes, times_of_triton, times_of_ttkit, versions
from result_file import as_text

SLOWEST = 12
LEAST_SHARE = 0.01
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


def work(which: str, folder: str, repeat: int, only: str) -> None:
    """Prints the times of each kernel in a line of JSON; of one that a compiler refuses, its error."""
    os.environ["TRITON_ALWAYS_COMPILE"] = "1"
    for name, path, warps in kernels(Path(folder), only):
        try:
            runs = [MEASURES[which](str(path), warps) for _ in range(repeat + 1)]
            told = {"times": {step: round(1e3 * min(run[step] for run in runs[1:]), 2) for step in runs[0]}}
        except Exception as error:
            told = {"error": str(error).partition("\n")[0][:200]}
        print(json.dumps({"name": name, **told}), flush=True)


def measured(python: str, which: str, options: argparse.Namespace) -> dict[str, dict[str, float]]:
    """The times of all kernels that a compiler takes, by name."""
    command = [python, __file__, str(options.folder), "--work", which, "--repeat", str(options.repeat)]
    done = subprocess.run([*command, "--only", options.only], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{which} fails:\n{done.stderr}")
    found = {}
    for line in filter(lambda line: line.startswith('{"name"'), done.stdout.splitlines()):
        told = json.loads(line)
        if "error" in told:
            print(f"{which} refuses {told['name']}: {told['error']}", file=sys.stderr)
        else:
            found[told["name"]] = told["times"]
    return found


def report_ratios(ours: dict[str, dict[str, float]], theirs: dict[str, dict[str, float]]) -> None:
    """Prints how the ratios are distributed, the slowest kernels, and the stages."""
    both = sorted(name for name in ours if name in theirs)
    ratios = {name: sum(ours[name].values()) / sum(theirs[name].values()) for name in both}
    in_order = sorted(ratios.values())
    ninth = in_order[int(0.9 * len(in_order))]
    print(f"{len(both)} kernels, ttkit / Triton: median {statistics.median(in_order):.2f}, ", end="")
    print(f"90 % below {ninth:.2f}, worst {in_order[-1]:.2f}\n\n| kernel | ratio | {' | '.join(STAGES)} |")
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
    parser.add_argument("--work", choices=MEASURES, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        work(options.work, str(options.folder), options.repeat, options.only)
        return
    if not kernels(options.folder, options.only):
        raise SystemExit(f"no .ttir file in {options.folder}")
    pythons = {"ttkit": sys.executable, **({"triton": options.oracle_python} if options.oracle_python else {})}
    found = {which: measured(python, which, options) for which, python in pythons.items()}
    found["passes"] = measured(sys.executable, "passes", options)
    if "triton" in found:
        report_ratios(found["ttkit"], found["triton"])
    report_passes(found["passes"])
    if options.output:
        options.output.write_text(as_text({"versions": versions(options.oracle_python), **found}))


if __name__ == "__main__":
    main()
