"""Exact facts about integers of a width, which wrap: polynomials, intervals, quotients.

What a number may be, an interval, comes from the sizes of tensors, from remainders and from the facts of the session.
"""

from __future__ import annotations

import math
from operator import attrgetter
from typing import Any, TypeAlias

from ttkit.validation.terms import PLACED, REBUILD, Interval, Term, make, session

Sum: TypeAlias = "dict[tuple[Term, ...], int]"
"""Products, each a sorted tuple of factors, and how often each occurs; () is the constant."""
LEAST = {"program": 0, "programs": 1, "multiprocessors": 1, "count": 0, "round": 0}
"""The least that numbers of the launch and of loops are, by the heads of their symbols."""
MOST_PRODUCTS = 64
"""Products of a sum that are multiplied out."""


number_of = attrgetter("number")


def width(term: Term) -> int:
    """Bits of an integer."""
    return int(term.sort[1:])


def wrapped(value: int, bits: int) -> int:
    """The signed number of some bits."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if bits > 1 and value >> (bits - 1) else value


def unsigned(constant: Term) -> int:
    """The unsigned number that a constant is."""
    return int(constant.attr) & ((1 << width(constant)) - 1)


def number(value: int, sort: str) -> Term:
    """A constant."""
    return make("const", (), wrapped(int(value), int(sort[1:])), sort)


def limits(bits: int) -> Interval:
    """All signed numbers."""
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if bits > 1 else (0, 1)


# --- polynomials


def sum_of(term: Term) -> Sum:
    """A term as a sum of products."""
    if term.head == "const":
        return {(): term.attr} if term.attr else {}
    if term.head != "poly":
        return {(term,): 1}
    if term.cache is None:
        term.cache = {}
    found = term.cache.get("sum")
    if found is None:
        found, args = {}, list(term.args)
        for factor, count in term.attr:
            found[tuple(args[:count])] = factor
            del args[:count]
        term.cache["sum"] = found
    return found


def of_sum(products: Sum, sort: str) -> Term:
    """The term of a sum of products."""
    bits = int(sort[1:])
    kept, has_remainders = {}, False
    for key, factor in products.items():
        value = wrapped(factor, bits)
        if value:
            kept[key] = value
            if len(key) == 1 and key[0].head == "remu":
                has_remainders = True
    if has_remainders:
        _join_remainders(kept, bits)
    if not kept:
        return number(0, sort)
    if len(kept) == 1:
        [(key, factor)] = kept.items()
        if not key:
            return number(factor, sort)
        if factor == 1 and len(key) == 1:
            return key[0]
    order = sorted(kept, key=lambda key: [term.number for term in key])
    return make("poly", tuple([t for key in order for t in key]), tuple([(kept[key], len(key)) for key in order]), sort)


def _join_remainders(products: Sum, bits: int) -> None:
    """c * (a / c) + a % c -> a"""
    for key in [key for key in products if len(key) == 1 and key[0].head == "remu"]:
        if key not in products:
            continue
        a, c = key[0].args
        quotient = (make("divu", (a, c), None, a.sort),)
        factor = products[key]
        if quotient in products and c.is_const and products[quotient] == wrapped(factor * c.attr, bits):
            del products[quotient], products[key]
            for product, times in sum_of(a).items():
                value = wrapped(products.pop(product, 0) + times * factor, bits)
                if value:
                    products[product] = value


def add(a: Term, b: Term, factor: int = 1) -> Term:
    """a + factor * b"""
    total = dict(sum_of(a))
    for key, times in sum_of(b).items():
        total[key] = total.get(key, 0) + factor * times
    return of_sum(total, a.sort)


def subtract(a: Term, b: Term) -> Term:
    """a - b"""
    return add(a, b, -1)


def multiply(a: Term, b: Term) -> Term:
    """a * b"""
    first, second = sum_of(a), sum_of(b)
    if len(first) * len(second) > MOST_PRODUCTS:
        return make("mul", sorted((a, b), key=lambda t: t.number), None, a.sort)
    total: Sum = {}
    for key, times in first.items():
        for other, more in second.items():
            product = tuple(sorted((*key, *other), key=lambda t: t.number))
            total[product] = total.get(product, 0) + times * more
    return of_sum(total, a.sort)


def scaled(a: Term, factor: int) -> Term:
    """a * factor"""
    return of_sum({key: times * factor for key, times in sum_of(a).items()}, a.sort)


def _poly(args: tuple[Term, ...], attr: tuple[tuple[int, int], ...], sort: str) -> Term:
    total: Sum = {}
    place = 0
    for factor, count in attr:
        factors = args[place : place + count]
        place += count
        heads = [term.head for term in factors]
        if "poly" in heads and count > 1:
            product = number(factor, sort)
            for term in factors:
                product = multiply(product, term)
            products, factor = sum_of(product), 1
        elif count == 1 and heads[0] in ("poly", "const"):
            products = sum_of(factors[0])
        else:
            if "const" in heads:
                factor *= math.prod(term.attr for term in factors if term.head == "const")
                factors = tuple(term for term in factors if term.head != "const")
            products = {tuple(sorted(factors, key=number_of)) if len(factors) > 1 else factors: 1}
        for key, times in products.items():
            total[key] = total.get(key, 0) + times * factor
    return of_sum(total, sort)


def _placed(term: Term, args: tuple[Term, ...], dimension: int, place: int) -> Term | None:
    """A sum in which only products with one bare index change: its factors do."""
    if term.cache is None:
        term.cache = {}
    found = term.cache.get(dimension)
    if found is None:
        found = term.cache[dimension] = _moved(term, args, dimension)
    keys, factors, steps, factors_of = found
    if not keys:
        return None
    bits = int(term.sort[1:])
    now = [wrapped(factor + step * place, bits) for factor, step in zip(factors, steps)]
    if all(now) and len(keys) > 1:
        return make("poly", factors_of, tuple(zip(now, map(len, keys))), term.sort)
    return of_sum(dict(zip(keys, now)), term.sort)


def _moved(term: Term, args: tuple[Term, ...], dimension: int) -> tuple[Any, ...]:
    """Products without the index along a dimension, factors, what an index adds to them; empty if there are others."""
    if any(one is not new and one.head != "x" for one, new in zip(term.args, args)):
        return (), (), (), ()
    factors: Sum = {}
    steps: Sum = {}
    for key, factor in sum_of(term).items():
        rest = tuple(one for one in key if one.head != "x" or one.attr[0] != dimension)
        if len(key) - len(rest) > 1 or any(one.head == "remu" for one in rest):
            return (), (), (), ()
        side = factors if len(rest) == len(key) else steps
        side[rest] = side.get(rest, 0) + factor
    keys = sorted({**factors, **steps}, key=lambda key: [one.number for one in key])
    counts = ([side.get(key, 0) for key in keys] for side in (factors, steps))
    return (keys, *counts, tuple(one for key in keys for one in key))


# --- intervals


def interval(term: Term) -> Interval:
    """Signed numbers that a term may be."""
    if term.head == "const":
        return term.attr, term.attr
    if term.cache is None:
        term.cache = {}
    found = term.cache.get("interval")
    if found is None:
        low, high = _interval(term)
        known = session().facts.get(term)
        found = term.cache["interval"] = (low, high) if known is None else (max(low, known[0]), min(high, known[1]))
    return found


def exact_interval(term: Term) -> Interval:
    """The same of a sum, as if integers did not wrap."""
    low = high = 0
    products = dict(sum_of(term))
    for fact, (least, most) in session().facts.items():  # a fact about a difference of terms
        if fact.head != "poly" or fact.sort != term.sort:
            continue
        parts = sum_of(fact)
        key, factor = next(iter(parts.items()))
        times = products.get(key, 0) // factor
        if times and all(products.get(key) == times * factor for key, factor in parts.items()):
            products = {key: factor for key, factor in products.items() if key not in parts}
            changes = sorted((times * least, times * most))
            low, high = low + changes[0], high + changes[1]
    for key, factor in products.items():
        ends = (factor, factor)
        for part in key:
            least, most = interval(part)
            corners = [end * other for end in ends for other in (least, most)]
            ends = min(corners), max(corners)
        low, high = low + ends[0], high + ends[1]
    return low, high


def _interval(term: Term) -> Interval:
    everything = limits(width(term))
    if term.head == "x":
        return 0, term.attr[1] - 1
    if term.head == "bound":
        return 0, term.attr[1] - 1
    if term.head in LEAST:
        return LEAST[term.head], everything[1]
    if term.head == "poly":
        low, high = exact_interval(term)
        return (low, high) if everything[0] <= low and high <= everything[1] else everything
    if term.head in ("sext", "zext"):
        low, high = interval(term.args[0])
        return (low, high) if term.head == "sext" or low >= 0 else (0, (1 << width(term.args[0])) - 1)
    if term.head == "ite":
        sides = [interval(arg) for arg in term.args[1:]]
        return min(low for low, _ in sides), max(high for _, high in sides)
    if term.head in ("remu", "divu") and term.args[1].is_const and term.args[1].attr > 0:
        low, high = interval(term.args[0])
        divisor = term.args[1].attr
        if term.head == "remu":
            return 0, min(divisor - 1, high) if low >= 0 else divisor - 1
        if low >= 0:
            return low // divisor, high // divisor
        return (0, ((1 << width(term)) - 1) // divisor) if divisor > 1 else everything
    if term.head == "call" and term.attr[0] in ("arith.ori", "arith.xori"):
        ends = [interval(arg) for arg in term.args]
        if min(low for low, _ in ends) >= 0:
            return 0, (1 << max(high.bit_length() for _, high in ends)) - 1
    if term.head == "call" and term.attr[0] == "arith.ceildivsi" and term.args[1].is_const and term.args[1].attr > 0:
        low, high = interval(term.args[0])
        return -(-low // term.args[1].attr), -(-high // term.args[1].attr)
    if term.head == "call" and term.attr[0] == "arith.andi":
        masks = [arg.attr for arg in term.args if arg.is_const and arg.attr >= 0]
        return (0, min(masks)) if masks else everything
    if "minsi" in (term.head, term.attr) or "maxsi" in (term.head, term.attr):  # of two, or a reduction
        lows, highs = zip(*map(interval, term.args))
        pick = min if "minsi" in (term.head, term.attr) else max
        return pick(lows), pick(highs)
    return everything


def never_negative(term: Term) -> bool:
    """Whether a term is 0 or more."""
    return interval(term)[0] >= 0


# --- quotients


def divide_unsigned(a: Term, b: Term) -> Term:
    """a / b of unsigned numbers, b a positive constant or any term."""
    if a.is_const and b.is_const and b.attr:
        return number(unsigned(a) // unsigned(b), a.sort)
    if not b.is_const or b.attr <= 0:
        return make("divu", (a, b), None, a.sort)
    divisor = b.attr
    if divisor == 1:
        return a
    low, high = interval(a)
    if low >= 0 and high < divisor:
        return number(0, a.sort)
    if a.head == "divu" and a.args[1].is_const and a.args[1].attr * divisor < 1 << (width(a) - 1):
        return divide_unsigned(a.args[0], number(a.args[1].attr * divisor, a.sort))
    if a.head == "remu" and a.args[1].is_const and a.args[1].attr > 0 and a.args[1].attr % divisor == 0:
        return remainder_unsigned(divide_unsigned(a.args[0], b), number(a.args[1].attr // divisor, a.sort))
    if (split := _split(a, divisor)) is not None:
        whole, rest = split
        return add(whole, divide_unsigned(rest, b))
    return make("divu", (a, b), None, a.sort)


def _split(a: Term, divisor: int) -> tuple[Term, Term] | None:
    """(q, r) with a = divisor * q + r, both not negative, nothing wrapping; None without."""
    if a.head != "poly" or exact_interval(a) != interval(a) or interval(a)[0] < 0:
        return None
    parts = sum_of(a)
    whole = {key: factor // divisor for key, factor in parts.items()}
    rest = {key: factor % divisor for key, factor in parts.items()}
    if not any(whole.values()):
        return None
    quotient, remains = of_sum(whole, a.sort), of_sum(rest, a.sort)
    bits = limits(width(a))
    if exact_interval(quotient)[0] < 0 or exact_interval(remains)[0] < 0 or exact_interval(remains)[1] > bits[1]:
        return None
    return quotient, remains


def remainder_unsigned(a: Term, b: Term) -> Term:
    """a % b of unsigned numbers, b a positive constant or any term."""
    if a.is_const and b.is_const and b.attr:
        return number(unsigned(a) % unsigned(b), a.sort)
    if not b.is_const or b.attr <= 0:
        return make("remu", (a, b), None, a.sort)
    divisor = b.attr
    if divisor == 1:
        return number(0, a.sort)
    low, high = interval(a)
    if low >= 0 and high < divisor:
        return a
    if a.head == "remu" and a.args[1].is_const and a.args[1].attr > 0 and a.args[1].attr % divisor == 0:
        return remainder_unsigned(a.args[0], b)
    if divisor & (divisor - 1) == 0 and a.head == "poly":  # wrapping does not change it
        rest = of_sum({key: factor % divisor for key, factor in sum_of(a).items()}, a.sort)
        if rest is not a:
            return remainder_unsigned(rest, b)
    if (split := _split(a, divisor)) is not None:
        return remainder_unsigned(split[1], b)
    return make("remu", (a, b), None, a.sort)


PLACED["poly"] = _placed
REBUILD.update(
    poly=_poly,
    mul=lambda args, attr, sort: multiply(*args),
    divu=lambda args, attr, sort: divide_unsigned(*args),
    remu=lambda args, attr, sort: remainder_unsigned(*args),
)
