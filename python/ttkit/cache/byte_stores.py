"""Places that keep entries for many machines: bytes by name.

Derive from `ByteStore`, and name the class in TTKIT_CACHE_LAYERS, to keep them anywhere else.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from ttkit.cache.digests import content_digest
from ttkit.cache.manager import GROUP_PREFIX, DamagedEntry, FileCacheManager
from ttkit.cache.packed_entry import pack
from ttkit.cache.trust import check_folder, make_folder, signing_key
from ttkit.whole_files import read_file

SUFFIX = ".entry"
READ_ONLY = "ro:"
_NAME = re.compile(r"[A-Z2-7]{20,}/[^/\0]+")
_CLASS = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")


def is_name(text: str) -> bool:
    """Whether a text names an entry: the key of its folder in the cache, and a file there."""
    return bool(_NAME.fullmatch(text)) and not text.endswith(("/.", "/.."))


class ByteStore:
    """Bytes by name.  Names are `KEY/file`, a key in base 32 and the name of a file.

    writable: whether compilations are stored in it.
    """

    writable = True

    def get(self, name: str) -> bytes | None:
        """The bytes of a name; None where there are none."""
        raise NotImplementedError

    def put(self, name: str, data: bytes) -> None:
        """Keeps bytes.  Another process may do the same at the same time."""
        raise NotImplementedError

    def names(self) -> Iterator[str]:
        """All names, for `ttkit cache warm`."""
        raise NotImplementedError


class FolderStore(ByteStore):
    """Files in a folder, such as one of a network disk.  A file is written under its own name, and only when it is
    missing or damaged: nothing is renamed or locked.

    A folder that has been a cache, TRITON_CACHE_DIR, can be read too: in an image, for instance.

    Raises:
        OSError: it can be read only, and there is no such folder.
    """

    def __init__(self, folder: str, writable: bool = True) -> None:
        self.folder, self.writable = folder, writable
        if not writable and not os.path.isdir(folder):
            raise FileNotFoundError(f"no such folder: {folder}")

    def _path(self, name: str) -> str:
        key, _, file = name.partition("/")
        return os.path.join(self.folder, key[:2], f"{key}.{file}{SUFFIX}")

    def get(self, name: str) -> bytes | None:
        """The bytes of a file, or of a kernel in a folder of the cache, packed.

        Raises:
            UntrustedFolder: another user can have written it, and entries need not be signed.
        """
        if signing_key() is None:
            check_folder(self.folder)
        try:
            return read_file(self._path(name))
        except OSError:
            return self._packed(name)

    def _packed(self, name: str) -> bytes | None:
        key, _, file = name.partition("/")
        found = _Folder(self.folder, key)
        try:
            loaded = found.load(file)
        except (DamagedEntry, OSError):
            return None
        return None if loaded is None or signing_key() is not None else pack(name, loaded[0])

    def put(self, name: str, data: bytes) -> None:
        """Writes a file; one that is there and whole stays.

        Raises:
            OSError: it can't be written.
        """
        path = self._path(name)
        make_folder(self.folder)
        os.makedirs(os.path.dirname(path), exist_ok=True)  # for those whom the folder above lets in
        try:
            if content_digest(read_file(path)) == content_digest(data):
                return
        except OSError:
            pass
        with open(path, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())  # others see what this machine has sent

    def names(self) -> Iterator[str]:
        """The names of all entries, and of kernels in folders of the cache."""
        for part in sorted(os.listdir(self.folder)):
            path = os.path.join(self.folder, part)
            for file in sorted(os.listdir(path)) if os.path.isdir(path) else ():
                key, _, rest = file.removesuffix(SUFFIX).partition(".")
                if len(part) == 2 and file.endswith(SUFFIX):
                    yield f"{key}/{rest}"
                elif file.startswith(GROUP_PREFIX):
                    yield f"{part}/{file.removeprefix(GROUP_PREFIX)}"


class _Folder(FileCacheManager):
    """A folder of a cache that is elsewhere."""

    def __init__(self, directory: str, key: str) -> None:
        self.key, self._is_dump, self.directory = key, False, directory
        self.cache_dir = os.path.join(directory, key)


class FsspecStore(ByteStore):
    """Files of any file system that fsspec knows: `s3://bucket/folder`, `gs://`, `http://`, `memory://`.

    Raises:
        ImportError: `fsspec`, or the package of this file system, is not installed.
    """

    def __init__(self, address: str, writable: bool = True) -> None:
        try:
            import fsspec  # type: ignore[import-not-found, import-untyped, unused-ignore]
        except ImportError:
            raise ImportError(f"{address} is read by fsspec, which is not installed: install ttkit[fsspec]") from None
        self.writable = writable
        self._files, self._root = fsspec.core.url_to_fs(address)

    def _path(self, name: str) -> str:
        return f"{self._root.rstrip('/')}/{name}{SUFFIX}"

    def get(self, name: str) -> bytes | None:
        """The bytes of a file.  Raises what its file system raises, but for files that are missing."""
        try:
            found: bytes = self._files.cat_file(self._path(name))
        except FileNotFoundError:
            return None
        return found

    def put(self, name: str, data: bytes) -> None:
        """Writes a file.  Raises what its file system raises."""
        path = self._path(name)
        self._files.makedirs(path.rpartition("/")[0], exist_ok=True)
        self._files.pipe_file(path, data)

    def names(self) -> Iterator[str]:
        """The names of all entries."""
        start = self._root.rstrip("/") + "/"
        for path in sorted(self._files.find(self._root)):
            if path.endswith(SUFFIX):
                yield path.removeprefix(start).removeprefix("/").removesuffix(SUFFIX)


@functools.cache
def store_of(text: str) -> ByteStore:
    """The store of a text, the same one in a process.

        /mnt/shared/cache       a folder; ro:/opt/cache one that is only read
        s3://bucket/cache       what fsspec knows
        package.module:Class    a `ByteStore` of your own, called without arguments

    Raises:
        ImportError, OSError: there is none.
        TypeError: the class is not a ByteStore.
    """
    writable, place = not text.startswith(READ_ONLY), text.removeprefix(READ_ONLY)
    if "://" in place:
        return FsspecStore(place, writable)
    if _CLASS.fullmatch(place) and not os.path.exists(place):
        module, _, name = place.partition(":")
        made: Any = getattr(import_module(module), name)()
        if not isinstance(made, ByteStore):
            raise TypeError(f"{place} is not a ttkit.cache.byte_stores.ByteStore")
        made.writable = made.writable and writable
        return made
    return FolderStore(place, writable)
