"""Compiling many configurations of a kernel at once, before any is timed.

The compiler is Python and holds its lock, so threads take turns; processes don't.  A process that is forked has the
compiler loaded and the kernel at hand, whatever the kernel closes over.  What it compiles it leaves in the cache on
disk, where the parent finds it.  A child never touches the GPU: the parent has looked at the arguments before.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import select
import signal
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

import ttkit.knobs as knobs
from ttkit.autotuning.errors import OverTimeBudget
from ttkit.runtime.async_compile import active_mode

# A compilation that is over sooner came from a cache: no process is worth starting for the next one.
_FOUND_IN_CACHE = 0.03  # seconds


class CompileWorkerDied(Exception):
    """The process that compiled a configuration ended without a word, such as for lack of memory."""


class PendingKernel:
    """A compilation that a launch asked for and that has not run yet."""

    def __init__(self, compile_fn: Callable[[], Any], finalize_fn: Callable[[Any], Any]) -> None:
        self.compile_fn, self.finalize_fn = compile_fn, finalize_fn

    def finish(self) -> None:
        """Compiles in this process, or takes what another left in the cache; the launch finds it then."""
        self.finalize_fn(self.compile_fn())


class Collector:
    """Takes the place of an `AsyncCompileMode`: keeps compilations for later."""

    def __init__(self) -> None:
        self.found: list[PendingKernel] = []

    def submit(self, key: Any, compile_fn: Callable[[], Any], finalize_fn: Callable[[Any], Any]) -> PendingKernel:
        """Keeps a compilation for later, in place of `AsyncCompileMode.submit`."""
        kernel = PendingKernel(compile_fn, finalize_fn)
        self.found.append(kernel)
        return kernel

    def collect(self, launch: Callable[[], Any]) -> list[PendingKernel]:
        """The compilations that `launch` needs; none where all is compiled."""
        token = active_mode.set(self)  # type: ignore[arg-type]
        try:
            launch()
        finally:
            active_mode.reset(token)
        found, self.found = self.found, []
        return found


def can_fork() -> bool:
    """Whether compilations may run in processes: Python can fork, and the cache on disk passes on what they make."""
    watched = knobs.compilation.listener or knobs.runtime.add_stages_inspection_hook
    return hasattr(os, "fork") and not knobs.compilation.always_compile and not watched


def worker_count(limit: int | None = None) -> int:
    """Number of compilations that run at once: by default as many as there are processors for this process."""
    if limit is not None:
        return max(1, limit)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Outcome:
    """Result of one compilation: `error` is None if it succeeded, `seconds` is its duration."""

    def __init__(self, error: BaseException | None, seconds: float) -> None:
        self.error, self.seconds = error, seconds


def compile_all(
    jobs: list[list[PendingKernel]],
    workers: int,
    time_budget: float | None = None,
    on_done: Callable[[Outcome], Any] = lambda outcome: None,
) -> list[Outcome]:
    """Compiles each configuration's kernels.

    Args:
        jobs: for each configuration what `Collector.collect` found.
        workers: most processes at a time; 1 compiles in this one, unless there is a time budget.
        time_budget: most seconds for each configuration; a process that takes longer is ended.  Without processes a
            configuration that took longer is reported, but was waited for.
        on_done: called after each configuration, in the order in which they end.
    """
    outcomes: list[Outcome | None] = [None] * len(jobs)

    def done(index: int, outcome: Outcome) -> None:
        """Keeps an outcome at its place, and tells of it."""
        outcomes[index] = outcome
        on_done(outcome)

    rest = list(range(len(jobs)))
    forks = (workers > 1 or time_budget is not None) and can_fork()
    # The first ones in this process, while they come from the cache; the first that does not also loads the compiler,
    # which every child then has.  A time budget can be kept only by a child.
    while rest and not (forks and time_budget is not None and jobs[rest[0]]):
        index = rest.pop(0)
        outcome = _compile_here(jobs[index], time_budget)
        done(index, outcome)
        if forks and outcome.seconds > _FOUND_IN_CACHE:
            break
    if forks and (len(rest) > 1 or (rest and time_budget is not None)):
        Children(workers, time_budget).run({index: jobs[index] for index in rest}, done)
    else:
        for index in rest:
            done(index, _compile_here(jobs[index], time_budget))
    return [outcome for outcome in outcomes if outcome is not None]


def _compile_here(kernels: list[PendingKernel], time_budget: float | None) -> Outcome:
    start = time.monotonic()
    try:
        for kernel in kernels:
            kernel.finish()
    except Exception as error:
        return Outcome(error, time.monotonic() - start)
    seconds = time.monotonic() - start
    over = time_budget is not None and seconds > time_budget
    return Outcome(OverTimeBudget("compiling", time_budget or 0) if over else None, seconds)


class Children:
    """Forked processes, each of which compiles one configuration and ends.

    They are started and waited for by one thread: no other can hold a lock of ours while it forks.
    """

    def __init__(self, workers: int, time_budget: float | None) -> None:
        self.workers, self.time_budget = workers, time_budget
        self.running: dict[int, tuple[int, int, float]] = {}  # read end of the pipe -> job, process, start

    def run(self, jobs: dict[int, list[PendingKernel]], done: Callable[[int, Outcome], Any]) -> None:
        """Compiles the jobs, by their numbers, and takes over what they made."""
        waiting = list(jobs)
        try:
            while waiting or self.running:
                while waiting and len(self.running) < self.workers:
                    index = waiting.pop(0)
                    if not jobs[index] or not self._start(index, jobs[index]):
                        done(index, _compile_here(jobs[index], self.time_budget))
                for index, error, seconds in self._ended():
                    if error is None:
                        # Reads what the child left; compiles again if that is gone.
                        outcome = _compile_here(jobs[index], None)
                        done(index, Outcome(outcome.error, seconds + outcome.seconds))
                    else:
                        done(index, Outcome(error, seconds))
        finally:
            for pipe in list(self.running):
                self._end(pipe)

    def _start(self, index: int, kernels: list[PendingKernel]) -> bool:
        """Whether there is a process for it: the system may have no more."""
        read, write = os.pipe()
        for stream in (sys.stdout, sys.stderr):
            stream.flush()  # or the child would write it once more
        with warnings.catch_warnings():
            # Python warns of forks beside threads, whose locks a child can't get.  It takes none of theirs: contexts of
            # MLIR are its own, and the GPU is left alone.
            warnings.simplefilter("ignore", DeprecationWarning)
            try:
                process = os.fork()
            except OSError:
                os.close(read)
                os.close(write)
                return False
        if process == 0:
            os.close(read)
            _work(kernels, write)
        os.close(write)
        self.running[read] = index, process, time.monotonic()
        return True

    def _ended(self) -> list[tuple[int, BaseException | None, float]]:
        """Jobs that are over, after waiting for at least one or for the first time budget to pass."""
        now, found = time.monotonic(), []
        wait = None
        if self.time_budget is not None and self.running:
            first = min(start for _, _, start in self.running.values())
            wait = max(0.0, first + self.time_budget - now)
        ready = select.select(list(self.running), [], [], wait)[0] if self.running else []
        now = time.monotonic()
        for pipe, (index, _, start) in list(self.running.items()):
            seconds = now - start
            if pipe in ready:
                found.append((index, self._result(pipe), seconds))
            elif self.time_budget is not None and seconds >= self.time_budget:
                self._end(pipe)
                found.append((index, OverTimeBudget("compiling", self.time_budget), seconds))
        return found

    def _result(self, pipe: int) -> BaseException | None:
        _, process, _ = self.running.pop(pipe)
        with os.fdopen(pipe, "rb") as stream:
            text = stream.read()
        _, status = os.waitpid(process, 0)
        if not text:
            return CompileWorkerDied(f"the process that compiled it ended, {_describe(status)}")
        return pickle.loads(text)

    def _end(self, pipe: int) -> None:
        _, process, _ = self.running.pop(pipe)
        os.close(pipe)
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)


def _describe(status: int) -> str:
    if os.WIFSIGNALED(status):
        return f"killed by {signal.Signals(os.WTERMSIG(status)).name}"
    return f"with exit code {os.WEXITSTATUS(status)}"


def _work(kernels: list[PendingKernel], pipe: int) -> None:
    """The child: compiles, says how it went, and ends without running what the parent has registered for its end."""
    error: BaseException | None = None
    try:
        for kernel in kernels:
            kernel.compile_fn()
    except BaseException as caught:
        error = caught
    try:
        try:
            text = pickle.dumps(error)
            pickle.loads(text)  # some exceptions only fail to be read
        except Exception:
            text = pickle.dumps(CompileFailed(type(error).__name__, str(error)))
        with os.fdopen(pipe, "wb") as stream:
            stream.write(text)
        sys.stdout.flush()  # what `tl.static_print` said
        sys.stderr.flush()
    finally:
        os._exit(0 if error is None else 1)


class CompileFailed(Exception):
    """A compilation's failure whose exception can't leave its process: its type's name and its text."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(kind, text)
        self.kind, self.text = kind, text

    def __str__(self) -> str:
        return self.text
