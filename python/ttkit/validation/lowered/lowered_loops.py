"""The blocks of lowered code, and its loops: they begin with the kernel's symbols, and leave what it leaves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from ttkit.interpreter.decode import Region
from ttkit.interpreter.values import ValueType
from ttkit.validation.booleans import truth
from ttkit.validation.graphs import graph_of, used_behind
from ttkit.validation.lowered.arrivals import Arrival, merged
from ttkit.validation.lowered.buffers import Touched, bytes_in, check, hold
from ttkit.validation.lowered.flights import Flight, in_flight, taken
from ttkit.validation.lowered.flow import Loop, cases, kept_from_before
from ttkit.validation.lowered.flow import State as Numbers
from ttkit.validation.lowered.kernel_loops import Head, Key, entered, left_by, rest
from ttkit.validation.lowered.order import NOBODY, Order, Unordered
from ttkit.validation.lowered.registers import uniform
from ttkit.validation.lowered.relation import is_buffer, pointer_of
from ttkit.validation.lowered.shared_memory import Fork, SharedMemory
from ttkit.validation.terms import Term
from ttkit.validation.values import NotModelled


class Again(Exception):
    """Loops are to be followed once more, with more that is taken where iterations begin."""


@dataclass
class LoweredBlocks:
    """Follows the blocks of one lowered function."""

    machine: Any
    region: Region

    def merge(self, arrivals: list[Arrival]) -> Arrival:
        """Paths that join."""
        return merged(arrivals)

    def run(self, number: int, here: Arrival) -> list[tuple[int | None, Arrival]]:
        """A block, and the ways out of it."""
        machine = self.machine
        machine.path, machine.active, machine.state = here.path, here.active, here.state
        machine.frame.update(here.kept)
        last = machine.block(self.region.blocks[number], here.values)
        shared, before = machine.state.shared, machine.state.shared.fork
        shared.fork = Fork(shared.cells, shared.works, before)
        ways = [(target, machine.way(condition, passed)) for target, condition, passed in machine.targets(last)]
        found = [(target, replace(way, kept=here.kept)) for target, way in ways if way is not None]
        if len(found) == 1:
            found[0][1].state.shared.fork = before
        return found

    def states(self, block: int, arrival: Arrival) -> Iterator[tuple[Numbers, Arrival]]:
        """The numbers that are known where iterations begin.

        Raises:
            NotModelled: they are not known here, or some threads are elsewhere.
        """
        if not all(term.is_const and term.attr for term in arrival.active):
            raise NotModelled("a loop that only some threads enter, or that some leave before others")
        finite, kinds = self._finite(block)
        terms: list[Term] = []
        if finite:
            groups = self.machine.relation.grouped(kinds, arrival.values)
            terms = [
                pointer_of(groups[place]) if is_buffer(kinds[place]) else rest(uniform(groups[place][0]), divisor)
                for place, divisor in finite.items()
            ]
        for path, state in cases(arrival.path, terms, self.machine.relation.condition):
            yield state, Arrival(path, arrival.active, arrival.state.copy(), arrival.values, arrival.kept)

    def _finite(self, block: int) -> tuple[dict[int, int], tuple[ValueType, ...]]:
        """The places of numbers that are known in each copy of a loop, as in the kernel, and what it takes."""
        ordinal = list(graph_of(self.region).bodies).index(block)
        places = self.machine.source.finite_of.get((self.machine.context, ordinal))
        if places is None:
            raise NotModelled("a loop that the kernel does not reach")
        return places

    def _head(self, loop: Loop, state: Numbers) -> tuple[Key, Head]:
        key = (*self.machine.context, (loop.ordinal, state))
        head = self.machine.source.heads.get(key)
        if head is None:
            raise NotModelled(f"a loop with {state}, where that of the kernel never has them")
        return key, head

    def begin(self, loop: Loop, state: Numbers, known: list[Arrival]) -> Arrival:
        """The way into a copy: of the kernel's symbols.

        Raises:
            NotModelled: the kernel's loop is not entered then.
        """
        machine = self.machine
        key, head = self._head(loop, state)
        if entered(loop) is not head.path:
            raise NotModelled("a loop that is entered when that of the kernel is not")
        ages = joined_ages([arrival.state.shared for arrival in known])
        left = machine.left.get(key, NOBODY)
        for arrival in known:
            left = both_of(left, arrival.state.order.unordered(arrival.state.shared))
        inside = known[0].state.copy()
        inside.memory, inside.order = head.memory, Order().begin(inside.shared, left)
        if key not in machine.used and any(arrival.state.shared.is_touched() for arrival in known):
            machine.used.add(key)
        inside.shared.forget(key in machine.used and machine.touches is None)
        touched = None
        if machine.touches is not None:
            touched = machine.touches.get(key, {})
            for arrival in known:
                touched = joined_touches(touched, arrival.state.shared.touched_anywhere())
            machine.touches[key] = touched
            inside.shared.touch(touched)
        for buffer, held in head.contents.items():
            hold(inside.shared, machine.source.buffers[buffer], buffer, held, ages, touched)
        machine.taken[key] = ages, left
        machine.context = key
        machine.maps[key] = dict(inside.maps)
        flight = machine.flights.get(key, Flight())
        for arrival in known:
            flight = flight.joined(in_flight(arrival.values, arrival.state.shared)[0])
        if not flight.addresses <= inside.shared.cells.keys():
            raise NotModelled("a product or a copy in the background is at what is no buffer of the loop")
        machine.flights[key] = flight
        values = taken(flight, machine.relation.symbols(head, known[0].values), inside.shared)
        kept = kept_from_before(self.region, loop, known[0].kept)
        return Arrival(head.path, (truth(True),), inside, values, kept)

    def end(self, loop: Loop, state: Numbers, out: list[Arrival]) -> None:
        """The end of a copy, with the ways out of the loop."""
        self.machine.context = self.machine.context[:-1]
        frame = self.machine.frame
        kept = {slot: frame[slot] for slot in used_behind(self.region, loop.body) if slot in frame}
        for arrival in out:
            arrival.kept = arrival.kept | kept

    def survey(self, loop: Loop, known: dict[Numbers, list[Arrival]]) -> None:
        """Takes more to be in the background, or to be touched, where iterations leave more than was taken.

        Raises:
            Again: they do.
        """
        machine, has_grown = self.machine, False
        for state, ways in known.items():
            key, _ = self._head(loop, state)
            for arrival in ways:
                shared = arrival.state.shared
                joined = machine.flights[key].joined(in_flight(arrival.values, shared)[0])
                has_grown = has_grown or joined != machine.flights[key]
                machine.flights[key] = joined
                if key not in machine.used and shared.is_touched():
                    machine.used.add(key)
                    has_grown = True
                if machine.touches is not None:
                    touched = joined_touches(machine.touches[key], shared.touched_anywhere())
                    has_grown = has_grown or touched != machine.touches[key]
                    machine.touches[key] = touched
        if has_grown:
            raise Again

    def check(self, loop: Loop, state: Numbers, arrival: Arrival, is_first: bool) -> None:
        """Checks that a way to a copy brings what the kernel's does.

        Raises:
            NotModelled: it is not known.
        """
        machine = self.machine
        key, head = self._head(loop, state)
        does = "begins with" if is_first else "goes on with"
        if machine.came[key] >= len(head.incoming):
            raise NotModelled("a loop goes on at other places than that of the kernel")
        theirs = head.incoming[machine.came[key]]
        machine.came[key] += 1
        if arrival.path is not theirs.path or arrival.state.memory is not theirs.state.memory:
            raise NotModelled(f"a loop {does} another iteration than that of the kernel, or after other writes")
        shared, same = arrival.state.shared, machine.relation.equality.same
        if machine.group is not None and shared.since & machine.common:
            raise NotModelled("a group that writes to a buffer of all groups, and signals in another iteration")
        if shared.stores_begun:
            raise NotModelled("stores to tensor memory that a later iteration does not wait for")
        if any(arrival.state.maps.get(pointer) != one for pointer, one in machine.maps[key].items()):
            raise NotModelled("a tensor map from before a loop that the loop changes")
        _, landed = in_flight(arrival.values, shared)
        machine.relation.check(head, landed, theirs.values, does)
        for buffer, held in theirs.state.contents.items():
            check(shared, machine.source.buffers[buffer], buffer, held, same, does)
        ages, left = machine.taken[key]
        places = {place for one in head.contents for place in bytes_in(machine.source.buffers[one])}
        for address, age in shared.ages().items():
            if address not in places or ages.get(address, age + 1) > age:
                raise NotModelled("copies in the background that a later iteration does not wait for")
        machine.found[key] = both_of(left, arrival.state.order.unordered(shared))

    def leave(self, loop: Loop, state: Numbers, arrival: Arrival) -> Arrival:
        """A way out of one of several copies."""
        _, head = self._head(loop, state)
        return replace(arrival, path=left_by(head, arrival.path))


def joined_ages(memories: list[SharedMemory]) -> dict[int, int]:
    """The newest copies that may be in flight, by address."""
    found: dict[int, int] = {}
    for memory in memories:
        for address, age in memory.ages().items():
            found[address] = min(age, found.get(address, age))
    return found


def joined_touches(one: Touched, other: Touched) -> Touched:
    """The threads that may have touched places on either way."""
    return one | {address: one.get(address, frozenset()) | threads for address, threads in other.items()}


def both_of(one: Unordered, other: Unordered) -> Unordered:
    """All that either leaves unordered."""
    return one[0] | other[0], one[1] | other[1]
