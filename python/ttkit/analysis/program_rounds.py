"""The programs of a grid that one CTA runs, one after the other, where as many CTAs run as there are multiprocessors.

With n multiprocessors, CTA i of the first n has the places i, 2n - 1 - i, 2n + i, 4n - 1 - i...; all others have none.
A place is the number of a program along x, then y, then z, as that of a CTA.

    n = 3, 8 places          CTA 0: 0 5 6    CTA 1: 1 4 7    CTA 2: 2 3

If work grows or shrinks along an axis (`program_order.py`), places are those of sorted programs: first those with the
most work.  The sums of two neighbouring rounds are then about equal.  Programs of a column, which differ along that
axis alone, load the same tiles.  So n / 2 columns are sorted together, then the next ones.  They have an even number of
rounds if a column has a multiple of four programs.  Columns that are left over belong to the last ones.

`ttkit-run-persistently` puts this into kernels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

from ttkit.analysis.program_order import Arithmetic, ProgramOrder, divided, numbered, numbers_along

V = TypeVar("V")


class Rounds(Generic[V]):
    """The arithmetic of a CTA's rounds.

    In a grid of 2**30 programs or more, each CTA has the program of its own number.

    Attributes:
        has_any: whether this CTA has a program.
        count: rounds of this CTA.

    Args:
        ids: the numbers of the CTA along x, y and z.
        counts: CTAs along these.
        multiprocessors: at least 1.
        order: by which programs are sorted; None if they have the same work.
    """

    def __init__(
        self,
        ids: Sequence[V],
        counts: Sequence[V],
        multiprocessors: V,
        order: ProgramOrder | None,
        arithmetic: Arithmetic[V],
    ) -> None:
        self.own, self.counts, self.at_once = ids, counts, multiprocessors
        self.order, self.arithmetic = order, arithmetic
        compute, number = arithmetic.compute, arithmetic.number
        self.first, total = numbered(range(len(counts)), ids, counts, arithmetic)
        self.mirrored = compute("subi", compute("subi", multiprocessors, number(1)), self.first)
        self.fits = arithmetic.product_is_small([*counts, number(2)])
        full = compute("divui", total, multiprocessors)
        last = compute("subi", total, compute("muli", full, multiprocessors))
        more = arithmetic.select(arithmetic.is_less(self.offset(full), last), number(1), number(0))
        always = arithmetic.is_less(number(0), number(1))
        self.has_any: V = arithmetic.select(self.fits, arithmetic.is_less(self.first, multiprocessors), always)
        rounds = arithmetic.select(self.fits, compute("addi", full, more), number(1))
        self.count: V = arithmetic.select(self.has_any, rounds, number(0))

    def offset(self, round: V) -> V:
        """The place among those of a round."""
        one = self.arithmetic.number(1)
        is_odd = self.arithmetic.is_less(self.arithmetic.number(0), self.arithmetic.compute("andi", round, one))
        return self.arithmetic.select(is_odd, self.mirrored, self.first)

    def ids(self, round: V) -> list[V]:
        """The numbers along x, y and z of the program of a round, which is less than `count`."""
        place = self.arithmetic.compute(
            "addi", self.arithmetic.compute("muli", round, self.at_once), self.offset(round)
        )
        axes = range(len(self.counts))
        found = (
            numbers_along(axes, place, self.counts, self.arithmetic)
            if self.order is None
            else self.sorted(self.order, place)
        )
        return [self.arithmetic.select(self.fits, found[axis], self.own[axis]) for axis in axes]

    def sorted(self, order: ProgramOrder, place: V) -> dict[int, V]:
        """Axes -> the numbers along them of a place among sorted programs.

        All divisors are at least 1, also where products wrap: together * length with 2**26 programs, if together is 64.
        """
        compute, number = self.arithmetic.compute, self.arithmetic.number
        others = [axis for axis in range(len(self.counts)) if axis != order.axis]
        length, columns = self.counts[order.axis], number(1)
        for axis in others:
            columns = compute("muli", columns, self.counts[axis])
        together = compute("maxui", compute("divui", self.at_once, number(2)), number(1))
        last = compute("subi", compute("maxui", compute("divui", columns, together), number(1)), number(1))
        of_group = compute("maxui", compute("muli", together, length), number(1))
        group = compute("minui", compute("divui", place, of_group), last)
        before = compute("muli", group, together)
        is_full = self.arithmetic.is_less(group, last)
        size = self.arithmetic.select(is_full, together, compute("maxui", compute("subi", columns, before), number(1)))
        from_most, column = divided(compute("subi", place, compute("muli", before, length)), size, self.arithmetic)
        number_along = compute("subi", compute("subi", length, number(1)), from_most)
        found = numbers_along(others, compute("addi", before, column), self.counts, self.arithmetic)
        return {**found, order.axis: from_most if order.shrinks else number_along}
