"""Loops of many iterations that begin work in the background for each other: proved by induction over their period.

Some iterations at the beginning and at the end are followed one by one.  Between them, each value that the loop
carries, each buffer and each operand of work in the background is one of these:

    a number out of few, such as a slot or a phase: they come again after a period
    the same all the time, or growing by the same amount
    delayed: what an iteration before has made of nothing but its number, such as the copies in the slots of a buffer
    essential: a symbol, with the equation that gives its next value, as in `loops.py`

Which one is a guess, made from what the iterations at the beginning do and from what a period of iterations makes of
symbols.  It is proved by following a period from what was guessed: the first state must be the guess of iteration 0,
and the last one that of an iteration a period later.  The equations must be those of all iterations.  What follows the
loop is walked for one rest of the number of iterations by the period; `functions.py` does so for each.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from math import lcm
from typing import Any

from ttkit.interpreter.decode import Instruction
from ttkit.validation.booleans import truth
from ttkit.validation.comparison import Comparison
from ttkit.validation.comparisons import resized
from ttkit.validation.integers import add, multiply, number, subtract
from ttkit.validation.iterations import EACH, Many, assuming, moved
from ttkit.validation.loops import Carried, Closed, Name, System, final, symbol
from ttkit.validation.snapshots import Boundary, Snapshots, unwrapped, wrapped_again
from ttkit.validation.terms import BACKGROUND, Term, free_symbols, has_part, make, session
from ttkit.validation.values import NotModelled, Value

LONGEST = 16
"""Iterations after which slots and phases must have come again."""
DEEPEST = 4
"""Iterations, at least, by which a delayed value may be late."""


def many_iterations(walk: Any, op: Instruction, frame: dict[int, Any]) -> tuple[Value, ...] | None:
    """The results of a scf.for of many iterations; None if nothing says that it has so many."""
    many = session().many
    if many is None or not walk.limits.unrolls:
        return None
    bounds = tuple(frame[slot] for slot in op.operands[:3])
    more = many.more_of(*bounds)
    if more is None or many.tail + more - walk.limits.shift < 0:
        return None
    if walk.together is not None:
        return walk.together.many_iterations(walk, op, frame, many, more)
    return Steady(walk, op, frame, many, more).results()


@dataclass
class Guess:
    """The loop between its beginning and its end.

    period: iterations after which all numbers out of few have come again.
    terms: by name, the value at the beginning of an iteration, of its counter and of symbols.
    essential: names of those that are symbols.
    """

    period: int
    terms: dict[Name, Term] = field(default_factory=dict)
    essential: set[Name] = field(default_factory=set)


class Steady:
    """One loop of many iterations."""

    def __init__(self, walk: Any, op: Instruction, frame: dict[int, Any], many: Many, more: int) -> None:
        self.walk, self.op, self.frame, self.many = walk, op, frame, many
        self.lower, self.upper, self.step = (frame[slot] for slot in op.operands[:3])
        self.level = walk.level
        self.head, self.tail = many.head + walk.limits.shift, many.tail + more - walk.limits.shift
        self.more = more
        self.counter = make("count", (), (self.level,), self.lower.sort)
        self.between = add(many.trips, number(-many.head - many.tail, self.lower.sort))
        self.snapshots = Snapshots(walk, op)

    def results(self) -> tuple[Value, ...]:
        """The values that the loop leaves.

        Raises:
            NotModelled: a guess was wrong, or there is none.
        """
        boundaries, guess = self.beginning()
        values = self.between_ends(boundaries[-1], guess)
        past = add(self.many.trips, number(self.more, self.lower.sort))
        for left in range(self.tail, 0, -1):
            values = self.iterate(values, add(past, number(-left, self.lower.sort)))
        return tuple(values)

    def beginning(self) -> tuple[list[Boundary], Guess]:
        """The states between the first iterations, and what these let guess.

        Raises:
            NotModelled: there is no guess.
        """
        values = self.first_values()
        boundaries = [self.snapshots.take(values)]
        for done in range(self.head):
            values = self.iterate(values, number(done, self.lower.sort))
            boundaries.append(self.snapshots.take(values))
        reads, start = self.walk.reads, self.snapshots.saved(values)
        guess = self.guess(boundaries)
        self.walk.reads = reads
        self.snapshots.restored(start)
        return boundaries, guess

    def first_values(self) -> list[Value]:
        """Values that the loop carries at first."""
        return [self.frame[slot] for slot in self.op.operands[3:]]

    def assume_iteration(self, place: int) -> None:
        """Takes an iteration between the ends to be so many before the end of its loop."""
        self.many.assume_iteration(self.lower, self.upper, self.counter, self.head + place, self.tail)

    def iterate(self, values: list[Value], at: Term) -> list[Value]:
        """The values that one iteration gives."""
        index = add(self.lower, multiply(self.step, at))
        return list(self.walk.region(self.op.regions[0], self.frame, [index, *values]))

    def inside(self, values: list[Value], place: int) -> list[Value]:
        """The values that an iteration between the ends gives; its reads are those of the walk.

        Args:
            place: of the iteration in a period.
        """
        walk, path = self.walk, self.walk.path
        walk.path, walk.reads, walk.level = truth(True), {}, self.level + 1
        self.assume_iteration(place)
        done = self.iterate(values, add(self.counter, number(self.head + place, self.lower.sort)))
        walk.path, walk.level = path, self.level
        return done

    # --- guesses

    def guess(self, boundaries: list[Boundary]) -> Guess:
        """The guess of what the loop does, from its first iterations.

        Raises:
            NotModelled: slots and phases do not come again.
        """
        last = boundaries[-1]
        start: dict[Name, Term] = {}
        unknown: set[Name] = set()
        for name in last.terms:
            known = self.known(name, [one.terms.get(name) for one in boundaries])
            start[name] = known if known is not None else self.symbol(name, last)
            if known is None:
                unknown.add(name)
        with assuming():
            values = self.snapshots.put(last, start)
            period = done = 0
            while not period or done < DEEPEST or done % period:
                values = self.inside(values, done)
                now, done = self.snapshots.take(values), done + 1
                if not period and self.comes_again(last, now, unknown):
                    period = done
                if not period and done == LONGEST:
                    raise NotModelled("slots and phases of a loop do not come again", self.op)
        guess = Guess(period)
        for name in start:
            if name not in unknown:
                guess.terms[name] = start[name]
            elif name in now.terms and not self.depends(now.terms[name]):
                guess.terms[name] = moved(now.terms[name], self.counter, -done)
            else:
                guess.terms[name] = start[name]
                guess.essential.add(name)
        return guess

    def known(self, name: Name, terms: list[Term | None]) -> Term | None:
        """A value that is a number out of few, the same all the time, or grows by the same amount."""
        if any(term is None for term in terms[-3:]):
            return None
        last = terms[-1]
        assert last is not None
        is_number = last.sort[0] == "i" and last.sort != "i1"
        steps = [subtract(b, a) for a, b in pairwise(terms) if a and b and is_number]
        if all(term and term.is_const for term in terms[-3:]) and (not is_number or len(set(steps)) > 1):
            return last
        if terms[-2] is last and not has_part(last, "in flight"):
            return last
        if is_number and steps[-1] is steps[-2] and not has_part(last, "in flight"):
            return add(last, multiply(steps[-1], resized(self.counter, last.sort, signed=True)))
        return None

    def symbol(self, name: Name, boundary: Boundary) -> Term:
        """A symbol for a value, as far in the background as that is."""
        term = boundary.terms[name]
        made = symbol(self.level, name, term.sort, self.snapshots.shape(name, boundary))
        return wrapped_again(term, made)

    def comes_again(self, first: Boundary, now: Boundary, unknown: set[Name]) -> bool:
        """Whether numbers out of few, and what is in the background, are what they were."""
        if first.structure != now.structure or first.terms.keys() != now.terms.keys():
            return False
        few = [name for name, term in first.terms.items() if term.is_const and name not in unknown]
        return all(now.terms[name] is first.terms[name] for name in few if self.is_few(name, now.terms[name]))

    def is_few(self, name: Name, term: Term) -> bool:
        """Whether a number is out of few: it is known in each iteration."""
        return term.is_const or self.level not in term.loops

    def depends(self, term: Term) -> bool:
        """Whether a term depends on symbols of values that the loop carries."""
        return any(part.head == "carried" for part in free_symbols(term, self.level))

    # --- proofs

    def between_ends(self, first: Boundary, guess: Guess) -> list[Value]:
        """The state at the end of the iterations between the ends, by induction.

        Raises:
            NotModelled: the guess is wrong.
        """
        self.begins(first, guess)
        values = self.snapshots.put(first, guess.terms)
        rest = self.many.rest % guess.period
        nexts: list[dict[Name, Term]] = []
        reads: list[dict[Term, Instruction]] = []
        outer = self.walk.reads
        now = first
        with assuming():
            for place in range(guess.period):
                if place == rest:
                    left = self.snapshots.saved(values)
                values = self.inside(values, place)
                reads.append(self.walk.reads)
                now = self.snapshots.take(values)
                nexts.append({name: self.next_of(name, now) for name in guess.essential})
                self.repeats(nexts, reads)
                again = {name: self.symbol(name, now) for name in guess.essential}
                values = self.snapshots.put(now, {**now.terms, **again})
                now = self.snapshots.take(values)
            self.goes_on(first, now, guess)
        self.many.period = lcm(self.many.period, guess.period)
        system: System = {
            name: Carried(self.next_of(name, first), self.snapshots.shape(name, first), nexts[0][name])
            for name in guess.essential
        }
        closed = Closed(system, self.level, "for")
        self.walk.reads = outer
        for access, op in reads[0].items():
            each = make("access", (self.walk.path, closed.of(self.between, access, kind=EACH)), None, "i1")
            outer.setdefault(each, op)
        return self.after(left, guess, closed, rest)

    def begins(self, first: Boundary, guess: Guess) -> None:
        """Raises NotModelled if the first state is not what was guessed of iteration 0."""
        zero = number(0, self.counter.sort)
        for name, term in guess.terms.items():
            if name not in guess.essential:
                self.must_be(moved(term, self.counter, 0, zero), first.terms[name], "its beginning")

    def goes_on(self, first: Boundary, last: Boundary, guess: Guess) -> None:
        """Raises NotModelled if the state after a period is not what was guessed of that iteration."""
        if first.structure != last.structure or last.terms.keys() != guess.terms.keys():
            raise NotModelled("work in the background does not come again", self.op)
        for name, term in guess.terms.items():
            if name not in guess.essential:
                self.must_be(moved(term, self.counter, guess.period), last.terms[name], "what it delays")
            elif last.terms[name] is not term:
                raise NotModelled("work in the background does not come again", self.op)

    def repeats(self, nexts: list[dict[Name, Term]], reads: list[dict[Term, Instruction]]) -> None:
        """Raises NotModelled if the last iteration does not do what the first one does, by the facts of the last."""
        place = len(nexts) - 1
        for name, term in nexts[0].items():
            self.must_be(moved(term, self.counter, place), nexts[place][name], "its equations")
        if {moved(access, self.counter, place) for access in reads[0]} != set(reads[place]):
            raise NotModelled("iterations of a loop differ: its reads", self.op)

    def must_be(self, guessed: Term, found: Term, what: str) -> None:
        """Raises NotModelled if it is not known that terms are equal."""
        if guessed is found:
            return
        comparison = Comparison()
        if not comparison.same(guessed, found, ()) or comparison.rounding:
            raise NotModelled(f"iterations of a loop differ: {what}: {comparison.difference}", self.op)

    def next_of(self, name: Name, boundary: Boundary) -> Term:
        """The value of an essential name.

        Raises:
            NotModelled: part of it is in the background.
        """
        term = unwrapped(boundary.terms[name])
        if any(has_part(term, head) for head in BACKGROUND):
            raise NotModelled("a value that a loop carries is partly in the background", self.op)
        return term

    def after(self, left: Any, guess: Guess, closed: Closed, rest: int) -> list[Value]:
        """The state after the last iteration between the ends."""
        values = self.snapshots.restored(left)
        boundary = self.snapshots.take(values)
        terms: dict[Name, Term] = {}
        for name, term in boundary.terms.items():
            if name in guess.essential:
                shape = self.snapshots.shape(name, boundary)
                inner = symbol(self.level, name, term.sort, shape)
                terms[name] = wrapped_again(term, final(closed.of(self.between, inner), term.sort, shape))
            else:
                terms[name] = moved(term, self.counter, -rest, self.between)
        return self.snapshots.put(boundary, terms)
