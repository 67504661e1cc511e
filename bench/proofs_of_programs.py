"""Verdicts on random programs beside the interpreter's: no proof that it contradicts, no refutation without a case.

    .venv/bin/python bench/proofs_of_programs.py [--minutes 20] [--programs N] [--jobs 1] [--seed 0] [--planted 0.5]
        [--lowering 0.3] [--searched 0.1] [--json RESULT.json] [--folder DIR]

A program goes through ttkit-ttir and ttkit-ttgir, or through one pass of tt.  Each pass that changes it gives a pair:
the IR before and after it.  With --planted, a part of the pairs get one bug (test/unit/planted_in_passes.py and
planted_in_lowering.py).  The interpreter runs both sides on the program's inputs and on generated ones.  A pair that is
proved and differs there is a contradiction: it is shown, with the IR in `contradiction-SEED-*.mlir` of --folder.

Each of the --jobs processes takes its own seeds: every JOBS-th one from SEED + 0, SEED + 1 and so on.  --json has the
sum of their counts, each contradiction, each refutation and each program on which a process ended.  It is written
again every few seconds, so it is whole even if the run is killed.
"""

import argparse
import json
import multiprocessing
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count, islice
from multiprocessing.connection import Connection, wait
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "test" / "unit"))

TT_PASSES = """triton-combine triton-reorder-broadcast triton-licm triton-loop-aware-cse triton-loop-unroll canonicalize
    cse loop-invariant-code-motion sccp""".split()
CAPABILITIES = (80, 80, 90, 100)
SIZES = (3, 5, 8, 12)
INPUTS = 4
LOWERING = "convert-triton-gpu-to-llvm"
SECONDS = 10.0
WRITTEN_EVERY = 5.0
"""Seconds between two writes of --json."""
UNDEFINED = "where nothing has written"
"""A pipelined loop that makes no trip reads in its prologue what nothing has written, and drops it."""


def pairs_of(seed: int, lowers: float):
    """The IR before and after each pass over a program: (program, pass, before, after)."""
    import ttkit
    from ttkit.interpreter.check.random_programs import random_program
    from ttkit.passes.infra.events import PassSubscriber
    from ttkit.passes.manager import run_passes

    found = []

    class Keep(PassSubscriber):
        """Keeps what changes."""

        finds_changes = True
        text = ""

        def before(self, event) -> None:
            """The IR that the first pass is given."""
            self.text = self.text or event.text(locations=True, generic=True)

        def after(self, event) -> None:
            """What a pass made of it."""
            if event.changed is not False:
                text = event.text(locations=True, generic=True)
                found.append((event.pass_name, self.text, text))
                self.text = text

    choose = random.Random(seed)
    capability = choose.choice(CAPABILITIES)
    program = random_program(seed, choose.choice(SIZES), choose.choice(("", "", "pointers", "descriptors")), capability)
    pipeline = f"ttkit-ttir{{capability={capability}}},ttkit-ttgir{{capability={capability} num-warps=1}}"
    if choose.random() < lowers:
        pipeline += f",ttkit-llir{{capability={capability}}}"
    elif choose.random() < 0.3:
        pipeline = choose.choice(TT_PASSES)
    try:
        with ttkit.Context():
            run_passes(ttkit.parse(program.text), pipeline, subscribers=[Keep()])
    except Exception as error:  # a program that these passes refuse
        return program, found, f"{type(error).__name__}: {error}".splitlines()[0]
    return program, found, ""


