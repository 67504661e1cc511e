"""Notices on stderr, once in a process: of what is accepted and has no effect, and caches that can't be used."""

from __future__ import annotations

import sys


class Notices:
    """Messages, each of which is printed the first time."""

    def __init__(self) -> None:
        self._said: dict[str, object] = {}

    def say_once(self, message: str) -> None:
        """Prints `ttkit: <message>`, unless that was done before, by any thread."""
        mine = object()
        if self._said.setdefault(message, mine) is mine:
            print(f"ttkit: {message}", file=sys.stderr)

    def forget(self) -> None:
        """Begins anew: for tests."""
        self._said.clear()


NOTICES = Notices()
say_once = NOTICES.say_once
