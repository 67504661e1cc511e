"""Flags that say what the profiler is doing."""

from __future__ import annotations

import ttkit.profiler.sessions as sessions
from ttkit.profiler.mode import InstrumentationMode

command_line = False
"""Whether `proton` runs the script: its calls of `start` are ignored."""


def get_profiling_on() -> bool:
    """Whether a session is active."""
    return bool(sessions.ACTIVE)


class ProfilerFlags:
    """The same as attributes, as Triton has them: to be asked, not set."""

    @property
    def profiling_on(self) -> bool:
        """Whether a session is active."""
        return get_profiling_on()

    @property
    def instrumentation_on(self) -> bool:
        """Whether one that times regions inside of kernels is."""
        return any(isinstance(session.mode, InstrumentationMode) for session in sessions.ACTIVE)

    @property
    def command_line(self) -> bool:
        """Whether `proton` runs the script."""
        return command_line


flags = ProfilerFlags()
