"""Differences of two functions, in words: the operations, and the terms that are not known to be equal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ttkit.interpreter.decode import Instruction
from ttkit.validation.facts import leaves_of
from ttkit.validation.terms import MEMORY, Term, text_of

Effects = dict[Term, Instruction]
"""By the term of memory after it, the operation that changed memory last; by what a loop leaves, the loop."""


def note_effect(walk: Any, op: Instruction, memory: Term, results: Any) -> None:
    """Notes that an operation has changed memory, or that it is a loop with results.

    Args:
        memory: before it.
    """
    given = results if isinstance(results, tuple) else (results,)
    for term in (walk.state.memory, *given) if op.regions else (walk.state.memory,):
        if isinstance(term, Term) and term is not memory and (term.head == "final" or not op.regions):
            walk.effects.setdefault(term, op)


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
    sides: tuple[Instruction | None, Instruction | None] = (None, None)

    def __str__(self) -> str:
        terms = f"{text_of(self.before, 4)} before, {text_of(self.after, 4)} after"
        return f"{names_of(*self.sides)}{self.reason}: {terms}{places_of(*self.sides)}"


@dataclass
class Sentence:
    """A difference that is about one operation, and not about terms."""

    op: Instruction | None
    reason: str
    before: Any = None
    after: Any = None
    given: tuple[Term, ...] = ()

    def __str__(self) -> str:
        return f"{names_of(None, self.op, '') or 'the kernel: '}{self.reason}{places_of(self.op)}"


def locate(difference: Difference, before: Effects, after: Effects, last: tuple[Any, Any]) -> None:
    """Finds the operations of a difference.

    Args:
        last: the operations that end the functions, for what they return.
    """
    if difference.at == (None, None):
        difference.sides = last
        return
    first, second = (operation_of(term, effects) for term, effects in zip(difference.at, (before, after)))
    difference.sides = first, second


def names_of(before: Instruction | None, after: Instruction | None, after_pass: str = " after") -> str:
    """The names of operations in front of a reason, with the side of those that one function alone has."""
    if before is not None and after is not None and before.name == after.name:
        return f"{after.name}: "
    sides = ((before, " before"), (after, after_pass))
    names = [f"{op.name}{side}" for op, side in sides if op is not None]
    return f"{' and '.join(names)}: " if names else ""


def places_of(*ops: Instruction | None) -> str:
    """The places of operations in the source, each once."""
    places = dict.fromkeys(op.location for op in ops if op is not None and op.location != "unknown")
    return f" at {' and '.join(places)}" if places else ""


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
    while memory is not None:
        yield memory
        inner = [arg for arg in memory.args if arg.sort == MEMORY]
        memory = inner[0] if inner and memory.head in ("ite", "groups") else None
