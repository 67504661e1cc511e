"""Many iterations of a loop at once: how many there are, and terms of one iteration as those of another."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ttkit.validation.booleans import both
from ttkit.validation.comparisons import less, resized
from ttkit.validation.integers import add, exact_interval, interval, multiply, number, subtract, sum_of
from ttkit.validation.terms import Term, make, rewritten, session

LARGEST = 1 << 26
"""Bounds of loops are taken to be smaller, where iterations are counted."""
MOST_MOVED = 8
"""Iterations by which a read may come earlier or later."""


@dataclass
class Many:
    """A loop of so many iterations that there are some between those that are followed one by one.

    lower, upper, step: its bounds before the pass; the step is a number.
    head, tail: iterations that are followed one by one, at the beginning and at the end.
    rest: what the number of the others leaves when it is divided by the period.
    period: a multiple of the periods of all loops that have been followed so.
    """

    lower: Term
    upper: Term
    step: Term
    head: int
    tail: int
    rest: int = 0
    period: int = 1

    @property
    def trips(self) -> Term:
        """The number of all iterations."""
        return make("trips", (self.lower, self.upper, self.step), None, self.lower.sort)

    @property
    def least(self) -> int:
        """The fewest iterations: of those between the ends, there are at least as many as of those at the end."""
        return self.head + 2 * self.tail

    def more_of(self, lower: Term, upper: Term, step: Term) -> int | None:
        """Number of iterations that another loop has more; None if it has nothing to do with this one."""
        if step is not self.step or lower.sort != self.lower.sort:
            return None
        past = subtract(add(lower, multiply(step, self.trips)), upper)
        for more in range(-self.tail, self.tail + 1):
            low, high = exact_interval(add(past, number(more * step.attr, lower.sort)))
            if low >= 0 and high < step.attr:
                return more
        return None

    def assume(self) -> None:
        """Takes the loop to have so many iterations, and its bounds not to be near the ends of their type."""
        by, least = self.step.attr, self.least + self.rest
        past = add(self.lower, multiply(self.step, self.trips))
        fact(self.trips, least, LARGEST)
        for bound in (self.lower, self.upper):
            fact(bound, -LARGEST, LARGEST)
        fact(subtract(self.upper, self.lower), (least - 1) * by + 1, 2 * LARGEST)
        fact(subtract(past, self.upper), 0, by - 1)
        fact(past, -LARGEST, LARGEST + by)
        order()

    def assume_iteration(self, lower: Term, upper: Term, counter: Term, before: int, after: int) -> None:
        """Takes an iteration, which is number `before` and counter, to be so many before the end of its loop."""
        by = self.step.attr
        reached = add(lower, multiply(self.step, counter))
        fact(counter, 0, LARGEST)
        fact(subtract(counter, self.trips), -2 * LARGEST, -1)
        fact(reached, -2 * LARGEST, 2 * LARGEST)
        fact(subtract(reached, upper), -4 * LARGEST, -(before + after) * by - 1)
        order()


def fact(term: Term, low: int, high: int) -> None:
    """Takes a term to be within an interval, besides what is known of it.  Facts have no constant part."""
    facts = session().facts
    offset = sum_of(term).get((), 0)
    term = add(term, number(-offset, term.sort))
    if not term.is_const:
        least, most = facts.get(term, interval(term))
        facts[term] = max(low - offset, least), min(high - offset, most)


def order() -> None:
    """Puts first the facts that say most; what was worked out from others is forgotten."""
    here = session()
    here.facts = dict(sorted(here.facts.items(), key=lambda known: -len(sum_of(known[0]))))
    for term in here.table.values():
        term.cache = None
    here.places.clear()
    here.indices.clear()
    here.contents.clear()


@contextmanager
def assuming() -> Iterator[None]:
    """Facts that are added inside do not hold outside."""
    here = session()
    kept = dict(here.facts)
    try:
        yield
    finally:
        here.facts = kept
        order()


def moved(term: Term, counter: Term, offset: int, base: Term | None = None) -> Term:
    """A term of one iteration as that of another: the counter becomes base + offset, which is 0 or more.

    Args:
        base: the counter itself unless it is given.
    """
    here = counter if base is None else base
    level = counter.attr[0]

    def replace(part: Term, args: tuple[Term, ...]) -> Term | None:
        """The counter; also a wider one, which does not wrap."""
        if part is counter:
            return add(here, number(offset, here.sort))
        if part.head in ("sext", "zext") and part.args[0] is counter:
            return add(resized(here, part.sort, signed=True), number(offset, part.sort))
        return None

    return rewritten(term, replace, lambda part: level not in part.loops, {})


def is_done_before(comparison: Any, read: Term, before: dict[Term, Any]) -> bool:
    """Whether a read is one that the function does before the pass in one of many iterations, or once."""
    return _each_is_done(comparison, read, before) if is_each(read) else _once_is_done(comparison, read, before)


def _once_is_done(comparison: Any, read: Term, before: dict[Term, Any]) -> bool:
    """Whether a read is among those that happen once, or is one of the first or last of many iterations."""
    if read in before:
        return True
    if read.args[1].head == "system":
        return False
    for other in filter(_is_simple, before):
        trips, access = other.args[1].args
        counter = make("count", (), (other.args[1].attr[0],), trips.sort)
        for n in range(session().many.tail):  # at least so many iterations are between the ends
            for one in (moved(access, counter, n, number(0, trips.sort)), moved(access, counter, -1 - n, trips)):
                if one.args[1] is read.args[1] and comparison.covers(_within(other, one), read):
                    return True
    return False


def _each_is_done(comparison: Any, read: Term, before: dict[Term, Any]) -> bool:
    """Whether a read in each of many iterations is one that another iteration does before the pass.

    Some iterations at an end of the range have no such other one: their reads must be done by those that are followed
    one by one.
    """
    if not _is_simple(read):
        return any(is_each(one) and comparison.same(one, read, ()) for one in before)
    trips, access = read.args[1].args
    counter = make("count", (), (read.args[1].attr[0],), trips.sort)

    def once(offset: int, base: Term) -> bool:
        """Whether the read of one iteration is done."""
        one = _within(read, moved(access, counter, offset, base))
        covering = (other for other in before if other.args[1].head != "system")
        return one in before or any(comparison.covers(other, one) for other in covering)

    def is_moved(other: Term, by: int) -> bool:
        """Whether this read is the other one of so many iterations later."""
        theirs = moved(other.args[1].args[1], counter, max(by, 0))
        ours = moved(access, counter, max(-by, 0))
        if theirs is not ours:
            if theirs.args[1] is not ours.args[1]:
                return False
            wider = make("access", (both(less(counter, trips), ours.args[0]), ours.args[1]), None, "i1")
            if not comparison.covers(theirs, wider):
                return False
        if by < 0:
            return all(once(n, number(0, trips.sort)) for n in range(-by))
        return all(once(-1 - n, trips) for n in range(by))

    others = [one for one in filter(_is_simple, before) if one.args[0] is read.args[0] and one.args[1].args[0] is trips]
    ways = [0, *(sign * by for by in range(1, MOST_MOVED + 1) for sign in (1, -1))]
    return any(is_moved(other, by) for by in ways for other in others)


def _is_simple(read: Term) -> bool:
    """Whether a read in each of many iterations depends on nothing but their number."""
    return is_each(read) and len(read.args[1].args) == 2 and read.args[1].args[1].args[1].head != "system"


def _within(read: Term, one: Term) -> Term:
    """The read of one iteration, where the reads of all happen."""
    condition, address = one.args
    return make("access", (both(read.args[0], condition), address), None, "i1")


EACH = "each of many"


def is_each(read: Term) -> bool:
    """Whether a read happens in each of many iterations."""
    return read.args[1].head == "system" and read.args[1].attr[1] == EACH
