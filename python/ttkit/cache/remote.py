"""A cache that several machines share: a backend keeps the files, a folder of this machine holds copies.

TRITON_CACHE_MANAGER=ttkit.cache.remote:RemoteCacheManager and TRITON_REMOTE_CACHE_BACKEND=module:Class turn it on.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import ttkit.knobs as knobs
from ttkit.cache.digests import content_digest
from ttkit.cache.manager import GROUP_PREFIX, CacheManager, DamagedEntry, FileCacheManager, list_of, parse_list
from ttkit.cache.trust import signed, signing_key, unsigned
from ttkit.notices import say_once

_PAUSE = 60.0  # seconds for which a server that did not answer is left alone
_paused_until = 0.0


class RemoteCacheBackend:
    """Keeps the files of one key.

    Args:
        key: in base 32.
    """

    def __init__(self, key: str) -> None:
        pass

    def get(self, filenames: list[str]) -> dict[str, bytes]:
        """The contents of those files that there are."""
        raise NotImplementedError

    def put(self, filename: str, data: bytes) -> Any:
        """Stores a file."""
        raise NotImplementedError


class RedisRemoteCacheBackend(RemoteCacheBackend):
    """Files in Redis, on the server and by the names of TRITON_REDIS_HOST, _PORT and _KEY_FORMAT.

    Raises:
        ImportError: the package `redis` is not installed.
    """

    def __init__(self, key: str) -> None:
        import redis  # type: ignore[import-not-found, unused-ignore]

        self._key = key
        self._format = knobs.redis.key_format
        seconds = knobs.redis.timeout
        self._redis = redis.Redis(
            host=knobs.redis.host, port=knobs.redis.port, socket_timeout=seconds, socket_connect_timeout=seconds
        )

    def _name(self, filename: str) -> str:
        return self._format.format(key=self._key, filename=filename)

    def get(self, filenames: list[str]) -> dict[str, bytes]:
        """Contents by name of those files that are there; all with one request."""
        names = [self._name(filename) for filename in filenames]
        found = self._asked(lambda: self._redis.mget(names)) or [None] * len(names)
        return {filename: data for filename, data in zip(filenames, found) if data is not None}

    def put(self, filename: str, data: bytes) -> None:
        """Stores a file, which replaces one of the same name."""
        self._asked(lambda: self._redis.set(self._name(filename), data))

    def _asked(self, ask: Callable[[], Any]) -> Any:
        """The server's answer; None while it is left alone, since it did not give one in time."""
        global _paused_until
        if time.monotonic() < _paused_until:
            return None
        try:
            return ask()
        except Exception:
            _paused_until = time.monotonic() + _PAUSE
            raise


class SignedBackend(RemoteCacheBackend):
    """Another backend, whose files are signed: those that are not, or wrongly, are not there.

    Args:
        key: in base 32.
        backend: that keeps the files.
        signing: what they are signed with.
    """

    def __init__(self, key: str, backend: RemoteCacheBackend, signing: bytes) -> None:
        self._key, self._backend, self._signing = key, backend, signing

    def get(self, filenames: list[str]) -> dict[str, bytes]:
        """The contents of those files that are there and signed, by name."""
        found = {}
        for name, data in self._backend.get(filenames).items():
            content = unsigned(self._signing, self._key, name, data)
            if content is None:
                say_once(
                    "the remote cache has files that are not signed with TTKIT_REMOTE_CACHE_KEY: they are not used"
                )
            else:
                found[name] = content
        return found

    def put(self, filename: str, data: bytes) -> None:
        """Stores a file, signed."""
        self._backend.put(filename, signed(self._signing, self._key, filename, data))


class RemoteCacheManager(CacheManager):
    """The cache of a `RemoteCacheBackend`.  Dumps and overrides are files of this machine.

    Raises:
        RuntimeError: TRITON_REMOTE_CACHE_BACKEND names no class.
    """

    def __init__(self, key: str, override: bool = False, dump: bool = False) -> None:
        backend = knobs.cache.remote_manager_class
        if backend is None:
            raise RuntimeError(
                "Unable to instantiate RemoteCacheManager, TRITON_REMOTE_CACHE_BACKEND doesn't point to a valid class"
            )
        self._is_local = override or dump
        self._backend: RemoteCacheBackend = backend(key)
        if (signing := signing_key()) is not None:
            self._backend = SignedBackend(key, self._backend, signing)
        self._files = FileCacheManager(key, override=override, dump=dump)

    def get_file(self, filename: str) -> str | None:
        """The path of a local copy of a file; None if the remote cache does not have it."""
        if self._is_local:
            return self._files.get_file(filename)
        # Also where there is a copy: the backend counts what is used.
        found = self._backend.get([filename])
        return self._files.put(found[filename], filename) if filename in found else None

    def put(self, data: Any, filename: str, binary: bool = True) -> str:
        """Stores a file, text as UTF-8, in the remote cache; the path of a local copy."""
        content = data if isinstance(data, bytes) else str(data).encode()
        if not self._is_local:
            self._backend.put(filename, content)
        return self._files.put(content, filename)

    def get_group(self, filename: str) -> dict[str, str] | None:
        """Paths of local copies of a group's files, by name; None if there is no such group."""
        if self._is_local:
            return self._files.get_group(filename)
        listed = self._list(filename)
        if listed is None:
            return None
        return {name: self._files.put(data, name) for name, data in self._backend.get(list(listed[0])).items()}

    def put_group(self, filename: str, group: dict[str, str]) -> str:
        """Lists files as a group in the remote cache; the path of a local copy of the list."""
        if self._is_local:
            return self._files.put_group(filename, group)
        # Paths of this machine mean nothing to others.
        return self.put(json.dumps({"child_paths": sorted(group)}), GROUP_PREFIX + filename)

    def load(self, filename: str) -> tuple[dict[str, bytes], dict[str, str]] | None:
        """As `FileCacheManager.load`, from the remote cache.

        Raises:
            DamagedEntry: a file is missing, or is not what was stored.
        """
        listed = self._list(filename)
        if listed is None:
            return None
        names, digests = listed
        contents = self._backend.get(list(names))
        for name, digest in digests.items():
            if name not in contents or content_digest(contents[name]) != digest:
                raise DamagedEntry(f"{name} of the remote cache is not what was stored")
        if filename not in contents:
            return None
        return contents, self._files.store(filename, contents)

    def store(self, filename: str, files: Any) -> dict[str, str]:
        """As `FileCacheManager.store`, in the remote cache."""
        for name, data in files.items():
            self._backend.put(name, data)
        digests = {name: content_digest(data) for name, data in files.items()}
        self._backend.put(GROUP_PREFIX + filename, list_of(sorted(files), digests).encode())
        return self._files.store(filename, files)

    def _list(self, filename: str) -> tuple[dict[str, str], dict[str, str]] | None:
        """Names and digests of a group's files; None if there is no such group.

        Raises:
            DamagedEntry: the list can't be read.
        """
        listed = GROUP_PREFIX + filename
        found = self._backend.get([listed])
        return parse_list(found[listed], listed) if listed in found else None
