"""The tuning key that is nearest to one that nobody has tuned for: `autotune(nearest=True)`.

Keys are compared part by part.  Numbers are near if their ratio is, and all other parts must be the same: types,
flags, texts, and the sign of a number.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterable, Mapping
from typing import TypeVar

Key = tuple[object, ...]
T = TypeVar("T")


def distance(one: Key, other: Key) -> float | None:
    """The distance of two keys, in powers of two, summed up; None if they can't stand for each other."""
    if len(one) != len(other):
        return None
    total = 0.0
    for left, right in zip(one, other):
        if left == right and type(left) is type(right):
            continue
        if not (_is_number(left) and _is_number(right)):
            return None
        assert isinstance(left, int | float) and isinstance(right, int | float)
        if left * right <= 0 or not math.isfinite(left * right):
            return None
        total += abs(math.log2(left / right))
    return total


def _is_number(part: object) -> bool:
    return isinstance(part, int | float) and not isinstance(part, bool)


def nearest(key: Key, known: Mapping[Key, T]) -> tuple[Key, T] | None:
    """The nearest of the known keys, with its value; of several the one whose text comes first, so that all processes
    take the same.  None if no known key is of this kind."""
    found = [(far, repr(other), other) for other in known if (far := distance(key, other)) is not None]
    if not found:
        return None
    _, _, best = min(found, key=lambda one: one[:2])
    return best, known[best]


def keys_of_texts(texts: Iterable[str]) -> dict[Key, str]:
    """The keys that a store has as texts: those of numbers, texts, flags and None; others are left out."""
    found: dict[Key, str] = {}
    for text in texts:
        try:
            key = ast.literal_eval(text)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            continue
        if isinstance(key, tuple):
            found[key] = text
    return found
