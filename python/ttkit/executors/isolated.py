"""Tasks in a process of their own, on whatever worker an executor runs them.

A worker calls `answer`.  It starts a Python process, hands it task after task, and waits: a task that ends its process,
hangs, or spoils the GPU's context costs that process, and the worker lives.  If the process died, or stood still until
its time was over, the task is tried once more in another: such things happen to processes of any task.  One that
computes for too long is not.

Processes are started anew and not forked, since workers of Dask and Ray have threads.  They end with their worker, or
when they had nothing to do for half a minute.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import pickle
import selectors
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from ttkit.workers import TOLD, Died, read_message, write_message

ATTEMPTS = 2  # of a task whose process dies, for lack of memory, say, when others took it; or stands still
_STARTED = 300.0  # seconds in which Python begins on a busy machine
_LOOK = 5.0  # seconds after which an idle process looks whether its worker is still there
_IDLE_SECONDS = 30.0  # seconds without a task after which it ends, with what it holds on the GPU
_BUSY = 0.01  # of a processor: a process that uses less in the second half of its time stands still
STANDS_STILL = "stands still"
"""A process was late, and did nothing: it was stopped, or waits for what does not come."""
_NOT_INHERITED = ("TTKIT_AUTOTUNING_EXECUTOR", "TTKIT_AUTOTUNING_TIMING_EXECUTOR", "TTKIT_AUTOTUNING_STORE")


@dataclass(frozen=True)
class Answer:
    """The end of a task.

    value: what its function returned.
    error: what it raised.
    ended: how the process ended that was to answer, such as "SIGKILL", or what an executor said; else empty.
    late: whether it took more time than it was given.
    seconds: that it took.
    worker: host and process that ran it.
    """

    value: Any = None
    error: BaseException | None = None
    ended: str = ""
    late: bool = False
    seconds: float = 0.0
    worker: str = ""


class FailedElsewhere(Exception):
    """An exception that can't leave its process: its type's name and its text."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(kind, text)
        self.kind, self.text = kind, text

    def __str__(self) -> str:
        return self.text


class ProcessSpoiled(Exception):
    """A task failed in a way after which its process can do nothing more: a kernel's fault, say."""


def is_portable(value: Any) -> bool:
    """Whether a value can be given to another process."""
    try:
        pickle.loads(pickle.dumps(value))  # some exceptions only fail to be read
    except Exception:
        return False
    return True


def portable(error: BaseException) -> BaseException:
    """An error, or where it can't leave its process its name and text."""
    return error if is_portable(error) else FailedElsewhere(type(error).__name__, str(error))


# --- the worker's side ------------------------------------------------------------------------------------------------

OF_THREAD = threading.local()
"""`environment`: variables of the processes that this thread starts."""


def answer(function: str, task: Any, seconds: float) -> Answer:
    """Runs a task in a process of its own; never raises.

    Args:
        function: `module:name`, called with the task.
        task: anything that can be pickled.
        seconds: that it may take.
    """
    began = time.monotonic()
    process = _take()
    for attempt in range(ATTEMPTS):
        found = process.ask(function, task, seconds)
        if not isinstance(found, Died):
            value, error = found
            if isinstance(error, ProcessSpoiled):
                process.end(0)
            else:
                _give_back(process)
            return Answer(value, error, seconds=time.monotonic() - began, worker=process.name)
        if (found.status is None and found.reached is not STANDS_STILL) or attempt + 1 == ATTEMPTS:
            break
        process = IsolatedProcess(process.environment)
    assert isinstance(found, Died)
    late = found.status is None
    ended = "" if late else f"{found.how}: {_last_line(found.errors)}".removesuffix(": ")
    return Answer(ended=ended, late=late, seconds=time.monotonic() - began, worker=process.name)


def answer_all(function: str, tasks: Sequence[Any], seconds: float) -> list[Answer]:
    """Runs tasks one after the other on this worker, each with its own time, see `answer`."""
    return [answer(function, task, seconds) for task in tasks]


def _last_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1].strip() if lines else ""


