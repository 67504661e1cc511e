"""Paths through a function that part and join: the values there, and the blocks that a terminator goes to."""

from __future__ import annotations

from typing import Any

from ttkit.interpreter.decode import Instruction
from ttkit.validation.booleans import choose, either, negation, truth
from ttkit.validation.terms import Term, make
from ttkit.validation.values import Buffer, NotModelled, Token, Value, View, chosen_view, parts_of, with_parts


def chosen(condition: Term, a: Value, b: Value) -> Value:
    """condition ? a : b; of views of several buffers one that nothing may use, of one and no buffer a part of it.

    Raises:
        NotModelled: of values of other kinds.
    """
    if a is b or (isinstance(a, Token) and isinstance(b, Token)):
        return a
    if isinstance(a, View) and isinstance(b, View) and a.buffer is b.buffer and a.shape == b.shape:
        return chosen_view(condition, a, b)
    if isinstance(a, View) and isinstance(b, View) and a.shape == b.shape:
        return unusable(a)
    for view, other, when in ((a, b, condition), (b, a, negation(condition))):
        if isinstance(view, View) and is_poison(other):
            return defined_where(when, view)
    if isinstance(a, View) or isinstance(b, View) or type(a) is not type(b):
        raise NotModelled("a choice between buffers")
    return with_parts(a, tuple(choose(condition, *pair) for pair in zip(parts_of(a), parts_of(b))))


def is_poison(value: Value) -> bool:
    """Whether a value beside a view is `ub.poison`."""
    return isinstance(value, Token) or (isinstance(value, Term) and value.head == "undefined")


def defined_where(condition: Term, view: View) -> View:
    """A view whose elements are in no known place where the condition does not hold."""

    def places(index: Any) -> Any:
        """Those of the view."""
        return [choose(condition, one, make("undefined", (), "poison", one.sort)) for one in view.places(index)]

    return View(view.buffer, view.shape, places, unusable(view).covers)


def unusable(view: View) -> View:
    """A view of which nothing is known: a branch may have left it undefined, and then nothing uses it."""

    def unknown(index: Any) -> Any:
        """Raises NotModelled: it is used."""
        raise NotModelled("a choice between buffers")

    buffer = Buffer(view.shape, view.buffer.sort, view.buffer.level, is_shared=True)
    return View(buffer, view.shape, unknown, unknown)


def merged_arrivals(arrivals: list[Any]) -> tuple[Term, Any, tuple[Value, ...]]:
    """Condition, state and values where paths join."""
    condition, state, values = arrivals[-1]
    for when, other, others in arrivals[-2::-1]:
        state = other.merged(when, state)
        values = tuple(chosen(when, a, b) for a, b in zip(others, values))
        condition = either(when, condition)
    return condition, state, values


def targets(op: Instruction, values: tuple[Value, ...]) -> list[tuple[int, Term, tuple[Value, ...]]]:
    """Blocks that a terminator goes to, each with its condition and arguments.

    Raises:
        NotModelled: of cf.switch.
    """
    if op.name == "cf.br":
        return [(op.successors[0], truth(True), values)]
    if op.name == "cf.cond_br":
        condition, count = values[0], op.attributes["operandSegmentSizes"][1]
        assert isinstance(condition, Term)
        first, second = op.successors
        return [(first, condition, values[1 : 1 + count]), (second, negation(condition), values[1 + count :])]
    raise NotModelled("this terminator is not modelled", op)
