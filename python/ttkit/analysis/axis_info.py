"""Facts about an integer or pointer value along each of its dimensions.

For the dimension d of size n, cut into groups of consecutive elements, one group after the other:

    contiguity[d] = c    in each group of c, every element is the one before it plus 1 (pointers: plus one pointee)
    divisibility[d] = k  the first of each group of `contiguity[d]` elements is a multiple of k (pointers: in bytes)
    constancy[d] = s     in each group of s, all elements are equal
    constant_value       the one value that all elements have, if it is known

Example: [[0, 1, 2, 3], [8, 9, 10, 11]] has contiguity [1, 4] and divisibility [1, 4].  Along dimension 0 each group has
one element, and only 1 divides them all; along dimension 1 the groups begin with 0 and 8.

These are the facts of Triton's axis analysis, and nearly its rules.  They hold if integer arithmetic does not wrap
around and no dividend is negative, as is so for offsets into a tensor.
"""

from math import gcd
from typing import NamedTuple

MAX_DIVISOR = 1 << 62
"""The divisibility of 0."""

Dims = tuple[int, ...]


class AxisInfo(NamedTuple):
    """One value's facts; the tuples have an entry for each dimension.  A scalar has one dimension of one element."""

    contiguity: Dims
    divisibility: Dims
    constancy: Dims
    constant_value: int | None = None

    @property
    def rank(self) -> int:
        """The number of dimensions; 1 for a scalar."""
        return len(self.contiguity)

    @classmethod
    def unknown(cls, rank: int) -> "AxisInfo":
        """The facts of an unknown value."""
        ones = (1,) * rank
        return cls(ones, ones, ones)

    @classmethod
    def constant(cls, value: int, shape: Dims) -> "AxisInfo":
        """The facts of a value whose elements are all `value`; the shape of a scalar is ()."""
        ones = (1,) * (len(shape) or 1)
        return cls(ones, (power_of_two_divisor(value),) * len(ones), shape or ones, value)

    def join(self, other: "AxisInfo") -> "AxisInfo":
        """The facts of a value that may be either of two; structs may have tensors of different ranks."""
        if self == other:
            return self
        if self.rank != other.rank:
            return AxisInfo.unknown(self.rank)
        return AxisInfo(
            tuple(map(gcd, self.contiguity, other.contiguity)),
            tuple(common_divisibility(self, other, d) for d in range(self.rank)),
            tuple(map(gcd, self.constancy, other.constancy)),
            self.constant_value if self.constant_value == other.constant_value else None,
        )

    def divisibility_of_groups(self, d: int, size: int, scale: int = 1) -> int:
        """Divisor of the first element of every group of `size` elements along d, where elements count `scale` each.

        Smaller groups also begin inside of ours: at 4, 6, 8... if ours have 4 elements and begin at multiples of 4.
        """
        divisibility, own = self.divisibility[d], self.contiguity[d]
        if size % own == 0 or own == MAX_DIVISOR:  # the latter: of a value that is not known yet, or poison
            return divisibility
        return gcd(divisibility, scale * gcd(size, own))

    def __str__(self) -> str:
        def listed(name: str, values: Dims) -> str:
            """`contiguity = [1, 16]`"""
            return f"{name} = [{', '.join(map(str, values))}]"

        known = "<none>" if self.constant_value is None else self.constant_value
        return (
            f"{listed('contiguity', self.contiguity)}, {listed('divisibility', self.divisibility)}, "
            f"{listed('constancy', self.constancy)}, constant_value = {known}"
        )


def power_of_two_divisor(value: int) -> int:
    """The largest power of two that divides `value`; at most MAX_DIVISOR, as for 0."""
    return min(value & -value, MAX_DIVISOR) or MAX_DIVISOR


def product(a: int, b: int) -> int:
    """A divisor of x * y, at most MAX_DIVISOR, if a divides x and b divides y."""
    result = a * b
    return result if result <= MAX_DIVISOR else gcd(result, MAX_DIVISOR)


def common_divisibility(lhs: AxisInfo, rhs: AxisInfo, d: int) -> int:
    """A divisor of the first elements of groups, for a value that may be either of two."""
    both = gcd(lhs.divisibility[d], rhs.divisibility[d])
    a, b = lhs.contiguity[d], rhs.contiguity[d]
    # MAX_DIVISOR as a contiguity: of a value that is not known yet, or poison.
    return both if a == b or MAX_DIVISOR in (a, b) else gcd(both, a, b)
