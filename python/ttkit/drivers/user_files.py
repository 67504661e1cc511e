"""Python files of users that commands run: dialects, passes, and changes of the stages."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path

import ttkit
import ttkit.dialects.defined as defined
from ttkit.drivers.user_errors import UserError
from ttkit.passes.infra.bridge import one_line
from ttkit.passes.infra.pass_files import load_pass_file
from ttkit.whole_files import os_error_text


def load_dialects(places: Iterable[str]) -> None:
    """Imports what --load-dialect names: a file, the folder of a package, or a module by its name.

    A file or folder is imported under the name that it has in its package, ahead of an installed one of that name.

    Raises:
        UserError: one can't be imported, or defines no dialect.
    """
    _load("--load-dialect", _import_dialect, places)


def _import_dialect(place: str) -> None:
    """Imports one.  Raises ValueError if it defines no dialect, and whatever it raises."""
    path, name = Path(place).resolve(), place
    if path.exists():
        parts, folder = [path.stem], path.parent
        while (folder / "__init__.py").exists():
            parts, folder = [folder.name, *parts], folder.parent
        name = ".".join(parts)
        sys.path.insert(0, str(folder))
    elif os.sep in place or place.endswith(".py"):
        raise FileNotFoundError(f"no such file: {place}")
    before = len(defined.DIALECTS)
    module = import_module(name)
    has_one = any(cls.__module__ == name for cls in defined.DIALECTS.values())  # imported before
    if len(defined.DIALECTS) == before and not has_one:
        raise ValueError(f"{module.__file__} defines no dialect: a subclass of ttkit.dialects.ext.Dialect")


def load_passes(paths: Iterable[str]) -> None:
    """Registers the passes of the files that --load-pass names.

    Raises:
        UserError: one can't be read, or is wrong; with its line, and the error as the cause.
    """
    _load("--load-pass", load_pass_file, paths)


def change_stages(paths: Iterable[str]) -> None:
    """Runs the files that --pipeline-file names.

    Raises:
        UserError: as `load_passes`.
    """
    _load("--pipeline-file", ttkit.pipelines.load, paths)


def _load(option: str, load: Callable[[str], object], paths: Iterable[str]) -> None:
    for path in paths:
        try:
            load(path)
        except Exception as error:  # whatever is wrong with a user's file
            text = os_error_text(error) if isinstance(error, OSError) else one_line(error, path)
            raise UserError(f"{option}: {text}") from error
