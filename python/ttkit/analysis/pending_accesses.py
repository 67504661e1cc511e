"""The accesses to shared memory without a barrier or fence after them, at one place of a program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlir import ir

from ttkit.analysis.liveness import Interval

EVERYWHERE = Interval(0, 1 << 62)

Filter = Callable[[Any, Any], bool]
"""Whether two operations that access the same bytes, in this order, need no barrier."""

Accesses = dict[Interval, frozenset[ir.Operation]]


class Pending:
    """The accesses without a barrier after them: bytes, and the operations that access them.

    flying: reads of wgmmas that no wait has ended; a barrier between threads does not end them either.
    """

    __slots__ = ("flying", "reads", "writes")

    def __init__(
        self, reads: Accesses | None = None, writes: Accesses | None = None, flying: Accesses | None = None
    ) -> None:
        self.reads: Accesses = {} if reads is None else reads
        self.writes: Accesses = {} if writes is None else writes
        self.flying: Accesses = {} if flying is None else flying

    def add(self, other: Pending) -> bool:
        """Adds the pending accesses of another path; returns whether there was a new one."""
        has_new = False
        if other.reads:
            has_new = _add(self.reads, other.reads)
        if other.writes:
            has_new |= _add(self.writes, other.writes)
        if other.flying:
            has_new |= _add(self.flying, other.flying)
        return has_new

    def is_same(self, other: Pending) -> bool:
        """Whether both have the same accesses."""
        return self.reads == other.reads and self.writes == other.writes and self.flying == other.flying

    def clear(self) -> None:
        """Removes all accesses, since a barrier follows them."""
        self.reads, self.writes = {}, {}

    def land(self, ends_all: bool) -> None:
        """Has a wait end reads of wgmmas, all or some: no barrier follows them yet."""
        self.add(Pending(reads=self.flying))
        if ends_all:
            self.flying = {}

    def copy(self) -> Pending:
        """A copy of the accesses."""
        return Pending(dict(self.reads), dict(self.writes), dict(self.flying))

    def moved(self, offset: int) -> Pending:
        """The accesses of a function whose shared memory begins at `offset` bytes in its caller's."""

        def move(accesses: Accesses) -> Accesses:
            """Accesses of one kind, with their places in the caller's memory."""
            return {
                at if at == EVERYWHERE else Interval(at.start + offset, at.end + offset): operations
                for at, operations in accesses.items()
            }

        return Pending(move(self.reads), move(self.writes), move(self.flying))

    def collides(self, later: Pending, can_skip: Filter | None) -> bool:
        """Whether an access in `later` collides with a pending one."""
        pairs = ((self.writes, later.reads), (self.reads, later.writes), (self.writes, later.writes))
        return any(
            can_skip is None or not can_skip(a, b)
            for before, after in pairs
            if before and after
            for x, first in before.items()
            for y, second in after.items()
            if x.intersects(y)
            for a in first
            for b in second
        )


def _add(mine: Accesses, theirs: Accesses) -> bool:
    """Adds accesses of one kind to others; returns whether there was a new one."""
    has_new = False
    for interval, operations in theirs.items():
        known = mine.get(interval)
        if known is None:
            mine[interval] = operations
            has_new = True
        elif known is not operations and not operations <= known:
            mine[interval] = known | operations
            has_new = True
    return has_new
