"""Descriptions of operations, from td files, as markdown."""

from __future__ import annotations

import functools
import importlib
import inspect
from typing import Any


@functools.cache
def classes(dialect: str) -> dict[str, Any]:
    """The classes of a dialect's operations by name; none of a dialect that is not there."""
    found: dict[str, Any] = {}
    for module in (f"ttkit.dialects.{dialect}", f"mlir.dialects.{dialect}"):
        try:
            loaded = importlib.import_module(module)
        except ImportError:
            continue
        for member in (getattr(loaded, name) for name in dir(loaded)):
            name = getattr(member, "OPERATION_NAME", None)
            if isinstance(name, str) and inspect.isclass(member):
                found.setdefault(name, member)
    return found


_OLDER = {"triton_gpu": "ttg", "triton_nvidia_gpu": "ttng"}


def documentation(name: str) -> str:
    """The page of an operation such as `tt.load`; empty if there is none."""
    dialect, _, rest = name.partition(".")
    dialect = _OLDER.get(dialect, dialect)
    name = f"{dialect}.{rest}"
    if not dialect.isidentifier():
        return ""
    cls = classes(dialect).get(name)
    text = inspect.getdoc(cls) if cls is not None and "__doc__" in vars(cls) else None
    return f"### `{name}`\n\n{text}" if text else ""
