"""Tasks on an executor: each is answered once, whatever becomes of workers."""

from __future__ import annotations

import contextlib
import time
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, ThreadPoolExecutor, wait
from typing import Any

from ttkit.executors.isolated import Answer, answer, answer_all
from ttkit.notices import say_once
from ttkit.workers import processors

SECONDS = 600.0
"""Time of a task where no other is given."""
GRACE = 600.0
"""Seconds beyond a task's own for the way there and back, and for a worker to begin."""
_RETRIES = 1  # of a task whose worker went away


def width_of(executor: Executor) -> int:
    """The number of tasks that an executor runs at once, where it says that: `width`, `_max_workers` as Python's own
    have it, or `num_workers` as that of MPI has it; else the number of processors here."""
    for name in ("width", "_max_workers", "num_workers"):
        found = getattr(executor, name, None)
        if isinstance(found, int) and found > 0:
            return found
    return processors()


def each_answer(
    executor: Executor,
    function: str,
    tasks: Sequence[Any],
    *,
    seconds: float = SECONDS,
    width: int | None = None,
    grace: float = GRACE,
) -> Iterator[tuple[int, Answer]]:
    """Answers to tasks in the order in which they come, with the task's number.

    No more than `width` tasks are with the executor at a time, so that one that is late is known.  A task whose worker
    went away is given to another, once.  An executor that has ended, such as a ProcessPoolExecutor after the death of
    a process, is replaced by processes of this machine.

    Args:
        function: `module:name`, called with a task in a process of its own, see `isolated.answer`.
        tasks: what can be pickled.
        seconds: that a task may take.
        width: tasks at once; None for `width_of(executor)`.
        grace: seconds after which a worker that says nothing is given up.
    """
    with _Queue(executor, function, tasks, seconds, width or width_of(executor), grace) as queue:
        yield from queue.answers()


def on_one_worker(
    executor: Executor, function: str, tasks: Sequence[Any], *, seconds: float = SECONDS, grace: float = GRACE
) -> list[Answer]:
    """Answers to tasks that run one after the other on one worker, whichever that is: times of one device."""
    future = executor.submit(answer_all, function, tasks, seconds)
    try:
        return future.result(seconds * len(tasks) + grace)
    except Exception as error:
        future.cancel()
        return [Answer(ended=_text(error))] * len(tasks)


def time_left(seconds: float, done: int, count: int) -> str:
    """The time that is left after `done` of `count` tasks, from their mean: `12 s left`; empty where nobody knows."""
    if not done or done >= count:
        return ""
    left = seconds / done * (count - done)
    return f"{left:.0f} s left" if left < 120 else f"{left / 60:.0f} min left"


class _Queue:
    """The tasks of one call of `each_answer`."""

    def __init__(
        self, executor: Executor, function: str, tasks: Sequence[Any], seconds: float, width: int, grace: float
    ) -> None:
        self.executor, self.function, self.tasks = executor, function, tasks
        self.seconds, self.width, self.patience = seconds, width, seconds * 2 + grace  # a dead process is tried twice
        self.waiting = deque(range(len(tasks)))
        self.given: dict[Future[Answer], tuple[int, float]] = {}
        self.tries = [0] * len(tasks)
        self.own: ThreadPoolExecutor | None = None

    def __enter__(self) -> _Queue:
        return self

    def __exit__(self, *_: object) -> None:
        for future in self.given:
            future.cancel()
        if self.own is not None:
            self.own.shutdown(wait=False, cancel_futures=True)

    def answers(self) -> Iterator[tuple[int, Answer]]:
        """See `each_answer`."""
        while self.waiting or self.given:
            while self.waiting and len(self.given) < self.width:
                self._give()
            if not self.given:  # all workers hang
                number = self.waiting.popleft()
                yield number, Answer(ended="no worker of the executor answers")
                continue
            until = min(deadline for _, deadline in self.given.values())
            done, _ = wait(self.given, max(until - time.monotonic(), 0.0), return_when=FIRST_COMPLETED)
            for future in done:
                number, _ = self.given.pop(future)
                if (found := self._answer_of(future, number)) is not None:
                    yield number, found
            yield from self._given_up() if not done else ()

    def _give(self) -> None:
        """Hands the next task to the executor."""
        number = self.waiting[0]
        try:
            future = self.executor.submit(answer, self.function, self.tasks[number], self.seconds)
        except Exception as error:  # it has ended
            if self.own is not None:
                raise
            # Each of its workers may have taken the executor down: here a process takes nothing with it.
            self.own = ThreadPoolExecutor(self.width)
            say_once(f"the executor ended ({_text(error)}): the rest runs in {self.width} processes of this machine")
            self.executor = self.own
            return
        self.waiting.popleft()
        self.given[future] = number, time.monotonic() + self.patience

    def _answer_of(self, future: Future[Answer], number: int) -> Answer | None:
        """The answer of a future that is done; None where the task is given once more."""
        try:
            return future.result()
        except (Exception, CancelledError) as error:
            if self.tries[number] < _RETRIES:
                self.tries[number] += 1
                self.waiting.append(number)
                return None
            return Answer(ended=_text(error))

    def _given_up(self) -> Iterator[tuple[int, Answer]]:
        """Tasks whose workers say nothing; each takes its place in the executor with it."""
        now = time.monotonic()
        for future, (number, deadline) in list(self.given.items()):
            if deadline > now:
                continue
            del self.given[future]
            with contextlib.suppress(Exception):
                if not future.cancel():
                    self.width -= 1
            yield number, Answer(late=True, seconds=self.patience)


def _text(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".removesuffix(": ")