def differs(program, old, new, name: str, rounds: bool) -> str:
    """What the interpreter finds, in words; empty if both sides agree."""
    from ttkit.interpreter.check.check_passes import tolerance_of
    from ttkit.interpreter.check.generated_inputs import NoInputs, run, try_inputs
    from ttkit.interpreter.errors import NotInterpretable
    from ttkit.validation.candidates import Candidates
    from ttkit.validation.counterexamples import difference

    before, after = old.functions[name], new.functions[name]
    tolerance = tolerance_of(before, after) if rounds else 0.0
    given = [program.inputs(n) for n in range(2)]
    for one in islice(Candidates(before, after, {}, not (rounds or after.is_lowered), not after.is_lowered), INPUTS):
        try:
            given.append(try_inputs(old, before, one.seed, list(one.texts), one.grid, one.changes)[0])
        except (NoInputs, NotInterpretable):
            continue
    for inputs in given:
        try:
            first = run(old, before, inputs)
            said = difference(old, new, before, after, inputs, first, tolerance) if first.error is None else ""
        except NotInterpretable:
            continue
        if said and UNDEFINED not in said:
            return said
    return ""


class Comparison:
    """Compares the pairs of one program: counts them by verdict, and keeps those that say something."""

    def __init__(self, seed: int, options: argparse.Namespace) -> None:
        self.seed = seed
        self.options = options
        self.choose = random.Random(seed)
        self.result = Result()

    def program(self) -> "Result":
        """Compares the pairs of the program, with a bug planted in some."""
        import planted_in_lowering
        import planted_in_passes

        from ttkit.context import Context

        program, pairs, failed = pairs_of(self.seed, self.options.lowering)
        self.result.counts.update(programs=1, refused=int(bool(failed)))
        for pass_name, before, after in pairs:
            self.pair(program, pass_name, (before, after), "pass")
            if self.choose.random() >= self.options.planted:
                continue
            context = Context()
            context.allow_unregistered_dialects = True
            rules = planted_in_lowering.MISTAKES if pass_name == LOWERING else planted_in_passes.MISTAKES
            made = list(planted_in_passes.planted(after, context, self.seed, 1, rules))
            if made:
                mistake, _, text = self.choose.choice(made)
                self.pair(program, f"{pass_name}, {mistake}", (before, text), "planted")
        return self.result

    def pair(self, program, pass_name: str, texts: tuple[str, str], kind: str) -> None:
        """Compares the verdict on a pair with what the interpreter finds."""
        from ttkit.context import Context
        from ttkit.validation.functions import PROVED, REFUTED, validate
        from ttkit.validation.proofs import decoded

        context = Context()
        context.allow_unregistered_dialects = True
        old, new = (decoded(text, context) for text in texts)
        if isinstance(old, str) or isinstance(new, str) or "random" not in new.functions:
            self.result.counts["not read"] += 1
            return
        if old.functions["random"].is_lowered:
            return
        searches = self.choose.random() < self.options.searched
        one: dict[str, object] = {"seed": self.seed, "pass": pass_name, "kind": kind}
        try:
            verdict = validate(old, new, "random", pass_name, searches)
        except Exception as error:
            self.result.counts[f"failed: {type(error).__name__}"] += 1
            self.result.failed.append({**one, "error": f"{type(error).__name__}: {error}"[:300]})
            return
        found = differs(program, old, new, "random", bool(verdict.rounding)) if verdict.outcome != REFUTED else "yes"
        self.result.counts[f"{kind}: {verdict.outcome}, {'differs' if found else 'agrees'}"] += 1
        one.update(verdict=str(verdict)[:300], interpreter=found[:300])
        if (verdict.outcome == PROVED and found) or (verdict.outcome == REFUTED and kind == "pass"):
            name = f"contradiction-{self.seed}-{len(self.result.contradictions) + 1}"
            for side, text in zip(("before", "after"), texts):
                (self.options.folder / f"{name}.{side}.mlir").write_text(text)
            self.result.contradictions.append({**one, "files": name})
        elif verdict.outcome == REFUTED:
            self.result.refuted.append(one)


