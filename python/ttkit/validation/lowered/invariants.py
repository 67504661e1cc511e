"""Facts about the values of loops in every iteration: guessed from one walk over the kernel, and proved in another one,
by induction.

    linear      x[i] - x[0] is what it was before the first iteration
    multiple    a number, or x[0], is a multiple of a power of two
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ttkit.interpreter.decode import Function
from ttkit.interpreter.values import ValueType
from ttkit.validation.integers import subtract
from ttkit.validation.lowered.alignment import Alignment
from ttkit.validation.lowered.source import Known, SourceWalk, first_of, from_first
from ttkit.validation.terms import Term
from ttkit.validation.values import Value

LARGEST = 1 << 12
"""Larger powers of two matter to no access."""


def walked(
    module: Any, function: Function, arguments: list[Value], threads: int, divisors: dict[int, int]
) -> SourceWalk:
    """The walk over a kernel, in which values of loops have the form that is known.

    Args:
        divisors: by the number of an argument, a power of two that divides it.

    Raises:
        NotModelled: something in it has no meaning here.
    """
    walk = SourceWalk(module, threads)
    walk.function(function, arguments)
    known = guessed(walk, divisors)
    while known.linear or known.multiples:
        other = SourceWalk(module, threads, known)
        other.function(function, arguments)
        wrong = set(not_proved(other, divisors))
        if not wrong:
            return other
        known = Known(known.linear - wrong, {key: n for key, n in known.multiples.items() if key not in wrong})
    return walk


Carried = tuple[tuple[int, int], ValueType, Term, Term, list[Term]]


def integers(walk: SourceWalk) -> Iterator[Carried]:
    """Integers and addresses that loops carry: block and place, type, first, symbol, what iterations leave."""
    for number, head in walk.heads.items():
        for place, (kind, first, symbol) in enumerate(zip(head.kinds, head.first, head.symbols)):
            if isinstance(symbol, Term) and isinstance(first, Term) and symbol.sort in ("i32", "i64"):
                again = [one for _, values, _ in head.again if isinstance(one := values[place], Term)]
                yield (number, place), kind, first, symbol, again


def guessed(walk: SourceWalk, divisors: dict[int, int]) -> Known:
    """Facts that may hold, by one walk that knows nothing."""
    known, alignment = Known(), Alignment(divisors, walk)
    for key, kind, _, symbol, again in integers(walk):
        if kind.shape and any(subtract(one, symbol).indexed for one in again):
            continue
        if kind.shape:
            known.linear.add(key)
        power = min(alignment.of(first_of(symbol, kind)), LARGEST)
        if power > 1:
            known.multiples[key] = power
    return known


def not_proved(walk: SourceWalk, divisors: dict[int, int]) -> Iterator[tuple[int, int]]:
    """Values for which what was taken to hold is not known to hold before the first iteration, and to go on."""
    alignment = Alignment(divisors, walk)
    for key, kind, first, _, again in integers(walk):
        if key in walk.known.linear and any(from_first(one, kind) is not from_first(first, kind) for one in again):
            yield key
        power = walk.known.multiples.get(key, 1)
        if any(alignment.of(first_of(one, kind)) % power for one in (first, *again)):
            yield key
