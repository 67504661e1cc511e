"""Launches without a GPU (TTKIT_DEVICE): counted, since there is no time to take."""

from __future__ import annotations

from typing import Any

import ttkit.profiler.contexts as contexts
from ttkit.profiler.hook_backend import HookBackend, SessionsHook
from ttkit.profiler.table import Kernel


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
