"""Backends that measure ttkit's own launches: one hook, which knows the sessions that it measures for.

Without a GPU (TTKIT_DEVICE) launches are counted, since there is no time to take.
"""

from __future__ import annotations

from typing import Any

import ttkit.profiler.contexts as contexts
from ttkit.profiler.hook_manager import Hook
from ttkit.profiler.sessions import Session
from ttkit.profiler.table import Kernel


class SessionsHook(Hook):
    """A hook for several sessions at once.

    sessions: those that are measured for.
    """

    def __init__(self) -> None:
        self.sessions: list[Session] = []


class HookBackend:
    """The part that such backends share; `sessions.Backend` says what each method is for."""

    hook: SessionsHook

    def start(self, session: Session) -> None:
        """Measures for a session from now on."""
        self.hook.sessions.append(session)
        session.take_hook(self.hook)

    def stop(self, session: Session) -> None:
        """Measures no more for it."""
        self.hook.sessions.remove(session)

    def flush(self) -> None:
        """Nothing is on its way."""

    def devices(self) -> dict[str, dict[str, Any]]:
        """There are none."""
        return {}


class CountingHook(SessionsHook):
    """Counts launches."""

    def enter(self, metadata: Any) -> None:
        """Counts one more, where it is made."""
        place = contexts.thread.current()
        for session in self.sessions:
            session.table.add_kernel(Kernel(session.place(place), metadata.data["name"], 0), 1, 0)


class CountingBackend(HookBackend):
    """ttkit's launches, as often as they were."""

    device_type = "NONE"

    def __init__(self) -> None:
        self.hook = CountingHook()
