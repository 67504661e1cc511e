"""The code that is being built, which builtins add to."""

from __future__ import annotations

import inspect
import threading
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
        caller = inspect.stack()[1].function
        raise OutsideKernel(name=f"`{caller}`")
    return found
