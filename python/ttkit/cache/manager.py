"""The cache's files.

A kernel's files are in a folder named after its key: `<key in base 32>/<name>.{source,ttir,ttgir,llir,ptx,cubin,json}`.
`__grp__<name>.json` lists them, by absolute path (`child_paths`, as Triton has it) and with digests, of each and of the
list; it is written last.  A folder may be moved: files are looked for beside the list, and else nowhere outside of the
cache.  Files are written
to a folder of their own and renamed, so that readers see a whole file or none, whenever the writer ends.  Nothing that
is read is executed: the files are text, JSON and cubins.  Folders are made for this user alone, those of others are not
used (`trust.py`).
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import ttkit.knobs as knobs
from ttkit.cache.digests import content_digest
from ttkit.cache.trust import check_folder, make_folder
from ttkit.whole_files import read_file

GROUP_PREFIX = "__grp__"
TEMPORARY_PREFIX = "tmp.pid_"
ATTEMPTS = 3  # to write an entry that other processes remove meanwhile


class DamagedEntry(Exception):
    """Files of the cache that are not what was stored."""


class CacheManager:
    """Store of the files of one key.  Derive from it, and name the class in TRITON_CACHE_MANAGER, to keep them
    elsewhere: `get_file`, `put`, `get_group` and `put_group` are what such a class must have.

    Args:
        key: in base 32, as `base32` makes it.
        override: the override directory's files.
        dump: the dump directory's.
    """

    def __init__(self, key: str, override: bool = False, dump: bool = False) -> None:
        pass

    def get_file(self, filename: str) -> str | None:
        """The path of a file; None if there is none."""
        raise NotImplementedError

    def put(self, data: Any, filename: str, binary: bool = True) -> str:
        """Stores bytes, or the text of anything else; returns the path."""
        raise NotImplementedError

    def get_group(self, filename: str) -> dict[str, str] | None:
        """{name: path} of the files that were stored as a group; None if there is no such group."""
        raise NotImplementedError

    def put_group(self, filename: str, group: dict[str, str]) -> Any:
        """Stores that the files of {name: path} are a group."""
        raise NotImplementedError

    def load(self, filename: str) -> tuple[dict[str, bytes], dict[str, str]] | None:
        """Contents and paths of a group's files, by name; None if there is no such group.

        Raises:
            DamagedEntry: a file is not what was stored.
            OSError: a file can't be read.
        """
        paths = self.get_group(filename)
        if paths is None or filename not in paths:
            return None
        return {name: read_file(path) for name, path in paths.items()}, paths

    def store(self, filename: str, files: Mapping[str, bytes]) -> dict[str, str]:
        """Stores files as a group; returns their paths by name.

        Raises:
            OSError: they can't be written.
        """
        paths = {name: self.put(data, name) for name, data in files.items()}
        self.put_group(filename, paths)
        return paths


class FileCacheManager(CacheManager):
    """Files in TRITON_CACHE_DIR, TRITON_DUMP_DIR or TRITON_OVERRIDE_DIR.

    Attributes:
        key: of the folder.
        directory: what the folder is in.
        cache_dir: the folder; it exists once something was stored.
    """

    def __init__(self, key: str, override: bool = False, dump: bool = False) -> None:
        self.key, self._is_dump = key, dump
        directory = knobs.cache.dump_dir if dump else knobs.cache.override_dir if override else knobs.cache.dir
        if not directory:
            raise RuntimeError("Could not create or locate cache dir")
        self.directory = directory
        self.cache_dir = os.path.join(directory, key)

    def has_file(self, filename: str) -> bool:
        """Whether the entry has a file of this name."""
        return os.path.exists(os.path.join(self.cache_dir, filename))

    def get_file(self, filename: str) -> str | None:
        """The path of a file of the entry; None if it is not there.

        Raises:
            UntrustedFolder: another user can have written it.
        """
        self._check()
        path = os.path.join(self.cache_dir, filename)
        return path if os.path.exists(path) else None

    def put(self, data: Any, filename: str, binary: bool = True) -> str:
        """Stores a file.

        Raises:
            OSError: it can't be written; what was there before stays.
        """
        self._write({filename: data if isinstance(data, bytes) else str(data).encode()})
        return os.path.join(self.cache_dir, filename)

    def get_group(self, filename: str) -> dict[str, str] | None:
        """The files of a group that are there.  That they are what was stored, only `load` makes sure of."""
        group = self._read_list(filename)
        if group is None:
            return None
        return {name: path for name, path in group[0].items() if os.path.exists(path)}

    def put_group(self, filename: str, group: dict[str, str]) -> str:
        """Lists files as a group, with digests of their contents; the path of the list.

        Raises:
            OSError: one can't be read, or the list can't be written.
        """
        digests = {name: content_digest(read_file(path)) for name, path in group.items()}
        return self.put(list_of(group, digests), GROUP_PREFIX + filename)

    def load(self, filename: str) -> tuple[dict[str, bytes], dict[str, str]] | None:
        """Contents and paths, by name, of the files of a group; None if there is no such group.

        Raises:
            DamagedEntry: a file is missing, or is not what was stored.
            OSError: one can't be read.
        """
        group = self._read_list(filename)
        if group is None:
            return None
        paths, digests = group
        contents = {}
        for name, path in paths.items():
            try:
                contents[name] = read_file(path)
            except FileNotFoundError:
                if name in digests:
                    raise DamagedEntry(f"{path} is missing") from None
                continue  # Triton's lists may name files that are gone
            if name in digests and content_digest(contents[name]) != digests[name]:
                raise DamagedEntry(f"{path} does not match the stored digest")
        if filename not in contents:
            raise DamagedEntry(f"{os.path.join(self.cache_dir, filename)} is missing")
        return contents, {name: paths[name] for name in contents}

    def store(self, filename: str, files: Mapping[str, bytes]) -> dict[str, str]:
        """Writes files and the list of their group at once; their paths by name.

        Raises:
            OSError: they can't be written.
        """
        paths = {name: os.path.join(self.cache_dir, name) for name in files}
        digests = {name: content_digest(data) for name, data in files.items()}
        self._write({**files, GROUP_PREFIX + filename: list_of(paths, digests).encode()})
        return paths

    def _read_list(self, filename: str) -> tuple[dict[str, str], dict[str, str]] | None:
        """Paths and digests of a group's files by name; None if there is no such group.

        Raises:
            DamagedEntry: the list can't be read.
        """
        listed = os.path.join(self.cache_dir, GROUP_PREFIX + filename)
        self._check()
        try:
            paths, digests = parse_list(read_file(listed), listed)
        except FileNotFoundError:
            return None
        return {name: self._locate(name, path) for name, path in paths.items()}, digests

    def _check(self) -> None:
        """Raises UntrustedFolder if another user can have written what is read here.  Dumps are only written."""
        if not self._is_dump:
            check_folder(self.directory)
            check_folder(self.cache_dir)

    def _locate(self, name: str, path: str) -> str:
        """Path of a listed file: beside the list, also if the folder was moved; else a place in the cache."""
        beside = os.path.join(self.cache_dir, os.path.basename(name))
        cache = os.path.realpath(self.directory)
        is_elsewhere = os.path.commonpath([cache, os.path.realpath(os.path.join(cache, path))]) != cache
        return beside if is_elsewhere or os.path.exists(beside) else path

    def _write(self, files: Mapping[str, bytes]) -> None:
        """Writes files; each appears, in this order, when all are complete."""
        for name in files:
            if os.path.basename(name) != name or name in ("", ".", ".."):
                raise ValueError(f"'{name}' is not the name of a file in the cache")
        for _ in range(ATTEMPTS - 1):
            with contextlib.suppress(FileNotFoundError, FileExistsError):
                return self._write_once(files)
        return self._write_once(files)

    def _write_once(self, files: Mapping[str, bytes]) -> None:
        make_folder(self.directory)
        self._check()
        make_folder(self.cache_dir)
        folder = os.path.join(self.cache_dir, f"{TEMPORARY_PREFIX}{os.getpid()}_{os.urandom(16).hex()}")
        make_folder(folder)
        try:
            for name, data in files.items():
                with open(os.path.join(folder, name), "wb") as file:
                    file.write(data)
            for name in files:
                os.replace(os.path.join(folder, name), os.path.join(self.cache_dir, name))
        finally:
            _remove_folder(folder)


def list_of(paths: Mapping[str, str] | list[str], digests: Mapping[str, str]) -> str:
    """The list of a group's files: their paths by name, or their names; their digests; and the digest of these two."""
    listed = {"child_paths": dict(paths) if isinstance(paths, Mapping) else paths, "digests": dict(digests)}
    return json.dumps({**listed, "digest": _digest_of_list(listed)})


