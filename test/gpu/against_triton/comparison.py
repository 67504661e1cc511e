"""Comparing what two compilers' kernels left in the same arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from launches import Array, Described, Launch


@dataclass
class Difference:
    """How far apart two results are.

    elements, of: how many differ by more than allowed, of how many.
    largest: the largest difference of two finite floats, relative to the larger of 1 and their size.
    first: where, and both values.
    """

    elements: int = 0
    of: int = 0
    largest: float = 0.0
    first: str = ""


def arrays_of(launch: Launch) -> list[np.ndarray]:
    """The arrays among the arguments, in the order in which they are passed."""

    def walk(values: Any) -> Any:
        for value in values:
            if isinstance(value, tuple):
                yield from walk(value)
            elif isinstance(value, (Array, Described)):
                yield value.data

    return list(walk(launch.arguments))


def compare(launch: Launch, wanted: list[np.ndarray], found: list[np.ndarray]) -> Difference:
    """Compares arrays, given as bytes, element by element: bit by bit, but for the launch's tolerance of floats.  NaNs
    are equal."""
    total = Difference()
    for index, (array, left, right) in enumerate(zip(arrays_of(launch), wanted, found, strict=True)):
        one = _compare(left.view(array.dtype), right.view(array.dtype), launch.tolerance, f"array {index}")
        total.elements += one.elements
        total.of += one.of
        total.largest = max(total.largest, one.largest)
        total.first = total.first or one.first
    return total


def _compare(wanted: np.ndarray, found: np.ndarray, tolerance: float, name: str) -> Difference:
    largest = 0.0
    if wanted.dtype.kind == "b":  # the byte of a bool may hold anything in a margin
        wanted, found = wanted.view(np.uint8), found.view(np.uint8)
    if wanted.dtype.kind in "iu":
        differs = wanted != found
    else:
        bits = f"u{wanted.itemsize}"
        left, right = wanted.astype(np.float64), found.astype(np.float64)
        differs = (wanted.view(bits) != found.view(bits)) & ~(np.isnan(left) & np.isnan(right))
        with np.errstate(all="ignore"):
            apart = np.abs(left - right) / np.maximum(1.0, np.maximum(np.abs(left), np.abs(right)))
        finite = np.where(np.isfinite(apart), apart, 0.0)
        largest = float(finite.max(initial=0.0))
        differs &= ~(np.isfinite(apart) & (apart <= tolerance))
    difference = Difference(int(differs.sum()), differs.size, largest)
    if difference.elements:
        place = int(np.argmax(differs))
        difference.first = f"{name}[{place}]: {wanted[place]} with Triton, {found[place]} with ttkit"
    return difference
