"""Blocks in order, and loops in copies.

A loop that counts through slots of a buffer carries numbers of which there are few: slots, phases.  It is followed once
for each combination of these that an iteration may begin with, so in each copy they are known.  The kernel and lowered
code have the same copies, in the same order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from ttkit.interpreter.decode import Region
from ttkit.validation.booleans import both, negation
from ttkit.validation.graphs import Graph, made_in
from ttkit.validation.terms import Term
from ttkit.validation.values import NotModelled

MOST_COPIES = 24
State = tuple[int, ...]
"""The numbers that are known in a copy of a loop."""


class Arrival(Protocol):
    """A way to a block."""

    path: Term


@dataclass
class Loop:
    """A loop that is entered at one place.

    ordinal: its number among the loops of the region.
    body: its blocks.
    entries: ways into it, by the state that they bring.
    """

    block: int
    ordinal: int
    body: frozenset[int]
    entries: dict[State, Any]


Ways = list[tuple["int | None", Any]]


class Walker(Protocol):
    """A side: the kernel, or lowered code."""

    def merge(self, arrivals: list[Any]) -> Any:
        """Paths that join."""

    def run(self, number: int, here: Any) -> Ways:
        """A block, and the ways out of it."""

    def states(self, loop: int, arrival: Any) -> Iterator[tuple[State, Any]]:
        """The known numbers that a way brings to a loop."""

    def begin(self, loop: Loop, state: State, known: list[Any]) -> Any:
        """The way into a copy, of the ways to it that are known so far."""

    def survey(self, loop: Loop, known: dict[State, list[Any]]) -> None:
        """Looks at all ways to all copies, before each is checked."""

    def check(self, loop: Loop, state: State, arrival: Any, is_first: bool) -> None:
        """Looks at a way to a copy."""

    def end(self, loop: Loop, state: State, out: list[Any]) -> None:
        """The end of a copy, with the ways out of the loop: they keep what blocks after it use."""

    def leave(self, loop: Loop, state: State, arrival: Any) -> Any:
        """A way out of one of several copies."""


def follow(walker: Walker, graph: Graph, first: Any) -> list[Any]:
    """All ways to the end of a region."""
    ways, _ = _blocks(walker, graph, frozenset(graph.order), {0: [first]}, None)
    return [arrival for _, arrival in ways]


def _blocks(
    walker: Walker, graph: Graph, within: frozenset[int], arrivals: dict[int, list[Any]], head: int | None
) -> tuple[Ways, list[Any]]:
    """The ways out of some blocks, and those back to the head."""
    out: Ways = []
    back: list[Any] = []
    for number in graph.order:
        if number not in within or number not in arrivals:
            continue
        incoming = arrivals.pop(number)
        if number in graph.bodies and number != head:
            ways = _loop(walker, graph, number, incoming)
        else:
            ways = walker.run(number, walker.merge(incoming))
        for target, arrival in ways:
            if target is None or target not in within:
                out.append((target, arrival))
            elif target == head:
                back.append(arrival)
            else:
                arrivals.setdefault(target, []).append(arrival)
    return out, back


def _loop(walker: Walker, graph: Graph, number: int, incoming: list[Any]) -> Ways:
    """The ways out of a loop."""
    entries: dict[State, list[Any]] = {}
    for arrival in incoming:
        for state, part in walker.states(number, arrival):
            entries.setdefault(state, []).append(part)
    met = {state: walker.merge(ways) for state, ways in entries.items()}
    loop = Loop(number, list(graph.bodies).index(number), graph.bodies[number], met)
    known: dict[State, list[Any]] = {state: [entry] for state, entry in loop.entries.items()}
    found: list[tuple[State, Ways]] = []
    queue = list(known)
    for state in queue:
        if len(queue) > MOST_COPIES:
            raise NotModelled("a loop with too many states")
        inside = walker.begin(loop, state, known[state])
        out, back = _blocks(walker, graph, graph.bodies[number], {number: [inside]}, number)
        walker.end(loop, state, [arrival for _, arrival in out])
        found.append((state, out))
        for arrival in back:
            for following, part in walker.states(number, arrival):
                if following not in known:
                    known[following] = []
                    queue.append(following)
                known[following].append(part)
    walker.survey(loop, known)
    for state, ways in known.items():
        for arrival in ways:
            walker.check(loop, state, arrival, arrival is loop.entries.get(state))
    if len(found) == 1:
        return found[0][1]
    return [(target, walker.leave(loop, state, arrival)) for state, out in found for target, arrival in out]


def kept_from_before(region: Region, loop: Loop, kept: dict[int, Any]) -> dict[int, Any]:
    """The values that blocks after loops use and that have been set before a loop."""
    inside = made_in(region, loop.body) if kept else set()
    return {slot: value for slot, value in kept.items() if slot not in inside}


def live_at(region: Region) -> dict[int, set[int]]:
    """By block, the slots that it or a later one reads, made before it."""
    reads: dict[int, set[int]] = {}
    makes: dict[int, set[int]] = {}
    for number, block in enumerate(region.blocks):
        makes[number], reads[number] = set(block.arguments), set()
        for op in block.instructions:
            reads[number].update({*op.operands, *op.captures} - makes[number])
            makes[number].update(op.results)
    found = dict(reads)
    changed = True
    while changed:
        changed = False
        for number, block in reversed(list(enumerate(region.blocks))):
            after = set().union(*(found[target] for target in block.instructions[-1].successors))
            more = reads[number] | (after - makes[number])
            changed = changed or more != found[number]
            found[number] = more
    return found


def cases(path: Term, terms: list[Term], same: Callable[[Term], Term]) -> Iterator[tuple[Term, State]]:
    """The known numbers that terms may be, each with the path on which they are.

    Args:
        same: gives the name of a condition.

    Raises:
        NotModelled: they may be something else.
    """
    if path.is_const and not path.attr:
        return
    for place, term in enumerate(terms):
        if term.is_const:
            continue
        if term.head != "ite":
            raise NotModelled(f"a slot or a phase that is not known: {term}")
        condition = same(term.args[0])
        for when, side in ((condition, term.args[1]), (negation(condition), term.args[2])):
            yield from cases(both(path, when), [*terms[:place], side, *terms[place + 1 :]], same)
        return
    yield path, tuple(int(term.attr) for term in terms)
