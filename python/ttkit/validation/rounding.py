"""Changes of float results that are rounding alone, by kind, as normal forms that forget what the kind may change."""

from __future__ import annotations

import math
from collections.abc import Callable

import ttkit.validation.floats as floats
from ttkit.validation.booleans import choose
from ttkit.validation.integers import number
from ttkit.validation.terms import REBUILD, Term, at_bound, make, rewritten

FUSION, REASSOCIATION = "fusion of a product and a sum", "reassociation"
ORDER = "another order of sums"
PRECISION = "precision of products"
BY_THREADS = "by threads"
"""Marks the precision of a dot that threads compute, exactly, and tensor cores may compute in that precision."""
SCALED = "maxima of products with one factor"
KINDS: tuple[tuple[str, ...], ...] = ((FUSION,), (REASSOCIATION,), (SCALED,), (FUSION, REASSOCIATION))
"""Sets of kinds, the smaller first."""
SUMS = {"addf": "sum", "mulf": "product"}
MOST_OPERANDS = 64


def normal(root: Term, kinds: tuple[str, ...]) -> Term:
    """A term in which what these kinds may change is written in one way only."""

    def replace(term: Term, args: tuple[Term, ...]) -> Term | None:
        """The part in the one way."""
        head, attr = term.head, term.attr
        if SCALED in kinds and head == "reduce":
            return scaled_maximum(args, attr, term.sort)
        if FUSION in kinds:
            if head == "dot" and term.sort[0] == "f" and not _is_zero(args[2]):
                return replace_sum(make(head, (*args[:2], floats.constant(0.0, term.sort)), attr, term.sort), args[2])
            if head == "call" and attr[0] == "math.fma":
                return replace_sum(again("mulf", args[:2], term.sort), args[2])
        return again(head, args, term.sort) if REASSOCIATION in kinds and head in SUMS else None

    def replace_sum(a: Term, b: Term) -> Term:
        """a + b"""
        return again("addf", (a, b), a.sort)

    def again(head: str, args: tuple[Term, ...], sort: str) -> Term:
        """A sum or a product; of all operands at once if their order may change."""
        if REASSOCIATION not in kinds:
            return REBUILD[head](args, None, sort)
        flat: list[Term] = []
        for arg in args:
            flat += arg.args if arg.head == SUMS[head] else (arg,)
        if len(flat) > MOST_OPERANDS:
            return make(head, args, None, sort)
        if head == "addf" and len(flat) > 2:  # 0 + x is another number than x where that is -0
            flat = [arg for arg in flat if not _is_zero(arg)] or flat[:1]
        if len(flat) == 1:
            return flat[0]
        return make(SUMS[head], sorted(flat, key=lambda term: term.number), None, sort)

    return rewritten(root, replace, lambda term: False, {})


MAXIMA = {"maxnumf": "minnumf", "maximumf": "minimumf"}


def scaled_maximum(args: tuple[Term, ...], attr: tuple[int, int, int], sort: str) -> Term | None:
    """The maximum of products that have a factor in common, as a product with a maximum or a minimum; None without one.

    Rounding keeps the order of numbers.  Zeros may have another sign, and NaN may be left out elsewhere.
    """
    combines = args[0].args[0]
    if len(args) != 2 or combines.head not in MAXIMA or {arg.head for arg in combines.args} != {"element"}:
        return None
    if args[1].head != "mulf":
        return None
    for factor, plain in (args[1].args, args[1].args[::-1]):
        if factor.level >= attr[2]:
            continue
        size, place, level = attr
        lower = 1 + at_bound(plain, size, level, number(0, "i32")).level
        body = at_bound(plain, size, level, make("bound", (), (lower, size), "i32"))
        sides = []
        for name in (combines.head, MAXIMA[combines.head]):
            region = make("closed", (make(name, combines.args, None, sort),), "region", "i32")
            found = make("reduce", (region, body), (size, place, lower), sort)
            sides.append(REBUILD["mulf"]((factor, found), None, sort))
        if not factor.is_const:
            return choose(floats.compare(2, factor, floats.constant(0.0, sort)), *sides)
        return sides[0] if 0 < float(floats.value_of(factor)) < math.inf else None
    return None


def _is_zero(term: Term) -> bool:
    return term.is_const and float(floats.value_of(term)) == 0


def rounding_between(a: Term, b: Term, same: Callable[[Term, Term], bool]) -> tuple[str, ...] | None:
    """The kinds of rounding by which floats differ; None if it is more than that."""
    for kinds in KINDS:
        first, second = normal(a, kinds), normal(b, kinds)
        if (first is not a or second is not b) and same(first, second):
            return kinds
    return None


def precisions_between(a: Term, b: Term) -> tuple[str, ...] | None:
    """The kinds of rounding by which dots of equal operands differ: one may be by threads; None if it is more."""
    (size, one, *rest), (other_size, other, *other_rest) = a.attr, b.attr
    if a.attr == b.attr:
        return ()
    marked = (BY_THREADS, one) == other or one == (BY_THREADS, other)
    return (PRECISION,) if marked and (size, rest) == (other_size, other_rest) else None
