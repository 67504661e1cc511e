"""Findings made smaller: pieces of the input are left out for as long as it fails in the same way."""

from __future__ import annotations

from dataclasses import dataclass, field

from fuzz.level import Level
from fuzz.workers import run_one, signature
from ttkit.reduce.reducer import Job, Language, NotInteresting, Reducer, Reply
from ttkit.workers import Died


@dataclass
class Fails:
    """Does an input still fail?  A question, see `ttkit.reduce.questions`; the level's own process is asked."""

    level: Level
    timeout: float = 300.0
    sign: str | None = None
    reason: str = field(default="", init=False)

    def ask(self, text: str) -> str:
        return signature(run_one(self.level, text))

    def died(self, how: Died) -> str:
        return ""


class Pieces(Language):
    """Inputs in the pieces of a level, a kind of edit for each size of them."""

    passes = ()

    def __init__(self, level: Level, text: str) -> None:
        self.level = level
        self.kinds = (level.splits,) * len(level.splits(text))

    def candidate(self, job: Job) -> Reply:
        pieces = self.level.splits(job.text)[job.kind][::-1]  # the last first: blanks before them stay to part words
        left = [*pieces[: job.start], *pieces[job.stop :]][::-1]
        return Reply(len(pieces), "".join(left), len(left)) if job.stop else Reply(len(pieces))

    def normalized(self, text: str) -> tuple[str, int]:
        return text, len(text)


def minimize(level: Level, text: str, reason: str, budget: float = 60.0) -> str:
    """The smallest input that was found within `budget` seconds; the input itself if it does not fail again so."""
    question = Fails(level)
    reducer = Reducer(question, 1, level.language() or Pieces(level, text), seconds=budget)
    try:
        found = reducer.reduce(text)
    except NotInteresting:
        return text
    return found.text if found.sign == signature(reason) else text
