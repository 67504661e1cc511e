"""Entries of the cache as bytes: files by name, with a digest of all, and a signature where one is asked for.

There are no paths in an entry, so it means the same on every machine.  Bytes that were cut off, or that two writers
have mixed, do not match the digest: who keeps entries needs neither locks nor renaming.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from ttkit.cache.digests import content_digest
from ttkit.cache.manager import DamagedEntry
from ttkit.cache.trust import signed, signing_key, unsigned

_HEAD = b"ttkit-entry-1\n"
_DIGEST = 64  # digits


def pack(name: str, files: Mapping[str, bytes]) -> bytes:
    """Files as one entry.  With TTKIT_REMOTE_CACHE_KEY it is signed.

    Args:
        name: of the entry, which the signature covers.

    Raises:
        ValueError, OSError: the key can't be used.
    """
    sizes = json.dumps({file: len(data) for file, data in files.items()}).encode()
    body = sizes + b"\n" + b"".join(files.values())
    data = _HEAD + content_digest(body).encode() + b"\n" + body
    key = signing_key()
    return data if key is None else signed(key, name, "", data)


def unpack(name: str, data: bytes) -> dict[str, bytes]:
    """The files of an entry.

    Raises:
        DamagedEntry: it is not what was packed; or it must be signed and is not, or for another name.
        ValueError, OSError: the key can't be used.
    """
    key = signing_key()
    if key is not None:
        content = unsigned(key, name, "", data)
        if content is None:
            raise DamagedEntry(f"{name} is not signed with TTKIT_REMOTE_CACHE_KEY")
        data = content
    rest = data.removeprefix(_HEAD)
    digest, body = rest[:_DIGEST], rest[_DIGEST + 1 :]
    if len(rest) == len(data) or content_digest(body).encode() != digest:
        raise DamagedEntry(f"{name} is not a whole entry")
    listed, _, contents = body.partition(b"\n")
    files, place = {}, 0
    for file, size in _sizes(name, listed).items():
        files[file] = contents[place : place + size]
        place += size
    return files


def _sizes(name: str, listed: bytes) -> dict[str, int]:
    try:
        found: Any = json.loads(listed)
    except ValueError:
        found = None
    if not isinstance(found, dict) or not all(isinstance(size, int) and size >= 0 for size in found.values()):
        raise DamagedEntry(f"{name} lists no files")
    for file in found:
        if os.path.basename(file) != file or file in ("", ".", ".."):
            raise DamagedEntry(f"{name} has a file '{file}': files of the cache are in no folder")
    return found
