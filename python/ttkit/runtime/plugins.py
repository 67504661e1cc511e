"""Files that change the passes of every compilation, named in the environment: TRITON_PLUGIN_PATHS.

Triton loads shared libraries with passes in C++ here.  ttkit runs files of Python, as `--pipeline-file` of its commands
does, once and before the first kernel is compiled.
"""

from __future__ import annotations

import os
import traceback
from importlib import import_module

import ttkit.knobs as knobs
import ttkit.locks as locks
from ttkit.notices import say_once

_lock = locks.lock()
_LOADED: set[str] = set()


class PluginError(RuntimeError):
    """A file of TRITON_PLUGIN_PATHS that can't be run."""


def load_plugins() -> None:
    """Runs the files that are named and were not run before.

    Raises:
        PluginError: one can't be read, or fails.
    """
    paths = knobs.inspection.plugin_paths
    if not paths:
        return
    for path in filter(None, paths.split(os.pathsep)):
        with _lock:
            if path in _LOADED:
                continue
            _load(path)
            _LOADED.add(path)


def _load(path: str) -> None:
    if not path.endswith(".py"):
        say_once(
            f"TRITON_PLUGIN_PATHS: {path} is ignored: ttkit loads files of Python that change the pipeline, and no "
            "libraries, which are built with the MLIR of one Triton: write the pass in Python, see write_a_pass.md"
        )
        return
    try:
        import_module("ttkit.pipelines").load(path)  # which is above
    except OSError as error:
        raise PluginError(f"TRITON_PLUGIN_PATHS: {path} can't be read: {error.strerror or error}") from None
    except Exception as error:
        places = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
        where = f"{path}:{places[-1].lineno}" if places else path
        raise PluginError(f"TRITON_PLUGIN_PATHS: {where}: {type(error).__name__}: {error}") from error
