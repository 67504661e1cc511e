"""Folders for temporary files, and what is left of them when processes are killed.

The modules tempfile, subprocess and shutil would take 10 ms to import (x86-64, 2026-11), a third of ptxas itself.
"""

from __future__ import annotations

import contextlib
import os
import time

_PREFIX = "ttkit-"
_HOUR, _DAY = 3600.0, 86400.0
_SWEPT: set[str] = set()


def parent() -> str:
    """The folder that temporary files are in, as `tempfile.gettempdir()` has it."""
    found = next((found for name in ("TMPDIR", "TEMP", "TMP") if (found := os.environ.get(name))), "/tmp")
    if os.path.isdir(found):
        return found
    import tempfile

    return tempfile.gettempdir()


def new_folder() -> str:
    """A folder of this process, that no other user can read.  The first call removes what killed processes have left.

    Raises:
        OSError: it can't be made.
    """
    above = parent()
    if above not in _SWEPT:
        _SWEPT.add(above)
        sweep(above)
    folder = os.path.join(above, f"{_PREFIX}{os.getpid()}-{os.urandom(8).hex()}")
    os.mkdir(folder, 0o700)
    return folder


def remove(folder: str) -> None:
    """Removes a folder and the files in it, as far as that is possible."""
    with contextlib.suppress(OSError):
        for name in os.listdir(folder):
            os.remove(os.path.join(folder, name))
        os.rmdir(folder)


def sweep(above: str, now: float | None = None) -> None:
    """Removes folders of processes of this user that have ended: those that were left an hour ago; after a day also
    those that an error message has named, which hold what ptxas refused.

    Processes of other containers may use the same folder: none takes an hour to assemble a kernel.
    """
    now = time.time() if now is None else now
    with contextlib.suppress(OSError), os.scandir(above) as entries:
        for entry in entries:
            if entry.name.startswith(_PREFIX) and (process := _process(entry.name)):
                with contextlib.suppress(OSError):
                    found = entry.stat(follow_symlinks=False)
                    is_ours = found.st_uid == os.geteuid() and entry.is_dir(follow_symlinks=False)
                    limit = _DAY if _is_named(entry.path) else _HOUR
                    if is_ours and now - found.st_mtime > limit and not runs(process):
                        remove(entry.path)


def _process(name: str) -> int:
    """The process in a folder's name; 0 if there is none."""
    number = name.removeprefix(_PREFIX).partition("-")[0]
    return int(number) if number.isdecimal() else 0


def _is_named(folder: str) -> bool:
    try:
        return os.path.getsize(os.path.join(folder, "log")) > 0
    except OSError:
        return False


def runs(process: int) -> bool:
    """Whether a process of this machine is still running."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def keep_newest(above: str, prefix: str, count: int) -> None:
    """Removes the files of this user that begin with `prefix`, but for the newest ones."""
    found = []
    with contextlib.suppress(OSError), os.scandir(above) as entries:
        for entry in entries:
            if entry.name.startswith(prefix):
                with contextlib.suppress(OSError):
                    state = entry.stat(follow_symlinks=False)
                    if state.st_uid == os.geteuid():
                        found.append((state.st_mtime, entry.path))
    for _, path in sorted(found)[: -count or None]:
        with contextlib.suppress(OSError):
            os.remove(path)
