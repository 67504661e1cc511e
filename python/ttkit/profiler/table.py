"""Measurements of a session: kernels, metrics of scopes, and, for a timeline, every single event."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeAlias

import ttkit.locks as locks
from ttkit.profiler.contexts import Context

Number: TypeAlias = "int | float"
CAPTURED = "<captured_at>"
"""The node below which kernels of a CUDA graph are where they were captured."""
EXCLUSIVE = "(exc)"


class Kernel(NamedTuple):
    """A kernel that ran, or several of the same kind.

    context: where it was launched; for a graph, where that was.
    captured: where it was captured, if it is of a graph.
    device: the number of the GPU.
    """

    context: Context
    name: str
    device: int
    captured: Context | None = None
    in_graph: bool = False


class Event(NamedTuple):
    """An interval of the timeline.

    start, end: ns since the epoch.
    track: a stream of a GPU, or a thread.
    """

    context: Context
    name: str
    start: int
    end: int
    device: int
    track: int
    kind: str


class Table:
    """All that one session has measured.

    keeps_events: for a timeline.
    kernels: {kernel: [runs, ns]}.
    values: {place: {metric: its sum}}; exclusive ones without `(exc)`, see `exclusive`.
    devices: {place: the GPU that its values are of}, for regions inside of kernels.
    samples: {kernel: {line: {metric: its sum}}}; the line is None where nobody knows it.
    """

    def __init__(self, keeps_events: bool) -> None:
        self.keeps_events = keeps_events
        self.kernels: dict[Kernel, list[int]] = {}
        self.values: dict[Context, dict[str, Number]] = {}
        self.exclusive: set[str] = set()
        self.devices: dict[Context, int] = {}
        self.events: list[Event] = []
        self.samples: dict[str, dict[str | None, dict[str, int]]] = {}
        self._lock = locks.lock()

    def add_kernel(self, kernel: Kernel, runs: int, nanoseconds: int) -> None:
        """Counts runs of a kernel."""
        with self._lock:
            sums = self.kernels.setdefault(kernel, [0, 0])
            sums[0] += runs
            sums[1] += nanoseconds

    def add_events(self, events: Iterable[Event]) -> None:
        """Puts intervals on the timeline, if there is one."""
        if self.keeps_events:
            self.events.extend(events)

    def add_values(self, context: Context, metrics: Mapping[str, Number]) -> None:
        """Adds to the metrics of a place.  A name that ends in `(exc)` is not summed up over what is inside."""
        with self._lock:
            values = self.values.setdefault(context, {})
            for name, value in metrics.items():
                if name.endswith(EXCLUSIVE):
                    name = name.removesuffix(EXCLUSIVE).rstrip()
                    self.exclusive.add(name)
                values[name] = values.get(name, 0) + value

    def add_samples(self, kernel: str, line: str | None, metrics: Mapping[str, int]) -> None:
        """Adds samples of an instruction of a kernel."""
        with self._lock:
            sums = self.samples.setdefault(kernel, {}).setdefault(line, {})
            for name, value in metrics.items():
                sums[name] = sums.get(name, 0) + value

    def visit(self, context: Context) -> None:
        """Keeps a place that has no metrics."""
        with self._lock:
            self.values.setdefault(context, {})

    def clear(self) -> None:
        """Forgets everything."""
        with self._lock:
            self.kernels.clear()
            self.values.clear()
            self.devices.clear()
            self.events.clear()
            self.samples.clear()
