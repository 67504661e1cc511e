"""Questions whether a candidate still shows what is looked for.

A question is asked in a worker, `ask(text)`, and may kill it there; what that means is then asked in the parent,
`died(how)`.  The first answer, about the input as it is, fixes what the others are compared with: a crash must stay the
same crash, and the same pass must stay the one that changes a result.
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import tempfile
import time
import traceback
from contextlib import redirect_stderr
from dataclasses import dataclass, field
from typing import Protocol

from ttkit.workers import Died

_ASSERTION = re.compile(r"(?:Assertion|UNREACHABLE|LLVM ERROR).*")
_HARMLESS = ("PassError", "MLIRError", "ValueError")


class Question(Protocol):
    """See the module.  Signs are texts; the empty one says that a candidate is of no interest.

    sign: what a candidate must show; None before the first answer.
    timeout: seconds after which a worker is stopped.
    reason: why the last candidate is of no interest, as far as it is known.
    """

    sign: str | None
    timeout: float
    reason: str

    def ask(self, text: str) -> str:
        """The sign that a candidate shows."""
        ...

    def died(self, how: Died) -> str:
        """The sign that a candidate shows on which a worker died."""
        ...


def is_interesting(question: Question, sign: str) -> bool:
    """Whether a candidate with that sign shows what is looked for."""
    return bool(sign) and question.sign in (None, sign)


@dataclass
class _Asked:
    """sign, timeout, reason: see `Question`."""

    timeout: float = 60.0
    sign: str | None = field(default=None, init=False)
    reason: str = field(default="", init=False)

    def died(self, how: Died) -> str:
        """Most questions have nothing to do with crashes."""
        return ""


@dataclass
class _OfPasses(_Asked):
    """A question about what a pipeline does."""

    pipeline: str = ""

    def _run(self, text: str) -> tuple[str, str, Exception | None]:
        """The module after the pipeline, as far as it came; diagnostics; what was raised."""
        from ttkit.context import Context, parse_text
        from ttkit.passes.manager import run_passes

        with Context() as context:
            module = parse_text(text, context)
            try:
                run_passes(module, self.pipeline)
            except Exception as error:
                return "", "\n".join([str(error), *_diagnostics(error)]), error
            return str(module), "", None


def _diagnostics(error: Exception) -> list[str]:
    return [str(one.message) for one in getattr(error, "error_diagnostics", [])]


@dataclass
class Crashes(_OfPasses):
    """Does the pipeline end the process, or raise what is not a diagnostic?  It must do so in the same place."""

    def ask(self, text: str) -> str:
        """The kind and the place of the exception; nothing where the passes end well or with a diagnostic."""
        error = self._run(text)[2]
        if error is None or type(error).__name__ in _HARMLESS:
            self.reason = "the passes succeed" if error is None else f"the passes end with a diagnostic: {error}"
            return ""
        last = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__} in {os.path.basename(last.filename)}, {last.name}"

    def died(self, how: Died) -> str:
        """The way in which the process ended, with the assertion that failed."""
        if how.status is None:
            return "runs without end"
        found = _ASSERTION.search(how.errors)
        return f"{how.how}: {found[0]}" if found else how.how


@dataclass
class Fails(_OfPasses):
    """Does the pipeline end with a diagnostic?  Names and numbers in it may become others."""

    def ask(self, text: str) -> str:
        """The diagnostic without names and numbers; nothing where the passes end well."""
        _, said, error = self._run(text)
        self.reason = "the passes succeed"
        return re.sub(r"'[^']*'|<[^>]*>|\d+", "_", said.split("\n")[-1]) if error is not None else ""


@dataclass
class Contains(_OfPasses):
    """Does a regular expression fit the output of the pipeline, or its diagnostics?"""

    expression: str = ""

    def ask(self, text: str) -> str:
        """The expression, if what the passes make has it."""
        output, said, _ = self._run(text)
        self.reason = f"'{self.expression}' is not in what the passes make" + (f": {said}" if said else "")
        return self.expression if re.search(self.expression, output or said, re.MULTILINE) else ""


@dataclass
class Slower(_OfPasses):
    """Does the pipeline take longer than so many seconds?"""

    seconds: float = 1.0

    def ask(self, text: str) -> str:
        """ "slow", if the passes take too long."""
        start = time.perf_counter()
        self._run(text)
        taken = time.perf_counter() - start
        self.reason = f"the passes take {taken:.3f} s"
        return "slow" if taken > self.seconds else ""

    def died(self, how: Died) -> str:
        """ "slow", if the time ran out."""
        return "slow" if how.status is None and self.timeout > self.seconds else ""


@dataclass
class Differs(_OfPasses):
    """Does a pass of the pipeline change what the kernel computes, on generated inputs?

    arguments, grid, runs, seed: as for `ttkit.check_passes`.
    """

    arguments: list[str] = field(default_factory=list)
    grid: tuple[int, int, int] | None = None
    runs: int = 1
    seed: int = 0

    def ask(self, text: str) -> str:
        """Which pass changes the result; nothing if none does."""
        from ttkit.context import Context, parse_text
        from ttkit.interpreter.check.check_passes import PassChangedResult
        from ttkit.interpreter.check.pipelines import check_passes

        with Context() as context:
            module = parse_text(text, context)
            try:
                report = check_passes(
                    module, self.pipeline, arguments=self.arguments, grid=self.grid, runs=self.runs, seed=self.seed
                )
            except PassChangedResult as error:
                return f"pass '{error.pass_name}' changes a result"
        self.reason = "; ".join(["no pass changes a result", *report.skipped])
        return ""


@dataclass
class Refuted(_OfPasses):
    """Is a pass of the pipeline refuted by `ttkit.validation`?  It must stay the same pass, and fail or differ."""

    def ask(self, text: str) -> str:
        """Which pass is refuted, and whether the kernel fails after it; nothing if none is."""
        from ttkit.context import Context, parse_text
        from ttkit.passes.manager import run_passes
        from ttkit.validation import PassProofs
        from ttkit.validation.proofs import summary

        proofs = PassProofs(keeps=())
        with Context() as context:
            run_passes(parse_text(text, context), self.pipeline, subscribers=[proofs])
        for one in proofs.verdicts:
            if one.verdict.outcome == "refuted":
                how = "the kernel fails" if one.verdict.fails else "a result differs"
                return f"pass '{one.pass_name}' is refuted: {how}"
        self.reason = f"no pass is refuted: {summary(proofs.verdicts)}"
        return ""


@dataclass
class Command(_Asked):
    """Does a command end with exit code 0?  It gets the candidate's file in the place of {}, or as last argument.

    With an expression the exit code does not count: its output must contain that.
    """

    command: str = ""
    suffix: str = ".mlir"
    expression: str | None = None

    def ask(self, text: str) -> str:
        """The exit code's answer of the shell command on the candidate."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "candidate" + self.suffix)
            with open(path, "w") as file:
                file.write(text)
            command = self.command.replace("{}", path) if "{}" in self.command else f"{self.command} {path}"
            try:
                ended = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=self.timeout - 1)
            except subprocess.TimeoutExpired:
                self.reason = f"the command takes longer than {self.timeout - 1:g} s"
                return ""
        self.reason = f"the command ends with exit code {ended.returncode}"
        if self.expression is not None:
            self.reason = f"'{self.expression}' is not in what the command writes"
            return "said" if re.search(self.expression, ended.stdout + ended.stderr, re.MULTILINE) else ""
        return "" if ended.returncode else "exit code 0"


def silently(question: Question, text: str) -> str:
    """The sign that a candidate shows, or none if asking raises; warnings in Python are not shown."""
    with redirect_stderr(io.StringIO()):
        try:
            return question.ask(text)
        except Exception as error:
            question.reason = str(error)
            return ""
