"""Passes in Python files: a file is run once for each of its contents, and its subclasses of Pass are registered."""

import importlib.util
import sys
import zlib
from pathlib import Path
from typing import Any

from ttkit.passes.infra.base import Pass
from ttkit.passes.infra.bridge import REGISTERED, register_pass


def load_pass_file(path: str) -> list[str]:
    """Runs a Python file, registers each Pass subclass that it defines, and returns their names.

    Raises:
        OSError: the file can't be read.
        ValueError: it defines no pass, or one whose name is taken.
        Exception: whatever the file raises.
    """
    classes = classes_of_file(path)
    for cls in classes:
        register_pass(cls)
    return [cls.name for cls in classes]


def classes_of_file(path: str) -> list[Any]:
    """The Pass subclasses that a Python file defines, in order; runs the file if it has changed since the last run.

    Raises:
        OSError: the file can't be read.
        ValueError: it defines no pass.
        Exception: whatever the file raises.
    """
    file = Path(path)
    if not file.is_file():
        raise FileNotFoundError(f"no such file: {path}")
    contents = file.read_bytes()
    with REGISTERED.lock:
        known, classes = REGISTERED.files.get(str(file), (None, []))
        if known != contents:
            classes = _run_file(path, file)
            REGISTERED.files[str(file)] = contents, classes
    return classes


def _run_file(path: str, file: Path) -> list[Any]:
    """The Pass subclasses that a file defines."""
    # A name that no other module has: a file of passes may be called `json.py`.
    name = f"{file.stem}_{zlib.crc32(str(file.resolve()).encode()):08x}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise ValueError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    found = [one for one in vars(module).values() if isinstance(one, type) and issubclass(one, Pass)]
    found = [one for one in found if one.__module__ == name]
    classes = [one for one in found if hasattr(one, "name")]
    if not classes:
        nameless = f"; {found[0].__name__} has none, such as name = 'my-pass'" if found else ""
        raise ValueError(f"{path} defines no pass: a subclass of ttkit.Pass with a name{nameless}")
    return classes


def file_of_pass(name: str) -> str | None:
    """The file that `load_pass_file` has read a pass from; None for one that came in another way."""
    target = REGISTERED.targets.get(name)
    return next((path for path, (_, classes) in REGISTERED.files.items() if target in classes), None)
