"""Exact facts about comparisons of integers, and about changes of their width."""

from __future__ import annotations

from collections.abc import Callable

from ttkit.validation.booleans import choose, negation, truth
from ttkit.validation.integers import (
    add,
    exact_interval,
    interval,
    limits,
    multiply,
    never_negative,
    number,
    remainder_unsigned,
    scaled,
    subtract,
    sum_of,
    width,
)
from ttkit.validation.terms import REBUILD, Term, make

# --- comparisons


def equal(a: Term, b: Term) -> Term:
    """a == b of integers or booleans."""
    if a is b:
        return truth(True)
    if a.sort == "i1":
        return negation(make_xor(a, b))
    if a.sort[0] != "i":
        return make("same", sorted((a, b), key=lambda t: t.number), None, "i1")
    difference = subtract(a, b)
    if difference.is_const:
        return truth(difference.attr == 0)
    low, high = exact_interval(difference)
    bits = limits(width(a))
    if (low > 0 or high < 0) and bits[0] <= low and high <= bits[1]:
        return truth(False)
    for one, other in ((a, b), (b, a)):
        if one.head == "ite" and other.is_const and all(arg.is_const for arg in one.args[1:]):
            return choose(one.args[0], equal(one.args[1], other), equal(one.args[2], other))
    opposite = scaled(difference, -1)
    leading = next(iter(factor for key, factor in sum_of(difference).items() if key))
    return make("eq", (difference if leading > 0 else opposite, number(0, a.sort)), None, "i1")


def make_xor(a: Term, b: Term) -> Term:
    """a != b of booleans."""
    return choose(a, negation(b), b)


def less(a: Term, b: Term) -> Term:
    """a < b of signed numbers."""
    if a is b:
        return truth(False)
    (low, high), (least, most) = interval(a), interval(b)
    if high < least:
        return truth(True)
    if low >= most:
        return truth(False)
    difference = subtract(a, b)
    below, above = exact_interval(difference)
    if _does_not_wrap(a) and _does_not_wrap(b):
        if above < 0:
            return truth(True)
        if below >= 0:
            return truth(False)
    if a.is_const and a.attr < limits(width(a))[1]:
        return negation(less(b, number(a.attr + 1, a.sort)))
    for one, other, first in ((a, b, True), (b, a, False)):
        if one.head == "ite" and other.is_const and all(arg.is_const for arg in one.args[1:]):
            sides = [less(arg, other) if first else less(other, arg) for arg in one.args[1:]]
            return choose(one.args[0], *sides)
    return make("slt", (a, b), None, "i1")


def _does_not_wrap(term: Term) -> bool:
    low, high = exact_interval(term)
    least, most = limits(width(term))
    return least <= low and high <= most


def less_unsigned(a: Term, b: Term) -> Term:
    """a < b of unsigned numbers."""
    if never_negative(a) and never_negative(b):
        return less(a, b)
    if a is b:
        return truth(False)
    if a.is_const and b.is_const:
        mask = (1 << width(a)) - 1
        return truth((a.attr & mask) < (b.attr & mask))
    return make("ult", (a, b), None, "i1")


def compare(predicate: int, a: Term, b: Term) -> Term:
    """arith.cmpi: eq ne slt sle sgt sge ult ule ugt uge."""
    if predicate < 2:
        same = equal(a, b)
        return negation(same) if predicate else same
    if a.sort == "i1":
        zero_or_minus = predicate < 6
        a, b = (choose(t, number(-1 if zero_or_minus else 1, "i8"), number(0, "i8")) for t in (a, b))
    below = less if predicate < 6 else less_unsigned
    kind = (predicate - 2) % 4
    return (below(a, b), negation(below(b, a)), below(b, a), negation(below(a, b)))[kind]


# --- widths


def resized(a: Term, sort: str, signed: bool) -> Term:
    """A number in another width: cut, or with high bits that repeat the sign or are zero."""
    bits = int(sort[1:])
    if a.sort == sort:
        return a
    if a.sort == "i1":
        return choose(a, number(-1 if signed else 1, sort), number(0, sort))
    if bits == 1:
        return equal(remainder_unsigned(a, number(2, a.sort)), number(1, a.sort))
    if bits < width(a):
        return _mapped(a, sort, lambda part: _cut(part, sort))
    if a.is_const:
        return number(a.attr if signed else a.attr & ((1 << width(a)) - 1), sort)
    if not signed and not never_negative(a):
        return make("zext", (a,), None, sort)
    if a.head == "poly" and _does_not_wrap(a):
        return _mapped(a, sort, lambda part: resized(part, sort, signed=True))
    if a.head == "ite" and all(arg.is_const for arg in a.args[1:]):
        return choose(a.args[0], *(resized(arg, sort, signed) for arg in a.args[1:]))
    if a.head in ("zext", "sext"):
        return make(a.head, a.args, None, sort)
    return make("zext" if never_negative(a) else "sext", (a,), None, sort)


def _cut(part: Term, sort: str) -> Term:
    if part.head in ("sext", "zext"):
        inner = part.args[0]
        return resized(inner, sort, signed=part.head == "sext")
    if part.head == "trunc":
        return make("trunc", part.args, None, sort)
    return make("trunc", (part,), None, sort)


def _mapped(a: Term, sort: str, change: Callable[[Term], Term]) -> Term:
    """The sum of products of changed parts."""
    total = number(0, sort)
    for key, factor in sum_of(a).items():
        product = number(factor, sort)
        for part in key:
            product = multiply(product, change(part))
        total = add(total, product)
    return total


REBUILD.update(
    eq=lambda args, attr, sort: equal(*args),
    same=lambda args, attr, sort: equal(*args),
    slt=lambda args, attr, sort: less(*args),
    ult=lambda args, attr, sort: less_unsigned(*args),
    sext=lambda args, attr, sort: resized(args[0], sort, signed=True),
    zext=lambda args, attr, sort: resized(args[0], sort, signed=False),
    trunc=lambda args, attr, sort: resized(args[0], sort, signed=False),
)
