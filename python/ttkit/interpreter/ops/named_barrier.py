"""Numbered barriers of the hardware: turns that end when enough threads of groups of warps have come."""

from __future__ import annotations

import numpy as np

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.errors import InterpreterError
from ttkit.interpreter.machine import THREADS_PER_WARP, Machine
from ttkit.interpreter.ops.registry import interprets


class NamedBarrier:
    """A barrier of each program: turns that are over, and in the current one threads and groups that have come."""

    def __init__(self, rows: int) -> None:
        self.turn, self.threads = np.zeros(rows, np.int64), np.zeros(rows, np.int64)
        self.groups: dict[int, np.ndarray] = {}

    def come(self, machine: Machine, op: Instruction, number: int, size: int) -> None:
        """All threads of a group come; `size` end the turn.

        Raises:
            InterpreterError: they were there already in this turn, or more come than it is for.
        """
        rows, races = machine.lanes, machine.shared.races
        here = self.groups.setdefault(machine.group, np.zeros(self.turn.size, np.bool_))
        if (again := here[rows]).any():
            text = f"the group arrives at barrier {number} again before all {size} threads of its phase have arrived"
            raise failed(machine, op, again, text)
        here[rows] = True
        self.threads[rows] += machine.warps * THREADS_PER_WARP
        if (surplus := self.threads[rows] > size).any():
            count = int(self.threads[rows][surplus][0])
            raise failed(machine, op, surplus, f"{count} threads come to barrier {number}, whose turn is of {size}")
        if races is not None:
            races.come(machine, number)
        over = rows[self.threads[rows] == size]
        self.turn[over] += 1
        self.threads[over] = 0
        for group in self.groups.values():
            group[over] = False
        if races is not None and over.size:
            races.phase_over(None, number)


def failed(machine: Machine, op: Instruction, where: np.ndarray, text: str) -> InterpreterError:
    """An error about the first of the current programs `where` it happened."""
    return InterpreterError(text, op, machine.coordinates(int(machine.programs[int(np.argmax(where))])))


def come(machine: Machine, op: Instruction, bar: np.ndarray, threads: np.ndarray) -> tuple[NamedBarrier, np.ndarray]:
    """The group arrives at a barrier; returns it, and the phases that the programs were in.

    Raises:
        InterpreterError: programs choose different barriers.
    """
    if np.unique(bar).size > 1 or np.unique(threads).size > 1:
        raise InterpreterError("programs that run together come to different barriers; interpret one at a time")
    number = int(bar.flat[0])
    barrier = machine.shared.named.setdefault(number, NamedBarrier(machine.shared.rows))
    turn = barrier.turn[machine.lanes]
    barrier.come(machine, op, number, int(threads.flat[0]))
    return barrier, turn


@interprets("ttng.arrive_barrier_named")
def arrive_barrier_named(machine: Machine, op: Instruction, bar: np.ndarray, threads: np.ndarray) -> tuple:
    """The group's threads arrive at a barrier and go on."""
    come(machine, op, bar, threads)
    return ()


@interprets("ttng.wait_barrier_named")
def wait_barrier_named(machine: Machine, op: Instruction, bar: np.ndarray, threads: np.ndarray) -> tuple:
    """The group's threads arrive at a barrier and wait for the end of its phase. Other groups run meanwhile."""
    barrier, turn = come(machine, op, bar, threads)
    number, rotation, races = int(bar.flat[0]), machine.shared.rotation, machine.shared.races

    def ready() -> bool:
        """Whether the turn has ended in all programs."""
        return bool((barrier.turn[machine.lanes] > turn).all())

    if not ready() and (rotation is None or not rotation.wait_until(ready)):
        machine.shared.refuse_unwritten()
        waiting = barrier.turn[machine.lanes] == turn
        there = int(barrier.threads[machine.lanes][waiting][0])
        text = f"deadlock: {there} of {int(threads.flat[0])} threads come to barrier {number}"
        raise failed(machine, op, waiting, text)
    if races is not None:
        races.wait(machine, None, number)
    return ()
