"""Sums in another order: what is added up, as a list; and loops that carry the parts of a sum in place of the sum.

    for ...: s = s * a + sum(p)            for ...: parts = parts * a + [sum(q) for q in columns of p]
    use(s)                             =   use(sum(parts))

Sums of real numbers are equal if the same products are added up: products are distributed over sums, and a reduction by
additions is the sum of its elements.  A number and its opposite stay both, as their difference has errors of its own.
"""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from typing import Any, TypeAlias

import ttkit.validation.floats as floats
from ttkit.validation.comparisons import less
from ttkit.validation.integers import number
from ttkit.validation.loops import replaced
from ttkit.validation.pairing import equations, paired, symbol_of
from ttkit.validation.terms import Term, at_bound, at_index, make

MOST_PRODUCTS = 1024
"""Products that a sum may have."""
MOST_UNEQUAL = 8
"""Products that need not be the same, but equal."""
Products: TypeAlias = "dict[tuple[bool, tuple[Term, ...]], Fraction]"
"""How often products are added, by whether they are negative, and their factors."""


class TooLarge(Exception):
    """A sum of more products than MOST_PRODUCTS."""


def added(root: Term) -> Products:
    """The products that are added up to a number.

    Raises:
        TooLarge: there are too many.
    """
    head, args = root.head, root.args
    if root.is_const:
        value = float(floats.value_of(root))
        if not value or not math.isfinite(value):
            return {(False, (root,)): Fraction(1)}
        return {(value < 0, ()): Fraction(abs(value))}
    if head in ("addf", "sum"):
        return joined([added(arg) for arg in args])
    if head == "negf":
        return {(not negative, factors): times for (negative, factors), times in added(args[0]).items()}
    if head in ("mulf", "product"):
        found = added(args[0])
        for arg in args[1:]:
            found = multiplied(found, added(arg))
        return found
    if head == "call" and root.attr[0] == "math.fma":
        return joined([multiplied(added(args[0]), added(args[1])), added(args[2])])
    if is_sum(root):
        return reduced(root)
    if head == "dot" and root.sort[0] == "f" and not args[2].is_const:
        product = make(head, (*args[:2], floats.constant(0.0, root.sort)), root.attr, root.sort)
        return joined([added(product), added(args[2])])
    return {(False, (root,)): Fraction(1)}


def reduced(root: Term) -> Products:
    """The products of all elements that a reduction adds up.

    Values that a loop leaves, or carries, stay one sum of all elements: products are those of this sum.

    Raises:
        TooLarge: there are too many.
    """
    region, body = root.args
    size, _, level = root.attr
    found: list[Products] = []
    for (negative, factors), times in added(body).items():
        own = [factor for factor in factors if factor.level >= level]
        others = tuple(factor for factor in factors if factor.level < level)
        if len(own) == 1 and own[0].head in ("final", "carried"):
            key = tuple(sorted((*others, sum_of_all(region, own[0], size, level)), key=lambda term: term.number))
            found.append({(negative, key): times})
            continue
        if size > MOST_PRODUCTS:
            raise TooLarge
        for place in range(size):
            made: Products = {(negative, ()): times}
            for factor in own:
                made = multiplied(made, added(at_bound(factor, size, level, number(place, "i32"))))
            found.append(multiplied(made, {(False, others): Fraction(1)}))
    return joined(found)


def sum_of_all(region: Term, of: Term, size: int, level: int) -> Term:
    """The sum of a term over the index of a level, as the term that a reduction makes."""
    lower = 1 + at_bound(of, size, level, number(0, "i32")).level
    return make(
        "reduce",
        (region, at_bound(of, size, level, make("bound", (), (lower, size), "i32"))),
        (size, 0, lower),
        of.sort,
    )


def joined(parts: list[Products]) -> Products:
    """The sum of sums; raises TooLarge."""
    found: Products = {}
    for part in parts:
        for key, times in part.items():
            found[key] = times if any(map(is_zero, key[1])) else found.get(key, Fraction(0)) + times
    if len(found) > MOST_PRODUCTS:
        raise TooLarge
    return found


def multiplied(ones: Products, others: Products) -> Products:
    """The product of sums; raises TooLarge."""
    if len(ones) * len(others) > MOST_PRODUCTS:
        raise TooLarge
    found: list[Products] = []
    for (negative, factors), times in ones.items():
        for (other_negative, more), other_times in others.items():
            key = negative != other_negative, tuple(sorted((*factors, *more), key=lambda term: term.number))
            found.append({key: times * other_times})
    return joined(found)


