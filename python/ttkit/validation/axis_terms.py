"""Facts about the elements of a tensor along a dimension, read off its term: steps between neighbours, divisors.

A group is so many neighbours along a dimension that begin at a multiple of their number, which is a power of two.  Of
the term of an element, with i its place in its group:

    step     the number s, if any, with element = first element of the group + s * i
    power    a power of two that divides the first element of each group

What is known of an argument or of another value that carries a hint, such as `tt.divisibility`, is used.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ttkit.validation.integers import exact_interval, interval, limits, sum_of, width
from ttkit.validation.terms import Term

LARGEST = 1 << 32
FACTS = ("tt.divisibility", "tt.contiguity", "tt.constancy")
"""Hints about all elements of a value, one number for each dimension."""
Hints = dict[Term, dict[str, tuple[tuple[int, ...], int]]]
"""By a value's term and a hint, its numbers and the distance of neighbours: bytes for pointers, 1 for numbers."""


def power_in(number: int) -> int:
    """The largest power of two that divides a number; LARGEST for 0."""
    return min(number & -number, LARGEST) if number else LARGEST


@dataclass
class Groups:
    """Facts about groups of neighbours.

    dimension, size: the groups; a size of 1 is about single elements.
    hints: what values are said to keep.
    """

    dimension: int
    size: int
    hints: Hints
    steps: dict[Term, int | None] = field(default_factory=dict)
    powers: dict[Term, int] = field(default_factory=dict)

    def step(self, term: Term) -> int | None:
        """The difference of neighbours in a group; None if it is not known."""
        if term not in self.steps:
            self.steps[term] = self._step(term) if term.indexed and self.size > 1 else 0
        return self.steps[term]

    def power(self, term: Term) -> int:
        """A power of two that divides the first element of each group."""
        if term not in self.powers:
            found = self._power(term)
            hinted = self.hinted("tt.divisibility", term)
            if hinted > 1:  # of the first elements of runs, of which a group may be a part
                known = power_in(hinted)
                runs = term.indexed and self.step(term) not in (0, None)
                found = max(found, min(known, self.size) if runs else 1 if term.indexed else known)
            self.powers[term] = min(found, LARGEST)
        return self.powers[term]

    def hinted(self, fact: str, term: Term) -> int:
        """The number that a hint says for the dimension; 1 without one."""
        numbers, _ = self.hints.get(term, {}).get(fact, ((), 1))
        if not term.indexed:
            return numbers[0] if len(numbers) == 1 else 1
        return numbers[self.dimension] if self.dimension < len(numbers) else 1

    def _step(self, term: Term) -> int | None:
        for fact, (_, unit) in self.hints.get(term, {}).items():
            if fact != "tt.divisibility" and self.hinted(fact, term) % self.size == 0:
                return unit if fact == "tt.contiguity" else 0
        if term.head == "x":
            return int(term.attr[0] == self.dimension)
        if term.head == "poly":
            return self._step_of_sum(term)
        if term.head in ("zext", "sext") and term.args[0].sort != "i1":
            inner = self.step(term.args[0])
            return inner if inner is None or inner == 0 or self._stays(term.args[0], inner) else None
        if term.head in ("remu", "divu") and term.args[1].is_const:
            return self._step_of_quotient(term)
        if term.head in ("slt", "ult") and (found := self._compared(term)) is not None:
            return found
        if term.head == "ite":
            sides = {self.step(arg) for arg in term.args[1:]}
            return sides.pop() if self.step(term.args[0]) == 0 and len(sides) == 1 else None
        if term.head == "mem" or term.head in ("carried", "closed", "system", "undefined"):
            return None
        return 0 if all(self.step(arg) == 0 for arg in term.args) else None

    def _step_of_sum(self, term: Term) -> int | None:
        total = 0
        for key, factor in sum_of(term).items():
            steps = [self.step(part) for part in key]
            if any(steps) or None in steps:
                if len(key) != 1 or steps[0] is None:
                    return None
                total += factor * steps[0]
        return total

    def _stays(self, term: Term, step: int) -> bool:
        """Whether no element of a group wraps where its first one does not."""
        low, high = exact_interval(term)
        least, most = limits(width(term))
        return (least <= low and high <= most) or (step == 1 and self.power(term) >= self.size)

    def _step_of_quotient(self, term: Term) -> int | None:
        """The step of a / c or a % c, for groups that stay between two multiples of c."""
        a, c = term.args
        inner = self.step(a)
        if inner in (0, None):
            return inner
        whole = inner == 1 and c.attr > 0 and c.attr % self.size == 0 and self.power(a) >= self.size
        return (1 if term.head == "remu" else 0) if whole else None

    def _compared(self, term: Term) -> int | None:
        """a < b is the same for a group if b is a multiple of it, as a's first one is."""
        a, b = term.args
        if self.step(a) != 1 or self.step(b) != 0 or not self._stays(a, 1):
            return None
        return 0 if min(self.power(a), self.power(b)) >= self.size else None

    def _power(self, term: Term) -> int:
        if term.is_const:
            return power_in(term.attr)
        if term.head == "x":
            return self.size if term.attr[0] == self.dimension else 1
        if term.head == "poly":
            found = LARGEST
            for key, factor in sum_of(term).items():
                product = power_in(factor)
                for part in key:
                    product *= self.power(part)
                found = min(found, product)
            return found
        if term.head in ("sext", "zext") and term.args[0].sort != "i1":
            low = self.power(term.args[0])
            return low if low < 1 << width(term.args[0]) else LARGEST
        if term.head == "trunc":
            return self.power(term.args[0])
        if term.head in ("ite", "minsi", "maxsi"):
            return min(self.power(arg) for arg in term.args[-2:])
        if term.head == "remu" and term.args[1].is_const:
            return min(self.power(arg) for arg in term.args)
        if term.head == "divu" and term.args[1].is_const and term.args[1].attr > 0:
            divisor = term.args[1].attr
            return max(1, self.power(term.args[0]) // divisor) if divisor & (divisor - 1) == 0 else 1
        return LARGEST if term.sort != "i1" and interval(term) == (0, 0) else 1
