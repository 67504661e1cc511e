"""Addresses of shared memory that products and copies in the background read."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Reads:
    """Addresses that asynchronous operations read.

    group: of operations that is open: its number.
    pending: addresses, by the last group that reads there.
    """

    group: int = 0
    pending: dict[int, int] = field(default_factory=dict)

    def copy(self) -> Reads:
        """For a branch."""
        return Reads(self.group, dict(self.pending))

    def joined(self, other: Reads) -> Reads:
        """Addresses that either reads, as long as the newer of both does.

        Groups count from the smaller number, so that what began before the ways parted is as new as on either of them.
        """
        both = self, other
        group = min(one.group for one in both)
        ages = [{address: one.group - begun for address, begun in one.pending.items()} for one in both]
        places = ages[0].keys() | ages[1].keys()
        return Reads(group, {at: group - min(one[at] for one in ages if at in one) for at in places})

    def close(self) -> None:
        """Later operations are of another group."""
        self.group += 1


@dataclass
class Log:
    """Addresses that a group of warps has touched.

    turn: the last barrier of all warps.
    stored, copied, read: addresses by turn: by threads, by copies of tiles.
    """

    turn: int = 0
    stored: dict[int, set[int]] = field(default_factory=dict)
    copied: dict[int, set[int]] = field(default_factory=dict)
    read: dict[int, set[int]] = field(default_factory=dict)

    def note(self, which: dict[int, set[int]], *places: int) -> None:
        """Addresses have been touched."""
        which.setdefault(self.turn, set()).update(places)

    def of(self, turn: int) -> tuple[set[int], set[int], set[int]]:
        """Addresses that have been stored, copied and read."""
        return tuple(which.get(turn, set()) for which in (self.stored, self.copied, self.read))  # type: ignore[return-value]
