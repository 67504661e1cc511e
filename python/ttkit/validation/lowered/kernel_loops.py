"""The blocks of the kernel, and its loops.

A loop is cut where its iterations begin.  There what a block takes, buffers and memory become symbols; they
stand for whatever an iteration may begin with.  Lowered code cuts its loops at the same blocks, with the same symbols.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ttkit.interpreter.decode import Region
from ttkit.interpreter.values import ValueType
from ttkit.validation.booleans import both, choose, either
from ttkit.validation.graphs import used_behind
from ttkit.validation.integers import add, remainder_unsigned, scaled, subtract, sum_of
from ttkit.validation.integers import number as number_of
from ttkit.validation.lowered.buffers import address_of, leaves
from ttkit.validation.lowered.flow import Loop, cases, kept_from_before, live_at
from ttkit.validation.lowered.flow import State as Numbers
from ttkit.validation.paths import chosen, merged_arrivals, targets
from ttkit.validation.terms import MEMORY, Term, at_index, indices, make, parts_within, session
from ttkit.validation.values import Buffer, NotModelled, Token, Value, View, sort_of
from ttkit.validation.walk import Frame, State

Place = tuple[int, int, int]
"""A value that a loop carries: the body of its function, its block, its place there."""


Key = Any
"""Where a copy of a loop is: what it is in, its number among the loops there, its state."""


@dataclass
class Way:
    """A way to a block: when it is taken, and what it brings.

    kept: values of a copy of a loop, by slot, that blocks after the loop use.
    """

    path: Term
    state: State
    values: tuple[Value, ...]
    kept: dict[int, Value] = field(default_factory=dict)


@dataclass
class Head:
    """A copy of a loop, where its iterations begin.

    number: of all heads.
    loop: the same for all copies of a loop, whose symbols are the same: what the latest iteration began with.
    place: the function's body, and the block in it.
    kinds: the types of what it takes.
    path: when it is reached.
    symbols: what it is taken to get.
    memory: the same of memory; contents: of buffers.
    maps: descriptors by the pointer to them, which iterations leave as they are.
    incoming: what it gets: from outside of the loop, then from iterations.
    """

    number: int
    loop: int
    place: tuple[int, int]
    kinds: tuple[ValueType, ...]
    path: Term
    symbols: tuple[Value, ...]
    memory: Term
    contents: dict[Buffer, Term]
    maps: dict[Term, Any] = field(default_factory=dict)
    incoming: list[Way] = field(default_factory=list)


@dataclass
class Known:
    """Facts about the values of loops, by body, block and place; `invariants` finds them and proves them.

    linear: whose elements differ in every iteration as in the first.
    multiples: numbers, or first elements of linear ones, that are multiples of a power of two.
    finite: numbers of which there are few; the loop has a copy for each.
    rests: counters by whose rest slots are chosen, with the divisor; the loop has a copy for each rest.
    uniform: with a dimension along which all elements are the same.
    views: whether loops carry buffers; their slots are known then.
    """

    linear: set[Place] = field(default_factory=set)
    multiples: dict[Place, int] = field(default_factory=dict)
    finite: set[Place] = field(default_factory=set)
    rests: dict[Place, int] = field(default_factory=dict)
    uniform: set[tuple[Place, int]] = field(default_factory=set)
    views: bool = False


def called(counts: Counter[Key], context: Key, name: str) -> Key:
    """The place of a function that is called."""
    counts[context, name] += 1
    return (*context, (name, counts[context, name]))


def merged(ways: list[Way]) -> Way:
    """Paths that join."""
    found = Way(*merged_arrivals([(way.path, way.state, way.values) for way in ways]), ways[-1].kept)
    for way in ways[-2::-1]:
        if way.kept is not found.kept:
            both_have = way.kept.keys() & found.kept.keys()
            met = {slot: chosen(way.path, way.kept[slot], found.kept[slot]) for slot in both_have}
            found.kept = way.kept | found.kept | met
    return found


@dataclass
class Blocks:
    """Follows the blocks of one region of the kernel."""

    walk: Any
    region: Region
    frame: Frame

    def merge(self, arrivals: list[Way]) -> Way:
        """Paths that join."""
        return merged(arrivals)

    def run(self, number: int, here: Way) -> list[tuple[int | None, Way]]:
        """A block, and the ways out of it."""
        walk = self.walk
        walk.path, walk.state = here.path, here.state
        self.frame.update(here.kept)
        last, given = walk.block(self.region.blocks[number], self.frame, list(here.values))
        if not last.successors:
            return [(None, Way(walk.path, walk.state, given, here.kept))]
        if last.name == "cf.cond_br" and isinstance(given[0], Term) and not given[0].is_const:
            walk.conditions.append(given[0])
        found: list[tuple[int | None, Way]] = []
        for target, when, passed in targets(last, given):
            together = both(walk.path, when)
            if not (together.is_const and not together.attr):
                found.append((target, Way(together, walk.state.copy(), passed, here.kept)))
        return found

    def states(self, block: int, arrival: Way) -> Iterator[tuple[Numbers, Way]]:
        """The numbers that are known where iterations begin."""
        finite = self._finite(block, arrival.values)
        ordinal = list(self.walk.graphs[id(self.region)].bodies).index(block)
        self.walk.finite_of[self.walk.context, ordinal] = finite, walk_kinds(self.region, block)
        terms = [
            self._carried((block, place), value) if isinstance(value, View) else rest(value, divisor)  # type: ignore
            for (place, divisor), value in zip(finite.items(), (arrival.values[place] for place in finite))
        ]

        def noted(condition: Term) -> Term:
            """Lowered code has the same condition."""
            self.walk.conditions.append(condition)
            return condition

        for path, state in cases(arrival.path, terms, noted):
            yield state, Way(path, arrival.state.copy(), arrival.values, arrival.kept)

    def _finite(self, block: int, values: tuple[Value, ...]) -> dict[int, int]:
        known, found = self.walk.known, {}
        for place, value in enumerate(values):
            key = (id(self.region), block, place)
            if key in known.finite or key in known.rests or isinstance(value, View):
                found[place] = known.rests.get(key, 0)
        return found

    def _carried(self, place: tuple[int, int], view: View) -> Term:
        """The address of a view that a loop carries, which is known in a copy of the loop, as slots are.

        Raises:
            NotModelled: it is not known, or two buffers have it.
        """
        walk = self.walk
        at = address_of(walk, walk.current, view)
        unknown = any(not one.is_const or one.attr < 0 for one in leaves(at))
        if unknown and walk.known.views:
            raise NotModelled("a loop that carries a buffer of which the slot is not known")
        if unknown:
            at = number_of(-1, "i64")
        for one in leaves(at):
            known = walk.views.setdefault((id(self.region), *place, one.attr), view)
            if known.buffer is not view.buffer or known.shape != view.shape:
                raise NotModelled("a loop that carries one of several buffers at one address")
        return at

    def begin(self, loop: Loop, state: Numbers, known: list[Way]) -> Way:
        """The way into a copy: of symbols."""
        walk, block = self.walk, loop.block
        first = next(iter(loop.entries.values()))
        kinds = tuple(walk_kinds(self.region, block))
        number = len(walk.heads)
        same = walk.loop_numbers.setdefault((*walk.context, loop.ordinal), number)
        finite = self._finite(block, first.values)
        numbers = dict(zip(finite, state))
        symbols = tuple(
            walk.views[id(self.region), block, place, numbers[place]]
            if isinstance(value, View)
            else counter(same, place, numbers[place], finite[place], value.sort)
            if place in numbers
            else header_symbol((id(self.region), block, place), same, kind, value, walk.known)
            for place, (kind, value) in enumerate(zip(kinds, first.values))
        )
        inside = known[0].state.copy()
        inside.memory = make("memory", (), ("loop", number), MEMORY)
        needed = live_at(self.region)[block]
        carried = [value for slot, value in self.frame.items() if slot in needed]
        views = [value for value in (*carried, *symbols) if isinstance(value, View)]
        inside.contents = {one: held for one, held in inside.contents.items() if any(v.buffer is one for v in views)}
        for place, buffer in enumerate(walk.buffers):
            if buffer not in inside.contents or has_barriers(inside.contents[buffer]):
                continue  # iterations leave barriers as they are, which `check` looks at
            name = ("held", same, place)
            inside.contents[buffer] = make("call", indices(buffer.shape), name, buffer.sort)
        path = entered(loop)
        head = Head(number, same, (id(self.region), block), kinds, path, symbols, inside.memory, dict(inside.contents),
                    dict(inside.maps))  # fmt: skip
        walk.context = (*walk.context, (loop.ordinal, state))
        walk.heads[walk.context] = head
        return Way(path, inside, symbols, kept_from_before(self.region, loop, known[0].kept))

    def end(self, loop: Loop, state: Numbers, out: list[Way]) -> None:
        """The end of a copy, with the ways out of the loop."""
        self.walk.context = self.walk.context[:-1]
        kept = {slot: self.frame[slot] for slot in used_behind(self.region, loop.body) if slot in self.frame}
        for arrival in out:
            arrival.kept = arrival.kept | kept

    def survey(self, loop: Loop, known: dict[Numbers, list[Way]]) -> None:
        """Nothing is taken here that is not checked."""

    def check(self, loop: Loop, state: Numbers, arrival: Way, is_first: bool) -> None:
        """Notes a way to a copy.

        Raises:
            NotModelled: a buffer from before the loop has ended.
        """
        head = self.walk.heads[(*self.walk.context, (loop.ordinal, state))]
        if not head.contents.keys() <= arrival.state.contents.keys():
            raise NotModelled("a buffer that ends in a loop")
        if any(arrival.state.maps.get(pointer) != one for pointer, one in head.maps.items()):
            raise NotModelled("a descriptor from before a loop that the loop changes")
        for buffer, held in arrival.state.contents.items():
            if has_barriers(head.contents.get(buffer, held)) and held is not head.contents.get(buffer, held):
                raise NotModelled("an mbarrier from before a loop that the loop initializes again")
        arrival.state.contents = {buffer: arrival.state.contents[buffer] for buffer in head.contents}
        head.incoming.append(arrival)

    def leave(self, loop: Loop, state: Numbers, arrival: Way) -> Way:
        """A way out of one of several copies."""
        head = self.walk.heads[(*self.walk.context, (loop.ordinal, state))]
        return Way(left_by(head, arrival.path), arrival.state, arrival.values, arrival.kept)


def rest(term: Term, divisor: int) -> Term:
    """The rest of a number by a divisor, which is known in a copy of a loop; the number itself if the divisor is 0."""
    if not divisor:
        return term
    for key, factor in sum_of(term).items():
        if len(key) == 1 and key[0].head == "ite":
            condition, *sides = key[0].args
            others = add(term, key[0], -factor)
            return choose(condition, *(rest(add(others, side, factor), divisor) for side in sides))
    return remainder_unsigned(term, number_of(divisor, term.sort))


def counter(loop: int, place: int, known: int, divisor: int, sort: str) -> Term:
    """A number of which the rest by a divisor is known, or which is known itself: the quotient is a symbol.

    It is taken to hold that such counters stay below a quarter of the numbers of their type.
    """
    if not divisor:
        return number_of(known, sort)
    quotient = make("call", (), ("quotient", loop, place, divisor), sort)
    session().facts[quotient] = 0, (1 << (int(sort[1:]) - 2)) // divisor - 1
    return add(scaled(quotient, divisor), number_of(known, sort))


def has_barriers(held: Term) -> bool:
    """Whether a buffer holds mbarriers."""
    return any(part.head == "call" and part.attr[0] == "mbarrier" for part in parts_within(held))


def entered(loop: Loop) -> Term:
    """When a loop is reached."""
    first, *others = (way.path for way in loop.entries.values())
    for other in others:
        first = either(first, other)
    return first


def left_by(head: Head, path: Term) -> Term:
    """When a loop is left from a copy: the last iteration is one of it."""
    return both(make("call", (), ("left by", head.number), "i1"), path)


def header_symbol(place: Place, number: int, kind: ValueType, value: Value, known: Known) -> Value:
    """A value that an iteration begins with.

    Raises:
        NotModelled: it is not one of numbers.
    """
    if isinstance(value, Token):
        return value
    if not isinstance(value, Term) or isinstance(value, View):
        raise NotModelled("a loop that carries buffers, block pointers or descriptors")
    name = ("iteration", number, place[-1])
    if kind.shape and place not in known.linear:
        index = [
            number_of(0, "i32") if (place, d) in known.uniform else one for d, one in enumerate(indices(kind.shape))
        ]
        return make("call", index, name, sort_of(kind))
    first = make("call", (), name, value.sort)
    power = known.multiples.get(place, 1)
    first = scaled(first, power) if power > 1 else first
    return add(from_first(value, kind), first) if kind.shape else first


def from_first(value: Term, kind: ValueType) -> Term:
    """The difference of elements from the first one."""
    return subtract(value, first_of(value, kind))


def first_of(value: Term, kind: ValueType) -> Term:
    """The first element of a tensor; a scalar itself."""
    return at_index(value, dict.fromkeys(range(kind.rank), number_of(0, "i32")))


def walk_kinds(region: Region, block: int) -> tuple[ValueType, ...]:
    """The types of what a block takes."""
    for one in region.blocks:
        last = one.instructions[-1]
        kinds = last.operand_types
        passed = [kinds] * len(last.successors)
        if last.name == "cf.cond_br":
            count = last.attributes["operandSegmentSizes"][1]
            passed = [kinds[1 : 1 + count], kinds[1 + count :]]
        if block in last.successors:
            return tuple(passed[last.successors.index(block)])
    return ()
