"""Groups of warps that run different code, one at a time: one goes on until it has to wait for another."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextvars import copy_context
from typing import Any


class Stopped(BaseException):
    """Ends a task because another one failed."""


class Rotation:
    """Runs tasks in turn, each in a thread of its own, one of which runs at any time: the order is fixed."""

    def run(self, tasks: Sequence[Callable[[], Any]]) -> list[Any]:
        """Runs all tasks to their end and gives their results.

        Raises:
            whatever the first task that fails raises.
        """
        self.turns = [threading.Semaphore(0) for _ in tasks]
        self.alive = list(range(len(tasks)))
        self.current = 0
        self.waits = 0
        self.error: BaseException | None = None
        results: list[Any] = [None] * len(tasks)

        def body(number: int) -> None:
            """Runs a task when it is its turn, and gives the turn on; an error of one stops the others."""
            self.turns[number].acquire()
            try:
                if self.error is None:
                    results[number] = tasks[number]()
            except Stopped:
                pass
            except BaseException as error:
                self.error = error
            self.waits = 0
            following = self._next()
            self.alive.remove(number)
            if self.alive:
                self._give(following)

        # A copy of the context for each: numpy keeps its error state there.
        threads = [threading.Thread(target=copy_context().run, args=(body, n), daemon=True) for n in self.alive]
        for thread in threads:
            thread.start()
        self._give(0)
        for thread in threads:
            thread.join()
        if self.error is not None:
            raise self.error
        return results

    def wait_until(self, ready: Callable[[], bool]) -> bool:
        """Lets the other tasks run until `ready`; False if none of them can go on either.

        Raises:
            Stopped: another task has failed.
        """
        # It has come here: that is progress, after which any other task may be ready.
        self.waits = 0
        while not ready():
            self.waits += 1
            if self.waits > len(self.alive):
                return False
            mine = self.current
            self._give(self._next())
            self.turns[mine].acquire()
            if self.error is not None:
                raise Stopped
        self.waits = 0
        return True

    def _next(self) -> int:
        place = self.alive.index(self.current)
        return self.alive[(place + 1) % len(self.alive)]

    def _give(self, task: int) -> None:
        self.current = task
        self.turns[task].release()
