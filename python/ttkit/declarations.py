"""Functions that declare what they are for: decorators that fill a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])


def declares(table: dict[str, Any], names: Sequence[str]) -> Callable[[Function], Function]:
    """Decorator: enters a function into a table under names.

    Raises:
        ValueError: one of the names is taken.
    """

    def declare(function: Function) -> Function:
        """Enters the function under each name.  Raises ValueError if a name has one."""
        for name in names:
            if name in table:
                raise ValueError(f"two functions for {name}")
        table.update(dict.fromkeys(names, function))
        return function

    return declare
