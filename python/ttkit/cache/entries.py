"""The cache as a whole: what is in it, what is damaged, what can go."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Iterator
from typing import Any

from ttkit.cache.digests import content_digest
from ttkit.cache.manager import GROUP_PREFIX, TEMPORARY_PREFIX, DamagedEntry, parse_list
from ttkit.records import dataclass
from ttkit.temporary import runs

_UNFINISHED_SECONDS = 3600
"""After this long, files of a process that may still run elsewhere are taken for left over."""
_ELF = b"\x7fELF"


@dataclass(frozen=True)
class Entry:
    """A folder of the cache.

    Attributes:
        folder: its path.
        groups: names of the kernels' metadata, "add.json"; none where something else is kept, or nothing is complete.
        size: of all files, in bytes.
        used: when it was last read or written, in seconds since 1970.
        leftovers: temporary folders in it.
    """

    folder: str
    groups: tuple[str, ...]
    size: int
    used: float
    leftovers: tuple[str, ...]

    @property
    def key(self) -> str:
        """The name of its folder: the digest of all that decides how the kernel is compiled."""
        return os.path.basename(self.folder)

    def metadata(self) -> dict[str, Any]:
        """The metadata of its first kernel; empty where it can't be read."""
        for name in self.groups:
            try:
                found = json.loads(_read(os.path.join(self.folder, name)))
            except (OSError, ValueError):
                continue
            if isinstance(found, dict):
                return found
        return {}

    def problems(self) -> list[str]:
        """Problems of the entry's files, a line each."""
        return [problem for name in self.groups for problem in _problems(self.folder, name)]


def entries(directory: str) -> Iterator[Entry]:
    """The folders of a cache, in the order of their keys.

    Raises:
        OSError: the directory can't be read.
    """
    for key in sorted(os.listdir(directory)):
        folder = os.path.join(directory, key)
        if os.path.isdir(folder) and not os.path.islink(folder) and not key.startswith("."):
            yield _entry(folder)


def _entry(folder: str) -> Entry:
    groups, leftovers, size, used = [], [], 0, 0.0
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        try:
            found = os.stat(path)
        except OSError:
            continue  # gone meanwhile
        if os.path.isdir(path):
            leftovers += [path] if name.startswith(TEMPORARY_PREFIX) else []
            continue
        size += found.st_size
        used = max(used, found.st_mtime, found.st_atime)
        if name.startswith(GROUP_PREFIX):
            groups.append(name.removeprefix(GROUP_PREFIX))
    return Entry(folder, tuple(groups), size, used or os.stat(folder).st_mtime, tuple(leftovers))


def _problems(folder: str, name: str) -> Iterator[str]:
    listed = os.path.join(folder, GROUP_PREFIX + name)
    try:
        paths, digests = parse_list(_read(listed), listed)
    except (OSError, DamagedEntry) as error:
        yield str(error)
        return
    for child in paths:
        path = os.path.join(folder, os.path.basename(child))
        try:
            content = _read(path)
        except OSError as error:
            if child in digests or child == name:
                yield f"{path}: {error.strerror}"
            continue
        if child in digests and content_digest(content) != digests[child]:
            yield f"{path}: not what was stored"
        elif child.endswith(".cubin") and not content.startswith(_ELF):
            yield f"{path}: no cubin"
        elif child.endswith(".json") and not _is_json(content):
            yield f"{path}: no JSON"


def _read(path: str) -> bytes:
    """The contents; that they were read is not noted, where it can be helped: looking is no use."""
    with open(path, "rb", opener=_open_quietly) as file:
        return file.read()


def _open_quietly(path: str, flags: int) -> int:
    try:
        return os.open(path, flags | getattr(os, "O_NOATIME", 0))
    except PermissionError:  # of a file of another user
        return os.open(path, flags)


def _is_json(content: bytes) -> bool:
    try:
        json.loads(content)
    except ValueError:
        return False
    return True


@dataclass(frozen=True)
class Removal:
    """Something that `garbage` would remove: a path, why, and its size in bytes."""

    path: str
    reason: str
    size: int


def garbage(
    directory: str, *, older_than: float | None = None, max_size: int | None = None, now: float | None = None
) -> Iterator[Removal]:
    """Removable files: leftovers of processes that ended while they wrote, damaged entries, and those past the limits.

    Args:
        older_than: seconds; entries that were not used for longer.
        max_size: bytes; the entries that were not used for longest, until the others fit.

    Raises:
        OSError: the directory can't be read.
    """
    now = time.time() if now is None else now
    kept = []
    for entry in entries(directory):
        for leftover in entry.leftovers:
            if _is_left_over(leftover, now):
                yield Removal(leftover, "left over", _size(leftover))
        if problems := entry.problems():
            yield Removal(entry.folder, problems[0], entry.size)
        elif entry.size == 0 and not entry.leftovers and now - entry.used > _UNFINISHED_SECONDS:
            yield Removal(entry.folder, "empty", 0)
        elif older_than is not None and now - entry.used > older_than:
            yield Removal(entry.folder, "not used for long", entry.size)
        else:
            kept.append(entry)
    if max_size is None:
        return
    total = sum(entry.size for entry in kept)
    for entry in sorted(kept, key=lambda entry: entry.used):
        if total <= max_size:
            return
        total -= entry.size
        yield Removal(entry.folder, "the cache is too large", entry.size)


def remove(removal: Removal) -> None:
    """Removes it: lists of files first, so that other processes find a whole entry or none.

    Raises:
        OSError: it can't be removed.
    """
    if not os.path.basename(removal.path).startswith(TEMPORARY_PREFIX):
        for name in os.listdir(removal.path):
            if name.startswith(GROUP_PREFIX):
                os.unlink(os.path.join(removal.path, name))
    shutil.rmtree(removal.path, ignore_errors=False)


def _is_left_over(folder: str, now: float) -> bool:
    """Whether the process that a temporary folder names has ended, or ran on another machine long ago."""
    try:
        age = now - os.stat(folder).st_mtime
        process = int(os.path.basename(folder).removeprefix(TEMPORARY_PREFIX).partition("_")[0])
    except (OSError, ValueError):
        return False
    return age > _UNFINISHED_SECONDS or not runs(process)


def _size(folder: str) -> int:
    return sum(os.path.getsize(os.path.join(folder, name)) for name in os.listdir(folder))


def amount(count: float) -> str:
    """Bytes in the unit that suits them."""
    for unit in ("B", "KB", "MB", "GB"):
        if count < 1024:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1024
    return f"{count:.1f} TB"
