"""Comparison of MLIR's objects with None, which is False: the bindings raise TypeError.

only_user(value) == op        where no operation alone uses the value
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlir import ir


def compare_with_none() -> None:
    """Has all classes of the bindings whose objects can be compared accept None.  Once."""
    classes = {base for cls in vars(ir).values() if isinstance(cls, type) for base in cls.__mro__ if base is not object}
    for cls in classes:
        equals = cls.__dict__.get("__eq__")
        if equals is not None and cls.__module__.startswith("mlir.") and not hasattr(equals, "of_bindings"):
            cls.__eq__ = _with_none(equals)  # type: ignore[method-assign,assignment]


def _with_none(equals: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """An `__eq__` that the bindings' own does not see None through."""

    def __eq__(self: Any, other: Any) -> Any:
        """Whether both are the same; an object is never None."""
        return False if other is None else equals(self, other)

    __eq__.of_bindings = equals
    return __eq__
