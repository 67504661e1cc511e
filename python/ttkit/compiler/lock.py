"""Lock around uses of LLVM's flags, which hold for the whole process, not for one thread.

MLIR needs no lock: contexts are apart, and the bindings keep the interpreter's lock while they run a pipeline.  Nor
does LLVM, whose contexts are apart too.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

import ttkit.locks as locks


class SharedLock:
    """Held by any number of threads that share it, or by one that does not.

    A process forks when nobody shares it: LLVM's own locks, which its children could not free, are free then.
    """

    def __init__(self) -> None:
        self._changed = locks.condition()
        self._sharing = 0
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(before=self._hold, after_in_parent=self._changed.release, after_in_child=self._free)

    @contextlib.contextmanager
    def shared(self) -> Iterator[None]:
        """Waits for a thread that holds it alone."""
        with self._changed:
            self._sharing += 1
        try:
            yield
        finally:
            with self._changed:
                self._sharing -= 1
                self._changed.notify_all()

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Waits for all others; none gets it meanwhile."""
        with self._changed:
            self._changed.wait_for(lambda: self._sharing == 0)
            yield

    def _hold(self) -> None:
        self._changed.acquire()
        self._changed.wait_for(lambda: self._sharing == 0)

    def _free(self) -> None:
        self._sharing = 0  # `locks` has freed the condition


LLVM_FLAGS = SharedLock()
"""Held while LLVM is at work: alone by a compilation that sets flags."""
