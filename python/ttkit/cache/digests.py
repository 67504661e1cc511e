"""Digests of files, kept from one process to the next: of ttkit itself, so that a change of it changes every key."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

import ttkit.knobs as knobs
import ttkit.locks as locks
from ttkit.cache.trust import check_folder, make_folder
from ttkit.installation import FOLDER, VERSION, folders
from ttkit.whole_files import write_files

# In a folder, and hidden: programs written for Triton take all that they see in the cache for folders of kernels.
_INDEX = os.path.join(".digests", "digests.json")
# Folders of the package that have no say in what a kernel is compiled to.
_NO_CODE = frozenset(
    ["__pycache__", "autotuning", "cache", "cuda", "drivers", "executors", "interpreter", "knobs", "runtime", "testing"]
)

# Path -> [state, digest]; name of several files -> [digest of their states, digest].
_known: dict[str, list[str]] | None = None
_changed = False
_buffer = bytearray(1 << 18)
_lock = locks.lock()  # of these three


def content_digest(content: bytes) -> str:
    """The SHA-256 of bytes, as hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()


def file_digest(path: str) -> str:
    """The SHA-256 of a file's contents, read only if its state is new: see `_state`.

    Raises:
        OSError: the file can't be read.
    """
    with _lock:
        return _file_digest(path)


def _file_digest(path: str) -> str:
    global _changed
    state = _state(path)
    known = _index().get(path)
    if known is not None and known[0] == state:
        return known[1]
    digest = hashlib.sha256()
    _add_content(digest, path)
    _index()[path] = [state, digest.hexdigest()]
    _changed = True
    return digest.hexdigest()


def files_digest(name: str, paths: Mapping[str, str]) -> str:
    """The SHA-256 of files, given their paths by name; they are read only if the state of one is new.

    Args:
        name: of all of them.

    Raises:
        OSError: a file can't be read.
    """
    with _lock:
        return _files_digest(name, paths)


def _files_digest(name: str, paths: Mapping[str, str]) -> str:
    global _changed
    states = [(file, _state(paths[file])) for file in sorted(paths)]
    state = content_digest(repr(states).encode())
    known = _index().get(name)
    if known is not None and known[0] == state:
        return known[1]
    digest = hashlib.sha256()
    for file in sorted(paths):
        digest.update(f"\n{file}\n".encode())
        _add_content(digest, paths[file])
    _index()[name] = [state, digest.hexdigest()]
    _changed = True
    return digest.hexdigest()


def _state(path: str) -> str:
    """State of a file, which changes with its contents, also where size and time are kept: images normalize times,
    copies keep them; the inode is another then, or the time of change, which nobody can set."""
    found = os.stat(path)
    return f"{found.st_dev}.{found.st_ino}.{found.st_size}.{found.st_mtime_ns}.{found.st_ctime_ns}"


def _add_content(digest: Any, path: str) -> None:
    """Adds a file's content to a digest, without holding all of it: ptxas has 30 MB."""
    with open(path, "rb", buffering=0) as file:
        while count := file.readinto(_buffer):
            digest.update(memoryview(_buffer)[:count])


def _index() -> dict[str, list[str]]:
    global _known
    if _known is None:
        try:
            check_folder(knobs.cache.dir)
            with open(os.path.join(knobs.cache.dir, _INDEX)) as file:
                read = json.load(file)
            _known = {path: row for path, row in read.items() if len(row) == 2}
        except (OSError, ValueError, AttributeError, TypeError):
            _known = {}  # none yet, or not readable: it is made anew
    return _known


def save_index() -> None:
    """Keeps the digests that were found for later processes, where the cache can be written."""
    global _changed
    if not _changed:
        return
    with _lock:
        _changed = False
        rows = {path: row for path, row in _index().items() if not os.path.isabs(path) or os.path.exists(path)}
    path = os.path.join(knobs.cache.dir, _INDEX)
    with contextlib.suppress(OSError):  # digests are found again
        make_folder(knobs.cache.dir)
        make_folder(os.path.dirname(path))
        write_files({path: json.dumps(rows)})


@functools.cache
def toolkit_key() -> str:
    """Identifies ttkit's own code: its version and the contents of what compiles kernels, as hexadecimal digits."""
    # Installed editable, the packages are in different places, and one of them is the checkout with all that is in it.
    places = [("ttkit", FOLDER)]
    places += [(f"ttkit.{made}", os.path.join(folder, made)) for made in ("_native", "layout") for folder in folders()]
    for package in (import_module("ttkit.passes"), import_module("ttkit.dialects")):
        places += [(package.__name__, folder) for folder in package.__path__]
    files = {name: path for package, folder in places for name, path in _sources(folder, package)}
    digest = files_digest(f"ttkit in {places[0][1]}", files)
    return content_digest("\n".join([VERSION, digest, _bindings()]).encode())


def _sources(folder: str, name: str) -> Iterator[tuple[str, str]]:
    """Name and path of every file in a package that has a say in what a kernel is compiled to."""
    if not os.path.isdir(folder):
        return
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith((".py", ".so", ".dylib", ".dll")) and entry.is_file():
                yield f"{name}.{entry.name}", entry.path
            elif entry.is_dir() and entry.name not in _NO_CODE:
                yield from _sources(entry.path, f"{name}.{entry.name}")


def _bindings() -> str:
    """Identifies the build of MLIR and LLVM, without reading 200 MB: by the sizes of its libraries."""
    from importlib.machinery import PathFinder

    found = PathFinder.find_spec("mlir")
    for folder in (found.submodule_search_locations or ()) if found else ():
        libraries = os.path.join(folder, "_mlir_libs")
        if os.path.isdir(libraries):
            with os.scandir(libraries) as entries:
                return str(sorted((entry.name, entry.stat().st_size) for entry in entries if ".so" in entry.name))
    return ""