class IsolatedProcess:
    """A Python process that runs tasks.

    environment: variables that it has besides those of this process.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        self.environment = dict(environment)
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 (until the process ends)
        start = f"import sys; sys.path[:] = {sys.path!r}; from ttkit.executors.isolated import serve; serve()"
        self._process = subprocess.Popen(
            [sys.executable, "-c", start],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env={**os.environ, **environment},
        )
        self.name = f"{socket.gethostname()}:{self._process.pid}"
        self._is_new = True

    def ask(self, function: str, task: Any, seconds: float) -> tuple[Any, BaseException | None] | Died:
        """The value and the error of a task; or how the process ended."""
        assert self._process.stdin is not None and self._process.stdout is not None
        replies = self._process.stdout.fileno()
        try:
            if self._is_new and (not self._is_ready(_STARTED) or read_message(replies) is None):
                return self.end(None)
            self._is_new = False
            write_message(self._process.stdin.fileno(), (function, task))
        except BrokenPipeError:
            return self.end(self._process.wait())
        if not self._is_ready(seconds / 2):
            before = processor_seconds(self._process.pid)
            if not self._is_ready(seconds / 2):
                used = processor_seconds(self._process.pid) - before
                return self.end(None, STANDS_STILL if used < _BUSY * seconds / 2 else None)
        if (found := read_message(replies)) is None:
            return self.end(self._process.wait())
        return found

    def _is_ready(self, seconds: float) -> bool:
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)  # type: ignore[arg-type]
            return bool(selector.select(seconds))

    @property
    def is_alive(self) -> bool:
        """Whether it runs, as far as this process knows."""
        return self._process.poll() is None

    def end(self, code: int | None = None, reached: str | None = None) -> Died:
        """Ends it.

        Args:
            code: with which it ended by itself; None where it took too long.
            reached: as in `Died`.
        """
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        with self._errors as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - TOLD))
            told = file.read().decode(errors="replace")
        # As os.waitpid has it: a signal, or the exit code in the second byte.
        status = None if code is None else -code if code < 0 else code << 8
        return Died(status, told, reached)


def processor_seconds(process: int) -> float:
    """The time of processors that a process and those that it started have used; infinite where nobody knows, as on
    systems without /proc."""
    used: dict[int, float] = {}
    parents: dict[int, int] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError):
            facts = path.read_text().rpartition(")")[2].split()
            number = int(path.parent.name)
            parents[number] = int(facts[1])
            used[number] = sum(map(int, facts[11:15])) / os.sysconf("SC_CLK_TCK")
    if process not in used:
        return float("inf")
    group = {process}
    while more := {child for child, parent in parents.items() if parent in group} - group:
        group |= more
    return sum(used[number] for number in group)


_lock = threading.Lock()
_UNUSED: dict[tuple[Any, ...], list[IsolatedProcess]] = {}


def _key() -> tuple[Any, ...]:
    """Identifies processes that may run a task of this thread: Ray changes the GPUs of its workers; a forked worker
    has processes of its own."""
    environment = getattr(OF_THREAD, "environment", {})
    return os.getpid(), os.environ.get("CUDA_VISIBLE_DEVICES"), tuple(sorted(environment.items()))


def _take() -> IsolatedProcess:
    with _lock:
        waiting = _UNUSED.get(_key(), [])
        while waiting:
            found = waiting.pop()
            if found.is_alive:
                return found
            found.end(0)
    return IsolatedProcess(getattr(OF_THREAD, "environment", {}))


def _give_back(process: IsolatedProcess) -> None:
    with _lock:
        _UNUSED.setdefault(_key(), []).append(process)


@atexit.register
def end_all() -> None:
    """Ends the processes that wait for tasks."""
    with _lock:
        for (owner, *_), processes in _UNUSED.items():
            for process in processes if owner == os.getpid() else ():
                process.end(0)
        _UNUSED.clear()


def _after_fork() -> None:
    global _lock
    _lock = threading.Lock()
    _UNUSED.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)

# --- the side of the process ------------------------------------------------------------------------------------------


def serve() -> None:
    """Runs the tasks that come on standard input, and writes what became of them to standard output."""
    jobs, replies = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(2, 1)  # what tasks print is no answer
    worker = os.getppid()
    for name in _NOT_INHERITED:  # a script that tunes when it is imported gives no tasks to others
        os.environ.pop(name, None)
    write_message(replies, "ready")
    while _waits(jobs, worker) and (given := read_message(jobs)) is not None:
        function, task = given
        error: BaseException | None = None
        value = None
        try:
            value = function_named(function)(task)
        except Exception as caught:
            error = caught
        try:
            write_message(replies, (value, None if error is None else portable(error)))
        except BrokenPipeError:
            return
        if isinstance(error, ProcessSpoiled):
            os._exit(1)


def _waits(jobs: int, worker: int) -> bool:
    """Waits for a task; whether there is one, or the worker has ended and closed the pipe."""
    with selectors.DefaultSelector() as selector:
        selector.register(jobs, selectors.EVENT_READ)
        until = time.monotonic() + _IDLE_SECONDS
        while not selector.select(_LOOK):
            # The worker may have ended though the pipe is open: a process that it forked has it too.
            if os.getppid() != worker or time.monotonic() > until:
                return False
    return True


def function_named(text: str) -> Any:
    """The function of `module:name`.

    Raises:
        ImportError, AttributeError: there is none.
    """
    module, _, name = text.partition(":")
    return getattr(import_module(module), name)
