"""Passes and dialects that installed packages add to ttkit, by entry points."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Iterator

TYPE_CHECKING = False  # as of typing, whose import would take a tenth of tt-opt's start
if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

PASSES = "ttkit.passes"
"""The group of passes: `my-pass = "my_package.my_module:MyPass"`."""
DIALECTS = "ttkit.dialects"
"""The group of dialects: `mine = "my_package.my_module:Mine"`."""


def some_package_adds(group: str) -> bool:
    """Whether any installed package names an entry-point group.

    Reading the files' text takes a millisecond; the module that understands them takes 28 to import (x86-64, 2026-11).
    """
    header = f"[{group}]".encode()
    return any(header in text for text in _texts(tuple(sys.path)))


def entries(group: str) -> tuple[EntryPoint, ...]:
    """The entries of a group, of all installed packages."""
    if not some_package_adds(group):
        return ()
    from importlib.metadata import entry_points

    return tuple(entry_points(group=group))


@functools.cache
def _texts(folders: tuple[str, ...]) -> tuple[bytes, ...]:
    """The entry_points.txt of every distribution that is installed in the folders, if it says something of ttkit."""
    return tuple(text for folder in folders for text in _files(folder or ".") if b"[ttkit." in text)


def _files(folder: str) -> Iterator[bytes]:
    for name in os.listdir(folder) if os.path.isdir(folder) else ():
        if name.endswith("-info") and os.path.exists(path := os.path.join(folder, name, "entry_points.txt")):
            with open(path, "rb") as file:
                yield file.read()
