"""Compares passes and verifiers with Triton's on thousands of modules, made by changing those of the corpus.

    python mutations.py --oracle-python PYTHON [--inputs 1000] [--seed 0] [--keep DIR] PASSES [FILE_OR_FOLDER...]

Each input is a module of the corpus (default: test/data/ir and the modules of test/lit), changed in one to three ways
that keep its syntax: another number of warps, another target, a dimension of another size, another element type,
another field of a layout, other options of loads, one layout for another (`MUTATIONS`).  What one of the two refuses as
input is left out.  `PASSES` is written as for compare.py; of a list separated by `;`, each is compared by itself.
`equal once folded` are results that only canonicalization and cse make one, or what Triton found out about parameters:
the pass of one of the two folds more.

With `--verify` no pass runs.  Inputs are changed also in ways that break them (test/fuzz/damage.py), and compared is
who accepts them: a module that one reads and the other refuses is a difference; so is, with `--messages`, another text
of the error.

Input N of seed S is the same everywhere: `--seed S --only N`.  Differences are printed, one of each kind (the first
line of a refusal, or the operations that differ), with how often it was seen; `--keep DIR` writes the inputs there.
"""

import argparse
import collections
import os
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import compare  # noqa: E402
from fuzz.damage import Material  # noqa: E402
from fuzz.ir_changes import mutate  # noqa: E402

DEFAULT_CORPUS = (HERE.parent / "data" / "ir", HERE.parent / "lit")
FOLDED = "equal once folded"
# What Triton's analysis of pointers writes on the parameters of functions that are called.
FACTS = re.compile(r" \{tt\.constancy = \d+ : i64, tt\.contiguity = \d+ : i64, tt\.divisibility = \d+ : i64\}")
LIMIT = 30  # seconds of one module under one pass
LARGEST = 12_000  # bytes of a module; most of the time would go into parsing larger ones


def corpus(paths: list[Path]) -> list[tuple[str, str]]:
    """(name, text) of the modules to begin with, without comments, in an order of their own."""
    found = []
    for path in paths:
        for name, text in compare.modules_of(path):
            text = re.sub(r"^\s*//.*\n", "", text, flags=re.MULTILINE)
            if len(text) <= LARGEST and "loc(" not in text and "{{" not in text:
                found.append((name, text))
    return found


def kind_of(status: str, detail: str) -> str:
    """What makes two differences the same kind."""
    if status == compare.DIFFERENT:
        changed = [line for line in detail.splitlines() if re.match(r"[+-][^+-]", line)]
        operations = sorted({f"{line[0]}{m[0]}" for line in changed if (m := re.search(r"\b[a-z]+\.[a-z_]\w+", line))})
        return " ".join(operations[:8])
    line = next((line for line in detail.splitlines() if line.strip()), "")
    line = re.sub(r"^.*?(?:error: |\): (?:error: )?)", "", line)
    return re.sub(r"'[^']*<.*|#ttg.*|!ttg.*|tensor<.*", "...", re.sub(r"\d+", "N", line))[:140]


def refusal(error: str) -> str:
    """The message of the first error, without its place."""
    lines = [line for line in error.splitlines() if "error: " in line or "): " in line] or error.splitlines() or [""]
    return re.sub(r"^.*?(?:error: |\): (?:error: )?)", "", lines[0])


class Differences:
    """Kinds of differences, with how often each was seen and one input of it."""

    def __init__(self, keep: Path | None) -> None:
        self.keep = keep
        self.statuses: collections.Counter[str] = collections.Counter()
        self.kinds: dict[tuple[str, str], list[tuple[int, str]]] = collections.defaultdict(list)

    def add(self, number: int, text: str, status: str, detail: str) -> None:
        self.statuses[status] += 1
        if status in (compare.EQUAL, compare.BOTH_REFUSE, FOLDED, "not valid"):
            return
        self.kinds[status, kind_of(status, detail)].append((number, detail))
        if self.keep:
            self.keep.mkdir(parents=True, exist_ok=True)
            (self.keep / f"{number}.mlir").write_text(text)

    def report(self, title: str, lines: int) -> None:
        print(f"## {title}: " + ", ".join(f"{count} {status}" for status, count in sorted(self.statuses.items())))
        for (status, kind), seen in sorted(self.kinds.items(), key=lambda item: -len(item[1])):
            print(f"{len(seen):5} {status}: {kind}   [{', '.join(str(number) for number, _ in seen[:6])}]")
            for line in seen[0][1].splitlines()[:lines]:
                print(f"        {line[:220]}")
        sys.stdout.flush()


