"""Launches without a GPU (TTKIT_DEVICE): counted, since there is no time to take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ttkit.profiler import contexts
from ttkit.profiler.hook_manager import Hook
from ttkit.profiler.table import Kernel

if TYPE_CHECKING:
    from ttkit.profiler.sessions import Session


class CountingHook(Hook):
    """Counts launches."""

    def __init__(self) -> None:
        self.sessions: list[Session] = []

    def enter(self, metadata: Any) -> None:
        place = contexts.thread.current()
        for session in self.sessions:
            session.table.add_kernel(Kernel(session.place(place), metadata.data["name"], 0), 1, 0)


class CountingBackend:
    """ttkit's launches, as often as they were."""

    device_type = "NONE"

    def __init__(self) -> None:
        self.hook = CountingHook()

    def start(self, session: Session) -> None:
        self.hook.sessions.append(session)
        session.hooks[:] = [*(hook for hook in session.hooks if hook is not self.hook), self.hook]

    def stop(self, session: Session) -> None:
        self.hook.sessions.remove(session)

    def flush(self) -> None:
        pass

    def devices(self) -> dict[str, dict[str, Any]]:
        return {}
