"""Whether kernels run as Python on the CPU in place of a GPU (`ttkit.interpreter.python_mode.kernel`).

`TRITON_INTERPRET=1` and `knobs.runtime.interpret` are looked at when a kernel is decorated, as in Triton.
`set_interpret_mode` also holds for kernels that were decorated before.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import ttkit.knobs as knobs


class _Mode:
    __slots__ = ("is_on",)


mode = _Mode()
mode.is_on = False
"""`mode.is_on`: what `set_interpret_mode` was told last; every launch asks."""


def set_interpret_mode(on: bool = True) -> None:
    """From now on every launch runs its kernel as Python, or no longer does."""
    mode.is_on = bool(on)


def is_interpreting() -> bool:
    """Whether a kernel that is decorated now would run as Python."""
    return mode.is_on or bool(knobs.runtime.interpret)


AS_PYTHON = "ttkit.interpreter.python_mode.kernel:InterpretedFunction"
AS_TTG = "ttkit.runtime.interpreted_gluon:InterpretedGluonFunction"
"""The classes of kernels that run on the CPU; in Gluon, whose layouts mean nothing in Python, as ttg."""


def class_for(fn: Any, asked: bool, compiled: type, interpreted: str = AS_PYTHON) -> type:
    """The class that `@jit` makes of a function: `compiled`, or the one that runs it on the CPU.

    The language's own functions are always `compiled`: kernels of either kind call them.
    """
    if not asked and (fn.__module__.startswith("ttkit.language") or not knobs.runtime.interpret):
        return compiled
    return loaded(interpreted)


def loaded(name: str) -> Any:
    """One of the classes above: both are of folders that the language is below."""
    module, _, own = name.partition(":")
    return getattr(import_module(module), own)
