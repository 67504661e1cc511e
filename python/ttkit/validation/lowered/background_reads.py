"""Addresses of shared memory that products and copies in the background read, and what the tensor core works on."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import TypeAlias

from ttkit.validation.booleans import choose
from ttkit.validation.integers import number
from ttkit.validation.terms import Term


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


Barriers: TypeAlias = "frozenset[Term]"
"""Addresses of mbarriers; a choice where paths have joined."""
MOST_CHOICES = 4


def ended() -> Term:
    """The number that stands for a barrier at which threads have waited."""
    return number(-2, "i64")


@dataclass
class Works:
    """Places that products of the tensor core (tcgen05) read and write in the background.

    By address, the mbarriers that tell of the end of the latest of them; whoever has waited at one of these goes on.
    It is taken to hold that the next wait at the mbarrier of a commit waits for its phase.
    """

    reads: dict[int, Barriers] = field(default_factory=dict)
    writes: dict[int, Barriers] = field(default_factory=dict)

    def copy(self) -> Works:
        """For a branch."""
        return Works(dict(self.reads), dict(self.writes))

    def commit(self, barrier: Term) -> None:
        """A barrier tells of the end of all that has begun; if it tells of something else before, of that alone."""
        known = {*self.reads.values(), *self.writes.values()}
        if any(barrier in barriers for barriers in known):
            return
        more = {barriers: barriers | {barrier} for barriers in known}
        for which in (self.reads, self.writes):
            which.update({address: more[barriers] for address, barriers in which.items()})

    def end(self, barrier: Term) -> None:
        """Threads have waited at a barrier."""
        for which in (self.reads, self.writes):
            left = {barriers: frozenset(without(one, barrier) for one in barriers) for barriers in {*which.values()}}
            for address, barriers in list(which.items()):
                if ended() in left[barriers]:
                    del which[address]
                else:
                    which[address] = left[barriers]

    def joined(self, other: Works, condition: Term | None = None) -> Works:
        """All that goes on on either way, with the barriers that tell of its end on both."""
        return Works(both_ways(self.reads, other.reads, condition), both_ways(self.writes, other.writes, condition))

    def met(self, other: Works, before: Works) -> Works:
        """The same where some threads go each way: what one of them has begun, or waited for, is so."""
        return Works(one_way(self.reads, other.reads, before.reads), one_way(self.writes, other.writes, before.writes))


def both_ways(one: dict[int, Barriers], other: dict[int, Barriers], condition: Term | None) -> dict[int, Barriers]:
    """The barriers that two ways have at an address, or the one that has any; the first way is taken by a condition."""
    found, known = one | other, {}
    for address in one.keys() & other.keys():
        pair = one[address], other[address]
        if pair not in known:
            known[pair] = chosen_barriers(*pair, condition)
        found[address] = known[pair]
    return found


def chosen_barriers(one: Barriers, other: Barriers, condition: Term | None) -> Barriers:
    """Barriers of both, and choices between those of each."""
    found = one & other
    if condition is not None and len(one) * len(other) <= MOST_CHOICES:
        found |= {choose(condition, *pair) for pair in itertools.product(one, other)}
    return found


def without(choice: Term, barrier: Term) -> Term:
    """A choice of barriers after the end at one of them."""
    if choice is barrier:
        return ended()
    if choice.head != "ite":
        return choice
    condition, *sides = choice.args
    return choose(condition, *(without(side, barrier) for side in sides))


def one_way(one: dict[int, Barriers], other: dict[int, Barriers], before: dict[int, Barriers]) -> dict[int, Barriers]:
    """At each address the barriers of the way that has changed them; of both ways if both have."""
    found = both_ways(one, other, None)
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

    turn: the last barrier of all warps; those before groups begin have negative numbers.
    stored, copied, read: addresses by turn: by threads, by copies of tiles.
    """

    turn: int = 0
    stored: dict[int, set[int]] = field(default_factory=dict)
    copied: dict[int, set[int]] = field(default_factory=dict)
    read: dict[int, set[int]] = field(default_factory=dict)

    def note(self, which: dict[int, set[int]], *places: int) -> None:
        """Addresses have been touched."""
        which.setdefault(self.turn, set()).update(places)

    def turns(self) -> set[int]:
        """The barriers after which something was touched."""
        return {*self.stored, *self.copied, *self.read}

    def of(self, turn: int) -> tuple[set[int], set[int], set[int]]:
        """Addresses that have been stored, copied and read."""
        return tuple(which.get(turn, set()) for which in (self.stored, self.copied, self.read))  # type: ignore[return-value]
