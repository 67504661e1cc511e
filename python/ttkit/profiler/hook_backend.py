"""Backends that measure ttkit's own launches: one hook, which knows the sessions that it measures for."""

from __future__ import annotations

from typing import Any

from ttkit.profiler.hook_manager import Hook
from ttkit.profiler.sessions import Session


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
