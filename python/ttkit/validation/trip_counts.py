"""The loops of a function, and what is taken of their bounds where they have a known number of iterations."""

from __future__ import annotations

import contextlib

from ttkit.interpreter.decode import Function, Module
from ttkit.validation.integers import add, number, subtract, sum_of
from ttkit.validation.iterations import LARGEST, fact
from ttkit.validation.terms import Term
from ttkit.validation.values import NotModelled
from ttkit.validation.walk import Walk

Bounds = tuple[Term, Term, Term]


def loops_of(module: Module, function: Function) -> list[Bounds]:
    """The bounds of a function's loops, each once."""
    walk = Walk(module)
    with contextlib.suppress(NotModelled, RecursionError):
        walk.function(function)
    found: dict[tuple[Term, Term], Bounds] = {}
    for lower, upper, step in walk.bounds:
        if not (step.is_const and step.attr <= 0) and not (lower.loops or upper.loops or step.loops):
            if step.is_const:  # the loop before a pass has cut iterations off
                upper = add(upper, number(-sum_of(upper).get((), 0), upper.sort))
            for one in nested(lower, upper, step) if not upper.is_const else ():
                found.setdefault((subtract(one[1], one[0]), one[2]), one)
    return list(found.values())


def nested(lower: Term, upper: Term, step: Term) -> list[Bounds]:
    """The bounds of a loop; of nested loops that have become one, whose trip counts are factors, those of each."""
    products = sum_of(subtract(upper, lower))
    factors = next(iter(products)) if len(products) == 1 else ()
    if len(factors) < 2 or set(products.values()) != {1} or not (step.is_const and step.attr == 1):
        return [(lower, upper, step)]
    zero = number(0, lower.sort)
    found: list[Bounds] = []
    for factor in factors:
        rounds_up = factor.head == "call" and factor.attr[0] == "arith.ceildivsi" and factor.args[1].is_const
        if rounds_up and factor.args[1].attr > 0:
            found.append((zero, factor.args[0], factor.args[1]))
            continue
        at_least = [arg for arg in factor.args if not arg.is_const] if factor.head == "maxsi" else []
        found.append((zero, at_least[0] if len(at_least) == 1 else factor, step))
    return found


def assume(bounds: Bounds, trips: int) -> None:
    """Takes a loop to have some iterations, and its bounds not to be near the ends of their type."""
    lower, upper, step = bounds
    for bound, least in ((lower, -LARGEST), (upper, -LARGEST), (step, 1)):
        fact(bound, least, LARGEST)
    difference = subtract(upper, lower)
    if step.is_const:
        fact(difference, *(((trips - 1) * step.attr + 1, trips * step.attr) if trips else (-LARGEST, 0)))
        return
    for done in range(trips + MARGIN):  # whether there is an iteration after so many
        fact(add(difference, step, -done), *((1, LARGEST) if done < trips else (-LARGEST * (done + 1), 0)))


MARGIN = 6
"""Iterations after the last one whose conditions are known: pipelined loops ask for later ones."""
