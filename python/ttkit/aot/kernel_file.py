"""The kernel of a Python file, which is run for it."""

from __future__ import annotations

import importlib.util
import sys
import traceback
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any

from ttkit.language.jit_function import JITFunction


class KernelFileError(ValueError):
    """A file that has no such kernel, or fails."""


class _Script(SourceFileLoader):
    """Runs a file as Python runs a script: it leaves no compiled copy in a folder `__pycache__` beside the file."""

    def set_data(self, path: str, data: Any, *, _mode: int = 0o666) -> None:
        """Keeps nothing."""


def load_kernel(path: Path, name: str) -> JITFunction:
    """Runs a file and gives its jitted function of that name; that inside of an autotuner or heuristics.

    `Class.kernel` is the name of a member of a class.

    The file's folder is put first into the search path, as when it is run as a script.

    Raises:
        KernelFileError: there is no such file or no such kernel, or the file fails.
    """
    if not path.is_file():
        raise KernelFileError(f"no such file: {path}")
    if path.suffix != ".py":
        raise KernelFileError(f"{path} is not a Python file: its name must end in .py")
    loader = _Script(path.stem, str(path))
    spec = importlib.util.spec_from_file_location(path.stem, path, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(path.parent.absolute()))
    sys.modules[path.stem] = module
    try:
        loader.exec_module(module)
    except (Exception, SystemExit) as error:
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
        where = f"{path}:{lines[-1]}" if lines else str(path)
        raise KernelFileError(f"{where}: {type(error).__name__}: {error}") from error
    found: Any = module
    for part in name.split("."):
        found = getattr(found, part, None)
    while found is not None and not isinstance(found, JITFunction) and hasattr(found, "fn"):
        found = found.fn
    if isinstance(found, JITFunction):
        return found
    raise KernelFileError(f"{path} has no kernel {name}; it has {', '.join(_kernels_in(module, path.stem)) or 'none'}")


def _kernels_in(holder: Any, module: str) -> list[str]:
    """The names of the kernels of a module that stand in `holder`: the module, or a class of it."""
    found = []
    for name in vars(holder):
        value = getattr(holder, name)
        if getattr(value, "__module__", None) != module:
            continue
        if isinstance(value, JITFunction):
            found.append(name)
        elif isinstance(value, type):
            found += [f"{name}.{inner}" for inner in _kernels_in(value, module)]
    return found
