"""Digests of files, kept from one process to the next: of ttkit itself, so that a change of it changes every key.

They are kept in the cache.  Those of what is installed are kept beside the package's byte code, too: with an empty
cache, the digests of ptxas and of ttkit would take a sixth of a first compilation's CPU time.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.util import cache_from_source
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
# The same of what is installed, as it is beside the package.
_installed: dict[str, list[str]] | None = None
_changed = False
_buffer = bytearray(1 << 18)
_lock = locks.lock()  # of these four


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
    state = _state(path)
    found = _kept(path, state)
    if found is None:
        digest = hashlib.sha256()
        _add_content(digest, path)
        found = _keep(path, state, digest.hexdigest())
    return found


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
    states = [(file, _state(paths[file])) for file in sorted(paths)]
    state = content_digest(repr(states).encode())
    found = _kept(name, state)
    if found is None:
        digest = hashlib.sha256()
        for file in sorted(paths):
            digest.update(f"\n{file}\n".encode())
            _add_content(digest, paths[file])
        found = _keep(name, state, digest.hexdigest())
    return found


def _kept(name: str, state: str) -> str | None:
    """The digest of a file, or of several, in this state, from an earlier process; None without one."""
    row = _index().get(name)
    if row is not None and row[0] == state:
        return row[1]
    row = _installed_index().get(name)
    return _keep(name, state, row[1]) if row is not None and row[0] == state else None


def _keep(name: str, state: str, digest: str) -> str:
    """Keeps a digest until `save_index`, and gives it."""
    global _changed
    _index()[name] = [state, digest]
    _changed = True
    return digest


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
            _known = _rows(os.path.join(knobs.cache.dir, _INDEX))
        except OSError:
            _known = {}
    return _known


def _installed_index() -> dict[str, list[str]]:
    global _installed
    if _installed is None:
        _installed = _rows(_beside_package())
    return _installed


def _beside_package() -> str:
    """The file with the digests of what is installed, in the folder of the package's byte code."""
    return os.path.join(os.path.dirname(cache_from_source(os.path.join(FOLDER, "__init__.py"))), "digests.json")


def _rows(path: str) -> dict[str, list[str]]:
    """The digests in a file; none if it is not there, or not readable: they are found anew."""
    try:
        with open(path) as file:
            return {name: row for name, row in json.load(file).items() if len(row) == 2}
    except (OSError, ValueError, AttributeError, TypeError):
        return {}


def save_index() -> None:
    """Keeps the digests that were found for later processes, where the cache and the package can be written."""
    global _changed, _installed
    if not _changed:
        return
    with _lock:
        _changed = False
        rows = {name: row for name, row in _index().items() if not os.path.isabs(name) or os.path.exists(name)}
        installed = {name: row for name, row in rows.items() if not os.path.isabs(name) or _is_installed(name)}
        before = _installed_index()
        _installed = {**before, **installed}
    path = os.path.join(knobs.cache.dir, _INDEX)
    with contextlib.suppress(OSError):  # digests are found again
        make_folder(knobs.cache.dir)
        make_folder(os.path.dirname(path))
        write_files({path: json.dumps(rows)})
    # Only where byte code would be kept, too.
    if _installed != before and not sys.dont_write_bytecode and os.path.isdir(os.path.dirname(_beside_package())):
        with contextlib.suppress(OSError):
            write_files({_beside_package(): json.dumps(_installed)})


def _is_installed(path: str) -> bool:
    """Whether a file is of this installation of Python, and of its packages."""
    return path.startswith((os.path.join(sys.prefix, ""), os.path.join(FOLDER, "")))


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
