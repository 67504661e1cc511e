"""Facts about the values of loops in every iteration: guessed from one walk over the kernel, and proved in another one,
by induction.

    linear      x[i] - x[0] is what it was before the first iteration
    multiple    a number, or x[0], is a multiple of a power of two
    finite      a number is one of few
    rest        a counter goes up by few, so that its rest by a divisor is one of few
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Container, Iterator
from dataclasses import replace
from typing import Any

from ttkit.interpreter.decode import Function
from ttkit.interpreter.values import ValueType
from ttkit.validation.integers import number, subtract, sum_of
from ttkit.validation.lowered.alignment import Alignment
from ttkit.validation.lowered.kernel_loops import Known, Place, first_of, from_first
from ttkit.validation.lowered.source import SourceWalk
from ttkit.validation.terms import Term, parts_within, rewritten
from ttkit.validation.values import Value, View

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
    while known != Known():
        other = SourceWalk(module, threads, known)
        other.function(function, arguments)
        wrong, differing = set(not_proved(other, divisors)), not_uniform(other)
        if not wrong and not differing:
            return other
        multiples = {key: n for key, n in known.multiples.items() if key not in wrong}
        known = replace(known, linear=known.linear - wrong, multiples=multiples, uniform=known.uniform - differing)
    return walk


Carried = tuple[Place, ValueType, Term, list[Term]]


def integers(walk: SourceWalk) -> Iterator[Carried]:
    """Integers and addresses that loops carry: place, type, symbol, what they get."""
    for head in walk.heads.values():
        for place, (kind, symbol) in enumerate(zip(head.kinds, head.symbols)):
            if isinstance(symbol, Term) and symbol.sort in ("i32", "i64"):
                given = [one for way in head.incoming if isinstance(one := way.values[place], Term)]
                yield (*head.place, place), kind, symbol, given


def guessed(walk: SourceWalk, divisors: dict[int, int]) -> Known:
    """Facts that may hold, by one walk that knows nothing."""
    known, alignment = Known(finite=few(walk), uniform=uniform_at_first(walk)), Alignment(divisors, walk)
    known.views = any(isinstance(one, View) for head in walk.heads.values() for one in head.symbols)
    known.rests = {key: divisor for key, divisor in counters(walk).items() if key not in known.finite}
    for key, kind, symbol, given in integers(walk):
        if kind.shape and any(subtract(one, symbol).indexed for one in given[1:]):
            continue
        if kind.shape:
            known.linear.add(key)
        power = min(alignment.of(first_of(symbol, kind)), LARGEST, known.multiples.get(key, LARGEST))
        if power > 1 and key not in known.finite and key not in known.rests:
            known.multiples[key] = power
    return known


def not_proved(walk: SourceWalk, divisors: dict[int, int]) -> Iterator[Place]:
    """Values for which what was taken to hold is not known to hold before the first iteration, and to go on."""
    alignment = Alignment(divisors, walk)
    for key, kind, symbol, given in integers(walk):
        if key in walk.known.linear and any(from_first(one, kind) is not from_first(symbol, kind) for one in given):
            yield key
        power = walk.known.multiples.get(key, 1)
        if any(alignment.of(first_of(one, kind)) % power for one in given):
            yield key


# --- tensors


def tensors(walk: SourceWalk) -> Iterator[tuple[Place, ValueType, list[Term]]]:
    """Tensors that loops carry: place, type, what they get."""
    for head in walk.heads.values():
        for place, kind in enumerate(head.kinds):
            given = [one for way in head.incoming if isinstance(one := way.values[place], Term)]
            if kind.shape and given:
                yield (*head.place, place), kind, given


def uniform_at_first(walk: SourceWalk) -> set[tuple[Place, int]]:
    """Tensors whose elements are the same along a dimension before the first iteration."""
    return {
        (key, d)
        for key, kind, given in tensors(walk)
        for d in range(kind.rank)
        if kind.shape[d] > 1 and d not in varies(given[0])
    }


def not_uniform(walk: SourceWalk) -> set[tuple[Place, int]]:
    """Those that were taken to be the same, and may differ."""
    return {
        (key, d)
        for key, kind, given in tensors(walk)
        for d in range(kind.rank)
        if (key, d) in walk.known.uniform and any(d in varies(one) for one in given)
    }


def varies(root: Term) -> set[int]:
    """The dimensions whose index is in a term."""
    found: set[int] = set()
    stack, seen = [root], set()
    while stack:
        term = stack.pop()
        if term in seen or not term.indexed:
            continue
        seen.add(term)
        if term.head == "x":
            found.add(term.attr[0])
        stack.extend(term.args)
    return found


# --- numbers of which there are few

MOST_NUMBERS = 16
MOST_CHOICES = 64


def few(walk: SourceWalk) -> set[Place]:
    """Numbers that take few values, whatever the arguments are: slots, and phases on which slots depend."""
    places = {
        (head.loop, place): (*head.place, place)
        for head in walk.heads.values()
        for place, kind in enumerate(head.kinds)
        if not kind.shape and isinstance(head.symbols[place], Term)
    }
    given = {
        (head.loop, place): [way.values[place] for way in head.incoming]
        for head in walk.heads.values()
        for place in range(len(head.kinds))
        if (head.loop, place) in places
    }
    values: dict[tuple[int, int], set[int]] = {key: set() for key in places}
    changed = True
    while changed:
        changed = False
        for key, terms in given.items():
            if key not in values:
                continue
            found = set(values[key])
            for term in terms:
                more = numbers_of(term, values) if isinstance(term, Term) and term.sort in ("i32", "i64") else None
                if more is None or len(found | more) > MOST_NUMBERS:
                    del values[key]
                    break
                found |= more
            if values.get(key, found) != found or key not in values:
                changed = True
            if key in values:
                values[key] = found
    needed = needed_for_slots(walk, given) if walk.signals else values.keys()
    left = {places[key] for key in values.keys() & needed}
    return left - {places[key] for key in places if key not in values}


def counters(walk: SourceWalk) -> dict[Place, int]:
    """Numbers by whose rest slots are chosen, with the divisor: each begins with a constant, and goes up."""
    places: dict[tuple[int, int], Place] = {}
    given: dict[tuple[int, int], list[Value]] = {}
    for head in walk.heads.values():
        for place, kind in enumerate(head.kinds):
            if not kind.shape and isinstance(head.symbols[place], Term):
                places[head.loop, place] = (*head.place, place)
                given.setdefault((head.loop, place), []).extend(way.values[place] for way in head.incoming)
    found: dict[tuple[int, int], int] = {}
    for part in parts_within(*walk.slots):
        if part.head in ("divu", "remu") and part.args[1].is_const and part.args[1].attr > 1:
            for key in carried_in(part.args[0]):
                found[key] = math.lcm(found.get(key, 1), part.args[1].attr)
    queue = list(found)
    for key in queue:
        for other in [one for term in given.get(key, ()) if isinstance(term, Term) for one in carried_in(term)]:
            divisor = math.lcm(found.get(other, 1), found[key])
            if found.get(other) != divisor and divisor <= MOST_NUMBERS:
                found[other] = divisor
                queue.append(other)
    found = {key: divisor for key, divisor in found.items() if divisor <= MOST_NUMBERS}
    while wrong := {key for key in found if not all(goes_up(term, found) for term in given.get(key, ()))}:
        found = {key: divisor for key, divisor in found.items() if key not in wrong}
    return {places[key]: divisor for key, divisor in found.items()}


def carried_in(term: Term) -> list[tuple[int, int]]:
    """The numbers in a term that loops carry: the number of the loop, and the place."""
    return [
        part.attr[1:]
        for part in parts_within(term)
        if part.head == "call" and part.attr[0] == "iteration" and not part.args
    ]


def goes_up(term: Value, counters: Container[tuple[int, int]]) -> bool:
    """Whether a term is a small constant, or one of some counters and a small constant."""
    if not isinstance(term, Term):
        return False
    if term.head == "ite":
        return all(goes_up(one, counters) for one in term.args[1:])
    parts = sum_of(term)
    others = [key for key in parts if key]
    is_counter = not others or (
        len(others) == 1
        and len(others[0]) == 1
        and parts[others[0]] == 1
        and (name := others[0][0].attr)
        and others[0][0].head == "call"
        and name[0] == "iteration"
        and name[1:] in counters
    )
    return bool(is_counter) and 0 <= parts.get((), 0) <= MOST_NUMBERS


def needed_for_slots(walk: SourceWalk, given: dict[tuple[int, int], list[Value]]) -> set[tuple[int, int]]:
    """The numbers on which slots of buffers depend: a phase that only a wait gets stays a symbol."""
    needed: set[tuple[int, int]] = set()
    queue: list[Term] = list(walk.slots)
    while queue:
        for part in parts_within(queue.pop()):
            if part.head == "call" and part.attr[0] == "iteration" and part.attr[1:] not in needed:
                needed.add(part.attr[1:])
                queue += [one for one in given.get(part.attr[1:], ()) if isinstance(one, Term)]
    return needed


def numbers_of(term: Term, values: dict[tuple[int, int], set[int]]) -> set[int] | None:
    """The numbers that a term may be, by those of the symbols in it; None if it may be others."""
    symbols: dict[Term, tuple[int, int]] = {}
    for part in parts_within(term):
        if part.head == "call" and part.attr[0] == "iteration" and not part.args and part.attr[1:] in values:
            symbols[part] = part.attr[1:]
    choices = [sorted(values[key]) for key in symbols.values()]
    if math.prod(map(len, choices)) > MOST_CHOICES:
        return None
    found: set[int] = set()
    for chosen in itertools.product(*choices):
        memo = {symbol: number(value, symbol.sort) for symbol, value in zip(symbols, chosen)}
        ends = [rewritten(term, lambda part, args: None, lambda part: False, memo)]
        while ends:
            end = ends.pop()
            if end.is_const:
                found.add(end.attr)
            elif end.head == "ite":
                ends += end.args[1:]
            else:
                return None
    return found
