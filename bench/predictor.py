"""Fits the predictor of configurations to measured times, and checks it on kernels that it was not fitted to.

    python bench/choices.py --output FILE.json        # on a GPU: the times
    python bench/predictor.py facts FILE.json FACTS   # facts of each configuration; needs no GPU, takes a minute
    python bench/predictor.py check FACTS [TABLE.md] [--by kernel]
    python bench/predictor.py fit FACTS               # writes python/ttkit/autotuning/predictor.json

`check` leaves out one problem after the other (--by kernel: all problems of a kernel), fits to the others, and ranks
the configurations of the one left out.  Regret: how much longer than the fastest configuration of the problem the
first one takes, and the best of the first ten.
"""

from __future__ import annotations

import argparse
import copy
import hashlib
import json
import math
import statistics
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from choice_cases import problems
from choices import source_of
from cubin_cases import Case, Descriptor, Memory

from ttkit.autotuning.choosing import launch_of
from ttkit.autotuning.prediction import FILE, Forest, compared, facts_of, ranked
from ttkit.compiler.compilation import Compilation
from ttkit.context import Context, parse_text
from ttkit.inspection import collect
from ttkit.options import CompileOptions
from ttkit.target import GPUTarget

CAPABILITY, MULTIPROCESSORS = 90, 132
FORESTS, TREES, DEPTH, RATE, LEAST, PENALTY = 5, 80, 4, 0.1, 8, 4.0
ROWS_OF_TREE, FACTS_OF_TREE = 0.8, 0.2  # shares that a tree sees, drawn at random
FARTHEST = 2.0  # powers of two: a configuration that is slower than that is bad, however bad
NEAR = 0.35  # powers of two: weights of configurations fall off with their distance from the fastest
SHARE_IN_TREES = 0.5  # of the estimate, which targets leave out, so that trees correct it
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
    with Context() as context:
        module = parse_text(str(made.asm["ttir"]), context)
        (function,) = collect(module.operation, ["tt.func"])
        work = work_of(function, numbers_of(case), case.grid, 32 * parsed.num_warps)
        launch = launch_of(module, parsed, math.prod(case.grid))
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


class Rows(NamedTuple):
    """Facts, targets and weights, a row a configuration."""

    facts: np.ndarray
    targets: np.ndarray
    weights: np.ndarray


def tables_of(found: dict[str, Any]) -> tuple[list[str], dict[str, Rows]]:
    """Names of facts, and the rows of each problem."""
    names: list[str] = []
    tables = {}
    for name, cases in found.items():
        rows = compared([case["facts"] for case in cases])
        names = names or list(rows[0])
        times = np.array([case["us"] for case in cases])
        away = np.log2(times / times.min())
        estimated = np.array([SHARE_IN_TREES * min(row["estimate<"], 1.0) for row in rows])
        facts = np.array([[row[one] for one in names] for row in rows])
        tables[name] = Rows(facts, np.minimum(away, FARTHEST) - estimated, 0.15 + np.exp(-away / NEAR))
    return names, tables


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


class Table:
    """Facts in bins, side by side: the sums of all bins of all facts are found at once."""

    def __init__(self, facts: np.ndarray, names: list[str]) -> None:
        self.names, self.edges = names, edges_of(facts)
        columns = [np.searchsorted(edges, facts[:, at], "left") for at, edges in enumerate(self.edges)]
        self.bins = np.stack(columns, 1)
        self.placed = self.bins + (BINS + 1) * np.arange(facts.shape[1])

    def part(self, facts: np.ndarray) -> Table:
        """The table of some facts, by their numbers."""
        made = copy.copy(self)
        made.names, made.edges = [self.names[fact] for fact in facts], [self.edges[fact] for fact in facts]
        made.bins = self.bins[:, facts]
        made.placed = made.bins + (BINS + 1) * np.arange(len(facts))
        return made

    def sums(self, rows: np.ndarray, weights: np.ndarray, rest: np.ndarray) -> np.ndarray:
        """Sums of weighted targets, sums of weights and numbers of rows, for each bin of each fact."""
        facts = self.bins.shape[1]
        placed = self.placed[rows].ravel()
        columns = (np.repeat(weights * rest, facts), np.repeat(weights, facts), None)
        found = [np.bincount(placed, column, facts * (BINS + 1)) for column in columns]
        return np.stack(found).reshape(3, facts, BINS + 1)

    @staticmethod
    def split(sums: np.ndarray) -> tuple[float, int, int]:
        """The best split of the rows with these sums: its gain, its fact, and its threshold."""
        (total, mass, count), few = sums[:, 0].sum(1), PENALTY / 4
        low, masses, counts = np.cumsum(sums, 2)[:, :, :-1]
        gains = low**2 / (masses + few) + (total - low) ** 2 / (mass - masses + few)
        gains[(counts < LEAST) | (count - counts < LEAST)] = -1.0
        fact, at = np.unravel_index(int(np.argmax(gains)), gains.shape)
        return float(gains[fact, at]) - total**2 / (mass + few), int(fact), int(at)


