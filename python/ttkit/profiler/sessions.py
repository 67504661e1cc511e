"""Sessions: begun, made active and inactive, ended with a file.

Several may be active at once.  What is measured goes to all that are: so the GPU is waited for whenever that changes.
"""

from __future__ import annotations

import atexit
import itertools
import json
import os
import sys
from collections.abc import Mapping
from typing import Any, Protocol

import ttkit.locks as locks
from ttkit.profiler import contexts
from ttkit.profiler.chrome_trace import chrome_trace
from ttkit.profiler.contexts import Context
from ttkit.profiler.hook_manager import Hook, HookManager
from ttkit.profiler.mode import BaseMode
from ttkit.profiler.table import Table
from ttkit.profiler.tree import Node, build, hatchet, to_json, to_msgpack

CONTEXTS = ("shadow", "python")
DATA = ("tree", "trace")
OUTPUT_FORMATS = ("", "hatchet", "hatchet_msgpack", "chrome_trace")


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
    """

    def __init__(self, path: str, context: str, data: str, backend: Backend, mode: BaseMode, hooks: list[Hook]) -> None:
        self.number = next(_numbers)
        self.path, self.context, self.data, self.backend, self.mode = path, context, data, backend, mode
        self.hooks = hooks
        self.base: Context | None = contexts.thread.place if context == "shadow" else None
        self.table = Table(keeps_events=data == "trace")
        self.is_active = False

    @property
    def wants_python(self) -> bool:
        """Whether its places are lines of Python."""
        return self.context == "python"

    def take_hook(self, hook: Hook) -> None:
        """Puts a hook behind the others, once."""
        self.hooks[:] = [*(other for other in self.hooks if other is not hook), hook]

    def place(self, shadow: Context) -> Context:
        """The place of something that the calling thread does now."""
        return contexts.python_context(sys._getframe(1), shadow) if self.wants_python else shadow

    def tree(self) -> Node:
        """The tree of what was measured so far."""
        return build(self.table, self.backend.device_type, self.base)

    def content(self) -> list[Any]:
        """Content of its .hatchet file."""
        root = self.tree()
        devices = self.backend.devices() if self.table.kernels else {}
        return hatchet(root, {self.backend.device_type: devices} if devices else {})

    def write(self, output_format: str) -> str:
        """Writes the file; its path.

        Raises:
            OSError: it can't be written.
        """
        kind = output_format or ("chrome_trace" if self.data == "trace" else "hatchet")
        path = f"{self.path}.{kind}"
        if kind == "chrome_trace":
            data = json.dumps(chrome_trace(self.table.events, self.base)).encode()
        elif kind == "hatchet_msgpack":
            data = to_msgpack(self.content())
        else:
            data = to_json(self.content()).encode()
        if folder := os.path.dirname(path):
            os.makedirs(folder, exist_ok=True)
        partial = f"{path}.{os.getpid()}.partial"
        with open(partial, "wb") as file:
            file.write(data)
        os.replace(partial, path)
        return path


_numbers = itertools.count()
_LOCK = locks.lock()
SESSIONS: dict[int, Session] = {}
"""All that were begun and not ended."""
ACTIVE: list[Session] = []
"""Those that measure now; a list that is replaced, not changed."""


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
    if output_format not in OUTPUT_FORMATS:
        raise ValueError(f"Unknown output format: {output_format}; use {', '.join(OUTPUT_FORMATS[1:])}")
    with _LOCK:
        chosen = [SESSIONS[number]] if number in SESSIONS else [] if number is not None else list(SESSIONS.values())
        for session in chosen:
            deactivate(session.number)
            HookManager.unregister(session.number)
            del SESSIONS[session.number]
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
            deactivate(session.number)
            HookManager.unregister(session.number)
            del SESSIONS[session.number]


def _chosen(number: int | None) -> list[Session]:
    if number is None:
        return list(SESSIONS.values())
    if number not in SESSIONS:
        raise ValueError(f"there is no session {number}; start returns their numbers")
    return [SESSIONS[number]]


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
