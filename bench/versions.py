"""Cubins of several versions of Triton and of ttkit, timed side by side: one configuration of each kernel.

    PYTHON bench/versions.py compile triton FOLDER/3.9     # PYTHON has that Triton; without a GPU
    python bench/versions.py compile ttkit FOLDER/ttkit
    python bench/versions.py time FOLDER OUTPUT [--rounds 60]
    python bench/versions.py table OUTPUT                  # as docs/measurements/versions.md has it

The cases are those of bench/cubins.py: of each kernel and each set of operand types, the one whose name has the
smallest digest.  Cases with block pointers, which Triton 3.9 removed, are left out.
Timing is one process: a case's kernels get the same arguments and are launched in random order, the L2 cache flushed
before each.  Kernels under 30 us are also timed in graphs of many launches, with warm caches.  A figure is the median
in microseconds; the spread is the distance between the quartiles divided by it.  Results are compared with those of
the first folder in alphabetical order.
"""

from __future__ import annotations

import argparse
import ctypes
import hashlib
import json
import random
import sys
import traceback
from math import exp, log
from pathlib import Path
from statistics import fmean, quantiles
from typing import Any

import cubins
from attention_cases import ROADS
from cubin_cases import Case
from result_file import as_text

GRAPH_REPLAYS = 20
WITHIN = 0.98
"""The least speed that the table counts as the same: times of one kernel differ by some percent between rounds."""


def family(case: Case) -> tuple[str, ...]:
    """A case's kernel and the types of its operands: the cases that are one line of the table."""
    kinds = {f"{type(a).__name__} {getattr(a, 'kind', '')}" for a in case.arguments}
    return case.source, case.kernel, *sorted(kinds)


def sample() -> list[Case]:
    """One case of each family, by the digest of its name."""
    found: dict[tuple[str, ...], Case] = {}
    for case in sorted(cubins.chosen([]), key=lambda case: hashlib.sha256(case.name.encode()).digest()):
        if case.source != "attention_kernels" or case.constants.get("BY") != ROADS.index("blocks"):
            found.setdefault(family(case), case)
    return sorted(found.values(), key=lambda case: case.name)


def compile_sample(compiler: str, folder: Path, target: int) -> None:
    """Compiles the cases; one that fails is reported and left out."""
    for case in sample():
        if cubins.oldest(case) > target:
            continue
        try:
            cubins.compile_cases(compiler, folder, [case], target)
        except Exception:
            print(f"{case.name}: {traceback.format_exc(limit=1)}", file=sys.stderr)


def summary(times: list[float]) -> dict[str, float]:
    """The median of times and their spread: the distance between the quartiles divided by the median."""
    low, median, high = quantiles(times, n=4)
    return {"us": round(median, 3), "spread": round((high - low) / median, 4)}


