"""The page about Gluon's functions and classes: each with its docstring and an example."""

import importlib
import inspect
from typing import Any

from language_pages import CLASSES, docstring_markdown, entry

GLUON = "ttkit.language.gluon"
MODULES = (
    GLUON,
    f"{GLUON}.fpsan",
    f"{GLUON}.nvidia.ampere",
    f"{GLUON}.nvidia.ampere.async_copy",
    f"{GLUON}.nvidia.ampere.mbarrier",
    f"{GLUON}.nvidia.hopper",
    f"{GLUON}.nvidia.hopper.tma",
    f"{GLUON}.nvidia.hopper.mbarrier",
    f"{GLUON}.nvidia.hopper.cluster",
    f"{GLUON}.nvidia.blackwell",
    f"{GLUON}.nvidia.blackwell.tma",
    f"{GLUON}.nvidia.blackwell.float2",
    f"{GLUON}.nvidia.blackwell.clc",
)
SETUP = """import numpy as np
import ttkit
from ttkit.interpreter.python_mode.session import interactive
from ttkit.language import gluon
from ttkit.language import gluon as gl
from ttkit.language.gluon.nvidia import ampere, blackwell, hopper
from ttkit.language.gluon.nvidia.hopper import mbarrier, tma

rows = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
line = gl.BlockedLayout([1], [32], [4], [0])
session = interactive(grid=4, program=2, gluon=True).__enter__()
pointer = session.value  # of an array
"""


def public(module: str) -> dict[str, Any]:
    """The names of a module, without those that are modules and those that an earlier module of the page has."""
    seen = [
        value for before in MODULES[: MODULES.index(module)] for value in vars(importlib.import_module(before)).values()
    ]
    found = importlib.import_module(module)
    named = {name: getattr(found, name) for name in found.__all__}
    return {
        name: value
        for name, value in named.items()
        if not inspect.ismodule(value) and not any(value is other for other in seen)
    }


def is_of_tiles(value: Any) -> bool:
    """Whether it is a function or class of the tile language, too, or an element type: that page has it."""
    import ttkit.language as tl
    from ttkit.language.jit_function import JITCallable

    if isinstance(value, tl.dtype) or any(value is getattr(tl, name, None) for name in CLASSES):
        return True
    is_function = getattr(value, "__triton_builtin__", False) or isinstance(value, JITCallable)
    return is_function and any(value is other for other in vars(tl).values())


def gluon_page() -> str:
    """All names of Gluon, by module."""
    parts = [
        "# The language Gluon",
        "[Kernels in Gluon](../gluon.md) introduces it. The examples are typed at Python's prompt, where "
        "`interactive(gluon=True)` makes functions run at once, on the CPU. Layouts are checked there, but change no "
        "values. `test/unit/test_gluon_examples.py` runs the examples:",
        f"```python\n{SETUP}```",
    ]
    for module in MODULES:
        found = public(module)
        parts.append(f"## {module.removeprefix('ttkit.language.')}")
        parts.append(
            docstring_markdown(inspect.cleandoc(importlib.import_module(module).__doc__ or "").split("\n\nOps:")[0])
        )
        shared = [name for name, value in found.items() if is_of_tiles(value)]
        if shared:
            names = ", ".join(f"`{name}`" for name in shared)
            parts.append(f"These are as in the [tile language](language.md): {names}.")
        parts += [_entry(name, value) for name, value in found.items() if name not in shared]
    return "\n\n".join(parts) + "\n"


def _entry(name: str, value: Any) -> str:
    if inspect.isclass(value) or not callable(value):
        return f"### `{name}`\n\n{docstring_markdown(inspect.getdoc(value) or '')}".rstrip()
    return entry(name, value)
