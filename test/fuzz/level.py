"""What a level of the fuzzers is."""

from __future__ import annotations

import random
import re
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ttkit.reduce.reducer import Language

TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|[%@#!^]?[\w$.-]*\w|->|::|\s+|.', re.DOTALL)
ACCEPTED, REFUSED = "accepted", "refused"
"""Outcomes of an input that are no findings; any other text is one, and says why."""
LEAKS = re.compile(r"internal error|Traceback \(most recent|AssertionError\(\)|KeyError\(|IndexError\('\w+ index")
"""Texts that Python has for programmers of ttkit, not for users."""


class Level:
    """Base class of the levels.

    Attributes:
        name: as `--level` and the folders of the corpus have it.
        suffix: of inputs as files.
        seconds: of CPU time that one input may take; four times as many by the clock.
        share: of a run's time, relative to the others.
    """

    name = ""
    suffix = ".txt"
    seconds = 10.0
    share = 1.0

    def prepare(self) -> None:
        """Gathers what inputs are made from; once, before workers are forked."""

    def make(self, rng: random.Random) -> str:
        """An input."""
        raise NotImplementedError

    def start(self) -> None:
        """Called in every worker before its first input."""

    def check(self, text: str) -> str:
        """ACCEPTED, REFUSED, or why the input is a finding.  A crash does not return."""
        raise NotImplementedError

    def input(self, seed: int, index: int) -> str:
        return self.make(random.Random(f"{self.name}/{seed}/{index}"))

    def language(self) -> Language | None:
        """How an input is made smaller; None to leave out pieces of its text."""
        return None

    def splits(self, text: str) -> list[list[str]]:
        """Ways to cut an input into pieces that may be left out, coarse ones first."""
        return [text.splitlines(keepends=True), TOKEN.findall(text)]


def refusal(error: BaseException, clean: tuple[type[BaseException], ...]) -> str:
    """REFUSED if an exception is one that tells users what is wrong, else why not.

    Args:
        clean: the types that are documented.
    """
    reached: BaseException = error
    texts = [str(error)]
    while reached.__cause__ is not None:
        reached = reached.__cause__
        texts.append(str(reached))
    if not isinstance(error, clean):
        return leak(error)
    if not any(text.strip() for text in texts):
        return f"{type(error).__name__} without a text"
    if line := next((line for line in texts[0].splitlines() if LEAKS.search(line)), ""):
        return f"{type(error).__name__} with a text of Python's: {line.strip()[:200]}"
    return REFUSED


def leak(error: BaseException) -> str:
    """Reason for an exception that should have been a diagnostic, with the function of ours that raised it."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "site-packages" not in frame.filename]
    where = f" in {Path(frames[-1].filename).name}, {frames[-1].name}" if frames else ""
    return f"{type(error).__name__} leaks{where}: {first_line(error)}"


def first_line(error: BaseException) -> str:
    """What an error says, in one line."""
    diagnostics = getattr(error, "error_diagnostics", None)
    text = diagnostics[0].message if diagnostics else str(error)
    return (text.strip().splitlines() or [""])[0][:200]