def inputs(options: argparse.Namespace, damage: Material | None) -> Iterator[tuple[int, str]]:
    """Number and text of each changed module; those of a seed are the same everywhere."""
    modules = corpus(options.paths or list(DEFAULT_CORPUS))
    if options.containing:
        modules = [(name, text) for name, text in modules if re.search(options.containing, name + "\n" + text)]
    if not modules:
        sys.exit("mutations.py: no modules to begin with")
    for number in [options.only] if options.only is not None else range(options.inputs):
        rng = random.Random(f"{options.seed} {number}")
        yield number, mutate(rng, rng.choice(modules)[1], damage)


def compare_verifiers(options: argparse.Namespace, workers: tuple[compare.Worker, compare.Worker]) -> Differences:
    """Who accepts which input, and with `--messages` in which words it is refused."""
    material = Material.gather([text for _, text in corpus(options.paths or list(DEFAULT_CORPUS))])
    found = Differences(options.keep)
    for number, text in inputs(options, material):
        ours, theirs = (worker.run(text, []) for worker in workers)
        if "error" not in ours and "error" not in theirs:
            found.add(number, text, compare.EQUAL, "")
        elif "error" in ours and "error" in theirs:
            same = not options.messages or refusal(ours["error"]) == refusal(theirs["error"])
            detail = f"{refusal(theirs['error'])}\nTriton: {theirs['error']}\nttkit: {ours['error']}"
            found.add(number, text, compare.BOTH_REFUSE if same else "other text", detail)
        elif "error" in ours:
            found.add(number, text, "only ttkit refuses", ours["error"])
        else:
            found.add(number, text, "only Triton refuses", theirs["error"])
    return found


def prepared(text: str, prepare: list[compare.Pass], workers: tuple[compare.Worker, compare.Worker]) -> str | None:
    """What Triton's passes `prepare` make of an input that both read; None of others."""
    if "error" in workers[0].run(text, []):
        return None
    answer = workers[1].run(text, prepare)
    return None if "error" in answer else answer["text"] if prepare else text


def same_folded(text: str, passes: list[compare.Pass], *workers: compare.Worker) -> bool:
    """Whether results that differ are one as soon as both are canonicalized and have no common subexpressions."""
    whole: compare.Pass = ("canonicalize", {"region-simplify": "aggressive"})
    fold: list[compare.Pass] = [whole, ("cse", {}), whole]
    theirs = FACTS.sub("", workers[1].run(text, compare.single_passes(passes))["text"])
    folded = workers[0].run(text, passes + fold), workers[0].run(theirs, fold)
    return "error" not in folded[0] and folded[0] == {**folded[1], "seconds": folded[0]["seconds"]}


def compare_passes(
    pipelines: list[str], options: argparse.Namespace, workers: tuple[compare.Worker, compare.Worker]
) -> dict[str, Differences]:
    """Each of the pipelines by itself on each of the inputs."""
    found = {title: Differences(options.keep and options.keep / title.split("{")[0]) for title in pipelines}
    for number, text in inputs(options, None):
        ready = prepared(text, compare.parse_pipeline(options.prepare), workers)
        for title, differences in found.items():
            if ready is None:
                differences.add(number, text, "not valid", "")
                continue
            passes = compare.parse_pipeline(title)
            outcome = compare.compare(ready, passes, *workers)
            if outcome.status == compare.DIFFERENT and same_folded(ready, passes, *workers):
                outcome.status = FOLDED
            differences.add(number, ready, outcome.status, outcome.detail)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("passes", metavar="PASSES", nargs="?", default="")
    parser.add_argument("paths", metavar="FILE_OR_FOLDER", nargs="*", type=Path)
    parser.add_argument("--oracle-python", default=os.environ.get("TTKIT_ORACLE_PYTHON"), help="a Python with Triton")
    parser.add_argument("--verify", action="store_true", help="compare who accepts the input; PASSES is left out")
    parser.add_argument("--messages", action="store_true", help="with --verify: compare the texts of errors too")
    parser.add_argument("--inputs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int, metavar="N", help="input N alone")
    parser.add_argument("--prepare", default="", metavar="PASSES", help="passes of Triton that make the input")
    parser.add_argument("--containing", metavar="REGEX", help="begin with modules whose name or text matches")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="write inputs with differences to DIR")
    parser.add_argument("--lines", type=int, default=12, help="lines of detail for each kind (12)")
    options = parser.parse_args()
    if not options.oracle_python:
        parser.error("no Python with Triton: give --oracle-python or set TTKIT_ORACLE_PYTHON")
    workers = compare.ttkit_worker(), compare.triton_worker(options.oracle_python)
    for worker in workers:
        worker.limit = LIMIT
    if options.verify:
        options.paths = ([Path(options.passes)] if options.passes else []) + options.paths
        compare_verifiers(options, workers).report("verifiers", options.lines)
        return
    for title, differences in compare_passes(options.passes.split(";"), options, workers).items():
        differences.report(title, options.lines)


if __name__ == "__main__":
    main()
