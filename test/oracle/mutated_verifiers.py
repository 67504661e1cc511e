"""Compares who accepts a module, Triton or ttkit, on modules that are changed and perhaps broken.

    python mutated_verifiers.py CORPUS.json.gz [--inputs 1000] [--seed 0] [--messages] [--only N]

Inputs are those of mutation_corpus.py, changed as mutations.py does and in ways that break them (test/fuzz/damage.py).
A module that one reads and the other refuses is a difference; so is, with `--messages`, an error without Triton's text.
"""

import argparse
import collections
import gzip
import json
import os
import random
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import compare  # noqa: E402
from findings import kind_of  # noqa: E402
from fuzz.damage import Material  # noqa: E402
from fuzz.ir_changes import mutate  # noqa: E402


def refusal(error: str) -> str:
    """The message of the first error, without its place."""
    lines = [line for line in error.splitlines() if "error: " in line or "): " in line] or error.splitlines() or [""]
    return re.sub(r"^.*?(?:error: |\): (?:error: )?)", "", lines[0])


def verdict(ours: dict, theirs: dict, messages: bool) -> tuple[str, str]:
    """(status, detail) of an input by the answers of both."""
    if "error" in ours and "error" in theirs:
        same = not messages or refusal(theirs["error"]) in ours["error"]  # ours may go on, with what was found
        detail = f"{refusal(theirs['error'])}\nTriton: {theirs['error']}\nttkit: {ours['error']}"
        return (compare.BOTH_REFUSE if same else "other text"), detail
    if "error" in ours:
        return "only ttkit refuses", ours["error"]
    return ("only Triton refuses", theirs["error"]) if "error" in theirs else (compare.EQUAL, "")


class Verdicts:
    """Counts of verdicts, and what differs by its kind."""

    def __init__(self, oracle_python: str, messages: bool) -> None:
        self.workers = compare.ttkit_worker(), compare.triton_worker(oracle_python)
        self.messages = messages
        self.statuses: collections.Counter[str] = collections.Counter()
        self.kinds: dict[tuple[str, str], list[tuple[str, str]]] = collections.defaultdict(list)

    def ask(self, name: str, text: str) -> None:
        """Asks both about a module."""
        ours, theirs = (worker.run(text, []) for worker in self.workers)
        status, detail = verdict(ours, theirs, self.messages)
        self.statuses[status] += 1
        if status not in (compare.EQUAL, compare.BOTH_REFUSE):
            self.kinds[status, kind_of(status, detail)].append((name, detail))

    def report(self) -> None:
        """Ends both and prints what they said, kinds of differences with most inputs first."""
        for worker in self.workers:
            worker.close()
        print(", ".join(f"{count} {status}" for status, count in sorted(self.statuses.items())))
        for (status, kind), seen in sorted(self.kinds.items(), key=lambda item: -len(item[1])):
            print(f"{len(seen):5} {status}: {kind}   [{', '.join(name for name, _ in seen[:6])}]")
            print(*(f"        {line[:220]}" for line in seen[0][1].splitlines()[:8]), sep="\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--oracle-python", default=os.environ.get("TTKIT_ORACLE_PYTHON"), help="a Python with Triton")
    parser.add_argument("--messages", action="store_true", help="compare the texts of errors too")
    parser.add_argument("--inputs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int, metavar="N", help="input N alone")
    options = parser.parse_args()
    if not options.oracle_python:
        parser.error("no Python with Triton: give --oracle-python or set TTKIT_ORACLE_PYTHON")
    with gzip.open(options.corpus, "rt") as file:
        texts = [item["text"] for item in json.load(file)]
    material = Material.gather(texts)
    verdicts = Verdicts(options.oracle_python, options.messages)
    for number in [options.only] if options.only is not None else range(options.inputs):
        rng = random.Random(f"{options.seed} {number}")
        verdicts.ask(str(number), mutate(rng, rng.choice(texts), material))
    verdicts.report()


if __name__ == "__main__":
    main()
