"""Flags that say what the profiler is doing."""

from __future__ import annotations

from ttkit.profiler import sessions

command_line = False
"""Whether `proton` runs the script: its calls of `start` are ignored."""


def get_profiling_on() -> bool:
    """Whether a session is active."""
    return bool(sessions.ACTIVE)
