"""Options of a run of the interpreter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ttkit.interpreter.decode import Function, Instruction
    from ttkit.interpreter.machine import Machine

RACES = {
    "programs": "programs that touch one byte of global memory, one of them writing",
    "groups": "groups of warps (ttg.warp_specialize) that touch one place of shared memory, one of them writing",
    "warps": "the same of single warps, in IR that has all of its barriers",
    "fences": "TMA or a tensor core that reads what threads stored, with no ttng.fence_async_shared between",
}
"""What can be looked for."""
# Some ten minutes.
MAX_STEPS = 100_000_000
DEFAULT_RACES = "programs,groups"


class Observer:
    """Sees each operation of tt and ttg before it runs, with the values of its operands, and afterwards; a terminator
    only before.  Override what is needed."""

    def start(self, machine: Machine) -> None:
        """A new batch of programs begins."""

    def begin(self, function: Function, arguments: Sequence[Any]) -> None:
        """A launch begins; `arguments` are the values that all programs get."""

    def taken(self, value: Any, taken: Any, lanes: np.ndarray) -> None:
        """`taken` is the value for the programs `lanes` alone: programs of a batch part."""

    def merged(self, target: Any, value: Any, merged: Any, lanes: np.ndarray) -> None:
        """`merged` is `target`, with `value` for the programs `lanes`: programs of a batch are together again."""

    def before(self, machine: Machine, op: Instruction, operands: list[Any]) -> None:
        """An operation is about to run."""

    def after(self, machine: Machine, op: Instruction, operands: list[Any], results: tuple[Any, ...]) -> None:
        """An operation has run."""


@dataclass
class Options:
    """Options of a run.

    race: what races to report: False, True for DEFAULT_RACES, or kinds of RACES, as "warps,fences" or a list.
    seed: the order in which programs run; None for ascending.
    trace: called with (machine, op, results) after each operation.
    observer: what sees each operation, see `Observer`.
    alone: whether programs run one by one, and not several at once; those of lowered code always do.
    progress: called with (programs done, programs in all).
    function: the kernel's name; None for the only public one.
    max_steps: operations after which to give up, each counted once for all programs of a batch.
    deadline: time.monotonic() at which to give up.
    turns: of lowered code: draws which warp goes on; None to run warps together.
    tma: whether tensors that TMA refuses are errors: None where the IR says that TMA is used, by its operations or, for
        those of tt, by its target; True for all descriptors; False for none.
    """

    race: bool | str | Sequence[str] = False
    seed: int | None = None
    trace: Callable[..., None] | None = None
    progress: Callable[[int, int], None] | None = None
    function: str | None = None
    max_steps: int = MAX_STEPS
    deadline: float | None = None
    turns: np.random.Generator | None = None
    tma: bool | None = None
    observer: Observer | None = None
    alone: bool = False

    @property
    def races(self) -> frozenset[str]:
        """The kinds of races.

        Raises:
            ValueError: there is no such kind.
        """
        if not self.race:
            return frozenset()
        race = DEFAULT_RACES if self.race is True else self.race
        kinds = frozenset(race.split(",") if isinstance(race, str) else race)
        if not kinds <= RACES.keys():
            raise ValueError(f"kinds of races are {', '.join(RACES)}; found {', '.join(sorted(kinds - RACES.keys()))}")
        return kinds
