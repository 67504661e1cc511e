"""Threads that are at one place of a program: they run together until they part, wait or end.

A value is an array with a row for each thread, or with one row where it is the same in all, as in `interpreter.values`.
To the functions that give operations their meanings, `Threads` is the machine: `programs` has the program of each row.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ttkit.interpreter.decode import Function, Instruction
from ttkit.interpreter.errors import InterpreterError
from ttkit.interpreter.lowered.batch import Batch
from ttkit.interpreter.machine import MAX_CALLS, branch_targets, call_handler, count_steps
from ttkit.interpreter.memory.running import Running
from ttkit.interpreter.values import put, take

WARP = 32


class Wait(Exception):
    """Threads must wait at the current operation, which is tried again later.

    Args:
        ready: bool, for each thread whether it goes on after the operation.
        what: text for the error if nobody ever goes on.
    """

    def __init__(self, ready: np.ndarray, what: str) -> None:
        super().__init__(what)
        self.ready, self.what = ready, what


class Apart(Exception):
    """The current operation is one of whole groups of threads, and some groups are not complete.

    Args:
        complete: bool, for each thread whether its group is.
    """

    def __init__(self, complete: np.ndarray, size: int) -> None:
        super().__init__(f"all {size} threads to come to this operation")
        self.complete = complete


@dataclass
class Struct:
    """The fields of a value of type !llvm.struct, or the words of a wide integer."""

    fields: list[Any]

    def take(self, lanes: np.ndarray) -> Struct:
        """The fields of some threads alone."""
        return Struct([take(field, lanes) for field in self.fields])

    def put(self, target: Any, lanes: np.ndarray, count: int) -> Struct:
        """The fields, with those of some threads replaced in `target`."""
        old = target.fields if isinstance(target, Struct) else [None] * len(self.fields)
        return Struct([put(before, field, lanes, count) for before, field in zip(old, self.fields)])


@dataclass
class Place:
    """The place of threads in a function: values of its slots, of all threads of the batch; block and instruction."""

    function: Function
    frame: list[Any]
    block: int = 0
    index: int = 0


class Threads(Running):
    """Some threads of a batch.

    Args:
        batch: what they belong to.
        rows: their numbers in the batch, ascending.
        stack: where they are: in the kernel, in the function that it calls there...
    """

    def __init__(self, batch: Batch, rows: np.ndarray, stack: list[Place]) -> None:
        self.batch, self.rows, self.stack = batch, rows, stack
        self.memory, self.options, self.grid = batch.memory, batch.options, batch.grid
        self.trace = batch.options.trace

    @property
    def count(self) -> int:
        """The number of threads."""
        return self.rows.size

    @property
    def all_of_batch(self) -> bool:
        """Whether these are all the threads that run together."""
        return self.rows.size == self.batch.threads

    @property
    def programs(self) -> np.ndarray:  # type: ignore[override]
        """The program of each thread."""
        return self.batch.program[self.rows]

    @property
    def cta(self) -> np.ndarray:
        """The CTA of each thread, counted through the batch."""
        return self.batch.cta[self.rows]

    @property
    def thread(self) -> np.ndarray:
        """The number of each thread in its CTA."""
        return self.batch.thread[self.rows]

    def full(self, value: np.ndarray) -> np.ndarray:
        """The value with a row for each thread."""
        rows = (self.count, *value.shape[1:])
        return value if value.shape == rows else np.broadcast_to(value, rows)

    def check_mask(self, mask: np.ndarray) -> None:
        """Raises InterpreterError unless all threads are in the mask of an operation of their warp, which leaves it
        undefined."""
        if not (mask >> (self.thread % WARP).astype(mask.dtype) & 1).all():
            found = int(mask.flat[0]) & 0xFFFFFFFF
            raise InterpreterError(f"a thread is not in the mask of an operation of its warp: {found:#x}")

    def whole(self, size: int = WARP) -> int:
        """The number of groups of `size` threads, all of which must be complete.

        Raises:
            Apart: they are not.
        """
        if (
            self.count % size
            or (self.rows[::size] % size).any()
            or (np.diff(self.rows) != 1).sum() > self.count // size
        ):
            self._apart(size)
        starts = self.rows[::size]
        if (self.rows.reshape(-1, size) != starts[:, None] + np.arange(size)).any():
            self._apart(size)
        return starts.size

    def _apart(self, size: int) -> None:
        groups, counts = np.unique(self.rows // size, return_counts=True)
        raise Apart(np.isin(self.rows // size, groups[counts == size]), size)

    # --- where they are
    # --------------------------------------------------------------------------------------------------

    @property
    def key(self) -> tuple[Any, ...]:
        """The same for threads that are at one place and may go on together."""
        return tuple((id(place.frame), place.block, place.index) for place in self.stack)

    @property
    def order(self) -> tuple[tuple[int, int], ...]:
        """Threads with the least order run first: they lag, and the others wait for them to converge."""
        return tuple((place.block, place.index) for place in self.stack)

    def part(self, chosen: np.ndarray) -> Threads:
        """Some of them, at the same place.

        Args:
            chosen: bool, for each thread.
        """
        stack = [Place(place.function, place.frame, place.block, place.index) for place in self.stack]
        return Threads(self.batch, self.rows[chosen], stack)

    def join(self, other: Threads) -> None:
        """Takes in threads that are at the same place."""
        self.rows = np.sort(np.concatenate([self.rows, other.rows]))

    # --- running
    # --------------------------------------------------------------------------------------------------

    def get(self, slot: int) -> Any:
        """The value in a slot, for these threads."""
        value = self.stack[-1].frame[slot]
        return value if self.all_of_batch else take(value, self.rows)

    def set(self, slot: int, value: Any) -> None:
        """Writes the value of these threads into a slot."""
        frame = self.stack[-1].frame
        frame[slot] = value if self.all_of_batch else put(frame[slot], value, self.rows, self.batch.threads)

    def enter(self, function: Function, arguments: list[Any]) -> None:
        """Begins a function.  Raises InterpreterError if it calls itself without end."""
        if len(self.stack) == MAX_CALLS:
            raise InterpreterError(f"{MAX_CALLS} calls inside one another: @{function.name} calls itself without end")
        self.stack.append(Place(function, [None] * function.slots))
        for slot, value in zip(function.body.blocks[0].arguments, arguments):
            self.set(slot, value)

    def run_block(self) -> list[Threads]:
        """Runs to the end of the block; gives where the threads go on: nowhere, at one place or at several.

        Raises:
            Wait, Apart: at the current operation.
        """
        while True:
            place = self.stack[-1]
            block = place.function.body.blocks[place.block]
            if place.index == 0:
                count_steps(self.memory, self.options, block)
            last = len(block.instructions) - 1
            while place.index < last:
                op = block.instructions[place.index]
                if op.name == "llvm.call" and (callee := self.batch.defined(op)) is not None:
                    self.enter(callee, [self.get(slot) for slot in op.operands])
                    break
                self.execute(op)
                place.index += 1
            else:
                return self.leave_block(block.instructions[last])

    def execute(self, op: Instruction) -> None:
        """Runs one operation."""
        results = call_handler(self, op, [self.get(slot) for slot in op.operands])
        self.batch.progress += 1
        for slot, value in zip(op.results, results or ()):
            self.set(slot, value)
        if self.trace is not None and op.results:
            self.trace(self, op, results)

    def leave_block(self, op: Instruction) -> list[Threads]:
        """The threads' way on from the end of a block.

        Raises:
            InterpreterError: the end can't be reached, as the compiler took it.
        """
        self.batch.progress += 1
        values = tuple(self.get(slot) for slot in op.operands)
        if op.name == "llvm.return":
            return self.leave_function(values)
        if op.name == "llvm.unreachable":
            raise InterpreterError("a place is reached that the compiler took for unreachable", op)
        place, parts = self.stack[-1], []
        blocks = place.function.body.blocks
        for target, lanes, passed in branch_targets(op, values):
            chosen = self
            if lanes is not None:
                chosen = self.part(np.isin(np.arange(self.count), lanes))
                passed = [take(value, lanes) for value in passed]
            parts.append((chosen, target, passed))
        for chosen, target, passed in parts:
            for slot, value in zip(blocks[target].arguments, passed):
                chosen.set(slot, value)
            chosen.stack[-1].block, chosen.stack[-1].index = target, 0
        return [chosen for chosen, *_ in parts]

    def leave_function(self, values: tuple[Any, ...]) -> list[Threads]:
        """Goes back to the call with what the function gives; the threads that go on, none at the end."""
        self.stack.pop()
        if not self.stack:
            if not self.all_of_batch:
                old = self.batch.results or (None,) * len(values)
                values = tuple(put(before, value, self.rows, self.batch.threads) for before, value in zip(old, values))
            self.batch.results = values
            return []
        place = self.stack[-1]
        call = place.function.body.blocks[place.block].instructions[place.index]
        for slot, value in zip(call.results, values):
            self.set(slot, value)
        place.index += 1
        return [self]
