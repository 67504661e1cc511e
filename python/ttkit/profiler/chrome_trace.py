"""The timeline of a session as Chrome and Perfetto read it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ttkit.profiler.contexts import Context
from ttkit.profiler.table import Event

HOST = -1
"""The device of what happens on the CPU."""


def chrome_trace(events: Iterable[Event], base: Context | None) -> dict[str, Any]:
    """The JSON of a timeline: a process for the host and for each GPU, a track for each thread and stream.

    Times are in microseconds from the first event.
    """
    ordered = sorted(events, key=lambda event: (event.start, -event.end))
    first = ordered[0].start if ordered else 0
    made: list[dict[str, Any]] = []
    for device, track in sorted({(event.device, event.track) for event in ordered}):
        process = "CPU" if device == HOST else f"GPU {device}"
        name = f"thread {track}" if device == HOST else f"stream {track}"
        made.append({"ph": "M", "name": "process_name", "pid": device + 1, "args": {"name": process}})
        made.append({"ph": "M", "name": "thread_name", "pid": device + 1, "tid": track, "args": {"name": name}})
    for event in ordered:
        stack = ["ROOT", *(context.name for context in event.context.path(base))]
        made.append(
            {
                "ph": "X",
                "cat": event.kind,
                "name": event.name,
                "ts": (event.start - first) / 1000,
                "dur": (event.end - event.start) / 1000,
                "pid": event.device + 1,
                "tid": event.track,
                "args": {"call_stack": stack if stack[-1] == event.name else [*stack, event.name]},
            }
        )
    return {"displayTimeUnit": "ns", "traceEvents": made}
