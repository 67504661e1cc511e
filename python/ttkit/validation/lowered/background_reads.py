"""Addresses of shared memory that products and copies in the background read, and what the tensor core works on."""

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


Barriers = frozenset[int]


@dataclass
class Works:
    """What products of the tensor core (tcgen05) read and write in the background.

    By address, the mbarriers that tell of the end of the latest of them; whoever has waited at one of these goes on.
    It is taken to hold that the next wait at the mbarrier of a commit waits for its phase.
    """

    reads: dict[int, Barriers] = field(default_factory=dict)
    writes: dict[int, Barriers] = field(default_factory=dict)

    def copy(self) -> Works:
        """For a branch."""
        return Works(dict(self.reads), dict(self.writes))

    def commit(self, barrier: int) -> None:
        """A barrier tells of the end of all that has begun; if it tells of something else before, of that alone."""
        known = {*self.reads.values(), *self.writes.values()}
        if any(barrier in barriers for barriers in known):
            return
        more = {barriers: barriers | {barrier} for barriers in known}
        for which in (self.reads, self.writes):
            which.update({address: more[barriers] for address, barriers in which.items()})

    def end(self, barrier: int) -> None:
        """Threads have waited at a barrier."""
        for which in (self.reads, self.writes):
            for address in [address for address, barriers in which.items() if barrier in barriers]:
                del which[address]

    def joined(self, other: Works) -> Works:
        """All that goes on on either way, with the barriers that tell of its end on both."""
        return Works(both_ways(self.reads, other.reads), both_ways(self.writes, other.writes))

    def met(self, other: Works, before: Works) -> Works:
        """The same where some threads go each way: what one of them has begun, or waited for, is so."""
        return Works(
            one_way(self.reads, other.reads, before.reads), one_way(self.writes, other.writes, before.writes)
        )


def both_ways(one: dict[int, Barriers], other: dict[int, Barriers]) -> dict[int, Barriers]:
    """The barriers that two ways have at an address, or the one that has any."""
    found = one | other
    found.update({address: one[address] & other[address] for address in one.keys() & other.keys()})
    return found


def one_way(one: dict[int, Barriers], other: dict[int, Barriers], before: dict[int, Barriers]) -> dict[int, Barriers]:
    """At each address the barriers of the way that has changed them; of both ways if both have."""
    found = both_ways(one, other)
    for address in before.keys() | found.keys():
        first, second, old = (ways.get(address) for ways in (one, other, before))
        if first == second or old not in (first, second):
            continue
        now = second if first == old else first
        if now is None:
            found.pop(address, None)
        else:
            found[address] = now
    return found


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
