"""Scopes: parts of a program under names, with metrics."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from contextlib import ContextDecorator

import ttkit.profiler.contexts as contexts
import ttkit.profiler.sessions as sessions
from ttkit.profiler.chrome_trace import HOST
from ttkit.profiler.contexts import Context, Scope
from ttkit.profiler.sessions import record_metrics
from ttkit.profiler.table import Event, Number

Metrics = Mapping[str, Number]
CPU_TIME = "cpu_time (ns)(exc)"


class scope(ContextDecorator):
    """A part of the program: `with scope("name"):`, or `@scope("name")` before a function.

    Args:
        name: what the tree calls it.
        metrics: added to it each time, summed up over what is inside for the frames around; those whose names end in
            `(exc)` are not.
    """

    def __init__(self, name: str, metrics: Metrics | None = None) -> None:
        self.name, self.metrics = name, metrics

    def __enter__(self) -> scope:
        enter_scope(self.name, metrics=self.metrics)
        return self

    def __exit__(self, *error: object) -> None:
        exit_scope(self.name)

    def _recreate_cm(self) -> scope:
        """A scope for each call of a decorated function, which may call itself."""
        return type(self)(self.name, self.metrics)


class cpu_timed_scope(scope):
    """A scope that also has the time on the CPU, `cpu_time (ns)`, not counting those inside.

    Raises:
        ValueError: the metrics have a `cpu_time` already.
    """

    def __init__(self, name: str, metrics: Metrics | None = None) -> None:
        if metrics and any(key.startswith("cpu_time") for key in metrics):
            raise ValueError("cpu_time is what cpu_timed_scope measures: give it another name")
        super().__init__(name, metrics)
        self._began = 0

    def __enter__(self) -> cpu_timed_scope:
        super().__enter__()
        self._began = time.perf_counter_ns()
        return self

    def __exit__(self, *error: object) -> None:
        taken = time.perf_counter_ns() - self._began
        exit_scope(self.name, metrics={CPU_TIME: taken})


def enter_scope(name: str, *, metrics: Metrics | None = None) -> int | None:
    """Begins a scope; its number, None where no session is active."""
    if not sessions.ACTIVE:
        return None
    thread = contexts.thread
    number = next(contexts.numbers)
    thread.scopes.append(Scope(name, number, thread.place, time.time_ns()))
    thread.place = thread.place.child(name)
    place = thread.current()
    record_metrics(place, metrics or {})
    contexts.go_to(place)
    return number


def exit_scope(name: str | None = None, *, metrics: Metrics | None = None) -> int | None:
    """Ends the scope that was begun last; its number, None where there is none.

    Args:
        name: of the scope.
        metrics: more of them.

    Raises:
        ValueError: it has another name.
    """
    thread = contexts.thread
    if not thread.scopes:
        return None
    scope = thread.scopes[-1]
    if name is not None and scope.name != name:
        raise ValueError(f"the scope that ends is '{scope.name}', not '{name}'")
    place = thread.current()
    if metrics:
        record_metrics(place, metrics)
    _put_on_timeline(scope, place)
    thread.scopes.pop()
    thread.place = scope.before
    contexts.go_back()
    return scope.number


def _put_on_timeline(scope: Scope, place: Context) -> None:
    for session in sessions.ACTIVE:
        if session.table.keeps_events:
            end = time.time_ns()
            track = threading.get_native_id()
            session.table.add_events([Event(session.place(place), scope.name, scope.began, end, HOST, track, "scope")])
