"""The order in which a kernel's programs start: those with the most work first.

    ttkit.longest-first = {axis = 0 : i32, axes = array<i32: 0, 1>, shrinks = false, together = 512 : i32}

Programs with a large index along `axis` have more work than others; less, if it `shrinks`.  The kernel asks for its
place along `axes`.

CTAs start in the order of their number: along x, then y, then z.  If the programs that take longest start last, most
multiprocessors wait for them in the end.  So programs get their numbers anew.  n of them lie along `axis`; the grid's
other axes have m columns of n programs.  Programs of a column load the same tiles, so they start one after the other,
the one with the largest index first.  Only the last s = together / n columns start together: first the programs with
the largest index in all of them, then those with the next.

    n = 3, s = 2, m = 4      column 3: 0 1 2    column 2: 3 4 5    column 1: 6 8 10    column 0: 7 9 11
    (numbers of CTAs of the programs 2, 1, 0)

Source: longest processing time first: R. L. Graham, "Bounds on multiprocessing timing anomalies", 1969.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from mlir import ir

from ttkit.module_attributes import BadModuleAttribute
from ttkit.tuning.passes import ONE_WAVE

LONGEST_FIRST = "ttkit.longest-first"
LARGEST = 2**31 - 1

V = TypeVar("V")


class Arithmetic(Protocol[V]):
    """Arithmetic on numbers of 32 bits: in LLVM's dialect, or on terms."""

    def number(self, value: int) -> V:
        """A constant."""

    def compute(self, name: str, a: V, b: V) -> V:
        """The result of an operation of arith by its name there, `divui`."""

    def product_is_small(self, factors: Sequence[V]) -> V:
        """Whether the product of unsigned numbers, in 64 bits, is at most LARGEST: an i1."""

    def is_less(self, a: V, b: V) -> V:
        """Whether an unsigned number is less than another one: an i1."""

    def select(self, condition: V, then: V, otherwise: V) -> V:
        """One of two values."""


class ProgramOrder(NamedTuple):
    """The contents of the attribute, see above."""

    axis: int
    axes: tuple[int, ...]
    together: int
    shrinks: bool = False

    @classmethod
    def of(cls, module: Any) -> ProgramOrder | None:
        """That of a module, or of one that the interpreter decoded; None where programs have the numbers of their CTAs.

        Raises:
            BadModuleAttribute: the attribute is not as above.
        """
        if LONGEST_FIRST not in module.attributes:
            return None
        found = module.attributes[LONGEST_FIRST]
        order = cls._read(found) if isinstance(found, ir.DictAttr) else None
        if order is None:
            must_be = (
                "{axis = 0 : i32, axes = array<i32: 0, 1>, shrinks = false, together = 512 : i32}, with axis in axes"
            )
            raise BadModuleAttribute(module, f"the module's {LONGEST_FIRST} is {found}; it must be like {must_be}")
        return order

    @classmethod
    def _read(cls, found: ir.DictAttr) -> ProgramOrder | None:
        names = ("axis", "axes", "shrinks", "together")
        if any(name not in found for name in names):
            return None
        axis, axes, shrinks, together = (found[name] for name in names)
        numbers = isinstance(axis, ir.IntegerAttr) and isinstance(together, ir.IntegerAttr)
        if not numbers or not isinstance(axes, ir.DenseI32ArrayAttr) or not isinstance(shrinks, ir.BoolAttr):
            return None
        order = cls(axis.value, tuple(axes), together.value, bool(shrinks.value))
        fits = order.axis in order.axes and set(order.axes) <= {0, 1, 2} and 1 <= order.together <= LARGEST
        return order if fits and len(set(order.axes)) == len(order.axes) else None

    def attribute(self, context: ir.Context) -> ir.DictAttr:
        """The attribute that `of` reads."""
        i32 = ir.IntegerType.get_signless(32, context)
        numbers = {name: ir.IntegerAttr.get(i32, getattr(self, name)) for name in ("axis", "together")}
        others = {
            "axes": ir.DenseI32ArrayAttr.get(self.axes, context),
            "shrinks": ir.BoolAttr.get(self.shrinks, context),
        }
        return ir.DictAttr.get({**numbers, **others}, context)

    def places(self, ids: Sequence[V], counts: Sequence[V], arithmetic: Arithmetic[V]) -> dict[int, V]:
        """Axes -> the place of a program along these.

        Each place of the grid is that of one CTA.  The numbers of CTAs stay where the grid has more than LARGEST
        programs, or so few that all start at once.

        Args:
            ids: the numbers of the CTA along x, y and z.
            counts: CTAs along these.
        """
        return _Numbering(self, ids, counts, arithmetic).places()


