"""Which threads of a batch go on, who waits for what, and who hangs.

Threads that are behind go first, so that those that have parted meet again.  With `order` warps take turns instead, in
an order drawn from it, and asynchronous work ends at any time: a kernel whose result depends on a missing barrier then
gives different ones.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ttkit.interpreter.decode import Function, Instruction, Module
from ttkit.interpreter.errors import InterpreterError
from ttkit.interpreter.lowered.barriers import Barriers
from ttkit.interpreter.lowered.copies import Copies
from ttkit.interpreter.lowered.shared import SharedMemories
from ttkit.interpreter.lowered.threads import WARP, Apart, Threads, Wait
from ttkit.interpreter.values import put

if TYPE_CHECKING:
    from ttkit.interpreter.memory.global_memory import Memory


class Batch:
    """Programs that run together, each a CTA or a cluster of them.

    Args:
        module: the decoded module.
        memory: global memory.
        grid: number of programs along x, y, z.
        programs: int64, linear indices of the programs of this batch.
        shape: CTAs of a program, threads of a CTA.
        shared: bytes of shared memory of a CTA.
        order: draws turns; None to run as many threads together as possible.
    """

    def __init__(
        self,
        module: Module,
        memory: Memory,
        grid: tuple[int, int, int],
        programs: np.ndarray,
        shape: tuple[int, int],
        shared: int,
        options: Any,
        order: np.random.Generator | None = None,
    ) -> None:
        self.module, self.memory, self.grid, self.options, self.order = module, memory, grid, options, order
        self.ctas_of_program, self.threads_of_cta = shape
        self.clock = 0
        """How often a clock was read: all that passes here."""
        self.ctas = programs.size * self.ctas_of_program
        self.threads = self.ctas * self.threads_of_cta
        rows = np.arange(self.threads)
        self.cta, self.thread = rows // self.threads_of_cta, rows % self.threads_of_cta
        self.program = programs[self.cta // self.ctas_of_program]
        self.shared = SharedMemories(self, shared)
        self.barriers = Barriers(self)
        self.copies = Copies(self)
        self.later: list[Callable[[], None]] = []
        """Work that ends at some time, or when nobody can go on without."""
        self.products: dict[int, list[list[tuple[int, np.ndarray]]]] = {}
        """By warp group: what the products of each of its groups read, the last one still open (wgmma.py)."""
        self.tensor: Any = None
        """The tensor memory of each CTA once it is used (tensor_memory.TensorMemories)."""
        self.under_way: dict[int, list[Any]] = {}
        """By thread: products and copies to tensor memory that it has started and not committed (tcgen5.py)."""
        self.commits: dict[int, list[Any]] = {}
        """By thread: its commits that have not arrived yet, the oldest first."""
        self.stacks: list[np.ndarray] = []
        """The memory of each llvm.alloca: uint8 [threads, bytes]."""
        self.results: tuple[Any, ...] = ()
        self.progress = 0
        """Grows whenever an operation is done."""
        self.ready: list[Threads] = []
        self.waiting: list[tuple[Threads, str]] = []

    def run(self, function: Function, arguments: list[Any]) -> tuple[Any, ...]:
        """Runs a function for all threads; gives what it returns.

        Raises:
            InterpreterError: the kernel did something undefined, or hangs.
        """
        first = Threads(self, np.arange(self.threads), [])
        first.enter(function, arguments)
        self.ready = [first]
        if self.order is not None:
            self.ready = [first.part(np.arange(self.threads) // WARP == warp) for warp in range(self.threads // WARP)]
        with np.errstate(all="ignore"):
            while self.ready or self.waiting:
                if self.order is not None and self.later and self.order.integers(2):
                    self.later.pop(int(self.order.integers(len(self.later))))()
                elif self.ready:
                    self.advance(self.ready.pop(self.choose()))
                else:
                    self.wake()
            for work in self.later:
                work()
        self.barriers.check_finished()
        return self.results

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
                self.progress += 1
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
                self.progress += 1
                self.ready.append(self.waiting.pop(number)[0])
                return
        self.waiting.append((threads, what))

    def wake(self) -> None:
        """Lets all that wait try again; if none can go on, ends something asynchronous.

        Raises:
            InterpreterError: there is nothing left to wait for.
        """
        before, waiting = self.progress, self.waiting
        self.waiting = []
        for threads, _ in waiting:
            self.advance(threads)
        if self.progress != before or self.ready:
            return
        if self.later:
            self.later.pop(0 if self.order is None else int(self.order.integers(len(self.later))))()
            return
        threads, what = self.waiting[0]
        place = threads.stack[-1]
        op = place.function.body.blocks[place.block].instructions[place.index]
        program = threads.coordinates(int(threads.programs[0]))
        others = "; ".join(f"thread {other.thread[0]} for {text}" for other, text in self.waiting[1:4])
        text = f"the kernel hangs: thread {threads.thread[0]} waits for {what}" + (others and f"; {others}")
        raise InterpreterError(text, op, program)

    def finish(self, threads: Threads, values: tuple[Any, ...]) -> None:
        """Threads have come to the kernel's end."""
        if threads.all_of_batch:
            self.results = values
            return
        old = self.results or (None,) * len(values)
        self.results = tuple(put(before, value, threads.rows, self.threads) for before, value in zip(old, values))

    def defined(self, op: Instruction) -> Function | None:
        """The function that a call enters; None if the module has only its declaration."""
        function = self.module.functions.get(op.attributes.get("callee", ""))
        return function if function is not None and function.body is not None else None
