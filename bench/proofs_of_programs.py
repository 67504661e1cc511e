"""Verdicts on random programs beside the interpreter's: no proof that it contradicts, no refutation without a case.

    .venv/bin/python bench/proofs_of_programs.py [--minutes 20] [--seed 0] [--planted 0.5] [--lowering 0.3]
        [--output PAIRS.jsonl]

A program goes through ttkit-ttir and ttkit-ttgir, or through one pass of tt.  Each pass that changes it gives a pair:
the IR before and after it.  With --planted, a part of the pairs get one bug (test/unit/planted_in_passes.py and
planted_in_lowering.py).  The interpreter runs both sides on the program's inputs and on generated ones.  A pair that is
proved and differs there is a contradiction: it is shown, with the IR in `contradiction-SEED-*.mlir`.
"""

import argparse
import json
import random
import sys
import time
from collections import Counter
from itertools import islice
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "test" / "unit"))

TT_PASSES = """triton-combine triton-reorder-broadcast triton-licm triton-loop-aware-cse triton-loop-unroll canonicalize
    cse loop-invariant-code-motion sccp""".split()
CAPABILITIES = (80, 80, 90, 100)
SIZES = (3, 5, 8, 12)
INPUTS = 4
SEARCHED = 0.1
"""The part of the pairs for which a counterexample is searched."""
LOWERING = "convert-triton-gpu-to-llvm"
SECONDS = 10.0
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
    """Counts pairs by verdict, and keeps those that contradict the interpreter."""

    def __init__(self, output: Path | None) -> None:
        self.counts: Counter = Counter()
        self.output = output.open("w") if output else None
        self.contradictions = 0

    def pair(self, program, pass_name: str, texts: tuple[str, str], kind: str, choose: random.Random) -> None:
        """Compares the verdict on a pair with what the interpreter finds."""
        from ttkit.context import Context
        from ttkit.validation.functions import PROVED, REFUTED, validate
        from ttkit.validation.proofs import decoded

        context = Context()
        context.allow_unregistered_dialects = True
        old, new = (decoded(text, context) for text in texts)
        if isinstance(old, str) or isinstance(new, str) or "random" not in new.functions:
            self.counts["not read"] += 1
            return
        if old.functions["random"].is_lowered:
            return
        searches = choose.random() < SEARCHED
        begun = time.monotonic()
        try:
            verdict = validate(old, new, "random", pass_name, searches)
        except Exception as error:
            self.counts[f"failed: {type(error).__name__}"] += 1
            print(f"seed {program.seed}: {pass_name}: {type(error).__name__}: {error}", flush=True)
            return
        took = time.monotonic() - begun
        found = differs(program, old, new, "random", bool(verdict.rounding)) if verdict.outcome != REFUTED else "yes"
        column = f"{kind}: {verdict.outcome}, {'differs' if found else 'agrees'}"
        self.counts[column] += 1
        one = {"seed": program.seed, "pass": pass_name, "kind": kind, "verdict": str(verdict)[:300], "found": found}
        if self.output:
            self.output.write(json.dumps({**one, "seconds": round(took, 2)}) + "\n")
            self.output.flush()
        if (verdict.outcome == PROVED and found) or (verdict.outcome == REFUTED and kind == "pass"):
            self.contradictions += 1
            name = f"contradiction-{program.seed}-{self.contradictions}"
            for side, text in zip(("before", "after"), texts):
                Path(f"{name}.{side}.mlir").write_text(text)
            print(f"{name}: {pass_name} ({kind}): {verdict}; the interpreter: {found}", flush=True)


def main() -> None:
    """Compares until the time is over."""
    import planted_in_lowering
    import planted_in_passes

    import ttkit.validation.functions as functions
    import ttkit.validation.lowered.proof as lowered_proof
    from ttkit.context import Context

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=20.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--planted", type=float, default=0.5)
    parser.add_argument("--lowering", type=float, default=0.3)
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    functions.SECONDS = lowered_proof.SECONDS = SECONDS
    comparison, end = Comparison(options.output), time.process_time() + 60 * options.minutes
    seed, refused = options.seed, 0
    while time.process_time() < end:
        program, pairs, failed = pairs_of(seed, options.lowering)
        refused += bool(failed)
        choose = random.Random(seed)
        for pass_name, before, after in pairs:
            comparison.pair(program, pass_name, (before, after), "pass", choose)
            if choose.random() >= options.planted:
                continue
            context = Context()
            context.allow_unregistered_dialects = True
            rules = planted_in_lowering.MISTAKES if pass_name == LOWERING else planted_in_passes.MISTAKES
            made = list(planted_in_passes.planted(after, context, seed, 1, rules))
            if made:
                mistake, _, text = choose.choice(made)
                comparison.pair(program, f"{pass_name}, {mistake}", (before, text), "planted", choose)
        seed += 1
    print(f"{seed - options.seed} programs, of which {refused} were refused; {sum(comparison.counts.values())} pairs")
    for column, count in sorted(comparison.counts.items()):
        print(f"{count:7}  {column}")
    print(f"{comparison.contradictions} contradictions")


if __name__ == "__main__":
    main()
