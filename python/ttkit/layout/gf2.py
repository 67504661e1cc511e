"""Linear algebra over GF(2) on bit vectors, each one Python int."""

from collections.abc import Iterable


def rank(vectors: Iterable[int]) -> int:
    """The number of linearly independent vectors among `vectors`."""
    pivots: dict[int, int] = {}  # highest bit -> the reduced vector that has it
    for vector in vectors:
        while vector:
            top = vector.bit_length()
            if top not in pivots:
                pivots[top] = vector
                break
            vector ^= pivots[top]
    return len(pivots)
