"""Which function writes an operation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Handler = Callable[[Any, Any], "str | None"]
HANDLERS: dict[str, Handler] = {}
"""Operation -> function of the writer and the operation.  It gives the expression of the result or results, or None if
it has written statements."""


def writes(*names: str) -> Callable[[Handler], Handler]:
    """Decorator: the function writes these operations."""

    def register(function: Handler) -> Handler:
        """Enters the function."""
        for name in names:
            HANDLERS[name] = function
        return function

    return register
