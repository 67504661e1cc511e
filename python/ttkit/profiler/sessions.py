"""Sessions: begun, made active and inactive, ended with a file.

Several may be active at once.  What is measured goes to all that are: so the GPU is waited for whenever that changes.
"""

from __future__ import annotations

import atexit
import itertools
import json
import os
import sys
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import ttkit.locks as locks
import ttkit.profiler.contexts as contexts
from ttkit.profiler.chrome_trace import chrome_trace
from ttkit.profiler.contexts import Context
from ttkit.profiler.hook_manager import Hook, HookManager
from ttkit.profiler.mode import OUTPUT_FORMATS, BaseMode, PeriodicFlushing
from ttkit.profiler.table import Table
from ttkit.profiler.tree import Node, build, hatchet, to_json, to_msgpack
from ttkit.whole_files import write_files

CONTEXTS = ("shadow", "python")
DATA = ("tree", "trace")
STANDARD_OUTPUT = "-"


class Backend(Protocol):
    """Interface of what measures.

    device_type: "CUDA".
    """

    device_type: str

    def start(self, session: Session) -> None:
        """Measures for a session from now on."""

    def stop(self, session: Session) -> None:
        """Does no more; all that it measured is in the session's table."""

    def flush(self) -> None:
        """Waits for the GPU; all that was measured is in the tables."""

    def devices(self) -> dict[str, dict[str, Any]]:
        """Properties of the GPUs, by number."""


class Session:
    """One profile.

    Attributes:
        number: what `start` returned.
        path: of the file, without what comes after the dot.
        base: where its thread was when it began; the tree begins there.
        phase: the number of the one that lasts; its measurements are in `table`.
        ended: those of earlier phases, by number, as far as they are kept.
    """

    def __init__(self, path: str, context: str, data: str, backend: Backend, mode: BaseMode, hooks: list[Hook]) -> None:
        self.number = next(_numbers)
        self.path, self.context, self.data, self.backend, self.mode = path, context, data, backend, mode
        self.hooks = hooks
        self.base: Context | None = contexts.thread.place if context == "shadow" else None
        self.table = Table(keeps_events=data == "trace")
        self.phase = 0
        self.ended: dict[int, Table] = {}
        self.is_active = False

    @property
    def wants_python(self) -> bool:
        """Whether its places are lines of Python."""
        return self.context == "python"

    def take_hook(self, hook: Hook) -> None:
        """Puts a hook after the others, once."""
        self.hooks[:] = [*(other for other in self.hooks if other is not hook), hook]

    def place(self, shadow: Context) -> Context:
        """The place of something that the calling thread does now."""
        return contexts.python_context(sys._getframe(1), shadow) if self.wants_python else shadow

    def tree(self, table: Table | None = None) -> Node:
        """The tree of what was measured so far, or of a phase's table."""
        return build(table or self.table, self.backend.device_type, self.base)

    def content(self, table: Table | None = None) -> list[Any]:
        """Content of its .hatchet file, or of a phase's."""
        devices = self.backend.devices() if (table or self.table).kernels else {}
        return hatchet(self.tree(table), {self.backend.device_type: devices} if devices else {})

    def advance(self) -> int:
        """Ends the phase; the number of the next one.

        Raises:
            OSError: its file can't be written, in a mode that writes one.
        """
        ended, self.table = self.table, Table(self.table.keeps_events)
        number, self.phase = self.phase, self.phase + 1
        if isinstance(self.mode, PeriodicFlushing):
            self._write_table(ended, number, self.mode.format)
        else:
            self.ended[number] = ended
        return self.phase

    def write(self, output_format: str) -> None:
        """Writes its file, or those of its phases.

        Raises:
            OSError: one can't be written.
        """
        kind = self.mode.format if isinstance(self.mode, PeriodicFlushing) else ""
        kind = output_format or kind or ("chrome_trace" if self.data == "trace" else "hatchet")
        for number, table in {**self.ended, self.phase: self.table}.items():
            self._write_table(table, number, kind)

    def _write_table(self, table: Table, phase: int, kind: str) -> None:
        if kind == "chrome_trace":
            data = json.dumps(chrome_trace(table.events, self.base)).encode()
        elif kind == "hatchet_msgpack":
            data = to_msgpack(self.content(table))
        else:
            data = to_json(self.content(table)).encode()
        if self.path == STANDARD_OUTPUT:
            sys.stdout.flush()
            sys.stdout.buffer.write(data + b"\n")
            return
        path = f"{self.path}.part_{phase}.{kind}" if self.phase else f"{self.path}.{kind}"
        if folder := os.path.dirname(path):
            os.makedirs(folder, exist_ok=True)
        write_files({path: data})


