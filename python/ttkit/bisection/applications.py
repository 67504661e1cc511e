"""Which application of a pattern does it: the first one without which all is well.

Patterns are counted as they are tried, matches or not, in the order in which the pass tries them: what
`--mlir-debug-counter=apply-pattern-skip=0,apply-pattern-count=N` counts too.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ttkit.inspection import place_text
from ttkit.passes.infra.events import PassEvent, PassSubscriber
from ttkit.workers import Died, Workers


@dataclass(frozen=True)
class Application:
    """One try of a pattern.

    number: from 1 on.
    pattern: its name.
    operation: what it was tried on, as text.
    location: of that.
    """

    number: int
    pattern: str
    operation: str
    location: str


class Limit(PassSubscriber):
    """Lets only the first tries of patterns happen.

    Args:
        most: how many; None for all.
        passes: names of those whose patterns count; empty for all.

    Attributes:
        tried: how many there were, those left out too.
        last: the last one that happened, if `most` were reached.
    """

    nested = True

    def __init__(self, most: int | None = None, passes: tuple[str, ...] = ()) -> None:
        self.most, self.passes = most, passes
        self.tried = 0
        self.last: Application | None = None

    def pattern(self, event: PassEvent) -> bool:
        """Whether a pattern may be applied; counts, and notes the last that may."""
        if self.passes and event.pass_name not in self.passes:
            return True
        self.tried += 1
        if self.tried == self.most:
            op = event.operation
            self.last = Application(self.tried, event.arguments, str(op).split("\n")[0], place_text(op.location))
        return self.most is None or self.tried <= self.most


Wrong = Callable[[Limit], bool]
"""Whether the result is wrong when a pass runs under a limit."""


def first_wrong(wrong: Wrong, passes: tuple[str, ...] = ()) -> tuple[Application | None, int]:
    """The first application with which the result is wrong, by bisection, and how many there are.

    Each run is in a forked process, since a pass that was stopped half way may leave what ends it.

    Args:
        wrong: asked with a limit; it is wrong without one.
        passes: see `Limit`.

    Returns: None for the application if the result is wrong without any, as that of a pass without patterns.
    """

    def answer(most: int | None, reached: Callable[[Any], None]) -> tuple[bool, int, Application | None]:
        """Whether it is wrong with at most so many applications, how many were tried, and the last that was allowed."""
        limit = Limit(most, passes)
        return wrong(limit), limit.tried, limit.last

    with Workers(1, answer) as workers:

        def run(most: int | None) -> tuple[bool, int, Application | None]:
            """`answer` in a process; one that died is right, and tried nothing."""
            found = workers.one(most)
            return (False, 0, None) if isinstance(found, Died) else found

        _, total, _ = run(None)
        if not total or run(0)[0]:
            return None, total
        bad = bisect_left(range(total), True, 1, key=lambda most: run(most)[0])
        return run(bad)[2], total
