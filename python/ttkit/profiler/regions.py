"""Times of regions inside of kernels, read back from a launch's profile scratch memory (dialects/proton_gpu)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np

MAGIC = 0xDEADBEEF
PROGRAM, MULTIPROCESSOR, SEGMENT_BYTES, BEGUN, BEFORE_END, ENDED, HEADER = 1, 2, 3, 4, 6, 8, 10
_HIGH_BITS = 0x7FF
_WRAP = {False: 1 << 32, True: 1 << 43}


class Region(NamedTuple):
    """One run of a region by one warp.

    program: number in the grid.
    processor: the multiprocessor that it ran on.
    warp: in the program.
    scope: number of the region in its kernel.
    start, end: cycles of the multiprocessor's clock.
    """

    program: int
    processor: int
    warp: int
    scope: int
    start: int
    end: int

    @property
    def cycles(self) -> int:
        """Its length."""
        return self.end - self.start


class Program(NamedTuple):
    """Measurements of one program.

    begun, ended: the global time, ns.
    lost: entries that newer ones have overwritten.
    """

    number: int
    processor: int
    begun: int
    ended: int
    regions: list[Region]
    lost: int


def decode(data: bytes, program_bytes: int, warps: int, parts: Sequence[int]) -> list[Program]:
    """The programs of a launch.

    Args:
        data: the scratch memory.
        program_bytes: of it for each program.
        warps: of a program.
        parts: the warp that writes each part of a segment, in order.
    """
    import numpy as np

    words = np.frombuffer(data, dtype="<u4")
    step = program_bytes // 4
    programs = []
    for start in range(0, len(words) - step + 1, step):
        head = words[start : start + step]
        if int(head[0]) == MAGIC:
            programs.append(_program(head, warps, parts))
    return programs


def _program(words: np.ndarray, warps: int, parts: Sequence[int]) -> Program:
    number, processor, size = (int(words[at]) for at in (PROGRAM, MULTIPROCESSOR, SEGMENT_BYTES))
    begun, ended = (int(words[at]) | int(words[at + 1]) << 32 for at in (BEGUN, ENDED))
    length = size // 4 // len(parts)
    regions: list[Region] = []
    lost = 0
    for place, warp in enumerate(parts):
        written = int(words[HEADER + warp])
        first = HEADER + warps + place * length
        entries = words[first : first + min(written, length)].reshape(-1, 2)
        if written > length:  # the oldest entry is where the next one would have gone
            lost += (written - length) // 2
            oldest = written % length // 2
            entries = entries[[*range(oldest, len(entries)), *range(oldest)]]
        regions += _pairs(entries, number, processor, warp)
    return Program(number, processor, begun, ended, regions, lost)


def _pairs(entries: np.ndarray, program: int, processor: int, warp: int) -> list[Region]:
    """Each beginning with the end of the same region that comes next.  The rest of a pair that was overwritten has no
    partner."""
    opened: dict[int, list[int]] = {}
    found = []
    has_high_bits = bool(len(entries)) and bool((entries[:, 0] & _HIGH_BITS).any())
    for tag, low in entries.tolist():
        scope, clock = tag >> 23 & 0xFF, (tag & _HIGH_BITS) << 32 | low
        if not tag >> 31:
            opened.setdefault(scope, []).append(clock)
        elif opened.get(scope):
            start = opened[scope].pop()
            end = clock if clock >= start else clock + _WRAP[has_high_bits]
            found.append(Region(program, processor, warp, scope, start, end))
    return found


def writing_warps(warps: int, granularity: str, selected: Sequence[int]) -> list[int]:
    """The warp that writes each part of a segment.

    Args:
        warps: of a program.
        granularity: of the mode.
        selected: numbers of the parts that are timed; empty for all.
    """
    from ttkit.passes.proton_to_protongpu import units

    count = units(granularity, warps)
    size = warps // count
    return [number * size for number in (selected or range(count))]
