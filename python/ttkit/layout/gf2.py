"""Linear algebra over GF(2) on bit vectors, each one Python int."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


class Span:
    """The space of all XORs of `vectors`.

    A vector that is an XOR of earlier ones adds nothing and is called *dependent*.

    independent: bit i is set if vectors[i] is not an XOR of earlier ones.
    dependent: for each of the other vectors, the set of vectors, itself among them, whose XOR is zero.
    """

    def __init__(self, vectors: Iterable[int]) -> None:
        self.independent = 0
        self.dependent: list[int] = []
        self._pivots: dict[int, tuple[int, int]] = {}  # bit length -> a vector of it, and what it is the XOR of
        for index, vector in enumerate(vectors):
            rest, used = self._reduced(vector)
            if rest:
                self._pivots[rest.bit_length()] = rest, used | 1 << index
                self.independent |= 1 << index
            else:
                self.dependent.append(used | 1 << index)

    @property
    def rank(self) -> int:
        """Dimension of the space that the vectors span."""
        return len(self._pivots)

    def _reduced(self, vector: int) -> tuple[int, int]:
        """Part of `vector` outside the span (0 if it is inside), and the set of vectors whose xor is the rest."""
        used = 0
        pivots = self._pivots
        while vector:
            pivot = pivots.get(vector.bit_length())
            if pivot is None:
                # The top bit stays; the bits below it still tell vectors apart, so nothing more needs to be reduced.
                break
            vector ^= pivot[0]
            used ^= pivot[1]
        return vector, used

    def combination(self, vector: int) -> int | None:
        """The set of independent vectors, as a bit vector, whose XOR is `vector`; None if it is outside."""
        rest, used = self._reduced(vector)
        return None if rest else used

    def __contains__(self, vector: int) -> bool:
        return self._reduced(vector)[0] == 0


def rank(vectors: Iterable[int]) -> int:
    """The number of linearly independent vectors among `vectors`."""
    return Span(vectors).rank


def independent(vectors: Sequence[int]) -> list[int]:
    """The vectors that are not the XOR of earlier ones."""
    chosen = Span(vectors).independent
    return [vector for index, vector in enumerate(vectors) if chosen >> index & 1]


def combine(vectors: Sequence[int], chosen: int) -> int:
    """The XOR of the vectors whose bits are set in `chosen`."""
    result = 0
    while chosen:
        low = chosen & -chosen
        result ^= vectors[low.bit_length() - 1]
        chosen ^= low
    return result


def all_values(vectors: Sequence[int]) -> list[int]:
    """combine(vectors, i) for i in 0 .. 2**len(vectors) - 1."""
    values = [0]
    for vector in vectors:
        values += [value ^ vector for value in values]
    return values


def reduced(vectors: Iterable[int]) -> list[int]:
    """The basis of the space of `vectors` in which no vector has the highest bit of another one, in rising order."""
    basis: list[int] = []
    for vector in vectors:
        for other in basis:
            vector = min(vector, vector ^ other)
        if vector:
            basis = [min(other, other ^ vector) if other > vector else other for other in basis]
            basis.append(vector)
            basis.sort()
    return basis


def intersection(first: Iterable[int], second: Iterable[int]) -> list[int]:
    """A basis, as `reduced` returns it, of the vectors that are XORs of `first` and also of `second`."""
    basis = reduced(first)
    both = Span([*basis, *reduced(second)])
    return reduced(combine(basis, relation & (1 << len(basis)) - 1) for relation in both.dependent)


def complement(vectors: Iterable[int], bits: int) -> list[int]:
    """The unit vectors below 2**bits that, with `vectors`, span everything; where there is a choice, the highest."""
    pivots: dict[int, int] = {}  # lowest bit -> a vector of it
    for vector in vectors:
        while vector and vector & -vector in pivots:
            vector ^= pivots[vector & -vector]
        if vector:
            pivots[vector & -vector] = vector
    return [1 << bit for bit in range(bits) if 1 << bit not in pivots]
