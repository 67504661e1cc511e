"""Files that appear under their names only when all of them are complete."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path


def write_files(contents: Mapping[Path, str | bytes]) -> None:
    """Writes files, and replaces those that are there.

    Raises:
        OSError: one can't be written; then none has changed.
    """
    unfinished = {}
    try:
        for path, data in contents.items():
            unfinished[path] = path.with_name(f"{path.name}.unfinished-{os.getpid()}")
            unfinished[path].write_bytes(data if isinstance(data, bytes) else data.encode())
        for path, temporary in unfinished.items():
            os.replace(temporary, path)
    except OSError as error:
        error.filename = str(path)
        raise
    finally:
        for temporary in unfinished.values():
            temporary.unlink(missing_ok=True)
