"""Items of nested tuples by their paths, and a few more helpers of `triton._utils`.

A path is the index at each level: in (a, (b, c)), c is (1, 1).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

Path = tuple[int, ...]


def get_iterable_path(iterable: Any, path: Path) -> Any:
    """The item at a path; all of it for the empty path."""
    for index in path:
        iterable = iterable[index]
    return iterable


def set_iterable_path(iterable: Any, path: Path, val: Any) -> None:
    """Replaces the item at a path, in a list or in a tuple of the language.

    Raises:
        ValueError: the path is empty.
    """
    if not path:
        raise ValueError("a path needs at least one index")
    holder = get_iterable_path(iterable, path[:-1])
    if isinstance(holder, list):
        holder[path[-1]] = val
    else:
        holder.values[path[-1]] = val


def find_paths_if(iterable: Any, pred: Callable[[Path, Any], bool]) -> list[Path]:
    """The paths, in order, of the items that are no tuples or lists and for which `pred(path, item)` holds."""
    from ttkit.language import core

    nested = (list, tuple, core.tuple, core.tuple_type)

    def visit(path: Path, value: Any) -> Iterator[Path]:
        """The wanted paths in one item, which is at `path`."""
        if isinstance(value, nested):
            for index, item in enumerate(value):
                yield from visit((*path, index), item)
        elif pred(path, value):
            yield path

    return list(visit((), iterable))


def is_namedtuple(val: Any) -> bool:
    """Whether it is a class of named tuples."""
    return isinstance(val, type) and issubclass(val, tuple) and hasattr(val, "_fields")
