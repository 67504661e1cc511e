"""Locks that a forked child finds free, whichever thread of its parent held them.

A child has one thread: what the others of its parent held would stay held for ever.  What such a lock guards may be
half done in the child; so guard with it only what a second attempt makes whole: a table to be filled, a kernel to be
compiled.
"""

from __future__ import annotations

import os
import threading
import weakref

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_MADE: weakref.WeakSet[Any] = weakref.WeakSet()


def lock() -> threading.RLock:
    """A new lock, which its thread may take several times."""
    made = threading.RLock()
    _MADE.add(made)
    return made


def condition() -> threading.Condition:
    """A new condition, with a lock of its own."""
    made = threading.Condition()
    _MADE.add(made)
    return made


def _free_all() -> None:
    for made in list(_MADE):
        made._at_fork_reinit()  # as the standard library does with its own


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_free_all)
