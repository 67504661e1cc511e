"""Times of regions inside of kernels, read back from a launch's profile scratch memory (dialects/proton_gpu)."""

from __future__ import annotations

import itertools
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


def decode(
    data: bytes, program_bytes: int, warps: int, parts: Sequence[int], takes_off_cost: bool = False
) -> list[Program]:
    """The programs of a launch.

    What an entry costs is the least time between two of a warp that follow each other, in all of the launch.  Taken
    off, a region has its own time without that of the entries in it: one with nothing inside takes 0 cycles.

    Args:
        data: the scratch memory.
        program_bytes: of it for each program.
        warps: of a program.
        parts: the warp that writes each part of a segment, in order.
        takes_off_cost: whether the cost of entries is subtracted from later clocks.
    """
    import numpy as np

    words = np.frombuffer(data, dtype="<u4")
    step = program_bytes // 4
    heads = [words[start : start + step] for start in range(0, len(words) - step + 1, step)]
    heads = [head for head in heads if int(head[0]) == MAGIC]
    cost = 0
    if takes_off_cost:
        gaps = [gap for head in heads for warp in _entries(head, warps, parts) for gap in _gaps(warp)]
        cost = min(gaps, default=0)
    return [_program(head, warps, parts, cost) for head in heads]


class _Warp(NamedTuple):
    """Entries of a warp as pairs of a tag and a clock, in the order in which they were written.

    wrap: the number of cycles after which clocks begin again.
    lost: entries that newer ones have overwritten.
    """

    number: int
    entries: list[tuple[int, int]]
    wrap: int
    lost: int


def _entries(words: np.ndarray, warps: int, parts: Sequence[int]) -> list[_Warp]:
    """The entries of a program, of each warp."""
    length = int(words[SEGMENT_BYTES]) // 4 // len(parts)
    found = []
    for place, warp in enumerate(parts):
        written = int(words[HEADER + warp])
        first = HEADER + warps + place * length
        entries = words[first : first + min(written, length)].reshape(-1, 2)
        lost = 0
        if written > length:  # the oldest entry is where the next one would have gone
            lost = (written - length) // 2
            oldest = written % length // 2
            entries = entries[[*range(oldest, len(entries)), *range(oldest)]]
        wrap = _WRAP[bool(len(entries)) and bool((entries[:, 0] & _HIGH_BITS).any())]
        pairs = [(tag, (tag & _HIGH_BITS) << 32 | low) for tag, low in entries.tolist()]
        found.append(_Warp(warp, pairs, wrap, lost))
    return found


def _gaps(warp: _Warp) -> list[int]:
    """Times between entries; with some options the beginnings of regions are written at their ends."""
    clocks = sorted(clock for _, clock in warp.entries)
    return [after - before for before, after in itertools.pairwise(clocks)]


def _program(words: np.ndarray, warps: int, parts: Sequence[int], cost: int) -> Program:
    number, processor = int(words[PROGRAM]), int(words[MULTIPROCESSOR])
    begun, ended = (int(words[at]) | int(words[at + 1]) << 32 for at in (BEGUN, ENDED))
    regions: list[Region] = []
    lost = 0
    for warp in _entries(words, warps, parts):
        lost += warp.lost
        regions += _pairs(warp, number, processor, cost)
    return Program(number, processor, begun, ended, regions, lost)


def _pairs(warp: _Warp, program: int, processor: int, cost: int) -> list[Region]:
    """Each beginning with the end of the same region that comes next.  The rest of a pair that was overwritten has no
    partner.

    cost: cycles by which each entry has delayed later ones.
    """
    entries = warp.entries
    by_clock = sorted(range(len(entries)), key=lambda place: entries[place][1])
    rank_of = {place: rank for rank, place in enumerate(by_clock)}
    opened: dict[int, list[tuple[int, int]]] = {}
    found = []
    for place, (tag, clock) in enumerate(entries):
        scope = tag >> 23 & 0xFF
        if not tag >> 31:
            opened.setdefault(scope, []).append((clock, rank_of[place]))
        elif opened.get(scope):
            start, first = opened[scope].pop()
            wrapped = clock < start
            end, last = clock + wrapped * warp.wrap, rank_of[place] + wrapped * len(entries)
            found.append(Region(program, processor, warp.number, scope, start - first * cost, end - last * cost))
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
