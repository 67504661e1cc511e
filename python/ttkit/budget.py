"""The time and the memory that one compilation may take: TTKIT_COMPILE_SECONDS and TTKIT_COMPILE_MEMORY.

    with limited(seconds=10, mebibytes=4096):
        check()  # between pieces of work, which end by themselves
        run_process([program, *arguments], env=environment)  # ends with the budget

Nothing in this process is interrupted: it is asked between statements of a kernel and between passes.
"""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from typing import Any

from ttkit.patterns import pattern
from ttkit.records import dataclass


class OverBudget(Exception):
    """A compilation has taken more than its budget: which, in words."""


@dataclass(frozen=True)
class Budget:
    """Limits of a compilation.

    seconds: wall time, 0 for any.  mebibytes: by which this process may grow, and that each of its children may take; 0
    for any.  began: when, by time.perf_counter.  resident: bytes of this process then.
    """

    seconds: int
    mebibytes: int
    began: float
    resident: int

    def too_slow(self) -> OverBudget:
        """The error for the time."""
        return OverBudget(f"more than {self.seconds} s (TTKIT_COMPILE_SECONDS)")

    def too_large(self) -> OverBudget:
        """The error for the memory."""
        return OverBudget(f"more than {self.mebibytes} MiB of memory (TTKIT_COMPILE_MEMORY)")

    def seconds_left(self) -> float | None:
        """Seconds until its end, at least 0; None for any number."""
        return max(self.seconds - (time.perf_counter() - self.began), 0.0) if self.seconds else None


_NO_MEMORY = pattern("memory allocation|out of memory|cannot allocate memory|bad_alloc|MemoryError", re.IGNORECASE)
_budget: ContextVar[Budget | None] = ContextVar("ttkit.budget", default=None)


@contextlib.contextmanager
def limited(seconds: int, mebibytes: int) -> Iterator[None]:
    """Limits what is compiled in this thread, unless both are 0; a limit around it counts instead."""
    if (seconds <= 0 and mebibytes <= 0) or is_limited():
        yield
        return
    token = _budget.set(Budget(max(seconds, 0), max(mebibytes, 0), time.perf_counter(), _resident()))
    try:
        yield
    finally:
        _budget.reset(token)


def is_limited() -> bool:
    """Whether this thread compiles with a budget."""
    return _budget.get() is not None


def check() -> None:
    """Raises OverBudget: nothing is left."""
    budget = _budget.get()
    if budget is None:
        return
    if budget.seconds_left() == 0:
        raise budget.too_slow()
    if budget.mebibytes and _resident() - budget.resident > budget.mebibytes << 20:
        raise budget.too_large()


def check_memory(said: str) -> None:
    """Raises OverBudget: memory is limited, and a process that failed said that it got none."""
    budget = _budget.get()
    if budget is not None and budget.mebibytes and _NO_MEMORY.search(said):
        raise budget.too_large()


def run_process(command: Sequence[str], **options: Any) -> Any:
    """`subprocess.run`, ended with the budget; it gets no more memory than that (`check_memory`).

    Raises:
        OverBudget: the time is over.
    """
    import resource
    import subprocess

    check()
    budget = _budget.get()
    text = options.pop("input", None)
    if text is not None:
        options["stdin"] = subprocess.PIPE
    if options.pop("capture_output", False):
        options["stdout"] = options["stderr"] = subprocess.PIPE
    with subprocess.Popen(command, **options) as process:
        if budget is not None and budget.mebibytes and hasattr(resource, "prlimit"):
            with contextlib.suppress(ProcessLookupError):
                resource.prlimit(process.pid, resource.RLIMIT_AS, (budget.mebibytes << 20,) * 2)
        try:
            if budget is not None and subprocess.PIPE not in options.values():
                _await_end(process.pid, budget.seconds_left())
            output, errors = process.communicate(text, timeout=budget.seconds_left() if budget else None)
        except subprocess.TimeoutExpired:
            assert budget is not None
            process.kill()
            raise budget.too_slow() from None
        except BaseException:
            process.kill()
            raise
    return subprocess.CompletedProcess(command, process.returncode, output, errors)


def _await_end(pid: int, seconds: float | None) -> None:
    """Waits for the end of a child process, at most so many seconds.

    `Popen.wait` with a timeout looks every 50 ms whether it has ended, which is half as long as ptxas takes.
    """
    import select

    try:
        descriptor = os.pidfd_open(pid)  # not in all kernels
    except (AttributeError, OSError):
        return
    try:
        ended = select.poll()
        ended.register(descriptor, select.POLLIN)
        ended.poll(None if seconds is None else seconds * 1000)
    finally:
        os.close(descriptor)


def _resident() -> int:
    """Bytes of memory that this process has; 0 where that is not known."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0