def flushed(driver: cubins.Driver, kernels: dict[str, cubins.Kernel], rounds: int, memory: int) -> dict[str, Any]:
    """Times of launches after which nothing is in the L2 cache."""
    events: dict[str, list[Any]] = {name: [] for name in kernels}
    for _ in range(rounds):
        for name in random.sample(list(kernels), len(kernels)):
            words = ctypes.c_size_t(cubins.FLUSHED_BYTES // 4)
            driver.cuMemsetD32Async(ctypes.c_uint64(memory), 0, words, driver.stream)
            start = driver.event()
            kernels[name].launch()
            events[name].append((start, driver.event()))
    driver.cuStreamSynchronize(driver.stream)
    return {name: summary([driver.microseconds(*pair) for pair in pairs]) for name, pairs in events.items()}


def in_graphs(driver: cubins.Driver, kernels: dict[str, cubins.Kernel]) -> dict[str, Any]:
    """Times of launches in graphs."""
    times = cubins.graph_times(driver, kernels, GRAPH_REPLAYS)
    return {name: summary(taken) for name, taken in times.items()}


def measure(driver: cubins.Driver, case: Case, folders: list[Path], rounds: int, flush: int) -> dict[str, Any]:
    """The row of a case."""
    tensors = [argument for argument in case.arguments if not isinstance(argument, (int, float))]
    memory = [driver.filled(tensor.kind, cubins.bytes_of(tensor)) for tensor in tensors]
    file = cubins.file_name(case)
    here = [folder for folder in folders if (folder / f"{file}.json").exists()]
    kernels = {folder.name: cubins.Kernel(driver, folder / file, case, memory) for folder in here}
    results = {name: cubins.results_of(driver, kernel, case, memory) for name, kernel in kernels.items()}
    first = next(iter(results))
    row: dict[str, Any] = {"case": case.name, "missing": [folder.name for folder in folders if folder not in here]}
    row["flushed"] = flushed(driver, kernels, rounds, flush)
    if min(times["us"] for times in row["flushed"].values()) < cubins.SMALL_US:
        row["graph"] = in_graphs(driver, kernels)
    row["results"] = {name: cubins.difference(found, results[first]) for name, found in results.items()}
    for address in memory:
        driver.cuMemFree_v2(ctypes.c_uint64(address))
    return row


def write(output: Path, driver: cubins.Driver, rounds: int, rows: list[dict[str, Any]]) -> None:
    """Writes the file of results."""
    output.write_text(as_text({"gpu": driver.gpu, "rounds": rounds, "results": rows}))


def time_sample(folder: Path, output: Path, rounds: int) -> None:
    """Measures the cases that the file does not have yet, and writes it before and after each.

    A kernel that fails takes the process with it: the next run keeps its row, which says so, and goes on.
    """
    driver = cubins.Driver()
    flush, rows = driver.allocate(cubins.FLUSHED_BYTES), []
    if output.exists():
        rows = json.loads(output.read_text())["results"]
    folders = sorted(path for path in folder.iterdir() if path.is_dir())
    for case in sample():
        if case.name in [row["case"] for row in rows]:
            continue
        rows.append({"case": case.name, "error": "did not end"})
        write(output, driver, rounds, rows)
        rows[-1] = measure(driver, case, folders, rounds, flush)
        write(output, driver, rounds, rows)
        print(json.dumps(rows[-1]), flush=True)


def speeds(row: dict[str, Any], how: str) -> dict[str, float]:
    """ttkit's speed over each version's in a row; `how` is "flushed", or "graph", of which some have none."""
    times = row.get(how, {})
    return {name: found["us"] / times["ttkit"]["us"] for name, found in times.items() if name != "ttkit"}


def mean_row(title: str, found: list[dict[str, float]]) -> str:
    """A line of the table of means: of all rows, then over the fastest version of each, and how many are below 0.98."""
    best = [min(row.values()) for row in found]
    means = [exp(fmean(map(log, column))) for column in ([row[name] for row in found] for name in found[0])]
    below = sum(speed < WITHIN for speed in best)
    figures = (*(f"{mean:.3f}" for mean in means), f"{exp(fmean(map(log, best))):.3f}", f"{min(best):.2f}", str(below))
    return f"| {title} | {len(found)} | {' | '.join(figures)} |"


def table(results: dict[str, Any]) -> list[str]:
    """The lines of both tables: the means, and a row for each kernel."""
    rows = [row for row in results["results"] if "flushed" in row]
    names = [name for name in rows[0]["flushed"] if name != "ttkit"]
    versions = " | ".join(name.removeprefix("triton-") for name in names)
    lines = [
        f"| caches | kernels | {versions} | best | least | below {WITHIN} |",
        "| --- |" + " --- |" * (len(names) + 4),
    ]
    for how, title in (("flushed", "cold"), ("graph", "warm, of kernels under 30 us")):
        lines.append(mean_row(title, [speeds(row, how) for row in rows if how in row]))
    lines += ["", f"| kernel | us | {versions} | warm: {versions} |", "| --- |" + " --- |" * (2 * len(names) + 1)]
    for row in rows:
        cold, warm = speeds(row, "flushed"), speeds(row, "graph")
        figures = [f"{row['flushed']['ttkit']['us']:.1f}", *(f"{cold[name]:.2f}" for name in names)]
        lines.append(
            f"| {row['case']} | {' | '.join([*figures, *(f'{warm[n]:.2f}' if warm else '' for n in names)])} |"
        )
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    making = commands.add_parser("compile")
    making.add_argument("compiler", choices=("ttkit", "triton"))
    making.add_argument("folder", type=Path)
    making.add_argument("--target", type=int, default=90)
    timing = commands.add_parser("time")
    timing.add_argument("folder", type=Path)
    timing.add_argument("output", type=Path)
    timing.add_argument("--rounds", type=int, default=60)
    commands.add_parser("table").add_argument("output", type=Path)
    options = parser.parse_args()
    if options.command == "table":
        print("\n".join(table(json.loads(options.output.read_text()))))
    elif options.command == "compile":
        compile_sample(options.compiler, options.folder, options.target)
    else:
        time_sample(options.folder, options.output, options.rounds)


if __name__ == "__main__":
    main()
