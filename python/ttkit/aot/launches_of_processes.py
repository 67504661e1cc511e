"""Launches of all processes of a run: each keeps a list in the folder that TTKIT_RECORD_LAUNCHES names.

`ttkit export` names one for the processes that a script starts, such as those that compile for torch.compile, and the
engines of a server.  A process writes its list again with each new variant, since many are killed at their end.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from uuid import uuid4

import ttkit.locks as locks
from ttkit.aot.launch_list import LaunchList
from ttkit.notices import say_once
from ttkit.options import CompileOptions

_LOCK = locks.lock()
_LISTS: dict[tuple[str, int], tuple[LaunchList, Path]] = {}
"""By folder and process: a forked process does not go on with the list of its parent."""


def note(folder: str, source: Any, options: CompileOptions) -> None:
    """Adds a launch to this process's list.  If the list can't be written, a notice says so."""
    with _LOCK:
        made = _LISTS.setdefault((folder, os.getpid()), (LaunchList(), Path(folder, f"{uuid4().hex}.json")))
        launches, path = made
        before = len(launches), len(launches.left_out)
        launches.record(source, options)
        if (len(launches), len(launches.left_out)) == before:
            return
        try:
            os.makedirs(folder, exist_ok=True)
            launches.save(path)
        except OSError as error:
            say_once(f"TTKIT_RECORD_LAUNCHES: can't write {folder}: {error.strerror}")


def lists_in(folder: str) -> list[LaunchList]:
    """The lists of all processes.

    Raises:
        LaunchListError: a file is not a list.
        OSError: a file can't be read.
    """
    return [LaunchList.load(path) for path in sorted(Path(folder).glob("*.json"))]
