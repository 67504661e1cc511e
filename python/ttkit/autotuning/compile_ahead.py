"""Compiling many configurations of a kernel at once, before any is timed.

The compiler is Python and holds its lock, so threads take turns; processes don't.  A process that is forked has the
compiler loaded and the kernel at hand, whatever the kernel closes over.  What it compiles it leaves in the cache on
disk, where the parent finds it.  A child never touches the GPU: the parent has looked at the arguments before.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable
from typing import Any

import ttkit.knobs as knobs
from ttkit.autotuning.errors import OverTimeBudget
from ttkit.executors.isolated import portable
from ttkit.runtime.async_compile import active_mode
from ttkit.workers import Died, Workers, processors

# A compilation that is over sooner came from a cache: no process is worth starting for the next one.
_FOUND_IN_CACHE = 0.03  # seconds
_FOREVER = 1e6  # seconds


class CompileWorkerDied(Exception):
    """The process that compiled a configuration ended without a word, such as for lack of memory."""


class PendingKernel:
    """A compilation that a launch asked for and that is still to run.

    key: its key in the cache on disk.
    """

    def __init__(self, compile_fn: Callable[[], Any], finalize_fn: Callable[[Any], Any], key: Any = None) -> None:
        self.compile_fn, self.finalize_fn, self.key = compile_fn, finalize_fn, key

    def finish(self) -> None:
        """Compiles in this process, or takes what another left in the cache; the launch finds it then."""
        self.finalize_fn(self.compile_fn())


class Collector:
    """Takes the place of an `AsyncCompileMode`: keeps compilations for later."""

    def __init__(self) -> None:
        self.found: list[PendingKernel] = []

    def submit(self, key: Any, compile_fn: Callable[[], Any], finalize_fn: Callable[[Any], Any]) -> PendingKernel:
        """Keeps a compilation for later, in place of `AsyncCompileMode.submit`."""
        kernel = PendingKernel(compile_fn, finalize_fn, key)
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


class KnownFailure:
    """Takes the place of an `AsyncCompileMode` within its block: what failed before fails at once, the rest compiles.

    job: the compilations of a configuration, see `Collector.collect`; none where the arguments could not be bound.
    error: how they failed.
    """

    def __init__(self, job: list[PendingKernel], error: BaseException) -> None:
        self.error = error
        self._key = job[0].key if len(job) == 1 else None  # of several, it is not known which one failed

    def is_same(self, error: BaseException) -> bool:
        """Whether a launch failed as it did ahead."""
        return error is self.error or (type(error) is type(self.error) and str(error) == str(self.error))

    def submit(self, key: Any, compile_fn: Callable[[], Any], finalize_fn: Callable[[Any], Any]) -> Any:
        """The kernel, compiled here, in place of `AsyncCompileMode.submit`.

        Raises:
            BaseException: `error`, for the compilation that it is of.
        """
        if key is not None and key == self._key:
            raise self.error
        kernel = compile_fn()
        finalize_fn(kernel)
        return kernel

    def __enter__(self) -> None:
        self._token = active_mode.set(self)  # type: ignore[arg-type]

    def __exit__(self, *_: object) -> None:
        active_mode.reset(self._token)


def can_fork() -> bool:
    """Whether compilations may run in processes: Python can fork, and the cache on disk passes on what they make."""
    return hasattr(os, "fork") and compiles_elsewhere()


def compiles_elsewhere() -> bool:
    """Whether compilations may run in other processes: the cache on disk passes on what they make, and nothing here
    watches them."""
    watched = knobs.compilation.listener or knobs.runtime.add_stages_inspection_hook
    return not knobs.compilation.always_compile and not watched


def worker_count(limit: int | None = None) -> int:
    """Number of compilations that run at once: by default as many as there are processors for this process."""
    if limit is not None:
        return max(1, limit)
    return processors()


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
        _compile_in_children({index: jobs[index] for index in rest}, workers, time_budget, done)
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


def _compile_in_children(
    jobs: dict[int, list[PendingKernel]],
    workers: int,
    time_budget: float | None,
    done: Callable[[int, Outcome], Any],
) -> None:
    """Compiles the jobs, by their numbers, in forked processes, and takes over what they made."""
    numbers, waiting = list(jobs), dict(jobs)

    def compile_one(number: int, reached: Callable[[float], None]) -> tuple[BaseException | None, float]:
        """The child's side: its error and its time."""
        reached(start := time.monotonic())
        error: BaseException | None = None
        try:
            for kernel in jobs[number]:
                kernel.compile_fn()
        except BaseException as caught:
            error = portable(caught)
        return error, time.monotonic() - start

    timeout = _FOREVER if time_budget is None else time_budget
    # This thread alone starts them and waits for them: no other can hold a lock of ours while it forks.  Where the
    # system has no more processes, the rest is compiled here.
    with contextlib.suppress(OSError), Workers(workers, compile_one, timeout, quiet=False) as children:
        for place, reply in children.each(numbers):
            number = numbers[place]
            error, seconds = _end_of(reply, time_budget) if isinstance(reply, Died) else reply
            del waiting[number]
            if error is None:  # reads what the child left; compiles again if that is gone
                here = _compile_here(jobs[number], None)
                error, seconds = here.error, seconds + here.seconds
            done(number, Outcome(error, seconds))
    for number, kernels in waiting.items():
        done(number, _compile_here(kernels, time_budget))


def _end_of(died: Died, time_budget: float | None) -> tuple[BaseException, float]:
    """The error and the time of a compilation whose process did not answer."""
    seconds = time.monotonic() - died.reached if died.reached else 0.0
    if died.status is None:
        return OverTimeBudget("compiling", time_budget or 0), seconds
    how = f"killed by {died.how}" if died.how.startswith("SIG") else f"with {died.how}"
    return CompileWorkerDied(f"the process that compiled it ended, {how}"), seconds
