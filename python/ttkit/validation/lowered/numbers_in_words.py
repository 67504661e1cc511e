"""Numbers that lowered code puts together from bits of words, in a form that the kernel's own numbers have too.

    part[0](andi(word, mask))        becomes andi(part[0](word), part[0](mask))
    a function of one read           becomes the table of its values

So a conversion of numbers of 4 or 8 bits that works on several of them at once is the kernel's conversion of each.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256

import numpy as np

from ttkit.validation.integers import add, divide_unsigned, number, remainder_unsigned, scaled, sum_of
from ttkit.validation.lowered.bits import bytes_of, split
from ttkit.validation.lowered.small_functions import (
    LARGEST_TRIED,
    Array,
    Unknown,
    evaluated,
    is_nan,
    is_number_of_state,
    leaf_of,
    numbers_of,
)
from ttkit.validation.lowered.small_functions import bits_of as bits_of_values
from ttkit.validation.meanings.elementwise import bitwise
from ttkit.validation.terms import MEMORY, Term, make, rebuild, rewritten

BITWISE = ("arith.andi", "arith.ori", "arith.xori")


@dataclass
class Words:
    """Parts of words that operations on bits make, as operations on parts.

    known: by a word and the size of a part its parts; None where the word is not one of bits.
    """

    known: dict[tuple[Term, int], list[Term] | None] = field(default_factory=dict)

    def single(self, part: Term) -> Term:
        """A part of a word as an operation on parts, if the word is one of bits; the parts of its operands likewise."""
        if part.head != "part":
            return part
        [word], (place, size) = part.args, part.attr
        if (word, size) not in self.known:
            self.known[word, size] = self._pieces(word, size)
        pieces = self.known[word, size]
        return part if pieces is None else pieces[place]

    def _pieces(self, word: Term, size: int) -> list[Term] | None:
        if word.head == "call" and word.attr[0] in BITWISE:
            sides = [self.parts(arg, size) for arg in word.args]
            return [operation(word.attr[0], one, other) for one, other in zip(*sides, strict=True)]
        if word.head in ("divu", "remu") and is_power(word.args[1]):
            by = word.args[1].attr.bit_length() - 1
            given = self.parts(word.args[0], size)
            return shifted_right(given, by) if word.head == "divu" else cut(given, by)
        products = sum_of(word) if word.head == "poly" else {}
        if len(products) == 1:
            [(key, factor)] = products.items()
            if len(key) == 1 and factor > 0 and factor & (factor - 1) == 0:
                return shifted_left(self.parts(key[0], size), factor.bit_length() - 1)
        return None

    def parts(self, word: Term, size: int) -> list[Term]:
        """The parts of a word of `size` bytes, each as an operation on parts."""
        return [self.single(part) for part in split(word, size)]

    def in_parts(self, term: Term, args: tuple[Term, ...]) -> Term | None:
        """A part of a word as an operation on parts."""
        return self.single(split(args[0], term.attr[1])[term.attr[0]]) if term.head == "part" else None


def is_power(term: Term) -> bool:
    """Whether a term is a power of two."""
    return term.is_const and term.attr > 0 and term.attr & (term.attr - 1) == 0


def operation(name: str, a: Term, b: Term) -> Term:
    """A bitwise operation on two parts."""
    mask = (1 << 8 * bytes_of(a.sort)) - 1
    if a.is_const and b.is_const:
        one, other = a.attr & mask, b.attr & mask
        return number({"arith.andi": one & other, "arith.ori": one | other, "arith.xori": one ^ other}[name], a.sort)
    found = bitwise(name.removeprefix("arith."), a, b)
    first, second = sorted((a, b), key=lambda term: term.number)
    return found if found is not None else make("call", (first, second), (name, ()), a.sort)


def shifted_left(given: list[Term], by: int) -> list[Term]:
    """The parts of a word, the lowest first, times 2^by."""
    bits = 8 * bytes_of(given[0].sort)
    whole, rest = divmod(by, bits)
    zero = number(0, given[0].sort)
    moved = [zero] * min(whole, len(given)) + given[: max(0, len(given) - whole)]
    return [both_halves(scaled(one, 1 << rest), lower, bits - rest) if rest else one
            for one, lower in zip(moved, [zero, *moved])]  # fmt: skip


def both_halves(upper: Term, lower: Term, by: int) -> Term:
    """The bits of a part, whose lowest are those of another one that come in from below: its highest, from `by` on."""
    return add(upper, quotient(lower, by))


def shifted_right(given: list[Term], by: int) -> list[Term]:
    """The parts of a word, the lowest first, divided by 2^by without sign."""
    bits = 8 * bytes_of(given[0].sort)
    whole, rest = divmod(by, bits)
    zero = number(0, given[0].sort)
    moved = [*given[whole:], *[zero] * min(whole, len(given))]
    if not rest:
        return moved
    return [add(quotient(one, rest), scaled(upper, 1 << bits - rest)) for one, upper in zip(moved, [*moved[1:], zero])]


def quotient(term: Term, by: int) -> Term:
    """term / 2^by, without sign."""
    return divide_unsigned(term, number(1 << by, term.sort))


def cut(given: list[Term], by: int) -> list[Term]:
    """The parts of a word modulo 2^by."""
    bits = 8 * bytes_of(given[0].sort)
    found = []
    for place, one in enumerate(given):
        left = min(max(by - bits * place, 0), bits)
        divisor = number(1 << left, one.sort)
        found.append(one if left == bits else number(0, one.sort) if not left else remainder_unsigned(one, divisor))
    return found


# --- functions of one number


@dataclass
class Tables:
    """Functions of one number of at most 16 bits, by their values.

    tables: by a function of any number the digest of its values; None if they are not known.
    """

    tables: dict[Term, str | None] = field(default_factory=dict)
    known: dict[Term, Term] = field(default_factory=dict)
    words: Words = field(default_factory=Words)
    parted: dict[Term, Term] = field(default_factory=dict)
    rows: dict[Term, Term] = field(default_factory=dict)

    def row(self, row: Term) -> Term:
        """A row or a column of a product, each of its elements in this form."""
        if row not in self.rows:
            self.rows[row] = make("row", [self.element(term) for term in row.args], row.attr, row.sort)
        return self.rows[row]

    def element(self, term: Term) -> Term:
        """A number whose parts of words are operations on parts, and whose functions of one read are tables."""
        if is_plain(term):
            return term
        return self.of(rewritten(term, self.words.in_parts, lambda part: part.sort == MEMORY, self.parted))

    def of(self, term: Term) -> Term:
        """A float whose parts that are functions of one read are tables."""
        if term.sort[0] == "i" or term.is_const or is_plain(term):
            return term
        found = self.known.get(term)
        if found is None:
            found = self.known[term] = self._made(term)
        return found

    def _made(self, term: Term) -> Term:
        leaf = leaf_of(term)
        if leaf is not None and bytes_of(leaf.sort) <= LARGEST_TRIED:
            anything = make("read", (), "anything", leaf.sort)
            key = rewritten(term, lambda part, args: None, lambda part: False, {leaf: anything})
            if key not in self.tables:
                self.tables[key] = values_of(key, anything)
            values = self.tables[key]
            return term if values is None else make("table of a number", (leaf,), values, term.sort)
        if term.head not in ("mulf", "ite", "negf") or leaf is not None:
            return term
        args = tuple(self.of(arg) for arg in term.args)
        return term if args == term.args else rebuild(term.head, args, term.attr, term.sort)


def is_plain(term: Term) -> bool:
    """Whether a term is a number of memory or of a loop, or the bits of one."""
    while term.head in ("bitcast", "part"):
        [term] = term.args
    return is_number_of_state(term)


def values_of(term: Term, leaf: Term) -> str | None:
    """The digest of a function of a number: its bits for all values in their order, where all NaNs are one.

    None if they are not known.
    """
    given = numbers_of(leaf)
    try:
        with np.errstate(all="ignore"):
            values: Array = bits_of_values(term, evaluated(term, {leaf: given}))
    except Unknown:
        return None
    values = np.broadcast_to(values, given.shape).copy()
    values[is_nan(term, values)] = np.uint64((1 << 64) - 1)
    return sha256(values.tobytes()).hexdigest()
