"""Where two functions may differ, in words: the operations, and the terms that are not known to be equal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ttkit.interpreter.decode import Instruction
from ttkit.validation.facts import leaves_of
from ttkit.validation.terms import MEMORY, Term, text_of

Effects = dict[Term, Instruction]
"""By the term of memory after it, the operation that changed memory last."""


def named(op: Instruction | None) -> str:
    """The name and the place of an operation."""
    if op is None:
        return "the kernel"
    return op.name if op.location == "unknown" else f"{op.name} at {op.location}"


@dataclass
class Difference:
    """The first place where it is not known that terms are equal.

    at: the terms of memory of the effects that they are operands of, or that differ themselves.
    sides: the operations at which this is, before and after the pass, as far as they are known.
    """

    before: Term
    after: Term
    given: tuple[Term, ...]
    reason: str
    at: tuple[Term | None, Term | None] = (None, None)
    sides: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        sides = self.sides if len(set(self.sides)) > 1 else self.sides[:1]
        where = " and ".join(sides)
        return (
            f"{where + ': ' if where else ''}{self.reason}: {text_of(self.before, 4)} before, "
            f"{text_of(self.after, 4)} after"
        )


@dataclass
class Sentence:
    """A difference that is about one operation, and not about terms."""

    op: Instruction | None
    reason: str
    before: Any = None
    after: Any = None
    given: tuple[Term, ...] = ()

    def __str__(self) -> str:
        name = "the kernel" if self.op is None else self.op.name
        where = "" if self.op is None or self.op.location == "unknown" else f" at {self.op.location}"
        return f"{name}: {self.reason}{where}"


def locate(difference: Difference, before: Effects, after: Effects, last: tuple[Any, Any]) -> None:
    """Finds the operations of a difference.

    Args:
        last: the operations that end the functions, for what they return.
    """
    found = [operation_of(term, effects) for term, effects in zip(difference.at, (before, after))]
    if difference.at == (None, None):
        found = list(last)
    names = [f"{named(op)} {side}" for op, side in zip(found, ("before", "after")) if op is not None]
    both_known = None not in found
    same = both_known and named(found[0]) == named(found[1])
    difference.sides = [named(found[0])] if same else names


def operation_of(memory: Term | None, effects: Effects) -> Instruction | None:
    """The operation that made a term of memory; of one in a loop, whose symbols have other names, one like it."""
    for one in innermost(memory):
        if one in effects:
            return effects[one]
        alike = [term for term in effects if term.head == one.head and term.attr == one.attr]
        for term in alike:
            if term.args[1:] == one.args[1:]:
                return effects[term]
        for term in alike:
            if leaves_of(term.args[1:]) == leaves_of(one.args[1:]):
                return effects[term]
        if alike:
            return effects[alike[0]]
    return None


def innermost(memory: Term | None) -> Iterator[Term]:
    """A term of memory, and the effects in it on the way to what memory was before."""
    while memory is not None and memory.sort == MEMORY:
        yield memory
        inner = [arg for arg in memory.args if arg.sort == MEMORY]
        memory = inner[0] if inner and memory.head in ("final", "ite", "system", "groups") else None