def tree_of(table: Table, rest: np.ndarray, weights: np.ndarray) -> tuple[list[Any], np.ndarray]:
    """One tree, and what it predicts for each row."""
    nodes: list[Any] = []
    values = np.zeros(len(rest))
    sums_of = lambda rows: table.sums(rows, weights[rows], rest[rows])

    def grow(rows: np.ndarray, depth: int, sums: np.ndarray | None) -> int:
        """Adds the node of some rows, and those under it; its number."""
        number = len(nodes)
        nodes.append(None)
        gain, fact, at = (0.0, 0, 0) if sums is None else table.split(sums)
        if gain <= 1e-9:
            w, r = weights[rows], rest[rows]
            values[rows] = leaf = RATE * float((w * r).sum()) / (float(w.sum()) + PENALTY / 4)
            nodes[number] = round(leaf / FORESTS, 6)
            return number
        is_low = table.bins[rows, fact] <= at
        parts = rows[is_low], rows[~is_low]
        found: list[np.ndarray | None] = [None, None]
        if depth > 1 and sums is not None:
            smaller = int(len(parts[1]) < len(parts[0]))
            counted = sums_of(parts[smaller])
            found[smaller], found[1 - smaller] = counted, sums - counted
        some = [one if len(part) >= 2 * LEAST else None for part, one in zip(parts, found)]
        first, second = (grow(part, depth - 1, one) for part, one in zip(parts, some))
        nodes[number] = [table.names[fact], round(float(table.edges[fact][at]), 4), first, second]
        return number

    rows = np.arange(len(rest))
    grow(rows, DEPTH, sums_of(rows))
    return nodes, values


def forest_of(names: list[str], tables: Iterable[Rows]) -> Forest:
    """The trees of several forests, which differ by what each tree sees."""
    facts, targets, weights = map(np.concatenate, zip(*tables))
    table = Table(facts, names)
    return Forest([tree for seed in range(FORESTS) for tree in boosted(table, targets, weights, seed)])


def boosted(table: Table, targets: np.ndarray, weights: np.ndarray, seed: int) -> list[Any]:
    """Trees, each of which is fitted to what those before it leave, by a part of the rows and of the facts."""
    chance, count = np.random.default_rng(seed), len(table.names)
    rest, trees = targets - np.average(targets, weights=weights), []
    for _ in range(TREES):
        some = np.sort(chance.choice(count, int(FACTS_OF_TREE * count), replace=False))
        seen = weights * (chance.random(len(targets)) < ROWS_OF_TREE)
        nodes, values = tree_of(table.part(some), rest, seen)
        rest = rest - values
        trees.append(nodes)
    return trees


# --- checking ---------------------------------------------------------------------------------------------------------


def left_out(
    names: list[str], found: dict[str, Any], labels: list[str], tables: dict[str, Rows]
) -> list[dict[str, Any]]:
    """Rows of the table, of problems that are new to the trees."""
    forest = forest_of(labels, [rows for name, rows in tables.items() if name not in names])
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


_OF_WORKER: list[Any] = []  # what all tasks of a process share


def _left_out(names: list[str]) -> list[dict[str, Any]]:
    return left_out(names, *_OF_WORKER)


def check(found: dict[str, Any], by: str) -> list[dict[str, Any]]:
    """The table: regrets of each problem, left out with its group."""
    groups: dict[str, list[str]] = {}
    for name in found:
        groups.setdefault(FOLDS[by](name), []).append(name)
    shared = found, *tables_of(found)
    with ProcessPoolExecutor(initializer=_OF_WORKER.extend, initargs=(shared,)) as pool:
        parts = list(pool.map(_left_out, groups.values()))
    rows = {row["problem"]: row for part in parts for row in part}
    return [rows[name] for name in found]


def half_of(problem: str) -> str:
    """The half of its kernel, by a hash of the name: settings are chosen by kernels that inform, others only judge."""
    return "judges" if hashlib.sha256(problem.split()[0].encode()).digest()[-1] % 2 else "informs"


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
        labels, tables = tables_of(found)
        trees = forest_of(labels, tables.values()).trees
        FILE.write_text(json.dumps({"trees": trees}, separators=(",", ":")) + "\n")
        return
    rows = check(found, given.by)
    text = shown(rows)
    if given.output:
        given.output.write_text(text)
    print(text)
    for half in ("informs", "judges", ""):
        some = [row for row in rows if half in ("", half_of(row["problem"]))]
        first, of_ten = (100 * statistics.mean(row[key] for row in some) for key in ("first", "of ten"))
        none = 100 * sum(row["of ten"] < 1e-9 for row in some) / len(some)
        print(f"{half or 'all'} {len(some)}: first {first:.1f} %, best of ten {of_ten:.2f} %; in ten {none:.1f} %")


if __name__ == "__main__":
    main()
