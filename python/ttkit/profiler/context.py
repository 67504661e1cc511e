"""The place of the calling thread in the program."""

from __future__ import annotations

import sys

import ttkit.profiler.contexts as contexts
import ttkit.profiler.sessions as sessions


def depth(session: int | None = 0) -> int | None:
    """The number of nodes from the root to where the calling thread is, in a session's tree.

    Returns:
        None where no session is active.

    Raises:
        ValueError: there is no such session.
    """
    if not sessions.ACTIVE:
        return None
    found = sessions.find(0 if session is None else session)
    place = contexts.thread.place
    if found.wants_python:
        place = contexts.python_context(sys._getframe(1), place)
    return len(place.path(found.base))
