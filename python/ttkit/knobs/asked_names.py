"""Names in settings that nothing had, which is said when the process ends.

`MLIR_ENABLE_DUMP=ad` prints nothing if the kernel is called `add`.  Only at the end is it known that no kernel had the
name.
"""

from __future__ import annotations

import atexit
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_LISTED = 8


class AskedNames:
    """The names that settings asked for, and those that there were."""

    def __init__(self) -> None:
        self._missing: dict[tuple[str, str, str], dict[str, None]] = {}
        self._found: set[tuple[str, str, str]] = set()
        self._process = 0

    def is_one_of(self, setting: str, name: str, there: Iterable[str], kind: str = "kernel") -> bool:
        """Whether a name is one of those that are there; where none ever is, `report` says so.

        Args:
            setting: the environment variable that has the name.
            kind: of what it is the name, for the message.
        """
        key = (setting, name, kind)
        names = list(there)
        if name in names:
            self._found.add(key)
            return True
        if key not in self._found:
            if self._process != os.getpid():  # a process that was forked reports what it has seen itself
                self._process = os.getpid()
                self._missing.clear()
                atexit.register(self.report)
            self._missing.setdefault(key, {}).update(dict.fromkeys(names))
        return False

    def report(self) -> None:
        """Prints a line on stderr for each name that nothing had."""
        if self._process != os.getpid():
            return
        from ttkit.suggestions import suggestion  # only where something is wrong

        for key in [key for key in self._missing if key not in self._found]:
            setting, name, kind = key
            there = list(self._missing.pop(key))
            listed = ", ".join(there[:_LISTED]) + (f" and {len(there) - _LISTED} more" if there[_LISTED:] else "")
            hint = suggestion(name, there)
            print(f"ttkit: {setting}: no {kind} is called '{name}'; found {listed or 'none'}{hint}", file=sys.stderr)

    def forget(self) -> None:
        """Begins anew: for tests."""
        self._missing.clear()
        self._found.clear()


ASKED_NAMES = AskedNames()
