"""The places of programs whose module says that those with the most work start first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ttkit.analysis.program_order import LARGEST, ProgramOrder
from ttkit.validation.booleans import choose
from ttkit.validation.comparisons import compare, resized
from ttkit.validation.integers import multiply, number
from ttkit.validation.meanings.elementwise import integer, plain
from ttkit.validation.meanings.memory import along
from ttkit.validation.terms import Term

UNSIGNED_LESS, UNSIGNED_LESS_EQUAL = 6, 7


class TermArithmetic:
    """Arithmetic of `ProgramOrder` on terms."""

    def number(self, value: int) -> Term:
        """A constant."""
        return number(value, "i32")

    def compute(self, name: str, a: Term, b: Term) -> Term:
        """An operation of arith by its name there."""
        return integer(None, plain(f"arith.{name}", a.sort), a, b)

    def product_is_small(self, factors: Sequence[Term]) -> Term:
        """Whether the product is at most LARGEST."""
        product, *others = (resized(factor, "i64", False) for factor in factors)
        for factor in others:
            product = multiply(product, factor)
        return compare(UNSIGNED_LESS_EQUAL, product, number(LARGEST, "i64"))

    def is_less(self, a: Term, b: Term) -> Term:
        """Whether an unsigned number is less than another one."""
        return compare(UNSIGNED_LESS, a, b)

    def select(self, condition: Term, then: Term, otherwise: Term) -> Term:
        """One of two values."""
        return choose(condition, then, otherwise)


def places_of(module: Any) -> dict[int, Term]:
    """The places of a decoded module's programs, along the axes where they differ from the numbers of CTAs."""
    order = ProgramOrder.of(module)
    if order is None:
        return {}
    ids, counts = ([along(head, axis) for axis in range(3)] for head in ("program", "programs"))
    return order.places(ids, counts, TermArithmetic())
