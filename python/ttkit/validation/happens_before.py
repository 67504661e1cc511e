"""Order of events where groups of warps run at the same time: clocks, as in detectors of races.

Each group has a clock: of each agent, how much of what it did has happened before now.  Agents are groups, copies, the
tensor core's work of a group, and the phases of mbarriers.  An arrival gives the clock of who arrives to the phase, and
a wait takes that of the phase.  What `Order` accepts has the same result in every order in which groups may run:

    two accesses of one place, one of them a write, are ordered
    an arrival is for the phase that it is for in every order: all phases before it have ended before it
    a wait ends with the first phase that it may end with, and the phase after that does not end before the wait
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ttkit.interpreter.decode import Instruction
from ttkit.validation.booleans import truth
from ttkit.validation.integers import exact_interval
from ttkit.validation.tensors_apart import are_apart
from ttkit.validation.terms import Term, indices, make
from ttkit.validation.values import Buffer, NotModelled, View

Agent = Hashable
Clock = dict[Agent, int]
Box = tuple[tuple[int, int], ...]
GLOBAL = "global memory"
END = "ttng.inval_barrier"


@dataclass(frozen=True)
class Event:
    """One thing that an agent does at a time of its own, and all that has happened before it, itself included."""

    agent: Agent
    time: int
    clock: Clock


@dataclass(frozen=True)
class Access:
    """An access of a box of a buffer, or of global memory at an address."""

    box: Box
    event: Event
    writes: bool
    op: Instruction
    address: Term | None = None


class Order:
    """The clocks of one function, and what has been accessed when.

    clocks: of each group by its number; 0 is the one that runs the function.
    accesses: those that others may still be in conflict with, by buffer.
    ended: of a barrier and a phase, the clock of its arrivals.
    waits: by barrier, (group, time, phase) of each wait.
    apart: pairs of addresses that are accessed in no order, and so must not overlap.
    early_end: ends a barrier at which work in the background may still arrive; ttkit-end-barriers-late mends it.
    """

    def __init__(self) -> None:
        self.clocks: dict[int, Clock] = {0: {0: 1}}
        self.paths: dict[int, tuple[Term, int]] = {0: (truth(True), 0)}
        self.accesses: dict[Any, list[Access]] = {}
        self.ended: dict[tuple[Any, int], Clock] = {}
        self.waits: dict[Any, list[tuple[int, int, int]]] = {}
        self.begun: dict[Any, int] = {}
        self.copies: dict[int, list[tuple[Any, Event]]] = {}
        self.event: Event | None = None
        self.last_copy = 0
        self.early_end: Instruction | None = None
        self.apart: dict[frozenset[Term], NotModelled] = {}

    def saved(self) -> dict[str, Any]:
        """All of it, to come back to."""
        kept = dict(vars(self))
        for name in ("clocks", "paths", "accesses", "ended", "begun"):
            kept[name] = dict(kept[name])
        for name in ("waits", "copies"):
            kept[name] = {key: list(value) for key, value in kept[name].items()}
        return kept

    def restored(self, kept: dict[str, Any]) -> None:
        """Becomes again as it was at an earlier moment."""
        vars(self).update(kept)

    # --- groups

    def fork(self, walk: Any, number: int) -> None:
        """A group begins after all that this one has done."""
        self.clocks[number] = {**self.clocks[walk.group], number: 1}
        self.paths[number] = walk.path, walk.level

    def tick(self, group: int) -> None:
        """Time goes on: who knows what the group did does not know what it does from now on."""
        self.clocks[group] = {**self.clocks[group], group: self.clocks[group][group] + 1}

    def join(self, walk: Any, clock: Clock) -> None:
        """The group knows what a clock knows.

        Raises:
            NotModelled: it does so in some cases only.
        """
        path, level = self.paths[walk.group]
        if walk.path is not path or walk.level != level:
            raise NotModelled("a group of warps waits in a branch or in a loop of many iterations", walk.current)
        self.clocks[walk.group] = joined(self.clocks[walk.group], clock)

    # --- events

    def now(self, walk: Any) -> Event:
        """An event of the group now, or of what it has begun in the background."""
        clock = self.clocks[walk.group]
        return self.event or Event(walk.group, clock[walk.group], clock)

    def copy(self, walk: Any) -> Event:
        """A copy that begins now."""
        self.last_copy += 1
        agent = "copy", self.last_copy
        return Event(agent, 1, {**self.clocks[walk.group], agent: 1})

    def tensor_core(self, walk: Any, new: bool) -> Event:
        """Work of the tensor core that begins now, after that which the group has given it before; or all of that."""
        agent = "tensor core", walk.group
        time = self.begun.get(agent, 0) + new
        self.begun[agent] = time
        return Event(agent, time, {**self.clocks[walk.group], agent: time})

    @contextmanager
    def during(self, event: Event | None) -> Iterator[None]:
        """Accesses are those of an event in the background."""
        kept, self.event = self.event, event
        try:
            yield
        finally:
            self.event = kept

    # --- accesses

    def access(self, walk: Any, place: Any, box: Box, writes: bool, address: Term | None = None) -> None:
        """Notes an access.

        Raises:
            NotModelled: another one is not ordered with it.
        """
        event = self.now(walk)
        kept = []
        for other in self.accesses.get(place, ()):
            if (writes or other.writes) and overlap(box, other.box):
                if event.clock.get(other.event.agent, 0) < other.event.time:
                    if walk.current.name == END and not isinstance(other.event.agent, int):
                        self.early_end = walk.current
                        continue
                    reason = f"nothing orders it with {other.op.name}{where(other.op)}, in another group or in the"
                    error = NotModelled(f"{reason} background, and both access {described(place)}", walk.current)
                    if address is None or other.address is None:
                        raise error
                    if not are_apart(walk, address, other.address):
                        self.apart.setdefault(frozenset((address, other.address)), error)
                elif writes and box and inside(other.box, box):
                    continue  # who is ordered with this one is ordered with the other
            if not writes and not other.writes and other.event.agent == event.agent and box and inside(other.box, box):
                continue
            kept.append(other)
        self.accesses[place] = [*kept, Access(box, event, writes, walk.current, address)]

    # --- barriers

    def begins(self, place: Any) -> None:
        """A barrier is initialized."""
        self.begun[place] = self.begun.get(place, 0) + 1
        self.waits[place] = []

    def key(self, place: Any) -> Agent:
        """A barrier as an agent: another one each time that it is initialized."""
        return "phases", place, self.begun.get(place, 0)

    def arrives(self, walk: Any, place: Any, phase: int, event: Event) -> None:
        """Someone arrives for a phase, or brings bytes that it waits for.

        Raises:
            NotModelled: in another order it may be for the phase before.
        """
        key = self.key(place)
        if event.clock.get(key, 0) < phase:
            raise NotModelled("nothing says that the phase before has ended when it arrives", walk.current)
        self.ended[key, phase] = joined(self.ended.get((key, phase), {}), event.clock)
        if event.agent == walk.group:
            self.tick(walk.group)

    def ends(self, walk: Any, place: Any, phase: int) -> None:
        """A phase ends.

        Raises:
            NotModelled: someone who waits for the one before may come too late.
        """
        key = self.key(place)
        clock = self.ended.get((key, phase), {})
        for group, time, waited in self.waits.get(place, ()):
            if waited == phase - 1 and clock.get(group, 0) < time:
                raise NotModelled("a phase ends although a wait for the one before may not have ended", walk.current)
        self.ended[key, phase] = {**clock, key: phase + 1}

    def next_phase(self, walk: Any, place: Any, parity: int) -> int:
        """The first phase that a wait for a parity may end with; -1 if it need not wait."""
        known = self.clocks[walk.group].get(self.key(place), 0)
        return known - 1 if (known - 1) & 1 == parity & 1 else known

    def waited(self, walk: Any, place: Any, phase: int) -> None:
        """A wait has ended with a phase."""
        self.waits.setdefault(place, []).append((walk.group, self.clocks[walk.group][walk.group], phase))
        self.join(walk, self.ended.get((self.key(place), phase), {}))

    # --- work in the background that is waited for in the order in which it began

    def begin(self, walk: Any, kind: str, event: Event, number: int = 0) -> None:
        """Work whose end is waited for by its number or its place among others of its kind."""
        self.copies.setdefault(walk.group, []).append(((kind, number), event))

    def finish(self, walk: Any, kind: str, pending: int = 0, before: int | None = None) -> None:
        """Work of a kind has ended: all but the newest, or what has a smaller number."""
        mine = [(tag, event) for tag, event in self.copies.get(walk.group, ()) if tag[0] == kind]
        ended = mine[: len(mine) - pending] if before is None else [one for one in mine if one[0][1] < before]
        for one in ended:
            self.copies[walk.group].remove(one)
            self.join(walk, one[1].clock)


def joined(one: Clock, other: Clock) -> Clock:
    """All that either of two clocks knows."""
    if not other:
        return one
    found = dict(one)
    for agent, time in other.items():
        if found.get(agent, 0) < time:
            found[agent] = time
    return found


def overlap(one: Box, other: Box) -> bool:
    """Whether boxes have a common place."""
    return all(low <= top and bottom <= high for (low, high), (bottom, top) in zip(one, other))


def inside(one: Box, other: Box) -> bool:
    """Whether a box is part of another one."""
    return all(bottom <= low and high <= top for (low, high), (bottom, top) in zip(one, other))


def box_of(view: View) -> Box:
    """A box of the buffer that has all of a view."""
    return tuple(exact_interval(place) for place in view.places(indices(view.shape)))


def touched(walk: Any, place: View | str, writes: bool, address: Term | None = None) -> None:
    """Notes an access of a view or of global memory, where groups of warps run at the same time."""
    if walk.order is None:
        return
    if isinstance(place, View):
        walk.order.access(walk, place.buffer, box_of(place), writes)
    else:
        closed = make("closed", (address,), None, address.sort) if address is not None else None
        walk.order.access(walk, place, (), writes, closed)


def described(place: Any) -> str:
    """A place that is accessed, in words."""
    return f"a buffer of {'x'.join(map(str, place.shape))} elements" if isinstance(place, Buffer) else place


def where(op: Instruction) -> str:
    """The place of an operation in the source."""
    return f" at {op.location}" if op.location != "unknown" else ""
