"""Products whose operands have a scale for each block along K: one form of them, of the kernel's and of lowered code.

    nibble[n](byte)            half of a byte: a number of 4 bits
    scaled(element, scale)     an element of a row or a column, with the scale of its block

A scaled product is a product of such elements (`products.py`), whatever the order in which it adds up.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ttkit.dialects.tt import ScaleDotElemType as Formats
from ttkit.validation.terms import Term, at_place, make

FP4 = "e2m1"
PACKED = 2
"""Numbers of 4 bits in a byte."""
NAMES = {Formats.E4M3: "e4m3", Formats.E5M2: "e5m2", Formats.E2M1: FP4}
BLOCKS = {"i8": 32, "f8E4M3FN": 16}
"""Elements that share a scale, by its sort."""
Sides = tuple[Term, Term, tuple[str, str]]


def nibble(byte: Term, place: int) -> Term:
    """A number of 4 bits."""
    return make("nibble", (byte,), place % PACKED, "i8")


def scaled(element: Term, scale: Term) -> Term:
    """An element with its scale."""
    return make("scaled", (element, scale), None, "f32")


def kind_of(name: str, scale: str) -> str:
    """The kind of elements of a type with scales of a sort."""
    return f"{name} scaled by {scale}"


def sides_of(term: Term, known: Callable[[Term], Term], memo: dict[Any, Any]) -> Sides | None:
    """The row and the column of one element of the kernel's product, and their kinds; None if it has another form.

    Args:
        known: gives a term as the hardware has it.
        memo: rows and columns that have been made.
    """
    _, a, b, a_scale, b_scale, *index = term.args
    key, shapes = term.attr[1], (a.attr, b.attr)
    names = [NAMES.get(Formats(kind)) for kind in key] if all(isinstance(kind, int) for kind in key) else []
    if len(names) != 2 or None in names or not all(one.is_const for one in index):
        return None
    per_byte = [PACKED if name == FP4 else 1 for name in names]
    size = shapes[0][1] * per_byte[0]
    if size != shapes[1][0] * per_byte[1] or any(one.args[0].sort not in BLOCKS for one in (a_scale, b_scale)):
        return None
    sides: list[Term] = []
    for side, (operand, scale, each) in enumerate(zip((a, b), (a_scale, b_scale), per_byte)):
        place = (side, index[side].attr)
        if (operand, scale, place) not in memo:
            found = elements_along(operand.args[0], scale.args[0], place, size, each)
            memo[operand, scale, place] = make("row", [known(one) for one in found], "all", "f32")
        sides.append(memo[operand, scale, place])
    first, second = (kind_of(str(name), one.args[0].sort) for name, one in zip(names, (a_scale, b_scale)))
    return sides[0], sides[1], (first, second)


def elements_along(operand: Term, scales: Term, place: tuple[int, int], size: int, each: int) -> list[Term]:
    """The elements of a row or a column with their scales.

    Args:
        place: the dimension that is not K, and the index along it.
        size: elements along K; each: how many a byte has.
    """
    side, row = place
    found = []
    for k in range(size):
        element = at_place(operand, sorted(((side, row), (1 - side, k // each))))
        factor = at_place(scales, ((0, row), (1, k // BLOCKS[scales.sort])))
        found.append(scaled(nibble(element, k) if each > 1 else element, factor))
    return found
