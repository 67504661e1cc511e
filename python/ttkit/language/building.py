"""The code that is being built, which builtins add to."""

from __future__ import annotations

import threading
import warnings
from traceback import walk_stack
from typing import Any

from ttkit.language.errors import OutsideKernel
from ttkit.language.record import Builder


class Active(threading.local):
    """Compilation that this thread is in."""

    builder: Builder | None = None
    generator: Any = None  # the frontend's CodeGenerator, which calls jitted functions


active = Active()


def builder() -> Builder:
    """The current builder of code.

    Raises:
        OutsideKernel: nowhere.
    """
    found = active.builder
    if found is None:
        frames = (
            frame for frame, _ in walk_stack(None) if str(frame.f_globals.get("__name__")).startswith("ttkit.language")
        )
        # The outermost is what the user called, but for the decorator around it.
        *_, caller = (name for frame in frames if (name := frame.f_code.co_name) != "wrapper")
        raise OutsideKernel(name=f"`{caller}`")
    return found


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """A warning at the kernel's line that is being compiled; at the caller's where Python runs the kernel."""
    loc: Any = getattr(active.builder, "loc", None)
    while loc is not None and len(loc) == 2:  # a named one
        loc = loc[1]
    if loc is None:
        warnings.warn(message, category, stacklevel=4)
    else:
        warnings.warn_explicit(message, category, loc[0], loc[1])
