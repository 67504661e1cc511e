"""Measurements of sessions so far, without ending them.

A phase is what was measured since the last `advance_phase`; each has a tree of its own.
"""

from __future__ import annotations

from typing import Any

import ttkit.profiler.sessions as sessions
from ttkit.profiler.sessions import Session
from ttkit.profiler.tree import to_msgpack


def _session(number: int | None) -> Session:
    return sessions.find(next(iter(sessions.SESSIONS), None) if number is None else number)


def get(session: int | None = 0, phase: int | None = None) -> list[Any]:
    """The tree and the devices, as a .hatchet file has them.

    Args:
        phase: an earlier one; the one that lasts without.

    Raises:
        ValueError: there is no such session, or phase.
    """
    found = _session(session)
    if phase is None or phase == found.phase:
        sessions.flush()
        return found.content()
    if phase not in found.ended:
        raise ValueError(f"session {found.number} has no phase {phase}; it is in {found.phase}")
    return found.content(found.ended[phase])


def get_msgpack(session: int | None = 0, phase: int | None = None) -> bytes:
    """The same as msgpack.

    Raises:
        ValueError: there is no such session, or phase.
    """
    return to_msgpack(get(session, phase))


def advance_phase(session: int | None = 0) -> int:
    """Begins a phase; its number.  The one before is complete: the GPU is waited for.

    In the mode `periodic_flushing` the file of the one before is written, and it is kept no longer.

    Raises:
        ValueError: there is no such session.
        OSError: the file can't be written.
    """
    found = _session(session)
    sessions.flush()
    return found.advance()


def is_phase_complete(session: int | None = 0, phase: int = 0) -> bool:
    """Whether a phase has ended.

    Raises:
        ValueError: there is no such session.
    """
    return phase < _session(session).phase


def clear(session: int | None = 0, phase: int | None = None, clear_up_to_phase: bool = False) -> None:
    """Forgets what was measured.

    Args:
        phase: an earlier one; the one that lasts without.
        clear_up_to_phase: those before it too.

    Raises:
        ValueError: there is no such session.
    """
    found = _session(session)
    if phase is None or phase == found.phase:
        sessions.flush()
        found.table.clear()
    for number in list(found.ended):
        if phase is not None and (number == phase or (clear_up_to_phase and number < phase)):
            del found.ended[number]
