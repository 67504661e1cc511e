"""Items of nested tuples by their paths, and a few more helpers of `triton._utils`.

A path is the index at each level: in (a, (b, c)), c is (1, 1).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ttkit.frontend.prototype import at_path, is_named_tuple, paths_where

Path = tuple[int, ...]


def get_iterable_path(iterable: Any, path: Path) -> Any:
    """The item at a path; all of it for the empty path."""
    return at_path(iterable, path)


def set_iterable_path(iterable: Any, path: Path, val: Any) -> None:
    """Replaces the item at a path, in a list or in a tuple of the language.

    Raises:
        ValueError: the path is empty.
    """
    if not path:
        raise ValueError("a path needs at least one index")
    holder = at_path(iterable, path[:-1])
    if isinstance(holder, list):
        holder[path[-1]] = val
    else:
        holder.values[path[-1]] = val


def find_paths_if(iterable: Any, pred: Callable[[Path, Any], bool]) -> list[Path]:
    """The paths, in order, of the items that are not tuples or lists and for which `pred(path, item)` holds."""
    return paths_where(iterable, pred)


def is_namedtuple(val: Any) -> bool:
    """Whether it is a class of named tuples."""
    return is_named_tuple(val)
