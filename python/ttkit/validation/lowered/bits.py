"""Values as bits: what a word of several values is, what a part of a word is.

    packed(a, b)        the word whose lower half is a, and whose upper half is b
    part[k, n](a)       bytes k n to k n + n - 1 of a word

Words and their parts are integers; a value of another type is a `bitcast` of one.  A choice of words is the choice of
their parts, and a word of all parts of a word is that word.
"""

from __future__ import annotations

import functools
import math

from ttkit.interpreter.values import DTYPES
from ttkit.validation.bitcasts import recast
from ttkit.validation.booleans import choose, negation
from ttkit.validation.comparisons import equal, resized
from ttkit.validation.integers import number
from ttkit.validation.terms import REBUILD, Term, make
from ttkit.validation.values import NotModelled

INTEGERS = ("i8", "i16", "i32", "i64")


@functools.cache
def bytes_of(sort: str) -> int:
    """Bytes of a sort; of i1 one."""
    return int(DTYPES[sort].itemsize)


def integer_sort(size: int) -> str:
    """The sort of integers of some bytes."""
    return f"i{8 * size}"


@functools.cache
def word_of(sort: str) -> str:
    """The sort of integers of a sort's size."""
    return integer_sort(bytes_of(sort))


def cast(term: Term, sort: str) -> Term:
    """The same bits in another sort of that size.

    Raises:
        NotModelled: the sorts have different sizes.
    """
    if term.sort == sort:
        return term
    if "i1" in (term.sort, sort) or bytes_of(term.sort) != bytes_of(sort):
        raise NotModelled(f"bits of {term.sort} as {sort}")
    return recast(term, sort)


def bits(term: Term) -> Term:
    """A value as an integer of its bits; i1 as a byte."""
    if term.sort in INTEGERS:
        return term
    if term.sort == "i1":
        return choose(term, number(1, "i8"), number(0, "i8"))
    return recast(term, word_of(term.sort))


def split(term: Term, size: int) -> list[Term]:
    """The parts of a value, the lowest first: integers of `size` bytes."""
    term = bits(term)
    total = bytes_of(term.sort)
    if total == size:
        return [term]
    count, sort = total // size, integer_sort(size)
    if term.is_const:
        return [number(term.attr >> (8 * size * k), sort) for k in range(count)]
    if term.head == "packed":
        inner = bytes_of(term.args[0].sort)
        if inner >= size:
            return [piece for arg in term.args for piece in split(arg, size)]
        each = size // inner
        return [join(list(term.args[k : k + each])) for k in range(0, len(term.args), each)]
    if term.head == "ite":
        sides = zip(split(term.args[1], size), split(term.args[2], size))
        return [choose(term.args[0], a, b) for a, b in sides]
    if term.head == "zext" and term.args[0].sort != "i1" and bytes_of(term.args[0].sort) >= size:
        low = split(term.args[0], size)
        return low + [number(0, sort)] * (count - len(low))
    if term.head == "part":
        place, width = term.attr
        first = place * (width // size)
        return [make("part", term.args, (first + k, size), sort) for k in range(count)]
    return [make("part", (term,), (k, size), sort) for k in range(count)]


def join(parts: list[Term]) -> Term:
    """The word of parts of one size, the lowest first."""
    if len(parts) == 1:
        return parts[0]
    size = bytes_of(parts[0].sort)
    sort = integer_sort(size * len(parts))
    if all(part.is_const for part in parts):
        mask = (1 << (8 * size)) - 1
        return number(sum((part.attr & mask) << (8 * size * k) for k, part in enumerate(parts)), sort)
    half = len(parts) // 2
    if len(parts) % 2 == 0 and all(part.is_const and not part.attr for part in parts[half:]):
        return resized(join(parts[:half]), sort, signed=False)
    if all(part.head == "part" and part.args == parts[0].args for part in parts):
        first = parts[0].attr[0]
        if first % len(parts) == 0 and all(part.attr == (first + k, size) for k, part in enumerate(parts)):
            whole = parts[0].args[0]
            if bytes_of(whole.sort) == size * len(parts):
                return whole
            return make("part", (whole,), (first // len(parts), size * len(parts)), sort)
    if all(part.head == "ite" and part.args[0] is parts[0].args[0] for part in parts):
        yes, no = ([part.args[side] for part in parts] for side in (1, 2))
        return choose(parts[0].args[0], join(yes), join(no))
    flat = [piece for part in parts for piece in (part.args if part.head == "packed" else (part,))]
    least = min(bytes_of(piece.sort) for piece in flat)
    if len(flat) > len(parts):
        flat = [piece for part in parts for piece in split(part, least)]
    return make("packed", flat, None, sort)


def joined(pieces: list[Term]) -> Term:
    """The word of pieces of several sizes, the lowest first."""
    least = math.gcd(*(bytes_of(piece.sort) for piece in pieces))
    return join([part for piece in pieces for part in split(piece, least)])


REBUILD.update(
    packed=lambda args, attr, sort: joined(list(args)),
    part=lambda args, attr, sort: split(args[0], attr[1])[attr[0]],
)


def wide(term: Term) -> Term:
    """An address as a number of 64 bits."""
    return resized(bits(term), "i64", signed=False)


def as_flag(term: Term) -> Term:
    """Whether a register is set."""
    return term if term.sort == "i1" else negation(equal(term, number(0, term.sort)))


def sized(term: Term, size: int) -> Term:
    """A word of a size: the lower part, or with zeros above."""
    given = bytes_of(term.sort)
    if given > size:
        return low_part(term, size)
    return resized(term, integer_sort(size), signed=False) if given < size else term


def low_part(term: Term, size: int) -> Term:
    """The lowest bytes of a word.

    Raises:
        NotModelled: it has fewer.
    """
    given = bytes_of(term.sort)
    if given == size:
        return term
    if given < size:
        raise NotModelled("a register that is too narrow for its value")
    if term.head == "zext" and bytes_of(term.args[0].sort) == size and term.args[0].sort != "i1":
        return bits(term.args[0])
    return split(term, size)[0]