def _digest_of_list(listed: dict[str, Any]) -> str:
    return content_digest(json.dumps([listed["child_paths"], listed["digests"]]).encode())


def parse_list(text: bytes, name: str) -> tuple[dict[str, str], dict[str, str]]:
    """Paths and digests of a group's files by name; a list of names gives names.  Triton's lists have no digests.

    Raises:
        DamagedEntry: the list, which `name` names, is not what was stored.
    """
    try:
        found = json.loads(text)
    except ValueError:
        raise DamagedEntry(f"{name} is not JSON") from None
    listed: Any = found if isinstance(found, dict) else {}
    children, digests = listed.get("child_paths"), listed.get("digests", {})
    if isinstance(children, list) and all(isinstance(child, str) for child in children):
        children = {child: child for child in children}
    if not (_is_texts(children) and _is_texts(digests)):
        raise DamagedEntry(f"{name} lists no files")
    is_tritons = set(listed) == {"child_paths"}
    if not is_tritons and ("digests" not in listed or listed.get("digest") != _digest_of_list(listed)):
        raise DamagedEntry(f"{name} does not match the stored digest")
    return children, digests


def _is_texts(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(item, str) for item in value.values())


def _remove_folder(folder: str) -> None:
    """Removes a temporary folder with what is left in it."""
    try:
        for name in os.listdir(folder):
            os.unlink(os.path.join(folder, name))
        os.rmdir(folder)
    except OSError:
        pass  # `ttkit cache gc` removes it


def base32(key: str) -> str:
    """A key in hexadecimal digits as the name of a folder."""
    return base64.b32encode(bytes.fromhex(key)).decode().rstrip("=")


def _manager_class() -> Any:
    if (given := knobs.cache.manager_class) is not None:
        return given
    return import_module("ttkit.cache.layered").LayeredCacheManager if knobs.cache.layers else FileCacheManager


def get_cache_manager(key: str) -> CacheManager:
    """The files of a key, which is in hexadecimal digits."""
    return _manager_class()(base32(key))


def get_override_manager(key: str) -> CacheManager:
    """The files that take the place of levels of a kernel; `key` is its source's hash."""
    return _manager_class()(base32(key), override=True)


def get_dump_manager(key: str, configuration: str = "") -> CacheManager:
    """Manager of the folder to which the levels of a kernel are written; `key` is its source's hash.

    Args:
        configuration: the end of the folder's name, for a configuration that has a folder of its own.
    """
    return _manager_class()(base32(key) + configuration, dump=True)