_numbers = itertools.count()
_LOCK = locks.lock()
SESSIONS: dict[int, Session] = {}
"""All that were begun and not ended."""
ACTIVE: list[Session] = []
"""Those that measure now; a list that is replaced, not changed."""
ON_LAST: list[Callable[[], object]] = []
"""Called when the last session has ended."""


def add(session: Session) -> None:
    """Begins a session.

    Raises:
        Exception: as its backend does; there is no session then.
    """
    with _LOCK:
        SESSIONS[session.number] = session
        try:
            activate(session.number)
        except BaseException:
            del SESSIONS[session.number]
            raise


def activate(number: int | None = None) -> None:
    """Goes on measuring for a session, for all without a number.

    Raises:
        ValueError: there is no such session.
    """
    global ACTIVE
    with _LOCK:
        for session in _chosen(number):
            if session.is_active:
                continue
            _flush()
            session.backend.start(session)
            session.is_active = True
            ACTIVE = [*ACTIVE, session]
            for hook in session.hooks:
                HookManager.register(hook, session.number)
            HookManager.activate(session.number)


def deactivate(number: int | None = None) -> None:
    """Stops measuring for a session, for all without a number, once all that was launched has ended.

    Raises:
        ValueError: there is no such session.
    """
    global ACTIVE
    with _LOCK:
        for session in _chosen(number):
            if not session.is_active:
                continue
            HookManager.deactivate(session.number)
            _flush()
            ACTIVE = [each for each in ACTIVE if each is not session]
            session.is_active = False
            session.backend.stop(session)


def finalize(number: int | None = None, output_format: str = "") -> None:
    """Ends a session, all without a number, and writes its file.

    Raises:
        ValueError: there is no such format.
        OSError: the file can't be written; the session has ended.
    """
    if output_format and output_format not in OUTPUT_FORMATS:
        raise ValueError(f"Unknown output format: {output_format}; use {', '.join(OUTPUT_FORMATS)}")
    with _LOCK:
        chosen = [SESSIONS[number]] if number in SESSIONS else [] if number is not None else list(SESSIONS.values())
        for session in chosen:
            _remove(session)
            session.write(output_format)


def add_hook(session: Session, hook: Hook) -> None:
    """Adds a hook to a session that is active."""
    with _LOCK:
        session.hooks.append(hook)
        HookManager.register(hook, session.number)
        HookManager.activate(session.number)


def discard() -> None:
    """Ends all sessions without writing files."""
    with _LOCK:
        for session in list(SESSIONS.values()):
            _remove(session)


def _remove(session: Session) -> None:
    deactivate(session.number)
    HookManager.unregister(session.number)
    del SESSIONS[session.number]
    if not SESSIONS:
        for listener in ON_LAST:
            listener()


def find(number: int | None) -> Session:
    """The session of a number.

    Raises:
        ValueError: there is none.
    """
    if number not in SESSIONS:
        raise ValueError(f"there is no session {number}; start returns their numbers")
    return SESSIONS[number]


def _chosen(number: int | None) -> list[Session]:
    return list(SESSIONS.values()) if number is None else [find(number)]


def _flush() -> None:
    for backend in {id(session.backend): session.backend for session in ACTIVE}.values():
        backend.flush()


def flush() -> None:
    """Waits until all that was measured is in the tables."""
    with _LOCK:
        _flush()


def record_metrics(place: Context, metrics: Mapping[str, Any]) -> None:
    """Adds to the metrics of a place, in all active sessions; with none, the place is kept.

    Args:
        metrics: numbers, or tensors with one element, which are read at once.
    """
    values = {name: value if isinstance(value, (int, float)) else value.item() for name, value in metrics.items()}
    for session in ACTIVE:
        where = session.place(place)
        if values:
            session.table.add_values(where, values)
        else:
            session.table.visit(where)


@atexit.register
def _write_what_is_left() -> None:
    """A script that ends without `finalize` has its files too."""
    try:
        finalize()
    except Exception as error:
        print(f"ttkit: the profile was not written: {error}", file=sys.stderr)
