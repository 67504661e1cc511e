"""The programs that run, as memories know them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ttkit.interpreter.decode import Module


class Running:
    """The programs that run together: those of a `Machine`, or those of `Threads`.

    grid: number of programs along x, y, z.  programs: int64 [P], linear indices in it.
    """

    grid: tuple[int, int, int]
    programs: np.ndarray

    def coordinates(self, programs: Any) -> tuple[Any, Any, Any]:
        """Positions in the grid of linear indices."""
        x, y, _ = self.grid
        return programs % x, programs // x % y, programs // (x * y)

    def truth(self, condition: np.ndarray) -> np.ndarray | bool:
        """A scalar condition: True or False where all agree, else bool [P]."""
        if condition.all():
            return True
        return condition.reshape(-1) if condition.any() else False


class RunningInBatch(Running):
    """Programs of a batch, whose shared memory has a row for each.

    module: what they run.
    lanes: int64 [P], their positions in the batch.
    agents: the groups of warps, or warps, that access memory, in the search for races.
    """

    module: Module
    lanes: np.ndarray
    agents: Sequence[int]
