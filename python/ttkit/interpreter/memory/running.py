"""The programs that run, as memories know them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np


class Running(Protocol):
    """The programs that access memory together: those of a `Machine`, or the threads of a kernel.

    grid: number of programs along x, y, z.  programs: int64 [P], linear indices in it.
    """

    grid: tuple[int, int, int]

    @property
    def programs(self) -> np.ndarray: ...

    def coordinates(self, programs: Any) -> tuple[Any, Any, Any]:
        """Positions in the grid of linear indices."""


class RunningInBatch(Running, Protocol):
    """Programs of a batch, whose shared memory has a row for each.

    lanes: int64 [P], their positions in the batch.
    agents: the groups of warps, or warps, that access memory, in the search for races.
    """

    lanes: np.ndarray
    agents: Sequence[int]
