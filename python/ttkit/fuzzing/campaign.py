"""Runs a pass on random programs, and follows up what goes wrong."""

from __future__ import annotations

import inspect
import os
import re
import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import ttkit.passes as passes
from ttkit.context import Context, parse_text
from ttkit.fuzzing.growth import grow
from ttkit.fuzzing.kinds import Kinds
from ttkit.fuzzing.material import ask_of_loops, in_stages, program
from ttkit.fuzzing.phrases import Phrase, phrases_of
from ttkit.interpreter.check.random_programs import RandomProgram
from ttkit.passes.infra.bridge import pass_class, users_class
from ttkit.passes.registry import PASSES
from ttkit.reduce.questions import Crashes, Differs, Fails, Question, Refuted
from ttkit.reduce.reducer import NotInteresting, Reducer
from ttkit.workers import Died, Workers

UNCHANGED, FINE, REFUSED, SKIPPED = "unchanged", "fine", "refused", "skipped"
DIFFERS, CRASHES, FAILS, REFUTED = "differs", "crashes", "fails", "refuted"
PROVED, OPEN = "proved", "open"
"""What a proof says of programs whose results stayed the same."""
WRONG = (DIFFERS, CRASHES, FAILS, REFUTED)
CHANGED = (FINE, PROVED, OPEN, *WRONG)
SPLIT = re.compile(r"^// -----.*$", re.M)
SEEDS = 3


@dataclass(frozen=True)
class Result:
    """The outcome of a program.

    seed: of the program.
    verdict: one of the words above: what the pass did to the program, or why nothing is known.
    message: more of it.
    text: the IR that the pass got.
    module: the number of the module in the pass's lit tests, from 1 on; 0 for a program of a seed.
    """

    seed: int
    verdict: str
    message: str = ""
    text: str = ""
    module: int = 0


@dataclass(frozen=True)
class Found:
    """A bug that was kept.

    path: of the file.
    verdict, message: as of `Result`.
    operations: in the file.
    """

    path: str
    verdict: str
    message: str
    operations: int


class DiffersOnProgram(Differs):
    """Does the pass change what the program computes on its own inputs?"""

    program: RandomProgram

    def ask(self, text: str) -> str:
        """Whether the passes change what the program gives."""
        verdict = checked(text, self.pipeline, lambda function: [self.program.inputs()])
        return "differs" if verdict[0] == DIFFERS else ""


def checked(text: str, pipeline: str, inputs: Any, proves: bool = False) -> tuple[str, str]:
    """Runs a pass on a program: a verdict, and more of it.

    Args:
        inputs: of a function, as `Settings` has them; None for generated ones.
        proves: whether to prove the pass, too, where results stay the same.
    """
    from mlir import ir

    from ttkit.interpreter.check.check_passes import Checker, Settings
    from ttkit.passes.infra import PassError
    from ttkit.passes.manager import run_passes

    unchecked: list[str] = []
    checker = Checker(Settings(inputs=inputs), lambda function, message: unchecked.append(message))
    with Context() as context:
        module = parse_text(text, context)
        old = str(module)
        try:
            run_passes(module, pipeline)
        except PassError as error:
            return REFUSED, str(error)
        except ir.MLIRError as error:
            said = [str(one.message) for one in error.error_diagnostics]
            return FAILS, said[-1] if said else str(error)
        except Exception as error:
            return CRASHES, f"{type(error).__name__}: {error}"
        new = str(module)
        if new == old or new == folded(text, context):
            return UNCHANGED, ""
        checker.before(old)
        checker.after(pipeline, module.operation.get_asm(print_generic_op_form=True))
        if checker.found is not None:
            return DIFFERS, checker.found.message
        if proves:
            return proved(parse_text(text, context), module, pipeline)
    return (SKIPPED, unchecked[0]) if unchecked else (FINE, "")


def proved(before: Any, after: Any, pipeline: str) -> tuple[str, str]:
    """The verdict of a proof of a pass on all functions, and more of it."""
    from ttkit.validation.proofs import decoded, verdicts

    texts = [module.operation.get_asm(print_generic_op_form=True) for module in (before, after)]
    with Context() as context:
        context.allow_unregistered_dialects = True
        old, new = (decoded(one, context) for one in texts)
        found = verdicts(old, new, re.split(r"[{(]", pipeline)[0])
    for outcome in (REFUTED, OPEN):
        for one in found:
            if one.outcome == outcome:
                return outcome, f"@{one.function}: {one.reason}"
    return (PROVED if found else SKIPPED), ""


def folded(text: str, context: Any) -> str:
    """A module as MLIR's driver leaves it where no pattern matches: it folds constants all the same."""
    from ttkit.passes.infra import apply_greedily

    module = parse_text(text, context)
    apply_greedily(module.operation, {})
    return str(module)


