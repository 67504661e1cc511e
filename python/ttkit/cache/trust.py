"""Whom the cache is taken from: who can write it chooses what runs."""

from __future__ import annotations

import hashlib
import hmac
import os
import stat

import ttkit.knobs as knobs
from ttkit.notices import say_once

_MARK = b"ttkit-signed:"
_SHORTEST_KEY = 16  # bytes


class UntrustedFolder(OSError):
    """A folder of the cache that another user can have written."""


def check_folder(path: str) -> None:
    """Checks who owns a folder of the cache, if there is one.

    Raises:
        UntrustedFolder: another user, who is not named in TTKIT_CACHE_OWNERS.
    """
    try:
        found = os.stat(path)
    except OSError:
        return
    if found.st_uid != os.geteuid() and not is_named(found.st_uid):
        owner = user_name(found.st_uid)
        raise UntrustedFolder(f"{path} belongs to {owner}; if you trust its files, set TTKIT_CACHE_OWNERS={owner}")
    if found.st_mode & stat.S_IWOTH:
        say_once(f"everyone can write {path}, and so replace your kernels: run chmod o-w {path}")


def is_named(user: int) -> bool:
    """Whether TTKIT_CACHE_OWNERS has a user, by name or number."""
    names = knobs.cache.owners
    return bool(names) and (str(user) in names or user_name(user) in names)


def user_name(user: int) -> str:
    """The name of a user; the number where there is none."""
    import pwd

    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return str(user)


def make_folder(path: str) -> None:
    """Makes a folder that no other user can enter, if there is none.

    Raises:
        OSError: it can't be made.
    """
    if not os.path.isdir(path):
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        try:
            os.mkdir(path, 0o700)
        except FileExistsError:
            if not os.path.isdir(path):
                raise


def signing_key() -> bytes | None:
    """The key of TTKIT_REMOTE_CACHE_KEY, which names a file; None without it.

    Raises:
        ValueError: the file is too short, or others may read it.
        OSError: it can't be read.
    """
    path = knobs.cache.remote_key
    if not path:
        return None
    with open(path, "rb") as file:
        key = file.read().strip()
        mode = os.fstat(file.fileno()).st_mode
    if mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise ValueError(f"TTKIT_REMOTE_CACHE_KEY: others may read {path}: chmod 600 {path}")
    if len(key) < _SHORTEST_KEY:
        raise ValueError(f"TTKIT_REMOTE_CACHE_KEY: {path} has {len(key)} bytes; a key has {_SHORTEST_KEY} or more")
    return key


def signed(key: bytes, entry: str, filename: str, data: bytes) -> bytes:
    """Data after its signature (HMAC-SHA256), which also covers the names of the entry and the file."""
    return _MARK + _signature(key, entry, filename, data) + b"\n" + data


def unsigned(key: bytes, entry: str, filename: str, data: bytes) -> bytes | None:
    """Data without its signature; None if that is missing, or wrong."""
    head, _, content = data.partition(b"\n")
    found = head.removeprefix(_MARK)
    if not head.startswith(_MARK) or not hmac.compare_digest(found, _signature(key, entry, filename, content)):
        return None
    return content


def _signature(key: bytes, entry: str, filename: str, data: bytes) -> bytes:
    about = f"{len(entry)}:{entry}{len(filename)}:{filename}".encode()
    return hmac.new(key, about + data, hashlib.sha256).hexdigest().encode()
