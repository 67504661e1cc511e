"""Loops one after the other that together do the iterations of one loop, one or several of them in each of theirs.

    for i in range(0, n, s): x = f(x, i)    =    for i in range(0, m, 2 * s): x = f(f(x, i), i + s)
                                                 for i in range(m, n, s): x = f(x, i)

Iteration k of such a part does `factor` iterations of the whole loop, from number `start + factor * k` on.  So the
loops are equal under three conditions.  Each part begins with what the one before it leaves.  An iteration of a part
makes of the symbols what `factor` iterations of the whole loop make of them.  The numbers of iterations add up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import ttkit.validation.solver as solver
from ttkit.validation.booleans import both, negation
from ttkit.validation.comparisons import equal, less, resized
from ttkit.validation.integers import add, number, of_sum, scaled, subtract, sum_of
from ttkit.validation.loops import replaced
from ttkit.validation.pairing import equations, paired, symbol_of
from ttkit.validation.terms import MEMORY, Term, at_index, free_symbols, make, rewritten

MOST_FACTOR = 64
"""Iterations of the whole loop that are followed in one of a part."""
MOST_PARTS = 4
STEPS = 4 * solver.STEPS
"""z3's steps for the numbers of iterations, which are quotients."""
Equations = dict[Any, tuple[Term, Term]]


@dataclass
class Part:
    """One of the loops that stand for a whole one.

    trips: iterations.  equations: by name, the first and the next value of what it carries.
    names: of what the whole loop carries -> its own.
    factor: iterations of the whole loop in one of its own.
    start: iterations of the whole loop before its first one, where it has one.
    """

    trips: Term
    equations: Equations
    names: dict[Any, Any]
    factor: int
    start: Term


class Whole:
    """The loop before a pass, whose iterations others do.

    system: its term.
    """

    def __init__(self, system: Term) -> None:
        self.system, self.level = system, system.attr[0]
        self.trips, self.equations = system.args[0], equations(system)
        self.counter = make("count", (), (self.level,), self.trips.sort)
        self.symbols = {name: symbol_of(system, self.level, name) for name in self.equations}

    def at(self, term: Term, count: Term) -> Term:
        """A term of an iteration, of the one with another number."""
        return rewritten(
            term,
            lambda part, args: count if part is self.counter else None,
            lambda part: self.level not in part.loops,
            {},
        )

    def after(self, start: Term, factor: int) -> dict[Any, Term]:
        """The values after some iterations from number `start` on, of symbols for the values before them."""
        now = {name: symbol for name, symbol in self.symbols.items() if symbol is not None}
        for done in range(factor):
            here = add(start, number(done, start.sort))
            now = {name: replaced(self.at(self.equations[name][1], here), self.level, now) for name in now}
        return now


def in_parts(comparison: Any, a: Term, b: Term, given: tuple[Term, ...]) -> bool:
    """Whether loops one after the other, of which `b` is the last, are the loop `a`; of reads, whether it has them.

    Args:
        comparison: the `Comparison` that asks.
    """
    (_, kind, roots), (other_kind, other_roots) = a.attr[:3], b.attr[1:3]
    if (kind, roots) != (other_kind, other_roots) or roots < 1:
        return False
    whole = Whole(a)
    if kind == "each of for":
        return reads_of_part(comparison, whole, b, given)
    parts = parts_of(whole, b) if kind == "for" else None
    if parts is None or (len(parts) == 1 and parts[0].factor == 1):
        return False
    firsts = [(one[0], parts[0].equations[parts[0].names[name]][0]) for name, one in whole.equations.items()]
    if not (adds_up(comparison, whole, parts, given) and all(comparison.same(*pair, given) for pair in firsts)):
        return False
    for part, end in zip(parts, [*(part.start for part in parts[1:]), None]):
        known = (*given, *running(whole, part, end))
        made = whole.after(begun(whole, part), part.factor)
        for name, value in made.items():
            if not comparison.same(value, renamed(whole, part, part.equations[part.names[name]][1]), known):
                return False
    last = parts[-1]
    return all(
        comparison.same(whole.at(one, begun(whole, last)), renamed(whole, last, other), given)
        for one, other in zip(a.args[1:roots], b.args[1:roots])
    )