def tests_of(name: str, load_pass: Sequence[str]) -> list[Path]:
    """The lit tests of a pass: beside its file, in a folder `tests` there or one above, or in a checkout of ttkit."""
    files = [Path(one) for one in load_pass]
    if (cls := users_class(name)) is not None and (of_class := inspect.getsourcefile(cls)) is not None:
        files.append(Path(of_class))
    folders = (lambda file: file.parent, lambda file: file.parent / "tests", lambda file: file.parent.parent / "tests")
    beside = [folder(file.resolve()) / f"{file.stem}.mlir" for file in files for folder in folders]
    here = Path.cwd()
    found = [one.relative_to(here) if one.is_relative_to(here) else one for one in dict.fromkeys(beside)]
    if name in PASSES:
        stem = PASSES[name].partition(":")[0].rpartition(".")[2]
        found.append(Path(passes.__path__[0]).parent / "test" / "lit" / "passes" / f"{stem}.mlir")
    return [one for one in found if one.is_file()]


@dataclass
class Campaign:
    """One run of the fuzzer.

    pipeline: the pass, with options; by itself it has those of its stage.
    size: of programs, in steps.
    level: of IR; None for where the pass stands in the stages.
    corpus: the folder that gets what is found.
    load_pass: files of passes that tests in the corpus must load.
    capability: of the GPU that the passes before are for.
    proves: whether to prove the pass for each program that it changes.
    counts: programs by verdict; grown_counts: those that have grown.
    """

    pipeline: str
    size: int = 12
    level: str | None = None
    corpus: str = "fuzz-corpus"
    load_pass: list[str] = field(default_factory=list)
    jobs: int = 2
    timeout: float = 60.0
    capability: int = 90
    proves: bool = False
    counts: Counter[str] = field(default_factory=Counter)
    grown_counts: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.name = re.split(r"[{(]", self.pipeline)[0].strip()
        self.before, in_stage = in_stages(self.name, self.level, self.capability)
        if self.pipeline.strip() == self.name:
            self.pipeline = in_stage
        self.kinds = Kinds(self.pipeline, self.timeout)
        self._phrases: list[Phrase] | None = None

    def run(
        self,
        seeds: range,
        say: Callable[[str], None] = print,
        *,
        grown: bool = False,
    ) -> Iterator[Found]:
        """Tries programs; yields one bug of each kind, reduced and written to the corpus.  `kinds` counts the others.

        Args:
            grown: programs that have phrases of the pass (`fuzzing/phrases.py`); `grown_counts` counts them.
        """
        counts = self.grown_counts if grown else self.counts
        with Workers(self.jobs, self._try_grown if grown else self._try, self.timeout) as workers:
            for number, reply in workers.each(seeds):
                result = self._result(seeds[number], reply)
                counts[result.verdict] += 1
                if result.verdict in WRONG:
                    say(f"program {result.seed}: {result.verdict}: {result.message.splitlines()[0]}")
                    found = self._follow(result)
                    if found is not None:
                        yield found

    def replay(self) -> Iterator[Result]:
        """Today's results for the bugs in the corpus, from each file that names this pass."""
        paths = sorted(os.listdir(self.corpus)) if os.path.isdir(self.corpus) else []
        files = [os.path.join(self.corpus, one) for one in paths if one.startswith(f"{self.name}.")]
        with Workers(self.jobs, self._retry, self.timeout) as workers:
            for number, reply in workers.each(files):
                result = self._result(-1, reply)
                if result.verdict in WRONG:
                    self.kinds.add(files[number], result.verdict, result.message, result.text)
                yield Result(-1, result.verdict, f"{files[number]}: {result.message}".removesuffix(": "))

    def try_tests(self, say: Callable[[str], None] = print) -> tuple[Counter[str], list[Found]]:
        """Modules of the pass's own lit tests as programs: how many of them by verdict, and the bugs of each kind,
        which are reduced and written to the corpus.  What is wrong is said."""
        parts = [(path, part) for path in tests_of(self.name, self.load_pass) for part in SPLIT.split(path.read_text())]
        counts: Counter[str] = Counter()
        kept = []
        with Workers(self.jobs, self._try_test, self.timeout) as workers:
            for number, reply in workers.each([part for _, part in parts]):
                result = self._result(-1, reply)
                counts[result.verdict] += 1
                if result.verdict in WRONG:
                    say(f"module {number + 1} of {parts[number][0]}: {result.verdict}: {result.message}")
                    found = self._follow(replace(result, module=number + 1))
                    kept += [] if found is None else [found]
        return counts, kept

    def _try_test(self, text: str, reached: Callable[[Any], None]) -> Result:
        """One module of a test, in a worker."""

        with Context() as context:
            try:
                text = str(parse_text(text, context))
            except Exception as error:
                return Result(-1, SKIPPED, str(error))
        reached(text)
        return Result(-1, *checked(text, self.pipeline, None, self.proves), text)

    def _result(self, seed: int, reply: Any) -> Result:
        """The result of a worker, also of one that died."""
        if not isinstance(reply, Died):
            return reply
        if reply.reached is None:
            return Result(seed, SKIPPED, f"the passes before ended the process ({reply.how})")
        sign = Crashes(pipeline=self.pipeline).died(reply)
        return Result(seed, CRASHES, sign, reply.reached)

    def _try_grown(self, seed: int, reached: Callable[[Any], None]) -> Result:
        """One program with phrases of the pass, in a worker."""
        return self._try(seed, reached, grown=True)

    def _try(self, seed: int, reached: Callable[[Any], None], grown: bool = False) -> Result:
        """One program, in a worker."""
        from ttkit.passes.manager import run_passes

        made = program(seed, self.size, self.before)
        with Context() as context:
            module = parse_text(made.text, context)
            ask_of_loops(module, seed)
            try:
                if self.before:
                    run_passes(module, ",".join(self.before))
            except Exception as error:
                return Result(seed, SKIPPED, str(error))
            if grown:
                grow(module, self._known_phrases(context), seed)
            text = str(module)
        reached(text)
        return Result(seed, *checked(text, self.pipeline, lambda function: [made.inputs()], self.proves), text)

    def _known_phrases(self, context: Any) -> list[Phrase]:
        """The phrases of the pass, which each worker reads once."""

        if self._phrases is None:
            self._phrases = phrases_of(pass_class(self.name), tests_of(self.name, self.load_pass), context)
        return self._phrases

    def _retry(self, path: str, reached: Callable[[Any], None]) -> Result:
        """One file of the corpus, in a worker."""
        text = Path(path).read_text()
        reached(text)
        return Result(-1, *checked(text, self.pipeline, None, self.proves), text)

    # --- What was found ----------------------------------------------------------------------------------------------
    def _questions(self, result: Result) -> list[Question]:
        """Questions of the reducer, the most telling first."""
        asked: dict[str, Any] = {"pipeline": self.pipeline, "timeout": self.timeout}
        if result.verdict == CRASHES:
            return [Crashes(**asked)]
        if result.verdict == FAILS:
            return [Fails(**asked)]
        if result.verdict == REFUTED:
            return [Refuted(**asked)]
        questions: list[Question] = [Differs(**asked, seed=one) for one in range(SEEDS)]
        if not result.module:
            own = DiffersOnProgram(**asked)
            own.program = program(result.seed, self.size, self.before)
            questions.append(own)
        return questions

    def _follow(self, result: Result) -> Found | None:
        """Reduces a bug and keeps it, unless one of its kind is kept already, which counts it."""
        if self.kinds.like(result.verdict, result.message, result.text):
            return None
        text, operations, kept = result.text, result.text.count(" = "), None
        for question in self._questions(result):
            try:
                reduced = Reducer(question, self.jobs, seconds=self.timeout * 2).reduce(result.text)
            except NotInteresting:
                continue
            text, operations, kept = reduced.text, reduced.operations, question
            break
        if result.verdict == DIFFERS and self.kinds.like(result.verdict, result.message, text):
            return None
        path = self._keep(result, text, kept)
        self.kinds.add(path, result.verdict, result.message, text)
        return Found(path, result.verdict, result.message, operations)

    def _place(self, file: str) -> str:
        """A file for a test in the corpus: from its folder if both can move together, else where it is."""
        moves_along = Path(file).resolve().is_relative_to(Path(self.corpus).resolve().parent)
        return f"%S/{os.path.relpath(file, self.corpus)}" if moves_along else os.path.abspath(file)

    def _keep(self, result: Result, text: str, question: Question | None) -> str:
        """Writes a test that fails while the bug is there: on the file, which answers `question`; or on the
        program, where only its own inputs show it."""
        os.makedirs(self.corpus, exist_ok=True)
        name = f"module-{result.module}" if result.module else str(result.seed)
        what = f"Module {result.module} of its lit tests" if result.module else f"Program {name} of size {self.size}"
        path = os.path.join(self.corpus, f"{self.name}.{name}.mlir")
        options = [f"--load-pass={self._place(one)}" for one in self.load_pass]
        tool = ["tt-opt", "%s", *options, f"--pass-pipeline=builtin.module({self.pipeline})", "-o", "%t"]
        is_program = not result.module and (question is None or isinstance(question, DiffersOnProgram))
        if result.verdict == REFUTED:
            tool += ["--prove-passes"]
        elif result.verdict == DIFFERS and not is_program:
            seed = question.seed if isinstance(question, Differs) else 0
            tool += ["--check-passes", *([f"--check-seed={seed}"] if seed else [])]
        elif result.verdict == DIFFERS:
            which = [f"--pass={self.pipeline}", f"--seed={result.seed}", f"--size={self.size}", "--programs=1"]
            which += [f"--level={self.level}"] if self.level else []
            tool = ["ttkit", "fuzz", *options, *which, "--corpus=%t"]
        command = " ".join(one if one.startswith("%") else shlex.quote(one) for one in tool)
        with open(path, "w") as file:
            file.write(f"// {what}: {result.verdict}: {result.message.splitlines()[0]}\n")
            file.write(f"// RUN: {command}\n\n{text}")
        return path
