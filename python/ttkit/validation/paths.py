"""Paths through a function that part and join: the values there, and the blocks that a terminator goes to."""

from __future__ import annotations

from typing import Any

from ttkit.interpreter.decode import Instruction
from ttkit.validation.booleans import choose, either, negation, truth
from ttkit.validation.terms import Term
from ttkit.validation.values import NotModelled, Token, Value, View, chosen_view, parts_of, with_parts


def chosen(condition: Term, a: Value, b: Value) -> Value:
    """condition ? a : b

    Raises:
        NotModelled: buffers that differ.
    """
    if a is b or (isinstance(a, Token) and isinstance(b, Token)):
        return a
    if isinstance(a, View) and isinstance(b, View) and a.buffer is b.buffer and a.shape == b.shape:
        return chosen_view(condition, a, b)
    if isinstance(a, View) or isinstance(b, View) or type(a) is not type(b):
        raise NotModelled("a choice between buffers")
    return with_parts(a, tuple(choose(condition, *pair) for pair in zip(parts_of(a), parts_of(b))))


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
