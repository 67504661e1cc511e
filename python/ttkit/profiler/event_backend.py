"""Times of kernels from events of CUDA around each launch: where there is no CUPTI.

Only ttkit's own kernels are seen.  An event takes a few microseconds of the GPU's time too, so kernels that are shorter
look longer.
"""

from __future__ import annotations

import time
from ctypes import byref, c_int
from typing import Any

import ttkit.locks as locks
import ttkit.profiler.contexts as contexts
from ttkit.cuda import libcuda
from ttkit.cuda.device import ordinal_of_current_context
from ttkit.profiler.gpus import properties, synchronize_all
from ttkit.profiler.hook_backend import HookBackend, SessionsHook
from ttkit.profiler.table import Event as Interval
from ttkit.profiler.table import Kernel
from ttkit.runtime.cuda_events import Event

_MOST_OPEN = 4096  # pairs that wait for the GPU


class EventHook(SessionsHook):
    """Records an event before and after each launch."""

    priority = 0  # after the launch hook: the operation is the place

    def __init__(self) -> None:
        super().__init__()
        self._open: list[tuple[Any, ...]] = []
        self._spare: dict[int, list[tuple[Event, Event]]] = {}  # by GPU: events belong to one
        self._lock = locks.lock()

    def enter(self, metadata: Any) -> None:
        """Records the first event, and notes where the launch belongs; nothing while a graph is captured."""
        stream, device = metadata.data["stream"], ordinal_of_current_context()
        with self._lock:
            if len(self._open) >= _MOST_OPEN:
                self.collect()
            spare = self._spare.setdefault(device, [])
            pair = spare.pop() if spare else (Event(enable_timing=True), Event(enable_timing=True))
        place = contexts.thread.current()
        if not _is_capturing(stream):
            pair[0].record(stream)
            where = {session.number: session.place(place) for session in self.sessions}
            self._open.append((pair, metadata.data["name"], device, stream, where, time.time_ns()))
            metadata.data["ttkit_event"] = pair[1]

    def exit(self, metadata: Any) -> None:
        """Records the second event."""
        if (event := metadata.data.pop("ttkit_event", None)) is not None:
            event.record(metadata.data["stream"])

    def collect(self) -> None:
        """Waits for the launches so far, and counts them."""
        with self._lock:
            taken, self._open = self._open, []
            for pair, name, device, stream, where, began in taken:
                start, end = pair
                end.synchronize()
                nanoseconds = round(start.elapsed_time(end) * 1e6)
                for session in self.sessions:
                    if (place := where.get(session.number)) is None:
                        continue
                    session.table.add_kernel(Kernel(place, name, device), 1, nanoseconds)
                    interval = Interval(place, name, began, began + nanoseconds, device, stream or 0, "kernel")
                    session.table.add_events([interval])
                self._spare[device].append(pair)


class EventBackend(HookBackend):
    """ttkit's kernels, by events."""

    device_type = "CUDA"

    def __init__(self) -> None:
        self.hook: EventHook = EventHook()

    def flush(self) -> None:
        """Waits for the GPU, and counts the launches so far."""
        synchronize_all()
        self.hook.collect()

    def devices(self) -> dict[str, dict[str, Any]]:
        """Properties of the GPUs, by number."""
        return properties()


def _is_capturing(stream: int | None) -> bool:
    """Whether what is launched becomes part of a graph, where events have no times."""
    status = c_int()
    return libcuda.library().cuStreamIsCapturing(stream or 0, byref(status)) == 0 and status.value != 0
