"""The code that is being built, which builtins add to."""

from __future__ import annotations

import threading
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
