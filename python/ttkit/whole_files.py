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


def read_file(path: str | os.PathLike[str]) -> bytes:
    """The contents of a file.  Raises OSError.  (What kernels are compiled by loads no pathlib.)"""
    with open(path, "rb") as file:
        return file.read()