def divided(a: V, b: V, arithmetic: Arithmetic[V]) -> tuple[V, V]:
    """Quotient and remainder of unsigned numbers; b is at least 1."""
    quotient = arithmetic.compute("divui", a, b)
    return quotient, arithmetic.compute("subi", a, arithmetic.compute("muli", quotient, b))


def numbered(axes: Sequence[int], ids: Sequence[V], counts: Sequence[V], arithmetic: Arithmetic[V]) -> tuple[V, V]:
    """The place among the programs that differ along axes, the first axis fastest, and the number of these."""
    compute = arithmetic.compute
    place, total = arithmetic.number(0), arithmetic.number(1)
    for axis in axes:
        place = compute("addi", place, compute("muli", total, ids[axis]))
        total = compute("muli", total, counts[axis])
    return place, total


def numbers_along(axes: Sequence[int], place: V, counts: Sequence[V], arithmetic: Arithmetic[V]) -> dict[int, V]:
    """Axes -> the numbers along them of a place, the reverse of `numbered`."""
    found = {}
    for axis in axes[:-1]:
        place, found[axis] = divided(place, counts[axis], arithmetic)
    found.update((axis, place) for axis in axes[-1:])
    return found


class _Numbering(Generic[V]):
    """The arithmetic of `places`."""

    def __init__(self, order: ProgramOrder, ids: Sequence[V], counts: Sequence[V], arithmetic: Arithmetic[V]) -> None:
        self.order, self.ids, self.counts, self.arithmetic = order, ids, counts, arithmetic
        self.compute = arithmetic.compute

    def places(self) -> dict[int, V]:
        """See above; all divisors are at least 1, even where products do not fit and nobody takes the results."""
        compute, one = self.compute, self.arithmetic.number(1)
        others = [axis for axis in sorted(self.order.axes) if axis != self.order.axis]
        n, m = self.counts[self.order.axis], one
        for axis in others:
            m = compute("muli", m, self.counts[axis])
        last = compute("divui", self.arithmetic.number(self.order.together), n)
        last = compute("maxui", compute("minui", last, m), one)
        programs = compute("muli", last, n)
        left, total = self.from_the_end()
        is_last = self.arithmetic.is_less(left, programs)
        select = self.arithmetic.select
        offset = select(is_last, left, compute("subi", left, programs))
        quotient, rest = divided(offset, select(is_last, last, n), self.arithmetic)
        place = select(is_last, quotient, rest)
        found = {self.order.axis: self.counted_from_the_end(place, n) if self.order.shrinks else place}
        column = select(is_last, rest, compute("addi", last, quotient))
        found.update(numbers_along(others, column, self.counts, self.arithmetic))
        fits = self.arithmetic.product_is_small([self.counts[axis] for axis in sorted(self.order.axes)])
        many = self.arithmetic.is_less(self.arithmetic.number(ONE_WAVE), total)
        return {
            axis: select(fits, select(many, place, self.ids[axis]), self.ids[axis]) for axis, place in found.items()
        }

    def from_the_end(self) -> tuple[V, V]:
        """The number of programs that start after this one, and of all."""
        number, total = numbered(sorted(self.order.axes), self.ids, self.counts, self.arithmetic)
        return self.counted_from_the_end(number, total), total

    def counted_from_the_end(self, number: V, total: V) -> V:
        """`total - 1 - number`: at least 0, which the mask tells those who optimize."""
        left = self.compute("subi", self.compute("subi", total, self.arithmetic.number(1)), number)
        return self.compute("andi", left, self.arithmetic.number(LARGEST))
