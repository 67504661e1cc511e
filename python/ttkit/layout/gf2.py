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
        return len(self._pivots)

    def _reduced(self, vector: int) -> tuple[int, int]:
        """What of `vector` lies outside, and the set of vectors that make up the rest."""
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
