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
    of_sum,
    remainder_unsigned,
    scaled,
    subtract,
    sum_of,
    width,
)
from ttkit.validation.terms import REBUILD, Term, make

BITWISE = tuple(f"arith.{name}" for name in ("andi", "ori", "xori"))

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
    if sum_of(difference).get((), 0) % common_power(difference):
        return truth(False)  # a multiple of a power of two, and some more
    if is_bit(a) and is_bit(b) and not (a.is_const and not a.attr) and not (b.is_const and not b.attr):
        return negation(make_xor(is_set(a), is_set(b)))
    low, high = exact_interval(difference)
    bits = limits(width(a))
    if (low > 0 or high < 0) and bits[0] <= low and high <= bits[1]:
        return truth(False)
    if low == high == 0:
        return truth(True)
    for one, other in ((a, b), (b, a)):
        if one.head == "ite" and other.is_const and all(arg.is_const for arg in one.args[1:]):
            return choose(one.args[0], equal(one.args[1], other), equal(one.args[2], other))
    terms = [key for key in sum_of(difference) if key]
    if len(terms) == 1 and len(terms[0]) == 1 and terms[0][0].head == "ite":  # n + m * (c ? p : q) == 0
        [[choice]] = terms
        if all(arg.is_const for arg in choice.args[1:]):
            factor, rest = sum_of(difference)[terms[0]], sum_of(difference).get((), 0)
            ends = [number(rest + factor * arg.attr, a.sort) for arg in choice.args[1:]]
            return choose(choice.args[0], *(truth(end.attr == 0) for end in ends))
    opposite = scaled(difference, -1)
    leading = next(iter(factor for key, factor in sum_of(difference).items() if key))
    return make("eq", (difference if leading > 0 else opposite, number(0, a.sort)), None, "i1")


def is_bit(a: Term) -> bool:
    """Whether a number is 0 or 1."""
    low, high = interval(a)
    return low >= 0 and high <= 1


def is_set(bit: Term) -> Term:
    """bit != 0"""
    return negation(equal(bit, number(0, bit.sort)))


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
    return _of_multiples(a, b)


def _of_multiples(a: Term, b: Term) -> Term:
    """a < b, of what is left where both are a multiple of a power of two and some more: 4 m + 3 < 4 n is m < n."""
    step = min(common_power(a), common_power(b))
    rest, other = (sum_of(term).get((), 0) % step for term in (a, b))
    if step == 1 or (rest == 0 and other == 0 and not b.is_const):
        return make("slt", (a, b), None, "i1")
    base = add(a, number(-rest, a.sort))  # does not wrap: a multiple, and at most a
    if not b.is_const:
        below = add(b, number(-other, b.sort))
        return negation(less(below, base)) if rest < other else less(base, below)
    last = b.attr - 1 - (b.attr - 1 - rest) % step  # the largest number below b that a may be
    bound = last - rest + 1
    if bound <= limits(width(a))[0]:
        return truth(False)
    return make("slt", (base, number(bound, b.sort)), None, "i1")


def common_power(term: Term) -> int:
    """The largest power of two that is known to divide a sum without its constant part, but for wrapping."""
    found = 1 << (width(term) - 1)
    for key, factor in sum_of(term).items():
        if key:
            power = factor & -factor
            for part in key:
                if part.head in ("sext", "zext"):
                    inner = sum_of(part.args[0]).get((), 0)
                    power *= min(common_power(part.args[0]), (inner & -inner) or 1 << (width(part.args[0]) - 1))
            found = min(found, power)
    return found


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
    if a.head == "poly" and (parts := _low_part(a)) is not None:
        high, low = parts
        return add(resized(high, sort, signed), resized(low, sort, signed=False))
    if not signed and not never_negative(a):
        return make("zext", (a,), None, sort)
    if a.head == "poly" and _does_not_wrap(a):
        return _mapped(a, sort, lambda part: resized(part, sort, signed=True))
    if a.head == "ite" and all(arg.is_const for arg in a.args[1:]):
        return choose(a.args[0], *(resized(arg, sort, signed) for arg in a.args[1:]))
    if a.head in ("zext", "sext"):
        return make(a.head, a.args, None, sort)
    return make("zext" if never_negative(a) else "sext", (a,), None, sort)


def _low_part(a: Term) -> tuple[Term, Term] | None:
    """(h, l) with a = h + l, h a multiple of a power of two, and 0 <= l below it: so the sum does not wrap."""
    parts = dict(sum_of(a))
    constant = parts.pop((), 0)
    powers = {key: factor & -factor for key, factor in parts.items()}
    for step in sorted(set(powers.values()), reverse=True):
        low = of_sum({(): constant % step} | {k: f for k, f in parts.items() if powers[k] < step}, a.sort)
        least, most = exact_interval(low)
        if least >= 0 and 0 < most < step:
            kept = {key: factor for key, factor in parts.items() if powers[key] >= step}
            return of_sum({**kept, (): constant - constant % step}, a.sort), low
    return None


def _cut(part: Term, sort: str) -> Term:
    if part.head in ("sext", "zext"):
        inner = part.args[0]
        return resized(inner, sort, signed=part.head == "sext")
    if part.head == "trunc":
        return make("trunc", part.args, None, sort)
    if part.head == "call" and part.attr[0] in BITWISE:
        cut = sorted((resized(arg, sort, signed=False) for arg in part.args), key=lambda term: term.number)
        return make("call", cut, part.attr, sort)
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
