"""Regular expressions that are compiled when they are first used: of those of a compilation, most never are."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from re import compile as pattern
else:

    class pattern:
        """As `re.compile` gives it; an expression that is not one raises `re.error` when it is first used."""

        def __init__(self, text: str, flags: int = 0) -> None:
            self._of = text, flags

        def __getattr__(self, name: str) -> Any:
            found = getattr(re.compile(*self._of), name)
            setattr(self, name, found)
            return found
