"""State of a kernel's arguments that a hook may change, kept so that it can be put back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


class ArgumentState:
    """Attributes of arguments, and items of their lists and dicts, as they are now.

    Elements of tensors are not kept: a hook that clears a tensor does so before each run at any rate.

    arguments: the values; descriptors in tuples and lists count too.
    """

    def __init__(self, arguments: Iterable[Any]) -> None:
        self._attributes: list[tuple[dict[str, Any], dict[str, Any]]] = []
        self._lists: list[tuple[list[Any], list[Any]]] = []
        self._dicts: list[tuple[dict[Any, Any], dict[Any, Any]]] = []
        self._seen: set[int] = set()
        for value in arguments:
            self._keep(value)

    def _keep(self, value: Any) -> None:
        if isinstance(value, type) or callable(value) or id(value) in self._seen:
            return  # functions and classes are not arguments whose state a launch reads
        self._seen.add(id(value))
        if isinstance(value, list):
            self._lists.append((value, value[:]))
        elif isinstance(value, dict):
            self._dicts.append((value, dict(value)))
        if isinstance(value, (list, tuple)):
            for item in value:
                self._keep(item)
        elif isinstance(found := getattr(value, "__dict__", None), dict):
            self._attributes.append((found, dict(found)))
            for item in found.values():
                if isinstance(item, (list, dict)):
                    self._keep(item)

    def restore(self) -> None:
        """Puts back what was changed since."""
        for found, kept in self._lists:
            if len(found) != len(kept) or any(now is not before for now, before in zip(found, kept)):
                found[:] = kept
        for pairs in (self._attributes, self._dicts):
            for now, before in pairs:
                _restore(now, before)


def _restore(now: dict[Any, Any], before: dict[Any, Any]) -> None:
    for name in [name for name in now if name not in before]:
        del now[name]
    for name, value in before.items():
        if name not in now or now[name] is not value:
            now[name] = value
