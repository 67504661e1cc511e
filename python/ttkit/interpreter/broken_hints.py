"""Whether hints about integers and addresses hold for values of a run: `tt.divisibility`, contiguity, constancy."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def broken(
    name: str, numbers: Sequence[int], value: np.ndarray, unit: int, contiguity: Sequence[int] | None
) -> np.ndarray | None:
    """The elements for which a hint does not hold, of the shape of the value.

    Args:
        numbers: for each dimension.
        unit: the distance of neighbours: the size of an element for addresses, else 1.
        contiguity: another hint on the same value.
    """
    rank = value.ndim - 1
    numbers = list(numbers) if len(numbers) == max(1, rank) else [*numbers, *[1] * rank][: max(1, rank)]
    wrong = np.zeros(value.shape, np.bool_)
    if not rank:
        return value % numbers[0] != 0 if name == "tt.divisibility" else None
    for d, number in enumerate(numbers):
        axis = d + 1
        if number <= 1:
            continue
        if name == "tt.divisibility":
            wrong |= _is_start(value, axis, unit, (contiguity or [1] * rank)[d]) & (value % number != 0)
        else:
            size = value.shape[axis]
            group = np.arange(size) % number != 0
            step = unit if name == "tt.contiguity" else 0
            differs = np.zeros(value.shape, np.bool_)
            follows = np.diff(value, axis=axis) != step
            np.moveaxis(differs, axis, 0)[1:] = np.moveaxis(follows, axis, 0)
            wrong |= differs & group.reshape([size if a == axis else 1 for a in range(rank + 1)])
    return wrong


def _is_start(value: np.ndarray, axis: int, unit: int, contiguity: int) -> np.ndarray:
    """Elements that begin a run: of the length that a hint says, or where the values do not count up."""
    starts = np.ones(value.shape, np.bool_)
    moved = np.moveaxis(starts, axis, 0)
    if contiguity > 1:
        moved[np.arange(value.shape[axis]) % contiguity != 0] = False
    else:
        moved[1:] = np.moveaxis(np.diff(value, axis=axis) != unit, axis, 0)
    return starts
