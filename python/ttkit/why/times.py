"""Times of a script's kernels on a GPU."""

from __future__ import annotations

from dataclasses import dataclass

from ttkit.profiler.roofs import Roofs


@dataclass(frozen=True)
class Times:
    """Times of the kernels of one script.

    kernels: {name: (nanoseconds of all launches, launches)}.  roofs: of the GPU.
    """

    kernels: dict[str, tuple[int, int]]
    roofs: Roofs
