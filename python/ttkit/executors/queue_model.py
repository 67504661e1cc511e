"""A simulation of the queue of `tasks.each_answer`: the time of many tasks on workers, from the seconds of each.

One process hands out tasks, and takes their answers, one at a time.  A worker begins when it is given its first task.
Workers on the same machine share its processors.  `bench/scale.py` compares this with real runs.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Costs:
    """Seconds beside those of the tasks themselves.

    start: in which the process of a worker begins; it computes.
    give: in which a task is handed out and its answer is taken, by the process that has the queue.
    processors: that all workers share, of which others may leave a part; None where each worker has its own.
    computes: whether tasks compute; else they wait, as those do that time kernels on a GPU.
    """

    start: float = 0.0
    give: float = 0.0
    processors: float | None = None
    computes: bool = True

    def share(self, workers: list[_Worker]) -> float:
        """The part of a processor that each worker has that computes."""
        busy = sum(one.computing > _SMALL for one in workers)
        return 1.0 if self.processors is None or not busy else min(1.0, self.processors / busy)

    def worker(self, seconds: float, is_new: bool) -> _Worker:
        """A worker that has just been given a task of so many seconds."""
        start = self.start if is_new else 0.0
        return _Worker(start + seconds, 0.0) if self.computes else _Worker(start, seconds)


@dataclass
class _Worker:
    """Seconds that a worker has still to compute, and then to wait."""

    computing: float
    waiting: float

    def until_change(self, share: float) -> float:
        """Seconds until it has computed, or has waited."""
        return self.computing / share if self.computing > _SMALL else self.waiting

    def advance(self, seconds: float, share: float) -> None:
        """Lets time pass, at most until its next change."""
        if self.computing > _SMALL:
            self.computing -= seconds * share
        else:
            self.waiting -= seconds

    @property
    def is_done(self) -> bool:
        """Whether it has nothing left to do."""
        return self.computing <= _SMALL and self.waiting <= _SMALL


def makespan(seconds: Sequence[float], workers: int, costs: Costs = Costs()) -> float:
    """Seconds until all tasks are answered.

    Args:
        seconds: of each task, on a processor of its own, in the order in which tasks are handed out.
        workers: how many there are.

    Raises:
        ValueError: there are none.
    """
    if workers < 1:
        raise ValueError(f"{workers} workers answer nothing")
    waiting, busy = deque(seconds), list[_Worker]()
    now, idle, new = 0.0, 0, workers
    handing: float | None = None  # seconds until the task is handed out that is handed out now
    while waiting or busy:
        if handing is None and waiting and (idle or new):
            handing = costs.give
        share = costs.share(busy)
        changes = [one.until_change(share) for one in busy] + ([] if handing is None else [handing])
        now += (step := min(changes))
        for one in busy:
            one.advance(step, share)
        if handing is not None and (handing := handing - step) <= _SMALL:
            handing = None
            busy.append(costs.worker(waiting.popleft(), is_new=not idle))
            idle, new = (idle - 1, new) if idle else (idle, new - 1)
        idle += sum(one.is_done for one in busy)
        busy = [one for one in busy if not one.is_done]
    return now


_SMALL = 1e-9  # seconds


def useful_workers(mean: float, give: float) -> float:
    """The number of workers beyond which the process that hands out tasks is the limit: one more waits for it.

    Args:
        mean: seconds of a task.
        give: as in `Costs`.
    """
    return float("inf") if give <= 0 else 1 + mean / give
