"""Places in a program where work was started: scopes, states, operations, or lines of Python.

A context is a node of one tree that all sessions and threads share; its number is what CUPTI carries along with a
launch.  Each thread has its own way down that tree.
"""

from __future__ import annotations

import itertools
import sys
import threading
from collections.abc import Callable, Iterator
from types import FrameType

import ttkit.locks as locks

_PACKAGE = __name__.partition(".")[0] + "."
_LOCK = locks.lock()


class Context:
    """A place: the names on the way to it.

    Attributes:
        number: 0 for the root.
        parent: None for the root.
        is_operation: launches in it are it, and not inside of it: their kernels have its name.
    """

    __slots__ = ("_children", "is_operation", "name", "number", "parent")

    def __init__(self, name: str, parent: Context | None = None, is_operation: bool = False) -> None:
        self.name, self.parent, self.is_operation = name, parent, is_operation
        self._children: dict[tuple[str, bool], Context] = {}
        self.number = len(_BY_NUMBER)
        _BY_NUMBER.append(self)

    def child(self, name: str, is_operation: bool = False) -> Context:
        """The place of a name in this one."""
        found = self._children.get((name, is_operation))
        if found is None:
            with _LOCK:
                found = self._children.get((name, is_operation))
                if found is None:
                    found = self._children[name, is_operation] = Context(name, self, is_operation)
        return found

    def path(self, base: Context | None = None) -> list[Context]:
        """The places from below `base`, or from below the root, to this one."""
        places: list[Context] = []
        place: Context | None = self
        while place is not None and place is not base and place.parent is not None:
            places.append(place)
            place = place.parent
        return places[::-1]


_BY_NUMBER: list[Context] = []
ROOT = Context("ROOT")


def context_of(number: int) -> Context:
    """The place that has a number."""
    return _BY_NUMBER[number] if 0 <= number < len(_BY_NUMBER) else ROOT


class Scope:
    """A scope that a thread is in.

    before: where the thread was.
    began: in ns since the epoch.
    """

    __slots__ = ("before", "began", "name", "number")

    def __init__(self, name: str, number: int, before: Context, began: int) -> None:
        self.name, self.number, self.before, self.began = name, number, before, began


class Thread(threading.local):
    """The way of the calling thread: its scopes from the outermost in, and its states."""

    def __init__(self) -> None:
        self.place = ROOT
        self.scopes: list[Scope] = []
        self.states: list[str] = []

    def current(self) -> Context:
        """The place of what is launched now: the scopes, then the state."""
        return self.place.child(self.states[-1]) if self.states else self.place


thread = Thread()
numbers = itertools.count()
"""Numbers of scopes and operations."""

LISTENERS: list[Callable[[int], object]] = []
"""Told of each place that a thread goes to: its number."""


def go_to(place: Context) -> None:
    """The calling thread's launches are there from now on."""
    for listener in LISTENERS:
        listener(place.number)


def go_back() -> None:
    """The calling thread's launches are again where its scopes and states say."""
    go_to(thread.current())


def python_context(frame: FrameType | None, scopes: Context) -> Context:
    """The place in the Python program: a node for each line that is being called, then the scopes.

    frame: the innermost; those of this package are left out: a first launch has others than the next ones.
    """
    place = ROOT
    for each in reversed(list(_frames(frame))):
        code = each.f_code
        place = place.child(f"{code.co_filename}:{each.f_lineno}@{code.co_name}")
    for scope in scopes.path():
        place = place.child(scope.name, scope.is_operation)
    return place


def _frames(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        if not frame.f_globals.get("__name__", "").startswith(_PACKAGE):
            yield frame
        frame = frame.f_back


def caller() -> FrameType:
    """The frame of whoever calls the caller of this."""
    return sys._getframe(2)
