"""Dialects that other packages define (`ttkit.dialects.ext`): what the compiler asks about them.

A package says with its dialect in which modules the lowering, the meaning, the layout rules and the proof terms of its
operations are.
Each module is imported when the first operation of the dialect needs it.
"""

from __future__ import annotations

import functools
from importlib import import_module
from typing import Any

import ttkit.entry_points as entry_points
from ttkit._native import handle, library

DIALECTS: dict[str, Any] = {}
"""By name: the classes, subclasses of `ext.Dialect`."""
OPERATIONS: dict[str, Any] = {}
"""Their operations, by full name: the classes."""
PARAMETRICS: dict[str, Any] = {}
"""Their types and attributes, as they begin in IR (`!roll.pair`, `#roll.pair`): the classes."""


@functools.cache
def load_packages() -> None:
    """Imports the dialects of all installed packages; once.

    Raises:
        ImportError: one can't be imported, with the entry point that names it.
    """
    for entry in entry_points.entries(entry_points.DIALECTS):
        try:
            entry.load()
        except Exception as error:  # whatever is wrong with a user's package
            message = f"the dialect '{entry.name}' of an installed package can't be loaded from {entry.value}: {error}"
            raise ImportError(message) from error


def load_for_command() -> None:
    """Loads the dialects of all installed packages into a command whose contexts MLIR makes, from here on.

    Raises:
        ImportError: as `load_packages`.
    """
    load_packages()
    if DIALECTS:
        import_module("ttkit.dialects._failures").keep_contexts()


def load_into(context: Any) -> None:
    """Loads all defined dialects, those of installed packages too, into a context of the bindings."""
    load_packages()
    for name in DIALECTS:
        library().ttkitLoadDynamicDialect(handle(context, "Context").pointer, name.encode())


def load_part(operation: str, part: str) -> None:
    """Imports the module that a dialect names for a part of its operations, if the operation is of such a dialect.

    Args:
        part: "lowering", "meaning", "layouts" or "proof".

    Raises:
        ImportError: there is no such module, with the class that names it.
    """
    if DIALECTS and (dialect := DIALECTS.get(operation.partition(".")[0])) is not None and getattr(dialect, part):
        name = getattr(dialect, part)
        try:
            import_module(name)
        except ModuleNotFoundError as error:
            if error.name is None or not f"{name}.".startswith(f"{error.name}."):
                raise  # by an import in that module
            said = f'class {dialect.__name__}(ext.Dialect, {part}="{name}")'
            raise ImportError(f"{said}: there is no module '{error.name}'", name=error.name) from None