def parts_of(whole: Whole, last: Term) -> list[Part] | None:
    """The loops up to the last one, each of which begins with what the one before it leaves; None if it is not so."""
    names = paired(whole.system, last, whole.level, whole.equations, equations(last))
    found: list[Part] = []
    systems = [last]
    while systems and len(found) < MOST_PARTS:
        part = part_of(whole, systems, names)
        if part is None:
            return None
        found.insert(0, part)
        if part.start.is_const and part.start.attr == 0:
            return found
        systems, names = before(whole, part)
    return None


def part_of(whole: Whole, systems: list[Term], names: dict[Any, Any]) -> Part | None:
    """The loop that systems of some of its equations are of."""
    trips, joined = systems[0].args[0], {}
    for system in systems:
        if system.args[0] is not trips:
            return None
        joined.update(equations(system))
    factor, start = factor_of(whole.trips, trips), start_of(whole.trips, trips)
    if factor is None or start is None or not whole.equations.keys() <= names.keys():
        return None
    if {names[name] for name in whole.equations} != joined.keys():
        return None
    return Part(trips, joined, names, factor, start)


def factor_of(whole: Term, part: Term) -> int | None:
    """By how much the step of a part is larger than that of the whole loop."""
    if whole.head != "trips" or part.head != "trips":
        known = whole.is_const and part.is_const and part.attr > 0 and whole.attr % part.attr == 0
        return whole.attr // part.attr if known and whole.attr // part.attr <= MOST_FACTOR else None
    one, other = (sum_of(term.args[2]) for term in (whole, part))
    if one.keys() != other.keys() or not one:
        return None
    ratios = {other[key] // one[key] if other[key] % one[key] == 0 else 0 for key in one}
    factor = ratios.pop()
    return factor if not ratios and 1 <= factor <= MOST_FACTOR else None


def start_of(whole: Term, part: Term) -> Term | None:
    """The iterations of the whole loop up to the lower bound of a part: their difference by the step."""
    if whole.head != "trips" or part.head != "trips":
        return number(0, whole.sort)
    step = sum_of(whole.args[2])
    difference = sum_of(subtract(part.args[0], whole.args[0]))
    if len(step) != 1:
        return None
    [(key, times)] = step.items()
    found = {}
    for product, factor in difference.items():
        left = list(product)
        for one in key:
            if one not in left:
                return None
            left.remove(one)
        if factor % times:
            return None
        found[tuple(left)] = factor // times
    return of_sum(found, whole.sort)


def before(whole: Whole, part: Part) -> tuple[list[Term], dict[Any, Any]]:
    """The loop whose results a part begins with: systems of its equations, and the names there; none without one."""
    systems, names = [], {}
    for name, own in part.names.items():
        first = part.equations[own][0]
        if first.head != "final" or first.args[0].attr[:3] != (whole.level, "for", 2):
            return [], {}
        root = first.args[0].args[1]
        if (
            root.head != "carried"
            or root.attr[0] != whole.level
            or not is_plain(root.args)
            or not is_plain(first.args[1:])
        ):
            return [], {}
        systems.append(first.args[0])
        names[name] = root.attr[1]
    return systems, names


def is_plain(index: tuple[Term, ...]) -> bool:
    """Whether an index is that of the element itself."""
    return all(
        (one.head == "x" and one.attr[0] == d) or (one.is_const and one.attr == 0) for d, one in enumerate(index)
    )


def begun(whole: Whole, part: Part) -> Term:
    """The number of the whole loop's iteration with which one of a part begins."""
    return add(part.start, scaled(whole.counter, part.factor))


def renamed(whole: Whole, part: Part, term: Term) -> Term:
    """A term of a part by the names of the whole loop."""
    symbols = {own: symbol for name, own in part.names.items() if (symbol := whole.symbols[name]) is not None}
    return replaced(term, whole.level, symbols)


def running(whole: Whole, part: Part, end: Term | None) -> Iterator[Term]:
    """The conditions in an iteration of a part; `end` is where the next one starts."""
    yield less(whole.counter, part.trips)
    if end is not None and part.factor == 1:
        yield less(add(part.start, whole.counter), end)


def adds_up(comparison: Any, whole: Whole, parts: list[Part], given: tuple[Term, ...]) -> bool:
    """Whether the parts have as many iterations as the whole loop, and each starts where it must if it runs."""
    wide = f"i{2 * int(whole.trips.sort[1:])}"
    totals = [number(0, wide)]
    for part in parts:
        totals.append(add(totals[-1], scaled(resized(part.trips, wide, signed=True), part.factor)))
    zero = number(0, whole.trips.sort)
    for part, total in zip(parts, totals):
        wrong = negation(equal(resized(part.start, wide, signed=True), total))
        if not comparison.never((*given, less(zero, part.trips), wrong), STEPS):
            return False
    wrong = negation(equal(resized(whole.trips, wide, signed=True), totals[-1]))
    return bool(comparison.never((*given, wrong), STEPS))


def reads_of_part(comparison: Any, whole: Whole, part: Term, given: tuple[Term, ...]) -> bool:
    """Whether the whole loop makes each read that a part makes, in some iteration."""
    factor, start = factor_of(whole.trips, part.args[0]), start_of(whole.trips, part.args[0])
    if factor is None or start is None or whole.equations or equations(part):
        return False
    [_, access], [_, other] = whole.system.args, part.args
    if access.head != "access" or other.head != "access":
        return False
    condition, address = other.args
    known = (*given, less(whole.counter, part.args[0]))
    for more in range(factor):
        here = add(start, add(scaled(whole.counter, factor), number(more, start.sort)))
        wider, one = (whole.at(term, here) for term in access.args)
        if comparison.never((*known, condition, negation(wider))) and comparison.same(
            one, address, (*known, condition)
        ):
            is_one = both(negation(less(here, number(0, here.sort))), less(here, whole.trips))
            return bool(comparison.never((*known, negation(is_one))))
    return False


def last_iteration(term: Term) -> Term | None:
    """The value after a loop, of those before its last iteration; None if it is not known how many it has."""
    system = term.args[0]
    level, kind, roots = system.attr[:3]
    trips = system.args[0]
    if (kind, roots) != ("for", 2) or not trips.is_const or not 0 < trips.attr <= MOST_FACTOR:
        return None
    whole, done = Whole(system), number(trips.attr - 1, trips.sort)
    values: dict[Any, Term] = {}
    for part in [part for root in system.args[1:] for part in free_symbols(root, level)]:
        if part.head != "carried" or part.attr[1] in values:
            continue
        if not is_plain(part.args):
            return None
        values[part.attr[1]] = left_by(whole, part, done) if trips.attr > 1 else whole.equations[part.attr[1]][0]
    nexts = {name: whole.at(whole.equations[name][1], done) for name in values}
    found = replaced(replaced(whole.at(system.args[1], trips), level, nexts), level, values)
    return at_index(found, dict(enumerate(term.args[1:])))


def left_by(whole: Whole, root: Term, trips: Term) -> Term:
    """The value that a loop leaves after some iterations, of one that it carries."""
    needed: dict[Any, None] = {}
    queue = [root]
    while queue:
        for part in free_symbols(queue.pop(), whole.level):
            if part.head == "carried" and part.attr[1] not in needed:
                needed[part.attr[1]] = None
                queue.append(whole.equations[part.attr[1]][1])
    names = tuple(sorted(needed, key=str))
    args = [trips, root, *(one for name in names for one in whole.equations[name])]
    system = make("system", args, (whole.level, "for", 2, names), MEMORY)
    return make("final", (system, *root.args), None, root.sort)
