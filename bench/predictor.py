"""Fits the predictor of configurations to measured times, and checks it on kernels that it was not fitted to.

    python bench/choices.py --output FILE.json        # on a GPU: the times
    python bench/predictor.py facts FILE.json FACTS   # facts of each configuration; needs no GPU, takes a minute
    python bench/predictor.py check FACTS [--by kernel] [--output TABLE.md]
    python bench/predictor.py fit FACTS               # writes python/ttkit/autotuning/predictor.json

`check` leaves out one problem after the other (--by kernel: all problems of a kernel), fits to the others, and ranks
the configurations of the one left out.  Regret: how much longer than the fastest configuration of the problem the
first one takes, and the best of the first ten.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from choice_cases import problems
from choices import source_of
from cubin_cases import Case, Descriptor, Memory

from ttkit.autotuning.prediction import FILE, Forest, Launch, compared, facts_of, ranked
from ttkit.compiler.compilation import Compilation
from ttkit.context import Context, parse_text
from ttkit.inspection import collect
from ttkit.options import CompileOptions
from ttkit.target import GPUTarget

CAPABILITY, MULTIPROCESSORS = 90, 132
TREES, DEPTH, RATE, LEAST, PENALTY = 120, 4, 0.08, 8, 4.0
FARTHEST = 2.0  # powers of two: a configuration that is slower than that is bad, however bad
NEAR = 0.35  # powers of two: weights of configurations fall off with their distance from the fastest
BINS = 24
FOLDS = {"problem": lambda name: name, "kernel": lambda name: name.split()[0]}


# --- facts ------------------------------------------------------------------------------------------------------------


def numbers_of(case: Case) -> list[float | None]:
    """The arguments of a kernel in tt: numbers, and None for others.  Sizes and strides follow a descriptor."""
    found: list[float | None] = []
    for argument in case.arguments:
        if isinstance(argument, Descriptor):
            found += [None, argument.rows, argument.columns, argument.columns, 1]
        else:
            found.append(None if isinstance(argument, Memory) else argument)
    return found


def facts_of_case(case: Case) -> dict[str, float]:
    """The facts of a configuration."""
    from ttkit.analysis.program_work import work_of

    source, options = source_of(case)
    parsed = CompileOptions.for_capability(CAPABILITY, **options)
    made = Compilation(source, GPUTarget("cuda", CAPABILITY, 32), parsed, until="ttir").run()
    warps = options["num_warps"]
    with Context() as context:
        module = parse_text(str(made.asm["ttir"]), context)
        (function,) = collect(module.operation, ["tt.func"])
        work = work_of(function, numbers_of(case), case.grid, 32 * warps)
    launch = Launch(warps, options.get("num_stages", 3), math.prod(case.grid))
    return facts_of(work, launch, CAPABILITY, MULTIPROCESSORS)


def write_facts(times: Path, output: Path) -> None:
    """Writes, for each problem, its configurations with facts and times."""
    measured = {row["case"]: row["us"] for row in json.loads(times.read_text())["results"]}
    found = {}
    for name, cases in problems().items():
        rows = [{"case": case.name, "us": measured[case.name]} for case in cases if case.name in measured]
        if len(rows) > 1:
            of_case = {case.name: case for case in cases}
            found[name] = [{**row, "facts": facts_of_case(of_case[row["case"]])} for row in rows]
    output.write_text(json.dumps(found))


# --- fitting ----------------------------------------------------------------------------------------------------------


def table_of(found: dict[str, Any]) -> tuple[list[str], np.ndarray, np.ndarray, np.ndarray, list[str]]:
    """Names of facts, the facts, targets, weights, and problems, a row a configuration."""
    rows, targets, weights, owners = [], [], [], []
    for name, cases in found.items():
        best = min(case["us"] for case in cases)
        for case, facts in zip(cases, compared([case["facts"] for case in cases])):
            away = math.log2(case["us"] / best)
            rows.append(facts)
            targets.append(min(away, FARTHEST))
            weights.append(0.15 + math.exp(-away / NEAR))
            owners.append(name)
    names = list(rows[0])
    return names, np.array([[row[one] for one in names] for row in rows]), *map(np.array, (targets, weights)), owners


def edges_of(facts: np.ndarray) -> list[np.ndarray]:
    """Thresholds of each fact, between its values."""
    found = []
    for column in facts.T:
        values = np.unique(np.round(column, 4))
        middles = (values[1:] + values[:-1]) / 2
        if len(middles) > BINS:
            middles = middles[np.linspace(0, len(middles) - 1, BINS).astype(int)]
        found.append(middles)
    return found


def tree_of(bins: np.ndarray, edges: list[np.ndarray], rest: np.ndarray, weights: np.ndarray, names: list[str]) -> Any:
    """One tree, and what it predicts for each row."""
    nodes: list[Any] = []
    values = np.zeros(len(rest))

    def grow(rows: np.ndarray, depth: int) -> int:
        """Adds the node of some rows, and those under it; its number."""
        number = len(nodes)
        nodes.append(None)
        w, r = weights[rows], rest[rows]
        total, mass = float((w * r).sum()), float(w.sum())
        best, place = 0.0, None
        if depth and len(rows) >= 2 * LEAST:
            for fact, thresholds in enumerate(edges):
                if not len(thresholds):
                    continue
                held = bins[rows, fact]
                size = len(thresholds) + 1
                sums = np.cumsum(np.bincount(held, w * r, size))[:-1]
                masses = np.cumsum(np.bincount(held, w, size))[:-1]
                counts = np.cumsum(np.bincount(held, minlength=size))[:-1]
                gains = sums**2 / (masses + PENALTY / 4) + (total - sums) ** 2 / (mass - masses + PENALTY / 4)
                gains[(counts < LEAST) | (len(rows) - counts < LEAST)] = -1.0
                at = int(np.argmax(gains))
                if gains[at] > best:
                    best, place = float(gains[at]), (fact, at)
        if place is None or best <= total**2 / (mass + PENALTY / 4) + 1e-9:
            leaf = RATE * total / (mass + PENALTY / 4)
            values[rows] = leaf
            nodes[number] = round(leaf, 5)
            return number
        fact, at = place
        low = bins[rows, fact] <= at
        first, second = grow(rows[low], depth - 1), grow(rows[~low], depth - 1)
        nodes[number] = [names[fact], round(float(edges[fact][at]), 4), first, second]
        return number

    grow(np.arange(len(rest)), DEPTH)
    return nodes, values


def forest_of(names: list[str], facts: np.ndarray, targets: np.ndarray, weights: np.ndarray) -> Forest:
    """Trees, each of which is fitted to what those before it leave."""
    edges = edges_of(facts)
    bins = np.stack([np.searchsorted(edges[at], facts[:, at], "left") for at in range(facts.shape[1])], 1)
    rest, trees = targets - np.average(targets, weights=weights), []
    for _ in range(TREES):
        nodes, values = tree_of(bins, edges, rest, weights, names)
        rest = rest - values
        trees.append(nodes)
    return Forest(trees)


# --- checking ---------------------------------------------------------------------------------------------------------


def left_out(given: tuple[dict[str, Any], list[str]]) -> list[dict[str, Any]]:
    """Rows of the table, of problems that the trees have not seen."""
    found, names = given
    others = {name: cases for name, cases in found.items() if name not in names}
    labels, facts, targets, weights, _ = table_of(others)
    forest = forest_of(labels, facts, targets, weights)
    rows = []
    for name in names:
        cases = found[name]
        order = ranked([case["facts"] for case in cases], forest)
        best = min(case["us"] for case in cases)
        times = [cases[number]["us"] for number in order]
        rows.append(
            {
                "problem": name,
                "configurations": len(cases),
                "best us": best,
                "median": statistics.median(times) / best - 1,
                "first": times[0] / best - 1,
                "of ten": min(times[:10]) / best - 1,
            }
        )
    return rows


def check(found: dict[str, Any], by: str) -> list[dict[str, Any]]:
    """The table: regrets of each problem, left out with its group."""
    groups: dict[str, list[str]] = {}
    for name in found:
        groups.setdefault(FOLDS[by](name), []).append(name)
    with ProcessPoolExecutor() as pool:
        parts = list(pool.map(left_out, [(found, names) for names in groups.values()]))
    return [row for part in parts for row in part]


def shown(rows: list[dict[str, Any]]) -> str:
    """The table as a page has it."""
    lines = ["| problem | configurations | fastest | median, slower | first, slower | best of ten, slower |"]
    lines.append("| --- | --- | --- | --- | --- | --- |")
    percent = lambda value: f"{100 * value:.1f} %"
    for row in rows:
        cells = row["problem"], row["configurations"], f"{row['best us']:.1f} us"
        lines.append(
            f"| {' | '.join(map(str, (*cells, *(percent(row[key]) for key in ('median', 'first', 'of ten')))))} |"
        )
    mean = [percent(statistics.mean(row[key] for row in rows)) for key in ("median", "first", "of ten")]
    lines.append(f"| mean of {len(rows)} |  |  | {' | '.join(mean)} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=("facts", "check", "fit"))
    parser.add_argument("file", type=Path)
    parser.add_argument("output", type=Path, nargs="?")
    parser.add_argument("--by", choices=list(FOLDS), default="problem")
    given = parser.parse_args()
    if given.what == "facts":
        write_facts(given.file, given.output)
        return
    found = json.loads(given.file.read_text())
    if given.what == "fit":
        labels, facts, targets, weights, _ = table_of(found)
        trees = forest_of(labels, facts, targets, weights).trees
        FILE.write_text(json.dumps({"trees": trees}, separators=(",", ":")) + "\n")
        return
    rows = check(found, given.by)
    text = shown(rows)
    if given.output:
        given.output.write_text(text)
    print(text)
    none = sum(row["of ten"] < 1e-9 for row in rows) / len(rows)
    print(f"the fastest is among the first ten of {100 * none:.1f} % of the problems")


if __name__ == "__main__":
    main()
