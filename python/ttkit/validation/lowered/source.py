"""The kernel in ttg, as what its lowered code is compared with: its effects in order, and its loops.

A loop is cut where its iterations begin.  There every value that a block takes, and memory, become symbols; they stand
for whatever an iteration may begin with.  Lowered code cuts its loops at the same blocks, with the same symbols.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ttkit.interpreter.decode import Function, Instruction, Region
from ttkit.interpreter.values import ValueType
from ttkit.validation.booleans import both, either, truth
from ttkit.validation.integers import add, scaled, subtract
from ttkit.validation.integers import number as number_of
from ttkit.validation.lowered.combining import Combined
from ttkit.validation.lowered.flow import Graph, Loop, cases, follow, graph_of, live_at, used_behind
from ttkit.validation.lowered.flow import State as State_
from ttkit.validation.lowered.register_order import assembled, concatenated, in_packs, in_place, text_of_assembly
from ttkit.validation.lowered.synchronous import SYNCHRONOUS
from ttkit.validation.opaque import OPAQUE
from ttkit.validation.terms import MEMORY, Term, at_index, indices, make
from ttkit.validation.values import Buffer, NotModelled, Token, Value, View, parts_of, sort_of
from ttkit.validation.walk import Frame, State, Walk, chosen, merged_arrivals, symbolic_arguments, targets


Place = tuple[int, int, int]
"""A value that a loop carries: the body of its function, its block, its place there."""


@dataclass
class Event:
    """A change of global memory.

    op: that makes it.
    path: when it is reached.
    before, after: memory.
    """

    op: Instruction
    path: Term
    before: Term
    after: Term


Key = Any
"""Where a copy of a loop is: what it is in, its number among the loops there, its state."""


@dataclass
class Way:
    """A way to a block: when it is taken, and what it brings.

    kept: values of a copy of a loop, by slot, that blocks behind the loop use.
    """

    path: Term
    state: State
    values: tuple[Value, ...]
    kept: dict[int, Value] = field(default_factory=dict)


@dataclass
class Head:
    """A copy of a loop, where its iterations begin.

    number: of all heads.
    place: the function's body, and the block in it.
    kinds: the types of what it takes.
    path: when it is reached.
    symbols: what it is taken to get.
    memory: the same of memory; contents: of buffers.
    incoming: what it gets: from outside of the loop, then from iterations.
    """

    number: int
    place: tuple[int, int]
    kinds: tuple[ValueType, ...]
    path: Term
    symbols: tuple[Value, ...]
    memory: Term
    contents: dict[Buffer, Term]
    incoming: list[Way] = field(default_factory=list)


@dataclass
class Known:
    """Facts about the values of loops, by body, block and place; `invariants` finds them and proves them.

    linear: whose elements differ in every iteration as in the first.
    multiples: numbers, or first elements of linear ones, that are multiples of a power of two.
    finite: numbers of which there are few; the loop has a copy for each.
    uniform: with a dimension along which all elements are the same.
    """

    linear: set[Place] = field(default_factory=set)
    multiples: dict[Place, int] = field(default_factory=dict)
    finite: set[Place] = field(default_factory=set)
    uniform: set[tuple[Place, int]] = field(default_factory=set)


class SourceWalk(Walk):
    """Follows a kernel whose loops are branches between blocks.

    events: changes of memory, in order.
    heads: of its loops.
    loops: how many there are in a function, by where it is called.
    buffers: the allocation of each.
    finite_of: the places of numbers that are known in each copy of a loop, and what its first block takes.
    context: where the walk is.
    conditions: of branches.
    accesses: shapes of reads, by the condition and the address, and the type of the elements.
    reading: shape and type of a read that has no result.
    assumed: promises to LLVM, with the condition under which they are made.
    known: what is taken to hold for the values of loops.
    combined: reductions and scans.
    assembly: the user's.
    """

    def __init__(self, module: Any, threads: int, known: Known | None = None) -> None:
        super().__init__(module)
        self.threads, self.known = threads, known or Known()
        self.conditions: list[Term] = []
        self.assumed: list[tuple[Term, Term]] = []
        self.accesses: dict[tuple[Term, str], tuple[int, ...]] = {}
        self.reading: tuple[tuple[int, ...], str] | None = None
        self.events: list[Event] = []
        self.combined: list[Combined] = []
        self.assembly: set[tuple[str, str]] = set()
        self.heads: dict[Key, Head] = {}
        self.loops: dict[Key, int] = {}
        self.buffers: dict[Buffer, Instruction] = {}
        self.finite_of: dict[Key, tuple[list[int], tuple[ValueType, ...]]] = {}
        self.context: Key = ()
        self.calls_in: Counter[Key] = Counter()
        self.graphs: dict[int, Graph] = {}

    def execute(self, op: Instruction, frame: Frame) -> None:
        """Notes changes of memory.

        Raises:
            NotModelled: it has no meaning here.
        """
        before = self.state.memory
        meaning = SYNCHRONOUS.get(op.name)
        if meaning is None:
            super().execute(op, frame)
        else:
            self.current = op
            self._take(op, frame, meaning(self, op, *(frame[slot] for slot in op.operands)))
        if op.name == "ttg.local_alloc":
            self.buffers[frame[op.results[0]].buffer] = op
        if op.name == "llvm.intr.assume":
            self.assumed.append((self.path, frame[op.operands[0]]))
        if op.name == "tt.reshape" and op.attributes.get("allow_reorder"):
            frame[op.results[0]] = in_place(op, frame[op.operands[0]], self.threads)
        if op.name == "tt.cat":
            frame[op.results[0]] = concatenated(op, *(frame[slot] for slot in op.operands), self.threads)
        if op.name == "tt.map_elementwise":
            region, sources = self._region(op, frame), [frame[slot] for slot in op.operands]
            pack = op.attributes.get("pack", 1)
            frame.update(zip(op.results, in_packs(op, pack, sources, self.threads, region)))
        if op.name == "tt.elementwise_inline_asm" and op.attributes.get("pure"):
            self.assembly.add(text_of_assembly(op))
            frame.update(zip(op.results, assembled(op, [frame[slot] for slot in op.operands], self.threads)))
        if op.name in ("tt.reduce", "tt.scan"):
            sources, results = (tuple(frame[slot] for slot in slots) for slots in (op.operands, op.results))
            self.combined.append(Combined(op, sources, results, self._region(op, frame)))
        if self.state.memory is not before and op.name != "tt.call":
            self.events.append(Event(op, self.path, before, self.state.memory))

    def _region(self, op: Instruction, frame: Frame) -> Callable[[Sequence[Term]], tuple[Term, ...]]:
        """The region of an operation, as a function."""
        captured = {slot: frame[slot] for slot in op.captures}

        def results(arguments: Sequence[Term]) -> tuple[Term, ...]:
            """What it gives.

            Raises:
                NotModelled: it has effects.
            """
            inner = copy.copy(self)
            inner.state, inner.path = self.state.copy(), truth(True)
            before = inner.state.memory
            found = inner.region(op.regions[0], dict(captured), list(arguments))
            if inner.state.memory is not before:
                raise NotModelled("a region with effects", op)
            return tuple(part for value in found for part in parts_of(value))

        return results

    def note_read(self, mask: Term, address: Term) -> None:
        """Notes a read of global memory.

        Raises:
            NotModelled: by an operation without a meaning here.
        """
        super().note_read(mask, address)
        op = self.current
        assert op is not None
        access = make("access", (both(self.path, mask), address), None, "i1")
        if self.reading is None and not op.results:
            raise NotModelled("copies by the tensor memory accelerator", op)
        shape, sort = self.reading or (op.result_types[0].shape, sort_of(op.result_types[0]))
        self.accesses.setdefault((access, sort), shape)

    def is_opaque(self, op: Instruction) -> bool:
        """Whether nothing is known of an operation: what is done in the background is done at once here."""
        return op.name in OPAQUE

    def call(self, function: Function, arguments: list[Value]) -> tuple[Value, ...]:
        """Notes where the walk is."""
        outer = self.context
        self.context = called(self.calls_in, outer, function.name)
        results = super().call(function, arguments)
        self.context = outer
        return results

    def _graph(self, region: Region, frame: Frame, arguments: list[Value]) -> tuple[Value, ...]:
        """Blocks in order; branches backwards end an iteration."""
        graph = self.graphs.get(id(region))
        if graph is None:
            graph = self.graphs[id(region)] = graph_of(region)
        self.loops[self.context] = len(graph.bodies)
        done = merged(follow(Blocks(self, region, frame), graph, Way(self.path, self.state, tuple(arguments))))
        self.path, self.state = done.path, done.state
        return done.values


def called(counts: Counter[Key], context: Key, name: str) -> Key:
    """Where a function is that is called."""
    counts[context, name] += 1
    return (*context, (name, counts[context, name]))


def merged(ways: list[Way]) -> Way:
    """Ways that meet."""
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

    walk: SourceWalk
    region: Region
    frame: Frame

    def merge(self, arrivals: list[Way]) -> Way:
        """Ways that meet."""
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

    def states(self, block: int, arrival: Way) -> Iterator[tuple[State_, Way]]:
        """The numbers that are known where iterations begin."""
        finite = self._finite(block, len(arrival.values))
        ordinal = list(self.walk.graphs[id(self.region)].bodies).index(block)
        self.walk.finite_of[self.walk.context, ordinal] = finite, walk_kinds(self.region, block)
        terms = [arrival.values[place] for place in finite]

        def noted(condition: Term) -> Term:
            """Lowered code has the same condition."""
            self.walk.conditions.append(condition)
            return condition

        for path, state in cases(arrival.path, terms, noted):  # type: ignore[arg-type]
            yield state, Way(path, arrival.state.copy(), arrival.values, arrival.kept)

    def _finite(self, block: int, count: int) -> list[int]:
        known = self.walk.known.finite
        return [place for place in range(count) if (id(self.region), block, place) in known]

    def begin(self, loop: Loop, state: State_, known: list[Way]) -> Way:
        """The way into a copy: of symbols."""
        walk, block = self.walk, loop.block
        first = next(iter(loop.entries.values()))
        kinds = tuple(walk_kinds(self.region, block))
        number = len(walk.heads)
        numbers = dict(zip(self._finite(block, len(kinds)), state))
        symbols = tuple(
            number_of(numbers[place], value.sort)  # type: ignore[union-attr]
            if place in numbers
            else header_symbol((id(self.region), block, place), number, kind, value, walk.known)
            for place, (kind, value) in enumerate(zip(kinds, first.values))
        )
        inside = known[0].state.copy()
        inside.memory = make("memory", (), ("loop", number), MEMORY)
        needed = live_at(self.region)[block]
        views = [value for slot, value in self.frame.items() if slot in needed and isinstance(value, View)]
        inside.contents = {one: held for one, held in inside.contents.items() if any(v.buffer is one for v in views)}
        for place, buffer in enumerate(inside.contents):
            name = ("held", number, place)
            inside.contents[buffer] = make("call", indices(buffer.shape), name, buffer.sort)
        path = entered(loop)
        head = Head(
            number, (id(self.region), block), kinds, path, symbols, inside.memory, dict(inside.contents)
        )
        walk.context = (*walk.context, (loop.ordinal, state))
        walk.heads[walk.context] = head
        return Way(path, inside, symbols, known[0].kept)

    def end(self, loop: Loop, state: State_, out: list[Way]) -> None:
        """The end of a copy, with the ways out of the loop."""
        self.walk.context = self.walk.context[:-1]
        kept = {slot: self.frame[slot] for slot in used_behind(self.region, loop.body) if slot in self.frame}
        for arrival in out:
            arrival.kept = arrival.kept | kept

    def check(self, loop: Loop, state: State_, arrival: Way, is_first: bool) -> None:
        """Notes a way to a copy.

        Raises:
            NotModelled: a buffer from before the loop has ended.
        """
        head = self.walk.heads[(*self.walk.context, (loop.ordinal, state))]
        if not head.contents.keys() <= arrival.state.contents.keys():
            raise NotModelled("a buffer that ends in a loop")
        arrival.state.contents = {buffer: arrival.state.contents[buffer] for buffer in head.contents}
        head.incoming.append(arrival)

    def leave(self, loop: Loop, state: State_, arrival: Way) -> Way:
        """A way out of one of several copies."""
        head = self.walk.heads[(*self.walk.context, (loop.ordinal, state))]
        return Way(left_by(head, arrival.path), arrival.state, arrival.values, arrival.kept)


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


def arguments_of(function: Function) -> list[Value]:
    """A symbol for each argument; a multiple of what is known to divide it.

    Raises:
        NotModelled: an argument is a buffer, a block pointer or a descriptor.
    """
    found = symbolic_arguments(function)
    for place, (value, attributes) in enumerate(zip(found, function.argument_attributes)):
        if not isinstance(value, Term):
            raise NotModelled("arguments that are descriptors")
        divisor = int(attributes.get("tt.divisibility", 1))
        is_number = value.sort in ("i32", "i64") and function.argument_types[place].pointee is None
        if is_number and divisor > 1 and divisor & (divisor - 1) == 0:
            found[place] = scaled(value, divisor)
    return found
