"""The sizes of a grid, as launches and interpreters are given it."""

from __future__ import annotations

import numbers
import operator
from collections.abc import Mapping, Set
from typing import Any


def sizes_of(grid: Any) -> tuple[tuple[int, ...], str]:
    """One to three sizes, and an empty text; or no size, and what to do: "" where the grid itself says that.

    A grid is an integer or a sequence of these, and may have more sizes where these are 1.
    """
    try:
        return (operator.index(grid),), ""
    except TypeError:
        pass
    if isinstance(grid, Set | Mapping | str):
        return (), "pass a tuple"
    try:
        given = tuple(grid)
    except TypeError:
        given = (grid,)
    try:
        sizes = tuple(map(operator.index, given))
    except TypeError:
        floats = any(isinstance(size, numbers.Real) and not isinstance(size, numbers.Integral) for size in given)
        return (), f"sizes must be integers{', such as cdiv(n, BLOCK)' if floats else ''}"
    if any(size != 1 for size in sizes[3:]):
        return (), "multiply two sizes, and divide tl.program_id by one of them in the kernel"
    return sizes[:3], ""