@dataclass
class Result:
    """What was found.

    counts: pairs by kind, verdict and what the interpreter says; programs, and those that a pass refused.
    contradictions: proofs of pairs that differ, and refutations of correct passes.
    refuted: planted errors that a run refutes.
    failed: pairs on which the proof itself failed.
    ended: seeds on which a process ended.
    """

    counts: Counter = field(default_factory=Counter)
    contradictions: list[dict[str, object]] = field(default_factory=list)
    refuted: list[dict[str, object]] = field(default_factory=list)
    failed: list[dict[str, object]] = field(default_factory=list)
    ended: list[int] = field(default_factory=list)

    def add(self, other: "Result") -> None:
        """Adds what another one has."""
        self.counts.update(other.counts)
        for name in ("contradictions", "refuted", "failed", "ended"):
            getattr(self, name).extend(getattr(other, name))

    def text(self) -> str:
        """The counts as a table, with all contradictions."""
        lines = [f"{number:7}  {column}" for column, number in sorted(self.counts.items())]
        lines += [json.dumps(one) for one in (*self.failed, *self.contradictions)]
        lines += [f"a process ended on seed {seed}" for seed in self.ended]
        return "\n".join([*lines, f"{len(self.contradictions)} contradictions"])


def compare_programs(seeds: Iterator[int], options: argparse.Namespace, sends: Connection) -> None:
    """Sends the seed of each program before it is compared, and the result after it."""
    import ttkit.validation.functions as functions
    import ttkit.validation.lowered.proof as lowered_proof

    functions.SECONDS = lowered_proof.SECONDS = SECONDS
    for seed in seeds:
        sends.send(seed)
        sends.send(Comparison(seed, options).program())


class Processes:
    """Processes that compare programs, and the sum of their results."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.result = Result()
        self.now: dict[Connection, tuple[int, multiprocessing.Process]] = {}

    def start(self, seed: int) -> None:
        """Starts a process that takes every JOBS-th seed from `seed` on."""
        receives, sends = multiprocessing.Pipe(duplex=False)
        process = multiprocessing.Process(
            target=compare_programs, args=(count(seed, self.options.jobs), self.options, sends), daemon=True
        )
        process.start()
        sends.close()
        self.now[receives] = seed, process

    def receive(self, one: Connection) -> None:
        """Takes a message; where a process ended, another one goes on after its program."""
        seed, process = self.now[one]
        try:
            said = one.recv()
        except (EOFError, ConnectionResetError):
            self.result.ended.append(seed)
            process.join()
            del self.now[one]
            self.start(seed + self.options.jobs)
            return
        if isinstance(said, Result):
            self.result.add(said)
        else:
            self.now[one] = said, process

    def run(self) -> Result:
        """Compares until the time is over, or there were enough programs."""
        options, written = self.options, time.monotonic()
        end = written + 60 * options.minutes
        for job in range(options.jobs):
            self.start(options.seed + job)
        while (left := end - time.monotonic()) > 0 and self.result.counts["programs"] < options.programs:
            for one in wait(list(self.now), min(left, WRITTEN_EVERY)):
                self.receive(one)  # type: ignore[arg-type]
            if time.monotonic() - written >= WRITTEN_EVERY:
                self.write()
                written = time.monotonic()
        for _, process in self.now.values():
            process.terminate()
        self.write()
        return self.result

    def write(self) -> None:
        """Writes what was found so far."""
        if path := self.options.json:
            text = {"options": {name: str(value) for name, value in vars(self.options).items()}, **vars(self.result)}
            path.with_suffix(".part").write_text(json.dumps(text, indent=1) + "\n")
            path.with_suffix(".part").replace(path)


def main() -> None:
    """Compares until the time is over."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=20.0, help="by the clock")
    parser.add_argument("--programs", type=int, default=sys.maxsize, help="stop after so many programs")
    parser.add_argument("--jobs", type=int, default=1, help="how many processes")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--planted", type=float, default=0.5, help="the part of the pairs with a bug")
    parser.add_argument("--lowering", type=float, default=0.3, help="the part of the programs that are lowered")
    parser.add_argument("--searched", type=float, default=0.1, help="the part with a search for a counterexample")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--folder", type=Path, default=Path("."), help="where the IR of contradictions is written")
    options = parser.parse_args()
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    print(Processes(options).run().text())


if __name__ == "__main__":
    main()
