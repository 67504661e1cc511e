"""Files that appear under their names only when all of them are complete."""

from __future__ import annotations

import contextlib
import os

TYPE_CHECKING = False  # as of typing: the cache's index is written by every process that compiles
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def write_files(contents: Mapping[Any, str | bytes]) -> None:
    """Writes files, by path, text as UTF-8; replaces those that are there.

    Raises:
        OSError: one can't be written, its `filename`; then none has changed.
    """
    unfinished = {path: f"{os.fspath(path)}.unfinished-{os.getpid()}-{os.urandom(4).hex()}" for path in contents}
    try:
        for path, data in contents.items():
            with open(unfinished[path], "wb") as file:
                file.write(data if isinstance(data, bytes) else data.encode())
        for path, temporary in unfinished.items():
            os.replace(temporary, path)
    except OSError as error:
        error.filename = str(path)
        raise
    finally:
        for temporary in unfinished.values():
            with contextlib.suppress(OSError):
                os.unlink(temporary)


def os_error_text(error: OSError) -> str:
    """The reason why a file can't be used, as users read it: without Python's number of the error."""
    if error.filename is None or error.strerror is None:
        return str(error)
    name = os.fsdecode(error.filename) if isinstance(error.filename, (str, bytes, os.PathLike)) else error.filename
    if isinstance(error, FileNotFoundError):
        return f"no such file or folder: {name}"
    if isinstance(error, (FileExistsError, NotADirectoryError)):
        return f"'{name}' is not a folder"
    if isinstance(error, IsADirectoryError):
        return f"'{name}' is a folder: name a file"
    return f"cannot use '{name}': {error.strerror}"


def read_file(path: str | os.PathLike[str]) -> bytes:
    """The contents of a file.  Raises OSError.  (What kernels are compiled by loads no pathlib.)"""
    with open(path, "rb") as file:
        return file.read()
