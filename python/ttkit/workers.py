"""Work in forked processes, each of which may die of it.

    with Workers(2, answer) as workers:
        for number, reply in workers.each(jobs): ...

A worker that ends is replaced by the next fork, so the parent must hold nothing that a fork would break: it makes no
context of MLIR's.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import pickle
import selectors
import signal
import struct
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import field
from typing import Any

from ttkit.records import dataclass

TOLD = 8_000
"""Bytes at the end of what a worker wrote to its standard error that are kept."""


def processors() -> int:
    """The number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True)
class Died:
    """End of a worker that was to answer.

    status: of the process, as os.waitpid gives it; None if it took too long.
    errors: the end of what it wrote to standard error.
    reached: what the worker said last of how far it came.
    """

    status: int | None
    errors: str
    reached: Any = None

    @property
    def how(self) -> str:
        """`SIGABRT`, `exit code 3` or `too long`."""
        if self.status is None:
            return "too long"
        if os.WIFSIGNALED(self.status):
            return signal.Signals(os.WTERMSIG(self.status)).name
        return f"exit code {os.waitstatus_to_exitcode(self.status)}"


@dataclass
class _Worker:
    process: int
    jobs: int
    replies: int
    errors: Any
    number: int | None = None
    deadline: float = 0.0
    reached: Any = None


@dataclass
class Workers:
    """Forked processes that answer jobs.

    count: how many.
    answer: called in a worker with a job and a function that says how far it came; what it gives is the reply.
    timeout: seconds that a job may take.
    quiet: whether what workers print is kept for `Died`; else they share the parent's streams.
    """

    count: int
    answer: Callable[[Any, Callable[[Any], None]], Any]
    timeout: float = 60.0
    quiet: bool = True
    _idle: list[_Worker] = field(default_factory=list)

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        """Ends the workers; the next job forks new ones."""
        for worker in self._idle:
            self._end(worker)
        self._idle.clear()

    def each(self, jobs: Iterable[Any]) -> Iterator[tuple[int, Any]]:
        """Replies to jobs in the order in which they come, with the job's number; of a worker that died, `Died`.

        Ending the iteration ends the workers that are still busy.

        Raises:
            OSError: the system has no more processes.
        """
        waiting = iter(enumerate(jobs))
        busy: list[_Worker] = []
        try:
            while True:
                while len(busy) < self.count and (job := next(waiting, None)) is not None:
                    busy.append(self._give(*job))
                if not busy:
                    return
                for worker in self._ready(busy):
                    done, reply = self._reply(worker)
                    if done:
                        busy.remove(worker)
                        yield worker.number or 0, reply
        finally:
            for worker in busy:
                self._end(worker)

    def one(self, job: Any) -> Any:
        """The reply to a job."""
        return next(reply for _, reply in self.each([job]))

    def _give(self, number: int, job: Any) -> _Worker:
        worker = self._idle.pop() if self._idle else self._fork()
        worker.number, worker.deadline, worker.reached = number, time.monotonic() + self.timeout, None
        try:
            write_message(worker.jobs, (job,))
        except BrokenPipeError:  # it died while it was idle
            self._end(worker)
            return self._give(number, job)
        return worker

    def _ready(self, busy: list[_Worker]) -> list[_Worker]:
        """The workers that have something to say, or had too little time."""
        with selectors.DefaultSelector() as selector:
            for worker in busy:
                selector.register(worker.replies, selectors.EVENT_READ, worker)
            left = min(worker.deadline for worker in busy) - time.monotonic()
            found = [key.data for key, _ in selector.select(max(left, 0.0))]
        return found or [worker for worker in busy if worker.deadline <= time.monotonic()]

    def _reply(self, worker: _Worker) -> tuple[bool, Any]:
        """Whether a worker has ended its job, and its reply."""
        if worker.deadline <= time.monotonic():
            return True, Died(None, self._end(worker)[1], worker.reached)
        message = read_message(worker.replies)
        if message is None:
            return True, Died(*self._end(worker, died=True), worker.reached)
        kind, value = message
        if kind == "reached":
            worker.reached = value
            return False, None
        self._idle.append(worker)
        return True, value

    def _fork(self) -> _Worker:
        jobs_in, jobs_out = os.pipe()
        replies_in, replies_out = os.pipe()
        errors = tempfile.TemporaryFile()  # noqa: SIM115 (until the worker ends)
        for stream in (sys.stdout, sys.stderr):
            stream.flush()  # or the worker would write it once more
        try:
            with warnings.catch_warnings():
                # Python warns of forks beside threads, whose locks a worker can't get: it takes none of theirs.
                warnings.simplefilter("ignore", DeprecationWarning)
                process = os.fork()
        except OSError:
            for pipe in (jobs_in, jobs_out, replies_in, replies_out):
                os.close(pipe)
            errors.close()
            raise
        if process:
            os.close(jobs_in)
            os.close(replies_out)
            return _Worker(process, jobs_out, replies_in, errors)
        try:
            os.close(jobs_out)
            os.close(replies_in)
            if self.quiet:
                null = os.open(os.devnull, os.O_RDWR)
                os.dup2(null, 0)
                os.dup2(null, 1)
                os.dup2(errors.fileno(), 2)
                faulthandler.disable()  # it may know where standard error was
                for number in (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGILL, signal.SIGFPE):
                    signal.signal(number, signal.SIG_DFL)  # the parent is told of crashes, not the user
            while (given := read_message(jobs_in)) is not None:
                reply = self.answer(given[0], lambda reached: write_message(replies_out, ("reached", reached)))
                if not self.quiet:
                    sys.stdout.flush()
                    sys.stderr.flush()
                write_message(replies_out, ("reply", reply))
        except BaseException:
            import traceback

            traceback.print_exc()
            os._exit(1)
        os._exit(0)

    def _end(self, worker: _Worker, *, died: bool = False) -> tuple[int, str]:
        """Ends a worker, unless it has died by itself; gives its status and the end of its errors."""
        os.close(worker.jobs)
        os.close(worker.replies)
        if not died:
            with contextlib.suppress(ProcessLookupError):
                os.kill(worker.process, signal.SIGKILL)
        _, status = os.waitpid(worker.process, 0)
        with worker.errors as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - TOLD))
            return status, file.read().decode(errors="replace")


def write_message(pipe: int, value: Any) -> None:
    """Writes a value, pickled, to a pipe.

    Raises:
        BrokenPipeError: the other side has ended.
    """
    data = pickle.dumps(value)
    message = struct.pack("<Q", len(data)) + data
    while message:
        message = message[os.write(pipe, message) :]


def read_message(pipe: int) -> Any:
    """The next message of a process that this one has started, or that has started this one; None if it has ended."""
    header = _read_bytes(pipe, 8)
    if header is None:
        return None
    data = _read_bytes(pipe, struct.unpack("<Q", header)[0])
    return None if data is None else pickle.loads(data)


def _read_bytes(pipe: int, count: int) -> bytes | None:
    parts = []
    while count:
        part = os.read(pipe, min(count, 1 << 16))
        if not part:
            return None
        parts.append(part)
        count -= len(part)
    return b"".join(parts)
