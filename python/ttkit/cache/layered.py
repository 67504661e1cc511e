"""A cache of several layers: a folder of this machine, and stores of entries that many machines share.

TTKIT_CACHE_LAYERS=ro:/opt/cache,/mnt/shared/cache,s3://bucket/cache

An entry is looked for in TRITON_CACHE_DIR, then in the layers in their order; what a layer has is copied to the folder.
What is compiled goes to the folder, and to every layer that may be written.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import ttkit.knobs as knobs
from ttkit.cache.byte_stores import ByteStore, store_of
from ttkit.cache.manager import CacheManager, DamagedEntry, FileCacheManager
from ttkit.cache.packed_entry import pack, unpack
from ttkit.notices import say_once
from ttkit.whole_files import read_file

_PAUSE_SECONDS = 60.0
"""Seconds for which a layer that failed is left alone."""
_PAUSED: dict[str, float] = {}


class LayeredCacheManager(CacheManager):
    """The cache where TTKIT_CACHE_LAYERS is set.  Dumps and overrides are files of this machine."""

    def __init__(self, key: str, override: bool = False, dump: bool = False) -> None:
        self.key = key
        self._files = FileCacheManager(key, override=override, dump=dump)
        self.directory, self.cache_dir = self._files.directory, self._files.cache_dir
        self._layers = () if override or dump else knobs.cache.layers

    def get_file(self, filename: str) -> str | None:
        """The path of a file, copied from a layer where the folder does not have it."""
        found = self._files.get_file(filename)
        if found is None and (contents := self._from_layers(filename)) is not None and filename in contents:
            return self._files.put(contents[filename], filename)
        return found

    def put(self, data: Any, filename: str, binary: bool = True) -> str:
        """Stores a file."""
        content = data if isinstance(data, bytes) else str(data).encode()
        self._to_layers(filename, {filename: content})
        return self._files.put(content, filename)

    def get_group(self, filename: str) -> dict[str, str] | None:
        """The files of a group, copied from a layer where the folder does not have it."""
        found = self._files.get_group(filename)
        if found is None and (contents := self._from_layers(filename)) is not None:
            return self._files.store(filename, contents)
        return found

    def put_group(self, filename: str, group: dict[str, str]) -> str:
        """Lists files as a group."""
        self._to_layers(filename, {name: read_file(path) for name, path in group.items()})
        return self._files.put_group(filename, group)

    def load(self, filename: str) -> tuple[dict[str, bytes], dict[str, str]] | None:
        """Contents and paths of a group's files; no paths where the folder can't be written.

        Raises:
            DamagedEntry, OSError: what the folder has can't be used, and no layer has it.
        """
        problem: Exception | None = None
        try:
            if (found := self._files.load(filename)) is not None:
                return found
        except (DamagedEntry, OSError) as error:
            problem = error
        contents = self._from_layers(filename)
        if contents is None or filename not in contents:
            if problem is not None:
                raise problem
            return None
        try:
            return contents, self._files.store(filename, contents)
        except OSError as error:
            say_once(f"can't write the cache {self.directory} ({error.strerror}): kernels are read from its layers")
            return contents, {}

    def store(self, filename: str, files: Mapping[str, bytes]) -> dict[str, str]:
        """Stores files as a group.

        Raises:
            OSError: the folder can't be written; the layers have them at any rate.
        """
        self._to_layers(filename, files)
        return self._files.store(filename, files)

    # --- layers -------------------------------------------------------------------------------------------------------

    def _from_layers(self, filename: str) -> dict[str, bytes] | None:
        name = f"{self.key}/{filename}"
        for text in self._layers:
            if (layer := _layer(text)) is None:
                continue
            try:
                if (data := layer.get(name)) is not None:
                    return unpack(name, data)
            except DamagedEntry as error:
                say_once(f"an entry of {text} is not used: {error}")
            except Exception as error:  # of a file system elsewhere
                _pause(text, error)
        return None

    def _to_layers(self, filename: str, files: Mapping[str, bytes]) -> None:
        name = f"{self.key}/{filename}"
        for text in self._layers:
            if (layer := _layer(text)) is None or not layer.writable:
                continue
            try:
                layer.put(name, pack(name, files))
            except Exception as error:
                _pause(text, error)


def _layer(text: str) -> ByteStore | None:
    if time.monotonic() < _PAUSED.get(text, 0.0):
        return None
    try:
        return store_of(text)
    except Exception as error:  # of a class of the user's
        _pause(text, error)
        return None


def _pause(text: str, error: Exception) -> None:
    _PAUSED[text] = time.monotonic() + _PAUSE_SECONDS
    reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    say_once(f"the cache's layer {text} is left alone for {_PAUSE_SECONDS:.0f} s: {reason}")
