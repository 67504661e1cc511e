"""Products of the kernel and of lowered code, compared by rows and columns: each pair of these is looked at once."""

from __future__ import annotations

from typing import Any

import ttkit.validation.lowered.scaled_products as scaled_products
from ttkit.validation.lowered.products import kinds_of_dot
from ttkit.validation.rounding import REASSOCIATION
from ttkit.validation.terms import Term


def same_product(equality: Any, theirs: Term, mine: Term) -> bool:
    """Whether a product of lowered code has the elements of the kernel's, in the order of the kernel.

    If not, they may still be equal.

    Args:
        equality: `normal_forms.Equality`.
    """
    while theirs.head == mine.head == "bitcast" and theirs.args[0].sort == mine.args[0].sort:
        theirs, mine = theirs.args[0], mine.args[0]
    if theirs.head == mine.head == "ite" and theirs.args[0] is mine.args[0]:
        pairs = list(zip(theirs.args[1:], mine.args[1:]))
        return any(has_product(one) for one, _ in pairs) and all(equality.same(*pair) for pair in pairs)
    if mine.head != "product" or mine.sort[0] == "i" or theirs.sort != mine.sort:
        return False
    sides, c = kernel_sides(equality, theirs, mine)
    if sides is None or not all(same_row(equality, *pair) for pair in zip(sides, mine.args[:2])):
        return False
    if not equality.same(c, mine.args[2]):
        return False
    equality.rounding.add(REASSOCIATION)
    return True


def has_product(term: Term) -> bool:
    """Whether a term is the bits of a product."""
    inner = term.args[0] if term.head == "bitcast" else term
    return inner.head == "dot" or (inner.head == "call" and inner.attr[0] == "scaled product")


def kernel_sides(equality: Any, theirs: Term, mine: Term) -> tuple[Any, Term]:
    """The elements of the kernel's row and column if they are of the same kinds, and what the product is added to."""
    if theirs.head == "dot" and kinds_of_dot(theirs) == mine.attr:
        size, *_, level = theirs.attr
        row, column, c = theirs.args
        if max(row.level, column.level) <= level:
            return [equality.along(side, size, level) for side in (row, column)], c
    if theirs.head == "call" and theirs.attr[0] == "scaled product":
        found = scaled_products.sides_of(theirs, equality.of_kernel, equality.sides)
        if found is not None and found[2] == mine.attr:
            return [side.args for side in found[:2]], theirs.args[0]
    return None, theirs


def same_row(equality: Any, theirs: tuple[Term, ...], mine: Term) -> bool:
    """Whether two rows, or columns, have equal elements."""
    key = theirs, mine
    known: dict[Any, bool] = equality.same_rows
    if key not in known:
        known[key] = len(theirs) == len(mine.args) and all(
            one is other or same_element(equality, one, other) for one, other in zip(theirs, mine.args)
        )
    return known[key]


def same_element(equality: Any, theirs: Term, mine: Term) -> bool:
    """Whether two elements are equal; parts of one with a scale are compared by themselves."""
    if theirs.head == mine.head and theirs.head in ("scaled", "nibble") and theirs.attr == mine.attr:
        return all(same_element(equality, *pair) for pair in zip(theirs.args, mine.args))
    return theirs is mine or bool(equality.same(theirs, mine))
