"""Which threads of a batch go on, who waits for what, and who hangs.

The threads that lag go first, so that diverged threads converge.  With `order`, warps alternate instead, in
an order drawn from it, and asynchronous work ends at any time: a kernel whose result depends on a missing barrier then
gives different ones.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ttkit.interpreter.decode import Function
from ttkit.interpreter.errors import InterpreterError
from ttkit.interpreter.lowered.barriers import Barriers
from ttkit.interpreter.lowered.batch import Batch
from ttkit.interpreter.lowered.copies import Copies
from ttkit.interpreter.lowered.cta_tensor_memory import TensorMemories
from ttkit.interpreter.lowered.threads import WARP, Apart, Threads, Wait


class Schedule:
    """The threads of a batch: those that may go on, and those that wait, with what they wait for."""

    def __init__(self, batch: Batch) -> None:
        self.batch, self.order = batch, batch.order
        self.ready: list[Threads] = []
        self.waiting: list[tuple[Threads, str]] = []

    def run(self, function: Function, arguments: list[Any]) -> tuple[Any, ...]:
        """Runs a function for all threads; gives what it returns.

        Raises:
            InterpreterError: the kernel did something undefined, or hangs.
        """
        first = Threads(self.batch, np.arange(self.batch.threads), [])
        first.enter(function, arguments)
        self.ready = [first]
        if self.order is not None:
            self.ready = [
                first.part(np.arange(self.batch.threads) // WARP == warp) for warp in range(self.batch.threads // WARP)
            ]
        with np.errstate(all="ignore"):
            while self.ready or self.waiting:
                if self.order is not None and self.batch.later and self.order.integers(2):
                    self.batch.later.pop(int(self.order.integers(len(self.batch.later))))()
                elif self.ready:
                    self.advance(self.ready.pop(self.choose()))
                else:
                    self.wake()
            self.batch.the(Copies).check_finished()
            for work in self.batch.later:
                work()
        self.batch.the(Barriers).check_finished()
        self.batch.the(TensorMemories).check_finished()
        return self.batch.results

    def choose(self) -> int:
        """The number of the threads that go on: at random, or in the order of the program."""
        if self.order is not None:
            return int(self.order.integers(len(self.ready)))
        return min(range(len(self.ready)), key=lambda number: self.ready[number].order)

    def advance(self, threads: Threads) -> None:
        """Runs threads to the end of their block, or to where they wait."""
        try:
            for part in threads.run_block():
                self.add(part)
        except Wait as wait:
            if wait.ready.any():
                on = threads.part(wait.ready)
                on.stack[-1].index += 1
                self.batch.progress += 1
                self.add(on)
            if not wait.ready.all():
                self.waiting.append((threads.part(~wait.ready), wait.what))
        except Apart as apart:
            if apart.complete.any():
                self.add(threads.part(apart.complete))
            self.gather(threads.part(~apart.complete), str(apart))

    def add(self, threads: Threads) -> None:
        """Threads that may go on, with those at the same place if there are any."""
        if self.order is None:
            for other in self.ready:
                if other.key == threads.key:
                    other.join(threads)
                    return
        self.ready.append(threads)

    def gather(self, threads: Threads, what: str) -> None:
        """Threads that wait for others to come to the same place."""
        for number, (other, _) in enumerate(self.waiting):
            if other.key == threads.key:
                other.join(threads)
                self.batch.progress += 1
                self.ready.append(self.waiting.pop(number)[0])
                return
        self.waiting.append((threads, what))

    def wake(self) -> None:
        """Lets all that wait try again; if none can go on, ends something asynchronous.

        Raises:
            InterpreterError: there is nothing left to wait for.
        """
        before, waiting = self.batch.progress, self.waiting
        self.waiting = []
        for threads, _ in waiting:
            self.advance(threads)
        if self.batch.progress != before or self.ready:
            return
        if self.batch.later:
            self.batch.later.pop(0 if self.order is None else int(self.order.integers(len(self.batch.later))))()
            return
        threads, what = self.waiting[0]
        place = threads.stack[-1]
        op = place.function.body.blocks[place.block].instructions[place.index]
        program = threads.coordinates(int(threads.programs[0]))
        others = "; ".join(f"thread {other.thread[0]} for {text}" for other, text in self.waiting[1:4])
        text = f"the kernel hangs: thread {threads.thread[0]} waits for {what}" + (others and f"; {others}")
        raise InterpreterError(text, op, program)