def is_zero(term: Term) -> bool:
    """Whether a term is zero: a product with it may be NaN, and only in sums of more than two it changes nothing."""
    return term.is_const and float(floats.value_of(term)) == 0


def without_zeros(products: Products) -> Products:
    """A sum without the number zero, unless that is one of two: the other one may be a zero of another sign."""
    kept = {key: times for key, times in products.items() if not (len(key[1]) == 1 and is_zero(key[1][0]))}
    return kept if len(products) > 2 else products


def is_sum(term: Term) -> bool:
    """Whether a term is a reduction of one tensor by additions of floats."""
    if term.head != "reduce" or len(term.args) != 2 or term.sort[0] == "i":
        return False
    region = term.args[0].args
    return len(region) == 1 and region[0].head == "addf" and {arg.head for arg in region[0].args} == {"element"}


def same_products(comparison: Any, a: Term, b: Term, given: tuple[Term, ...]) -> bool:
    """Whether two numbers are sums of the same products; factors of a few of them may be equal for other reasons.

    Args:
        comparison: the `Comparison` that asks.
    """
    try:
        ones, others = without_zeros(added(a)), without_zeros(added(b))
    except TooLarge:
        return False
    left = [(key, times) for key, times in ones.items() if others.get(key) != times]
    rest = [(key, times) for key, times in others.items() if ones.get(key) != times]
    if (
        len(left) != len(rest)
        or len(left) > MOST_UNEQUAL
        or (len(left) == len(ones) == 1 and ones.keys() <= {(False, (a,))})
    ):
        return False

    def fits(one: Any, other: Any) -> bool:
        """Whether products are equal, but for one factor of each that is known to be."""
        ((negative, factors), times), ((other_negative, more), other_times) = one, other
        mine, theirs = (
            list((Counter(factors) - Counter(more)).elements()),
            list((Counter(more) - Counter(factors)).elements()),
        )
        alike = (negative, times) == (other_negative, other_times) and len(mine) == len(theirs) == 1
        return alike and bool(comparison.same(mine[0], theirs[0], given))

    for one in left:
        found = next((other for other in rest if fits(one, other)), None)
        if found is None:
            return False
        rest.remove(found)
    return True


def sums_parts(comparison: Any, a: Term, b: Term, given: tuple[Term, ...]) -> bool:
    """Whether a loop leaves `a`, which is the sum of what another loop leaves in its place, `b`: by induction.

    Args:
        comparison: the `Comparison` that asks.
    """
    if a.head != "final" or not is_sum(b) or b.args[1].head != "final":
        return False
    system, other, index = a.args[0], b.args[1].args[0], b.args[1].args[1:]
    (level, kind, roots), mine = system.attr[:3], system.args[1]
    if other.attr[:3] != (level, kind, roots) or (kind, roots) != ("for", 2):
        return False
    theirs = other.args[1]
    if not (mine.head == theirs.head == "carried" and mine.attr[0] == theirs.attr[0] == level):
        return False
    ones, others = equations(system), equations(other)
    pairs = paired(system, other, level, ones, others)
    name, parts = mine.attr[1], theirs.attr[1]
    if pairs.get(name) != parts or not ones.keys() <= pairs.keys():
        return False

    def total(of: Term) -> Term:
        """The sum of all parts, as the loop after the pass leaves them."""
        size, _, inner = b.attr
        return sum_of_all(b.args[0], at_index(of, dict(enumerate(index))), size, inner)

    own = make("carried", [make("x", (), (d, 0)) for d in range(len(index))], (level, ("part", parts)), b.sort)
    symbols = {m: symbol_of(system, level, n) for n, m in pairs.items()} | {parts: own}
    known = (*given, less(make("count", (), (level,), system.args[0].sort), system.args[0]))

    def before(term: Term) -> Term:
        """A term of the first loop, with the sum of the parts in place of what it carries."""
        return replaced(term, level, {name: total(own)})

    def after(term: Term) -> Term:
        """A term of the second loop, by the names of the first."""
        return replaced(term, level, {m: symbol for m, symbol in symbols.items() if symbol is not None})

    if not comparison.same(system.args[0], after(other.args[0]), given):
        return False
    for n, m in pairs.items():
        first, following = others[m][0], after(others[m][1])
        if n == name:
            first, following = total(first), total(following)
        if not comparison.same(ones[n][0], first, given):
            return False
        if not comparison.same(before(ones[n][1]), following, known):
            return False
    return True
