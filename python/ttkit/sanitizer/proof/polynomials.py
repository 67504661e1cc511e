"""Polynomials with integer variables that are never negative, and a search for why one is at most zero."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

Monomial = tuple[str, ...]
"""Variables in order, each as often as its power; () is the constant."""
MAX_DEPTH, MAX_STEPS = 12, 3000


class Poly:
    """A sum of monomials with rational factors; it does not change."""

    __slots__ = ("terms",)

    def __init__(self, terms: Mapping[Monomial, Fraction | int]) -> None:
        self.terms: dict[Monomial, Fraction] = {m: Fraction(c) for m, c in terms.items() if c}

    @classmethod
    def of(cls, value: int | str) -> Poly:
        """A number or a variable."""
        return cls({(value,): 1}) if isinstance(value, str) else cls({(): value})

    def __add__(self, other: Poly | int) -> Poly:
        terms = dict(self.terms)
        for monomial, factor in as_poly(other).terms.items():
            terms[monomial] = terms.get(monomial, Fraction(0)) + factor
        return Poly(terms)

    def __sub__(self, other: Poly | int) -> Poly:
        return self + as_poly(other) * -1

    def __neg__(self) -> Poly:
        return self * -1

    def __mul__(self, other: Poly | int | Fraction) -> Poly:
        if isinstance(other, (int, Fraction)):
            return Poly({m: c * other for m, c in self.terms.items()})
        terms: dict[Monomial, Fraction] = {}
        for first, c in self.terms.items():
            for second, d in other.terms.items():
                monomial = tuple(sorted((*first, *second)))
                terms[monomial] = terms.get(monomial, Fraction(0)) + c * d
        return Poly(terms)

    @property
    def constant(self) -> int | None:
        """Its value, if it has no variables."""
        if not self.terms:
            return 0
        return int(self.terms[()]) if set(self.terms) == {()} else None

    @property
    def variables(self) -> set[str]:
        """The names in it."""
        return {name for monomial in self.terms for name in monomial}

    def value(self, numbers: Mapping[str, int]) -> Fraction:
        """Its value where the variables have these."""
        total = Fraction(0)
        for monomial, factor in self.terms.items():
            for name in monomial:
                factor *= numbers[name]
            total += factor
        return total

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Poly) and self.terms == other.terms

    def __hash__(self) -> int:
        return hash(frozenset(self.terms.items()))

    def __str__(self) -> str:
        parts = []
        for monomial, factor in sorted(self.terms.items(), key=lambda item: (-len(item[0]), item[0])):
            body = "*".join(monomial)
            text = f"{abs(factor)}*{body}" if body and abs(factor) != 1 else body or str(abs(factor))
            parts.append((" - " if factor < 0 else " + ") + text)
        text = "".join(parts) or " + 0"
        return text[3:] if text.startswith(" + ") else f"-{text[3:]}"


def as_poly(value: Poly | int) -> Poly:
    """A polynomial, of a number too."""
    return value if isinstance(value, Poly) else Poly.of(value)


def never_positive(poly: Poly, facts: Iterable[Poly]) -> bool:
    """Whether a polynomial is shown to be at most zero wherever all `facts` are.

    A fact may be subtracted, times any monomial and a positive factor, as that makes the polynomial no smaller.  The
    search subtracts facts so that positive terms cancel, until none is left: variables are never negative.  It finds
    none where squares or cases would be needed.
    """
    return _Search(list(facts)).run(poly, 0)


class _Search:
    def __init__(self, facts: list[Poly]) -> None:
        self.facts, self.steps = facts, 0
        self.failed: dict[Poly, int] = {}

    def run(self, poly: Poly, depth: int) -> bool:
        """Whether it is never positive, found in so many steps."""
        positive = [(monomial, factor) for monomial, factor in poly.terms.items() if factor > 0]
        if not positive:
            return True
        if depth >= MAX_DEPTH or self.steps >= MAX_STEPS or self.failed.get(poly, MAX_DEPTH + 1) <= depth:
            return False
        self.steps += 1
        # The largest term first: what cancels it also brings in smaller ones.
        monomial, factor = max(positive, key=lambda item: (len(item[0]), item[0]))
        for fact in self.facts:
            for inside, by in fact.terms.items():
                if by > 0 and inside and (rest := _quotient(monomial, inside)) is not None:
                    if self.run(poly - fact * Poly({rest: factor / by}), depth + 1):
                        return True
                elif by > 0 and not inside and not monomial and self.run(poly - fact * (factor / by), depth + 1):
                    return True
        self.failed[poly] = depth
        return False


def _quotient(monomial: Monomial, by: Monomial) -> Monomial | None:
    """The monomial divided by another; None if it can't be."""
    rest = list(monomial)
    for name in by:
        if name not in rest:
            return None
        rest.remove(name)
    return tuple(rest)
