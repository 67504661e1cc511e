"""Functions of one number: two of them are equal if they are for all its values.

So conversions that lowered code makes of integer operations are the kernel's, whatever they look like.  Numbers of at
most 16 bits are tried one by one; of wider ones `float_circuits.py` asks z3.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

import ttkit.validation.floats as floats
from ttkit.interpreter.numerics.elementary import unpack_fp4
from ttkit.interpreter.numerics.rounding import NEAREST, TOWARD_ZERO, float_to_integer, rounded, saturated, widened
from ttkit.interpreter.values import DTYPES
from ttkit.validation.integers import sum_of
from ttkit.validation.lowered.bits import bytes_of
from ttkit.validation.lowered.float_circuits import equal_by_circuits
from ttkit.validation.terms import Term, make, rewritten

LARGEST_TRIED, LARGEST = 2, 8
"""Bytes of a number of which all values are tried, and of those that z3 is asked about."""
MOST_PARTS = 400
Array = np.ndarray


class Unknown(Exception):
    """A part of a term that is not evaluated here."""


def equal_for_all_values(first: Term, second: Term, known: dict[tuple[Term, Term], bool]) -> bool:
    """Whether two terms are functions of one number that agree for all its values, bit by bit.

    Args:
        known: what was found so far, of functions of any number.
    """
    leaf = leaf_of(first)
    if leaf is None or leaf is not leaf_of(second) or first.sort != second.sort:
        return False
    anything = make("read", (), "anything", leaf.sort)
    first, second = (
        rewritten(term, lambda part, args: None, lambda part: False, {leaf: anything}) for term in (first, second)
    )
    if (first, second) not in known:
        is_tried = bytes_of(leaf.sort) <= LARGEST_TRIED
        known[first, second] = (agree if is_tried else equal_by_circuits)(first, second, anything)
    return known[first, second]


def agree(first: Term, second: Term, leaf: Term) -> bool:
    """Whether two functions of a number agree for all its values."""
    given = numbers_of(leaf)
    try:
        with np.errstate(all="ignore"):
            one, other = (bits_of(term, evaluated(term, {leaf: given})) for term in (first, second))
    except Unknown:
        return False
    one, other = (np.broadcast_to(side, given.shape) for side in (one, other))
    return bool(((one == other) | (is_nan(first, one) & is_nan(first, other))).all())


def numbers_of(leaf: Term) -> Array:
    """All values of a number, in the order of their bits."""
    size = bytes_of(leaf.sort)
    values = np.arange(1 << 8 * size, dtype=np.uint64)
    return values.astype(f"u{size}").view(DTYPES[leaf.sort]) if leaf.sort[0] != "i" else values


def is_nan(term: Term, bits: Array) -> Array:
    """Which values are NaN, if a term is a float or its bits: NaNs are all the same."""
    sort = term.args[0].sort if term.head == "bitcast" else term.sort
    if sort[0] == "i":
        return np.zeros(bits.shape, np.bool_)
    return np.isnan(widened(bits.astype(f"u{bytes_of(sort)}").view(DTYPES[sort])))


def leaf_of(root: Term) -> Term | None:
    """The one number of memory or of a loop that a term is a function of; None if there is another leaf."""
    found, seen, stack = None, set(), [root]
    while stack:
        term = stack.pop()
        if term in seen:
            continue
        seen.add(term)
        if len(seen) > MOST_PARTS:
            return None
        if is_number_of_state(term):
            if term.sort == "i1" or bytes_of(term.sort) > LARGEST or found not in (None, term):
                return None
            found = term
        elif not term.args and not term.is_const:
            return None
        else:
            stack.extend(term.args)
    return found


def is_number_of_state(term: Term) -> bool:
    """Whether a term is a read of memory, or what a loop carries or a buffer holds where an iteration begins."""
    return term.head == "read" or (term.head == "call" and term.attr[0] in ("held", "iteration", "received"))


def width(sort: str) -> int:
    """Bits of integers of a sort."""
    return int(sort[1:])


def cut(values: Array, sort: str) -> Array:
    """Integers in the bits of a sort, without sign."""
    return values & np.uint64((1 << width(sort)) - 1)


def signed(values: Array, sort: str) -> Array:
    """The same bits as numbers with sign."""
    bits = width(sort)
    return (values << np.uint64(64 - bits)).view(np.int64) >> np.int64(64 - bits)


def bits_of(term: Term, values: Array) -> Array:
    """Values as integers of their bits."""
    if term.sort[0] == "i":
        return values
    return np.ascontiguousarray(values).view(f"u{bytes_of(term.sort)}").astype(np.uint64)


def evaluated(term: Term, memo: dict[Term, Array]) -> Array:
    """The values of a term: of integers without sign in 64 bits, of conditions 0 and 1, of floats in their type.

    Raises:
        Unknown: a part has no meaning here.
    """
    if term not in memo:
        if term.is_const:
            memo[term] = constant(term)
        else:
            memo[term] = applied(term, [evaluated(arg, memo) for arg in term.args])
    return memo[term]


def constant(term: Term) -> Array:
    """The value of a number."""
    if term.sort[0] == "i":
        return np.array([term.attr & ((1 << width(term.sort)) - 1)], np.uint64)
    return np.array([floats.value_of(term)], DTYPES[term.sort])


def applied(term: Term, args: list[Array]) -> Array:
    """An operation on values.

    Raises:
        Unknown: it has no meaning here.
    """
    name = term.head if term.head != "call" else term.attr if isinstance(term.attr, str) else term.attr[0]
    sort, sorts = term.sort, [arg.sort for arg in term.args]
    if name in BITWISE:
        return cut(BITWISE[name](*args), sort)
    if name in COMPARED:
        by_sign = name in ("slt", "arith.maxsi", "arith.minsi", "maxsi", "minsi")
        given = [signed(value, kind) for value, kind in zip(args, sorts)] if by_sign else args
        return cut(np.asarray(COMPARED[name](*given)).astype(np.uint64), sort)
    if name == "poly":
        return of_sum(term, dict(zip(term.args, args)))
    if name in ("divu", "remu"):
        if not term.args[1].is_const or not term.args[1].attr:
            raise Unknown
        return args[0] // args[1] if name == "divu" else args[0] % args[1]
    if name == "ite":
        return np.where(args[0] != 0, args[1], args[2])
    if name == "sext":
        return cut(signed(args[0], sorts[0]).view(np.uint64), sort)
    if name == "bitcast":
        bits = bits_of(term.args[0], args[0])
        return bits if sort[0] == "i" else bits.astype(f"u{bytes_of(sort)}").view(DTYPES[sort])
    if name == "packed":
        each = np.uint64(8 * bytes_of(sorts[0]))
        total = np.zeros(1, np.uint64)
        for value in reversed(args):
            total = total << each | value
        return total
    if name == "part":
        place, size = term.attr
        return cut(args[0] >> np.uint64(8 * size * place), sort)
    return of_floats(name, term, args)


BITWISE: dict[str, Callable[..., Array]] = {
    "and": lambda *parts: np.bitwise_and.reduce(np.broadcast_arrays(*parts)),
    "not": lambda value: value ^ np.uint64(1),
    "zext": lambda value: value,
    "trunc": lambda value: value,
    "arith.ori": operator.or_,
    "arith.andi": operator.and_,
    "arith.xori": operator.xor,
    "mul": operator.mul,
}
COMPARED: dict[str, Callable[..., Any]] = {
    "eq": np.equal,
    "ult": np.less,
    "slt": np.less,
    **{f"{prefix}{name}": function for prefix in ("", "arith.") for name, function in (
        ("minui", np.minimum), ("maxui", np.maximum), ("minsi", np.minimum), ("maxsi", np.maximum))},
}  # fmt: skip


def of_sum(term: Term, values: dict[Term, Array]) -> Array:
    """A sum of products."""
    total = np.zeros(1, np.uint64)
    for key, factor in sum_of(term).items():
        product = np.array([factor & ((1 << 64) - 1)], np.uint64)
        for part in key:
            product = product * values[part]
        total = total + product
    return cut(total, term.sort)


def of_floats(name: str, term: Term, args: list[Array]) -> Array:
    """An operation on floats.

    Raises:
        Unknown: it has no meaning here.
    """
    sort = term.sort
    if name in ("mulf", "addf") and len(args) == 2:
        return (args[0] * args[1] if name == "mulf" else args[0] + args[1]).astype(DTYPES[sort])
    if name == "negf":
        return -args[0]
    if name == "ttg.fp4_to_fp":
        return fp4_of(args[0], args[1]).astype(DTYPES[sort])
    if name == "arith.fptoui" and sort[0] == "i":
        found = float_to_integer(args[0], np.dtype(f"u{bytes_of(sort)}"), signed=False)
        return found.view(f"u{bytes_of(sort)}").astype(np.uint64)
    if name in ("arith.extf", "arith.truncf") and (name == "arith.extf" or term.attr[1:] in ((), ((),))):
        return rounded(widened(args[0]), DTYPES[sort])
    if name == "tt.fp_to_fp":
        wide, toward_zero = widened(args[0]), dict(term.attr[1]).get("rounding", "1") == "0"
        if bytes_of(sort) == 1:
            wide = saturated(wide, DTYPES[sort])
        return rounded(wide, DTYPES[sort], TOWARD_ZERO if toward_zero else NEAREST)
    raise Unknown


def fp4_of(byte: Array, half: Array) -> Array:
    """The numbers of 4 bits in the low halves of bytes, or in the high ones where `half` is 1."""
    pairs = unpack_fp4(byte.astype(np.uint8).reshape(-1, 1), 1)
    return np.where(half != 0, pairs[:, 1], pairs[:, 0])
