"""Kinds of bugs: one of each kind is reduced, the others are counted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mlir import ir

from ttkit.context import Context, parse_text
from ttkit.inspection import defining
from ttkit.workers import Workers

VARYING = re.compile(r"\d+|%\S+|\(.*")
"""Parts of a message that differ between programs with one bug."""


@dataclass
class Kind:
    """A kind of bug.

    path: the file with the reduced program.
    sign: the verdict and the message, without what varies.
    changes: for changed results, the operations that the pass changes in the reduced program.
    others: programs that show the bug too.
    """

    path: str
    sign: str
    changes: frozenset[str] | None
    others: int = 0


class Kinds:
    """The kinds that a campaign has found.

    Two crashes or failures are of one kind if their messages agree but for numbers and values.  A changed result is of
    a known kind if the pass changes all operations in it that it changes in the reduced program of that kind.
    """

    def __init__(self, pipeline: str, timeout: float) -> None:
        self.pipeline, self.timeout = pipeline, timeout
        self.found: list[Kind] = []

    def add(self, path: str, verdict: str, message: str, text: str) -> None:
        """Adds the kind of a program that is kept."""
        self.found.append(Kind(path, *self._signs(verdict, message, text)))

    def like(self, verdict: str, message: str, text: str) -> Kind | None:
        """The known kind of a program, which counts one more; None for a new kind."""
        sign, changes = self._signs(verdict, message, text)
        for kind in self.found:
            same = kind.sign == sign if changes is None else bool(kind.changes) and changes >= (kind.changes or set())
            if same:
                kind.others += 1
                return kind
        return None

    def _signs(self, verdict: str, message: str, text: str) -> tuple[str, frozenset[str] | None]:
        sign = verdict + VARYING.sub("", message.partition("\n")[0])
        return sign, self._changes(text) if verdict == "differs" else None

    def _changes(self, text: str) -> frozenset[str]:
        """The operations that the pass changes in a program; none if the worker dies."""

        def changes(text: str, reached: Callable[[Any], None]) -> frozenset[str]:
            """See `changed_operations`."""
            return changed_operations(text, self.pipeline)

        with Workers(1, changes, self.timeout) as workers:
            found = workers.one(text)
        return found if isinstance(found, frozenset) else frozenset()


def changed_operations(text: str, pipeline: str) -> frozenset[str]:
    """The names of the operations that a pass adds or removes.

    If there are none, of those whose results lose uses; else of those that get other operands.
    """
    from ttkit.passes.manager import run_passes

    with Context() as context:
        module = parse_text(text, context)
        before = shapes(module)
        run_passes(module, pipeline)
        after = shapes(module)
    operations, uses = ([count(shown) for shown in (before, after)] for count in (_by_name, _by_source))
    added_or_removed = (operations[0] - operations[1]) + (operations[1] - operations[0])
    return frozenset(added_or_removed or uses[0] - uses[1] or _by_name(before - after))


Shapes = Counter[tuple[str, tuple[str, ...]]]


def shapes(module: ir.Module) -> Shapes:
    """The names of operations, each with the names of those that make its operands; arguments are numbers."""
    found: Shapes = Counter()

    def visit(op: ir.Operation) -> ir.WalkResult:
        """Counts the shape of an operation."""
        made = [(value, defining(value)) for value in op.operands]
        found[op.name, tuple(source.operation.name if source else str(value.arg_number) for value, source in made)] += 1
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit)
    return found


def _by_name(shown: Shapes) -> Counter[str]:
    return Counter(name for name, _ in shown.elements())


def _by_source(shown: Shapes) -> Counter[str]:
    return Counter(source for _, sources in shown.elements() for source in sources if not source.isdigit())
