"""Walks lowered code with all threads of a program at once.

Threads go through blocks together.  A branch that all take alike is a condition of the path, as in the kernel; one that
threads take differently leaves some of them out for a while (`active`).
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from ttkit.interpreter.decode import Block, Function, Instruction, Module, Region
from ttkit.interpreter.values import ValueType
from ttkit.validation.booleans import both, choose, either, negation, truth
from ttkit.validation.lowered.alignment import Alignment
from ttkit.validation.lowered.buffers import bytes_in, check, hold
from ttkit.validation.lowered.effects import Effects
from ttkit.validation.lowered.flow import Loop, cases, follow, graph_of, used_behind
from ttkit.validation.lowered.flow import State as Numbers
from ttkit.validation.lowered.meanings import LOWERED, load_lowered_meanings
from ttkit.validation.lowered.order import NOBODY, Order, Unordered
from ttkit.validation.lowered.registers import Register, Struct, Value, Vector, collapsed, full, mapped, numbers, uniform
from ttkit.validation.lowered.relation import Relation
from ttkit.validation.lowered.shared_memory import WARP, SharedMemory
from ttkit.validation.lowered.source import Head, Key, SourceWalk, called, entered, left_by
from ttkit.validation.terms import Term
from ttkit.validation.values import NotModelled


@dataclass
class State:
    """The effects of threads so far.

    memory: the term of global memory, as the kernel has it.
    steps: changes of memory so far.
    shared: shared memory.
    order: of accesses to global memory.
    """

    memory: Term
    shared: SharedMemory
    steps: int = 0
    order: Order = field(default_factory=Order)

    def copy(self) -> State:
        """For a branch."""
        return replace(self, shared=self.shared.copy(), order=self.order.copy())


@dataclass
class Arrival:
    """A way to a block: when it is taken, by which threads, and what it brings.

    kept: values of a copy of a loop, by slot, that blocks behind the loop use.
    """

    path: Term
    active: Register
    state: State
    values: tuple[Value, ...]
    kept: dict[int, Value] = field(default_factory=dict)


@dataclass
class Machine:
    """All threads of a program that runs lowered code.

    path: when the current block is reached.
    active: for which threads.
    shared_bytes: shared memory of the program.
    deadline: when to give up, in seconds of this thread.
    left: by the copy of a loop, what an iteration is taken to leave unordered (`Order.unordered`).
    found: the same, as it is found.
    taken: what a copy is taken to begin with: copies in flight by their age, and what is unordered.
    touches: by the copy of a loop, addresses of buffers that may have been touched since the last barrier where an
        iteration begins; None if any may.  grown: whether there were more than was taken.
    orders: terms that combine elements in some order, and what stands for each.
    frame: values by slot.
    """

    module: Module
    source: SourceWalk
    effects: Effects
    relation: Relation
    threads: int
    alignment: Alignment
    shared_bytes: int = 0
    deadline: float = float("inf")
    left: dict[Key, Unordered] = field(default_factory=dict)
    found: dict[Key, Unordered] = field(default_factory=dict)
    taken: dict[Key, tuple[dict[int, int], Unordered]] = field(default_factory=dict)
    touches: dict[Key, set[int]] | None = None
    grown: bool = False
    orders: dict[Term, Term] = field(default_factory=dict)
    frame: dict[int, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        load_lowered_meanings()
        self.path = truth(True)
        self.active: Register = (truth(True),)
        self.current: Instruction | None = None

    def run(self, function: Function, arguments: list[Value], memory: Term) -> State:
        """The state when all threads have returned.

        Raises:
            NotModelled: something has no meaning here, or does what the kernel does not.
        """
        first = Arrival(truth(True), (truth(True),), State(memory, SharedMemory(self.shared_bytes)), tuple(arguments))
        self.context: Key = ()
        self.calls_in: Counter[Key] = Counter()
        self.came: Counter[Key] = Counter()
        try:
            done = self.call(function, first)
        except NotModelled as error:
            if error.op is None:
                error.op = self.current
            raise
        for key, head in self.source.heads.items():
            if self.came[key] != len(head.incoming):
                raise NotModelled("a loop goes on at other places than that of the kernel")
        return done.state

    def call(self, function: Function, first: Arrival) -> Arrival:
        """The way out of a function.

        Raises:
            NotModelled: it has other loops than the kernel's.
        """
        assert function.body is not None
        outer, frame = self.context, self.frame
        self.context, self.frame = called(self.calls_in, outer, function.name), {}
        graph = graph_of(function.body)
        count = self.source.loops.get(self.context, 0)
        if len(graph.bodies) != count:
            raise NotModelled(f"{len(graph.bodies)} loops, where the kernel has {count}")
        done = merged(follow(LoweredBlocks(self, function.body), graph, first))
        self.context, self.frame = outer, frame
        return done

    def called(self, function: Function, values: tuple[Value, ...]) -> Value:
        """The results of a function that threads call here."""
        done = self.call(function, Arrival(self.path, self.active, self.state, values))
        self.path, self.active, self.state = done.path, done.active, done.state
        return done.values[0] if done.values else ()

    def block(self, block: Block, values: tuple[Value, ...]) -> Instruction:
        """Runs a block; gives its terminator."""
        for slot, value in zip(block.arguments, values, strict=True):
            self.frame[slot] = value
        for op in block.instructions[:-1]:
            self.execute(op)
        self.current = block.instructions[-1]
        return self.current

    def execute(self, op: Instruction) -> None:
        """Gives the results of an operation their registers.

        Raises:
            NotModelled: it has no meaning here.
        """
        self.current = op
        if time.thread_time() > self.deadline:
            raise NotModelled("no proof in time")
        meaning = LOWERED.get(op.name)
        if meaning is None:
            raise NotModelled("this operation is not modelled", op)
        result = meaning(self, op, *(self.frame[slot] for slot in op.operands))
        if op.results:
            self.frame[op.results[0]] = self._named(result) if self.orders else result

    def _named(self, value: Value) -> Value:
        """A value in which combined elements have one term, whatever their order."""
        if isinstance(value, Struct):
            return value
        if isinstance(value, Vector):
            return Vector(tuple(self._named(part) for part in value.parts))  # type: ignore[misc]
        if not any(term in self.orders for term in value):
            return value
        return collapsed(self.orders.get(term, term) for term in value)

    # --- branches

    def targets(self, op: Instruction) -> list[tuple[int | None, Register, tuple[Value, ...]]]:
        """The blocks that a terminator goes to, None for a return; for which threads, with what."""
        values = tuple(self.frame[slot] for slot in op.operands)
        if op.name == "llvm.br":
            return [(op.successors[0], (truth(True),), values)]
        if op.name == "llvm.cond_br":
            condition, count = values[0], op.attributes["operandSegmentSizes"][1]
            first, second = op.successors
            if len(condition) == 1:
                condition = (self.relation.condition(condition[0]),)
            other = mapped(negation, condition)
            return [(first, condition, values[1 : 1 + count]), (second, other, values[1 + count :])]
        if op.name == "llvm.return":
            return [(None, (truth(True),), values)]
        raise NotModelled("this terminator is not modelled", op)

    def way(self, condition: Register, passed: tuple[Value, ...]) -> Arrival | None:
        """A way that threads take from here; None if none does."""
        path, active = self.path, self.active
        if len(condition) == 1:
            path = both(path, condition[0])
        else:
            active = mapped(both, active, condition)
        if is_false(path) or all(is_false(term) for term in active):
            return None
        return Arrival(path, active, self.state.copy(), passed)

    # --- for meanings

    def running(self) -> list[bool]:
        """Which threads are here.

        Raises:
            NotModelled: it depends on more than the thread.
        """
        return [bool(one) for one in numbers(self.active, self.threads)]

    def together(self) -> None:
        """Raises NotModelled unless the threads of each warp are here together, or not at all."""
        here = self.running()
        if any(here[thread] != here[thread - thread % WARP] for thread in range(self.threads)):
            raise NotModelled("an operation of whole warps that some threads of a warp do not reach")


@dataclass
class LoweredBlocks:
    """Follows the blocks of one lowered function."""

    machine: Machine
    region: Region

    def merge(self, arrivals: list[Arrival]) -> Arrival:
        """Ways that meet."""
        return merged(arrivals)

    def run(self, number: int, here: Arrival) -> list[tuple[int | None, Arrival]]:
        """A block, and the ways out of it."""
        machine = self.machine
        machine.path, machine.active, machine.state = here.path, here.active, here.state
        machine.frame.update(here.kept)
        last = machine.block(self.region.blocks[number], here.values)
        ways = ((target, machine.way(condition, passed)) for target, condition, passed in machine.targets(last))
        return [(target, replace(way, kept=here.kept)) for target, way in ways if way is not None]

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
            terms = [uniform(groups[place][0]) for place in finite]  # type: ignore[arg-type]
        for path, state in cases(arrival.path, terms, self.machine.relation.condition):
            yield state, Arrival(path, arrival.active, arrival.state.copy(), arrival.values, arrival.kept)

    def _finite(self, block: int) -> tuple[list[int], tuple[ValueType, ...]]:
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
        """The way into a copy: of the kernel's symbols."""
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
        inside.shared.forget()
        touched = None
        if machine.touches is not None:
            touched = set().union(*(self._touched(head, arrival) for arrival in known), machine.touches.get(key, ()))
            machine.touches[key] = touched
        for buffer, held in head.contents.items():
            hold(inside.shared, machine.source.buffers[buffer], buffer, held, ages, touched)
        machine.taken[key] = ages, left
        machine.context = key
        values = machine.relation.symbols(head, known[0].values)
        return Arrival(head.path, (truth(True),), inside, values, known[0].kept)

    def _touched(self, head: Head, arrival: Arrival) -> set[int]:
        """The places of buffers that have been touched since the last barrier."""
        buffers = self.machine.source.buffers
        return set().union(*(arrival.state.shared.touched_in(bytes_in(buffers[one])) for one in head.contents))

    def end(self, loop: Loop, state: Numbers, out: list[Arrival]) -> None:
        """The end of a copy, with the ways out of the loop."""
        self.machine.context = self.machine.context[:-1]
        frame = self.machine.frame
        kept = {slot: frame[slot] for slot in used_behind(self.region, loop.body) if slot in frame}
        for arrival in out:
            arrival.kept = arrival.kept | kept

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
        machine.relation.check(head, arrival.values, theirs.values, does)
        shared, same = arrival.state.shared, machine.relation.equality.same
        if shared.products.pending:
            raise NotModelled("products in the background that a later iteration waits for")
        for buffer, held in theirs.state.contents.items():
            check(shared, machine.source.buffers[buffer], buffer, held, same, does)
        ages, left = machine.taken[key]
        places = {place for one in head.contents for place in bytes_in(machine.source.buffers[one])}
        for address, age in shared.ages().items():
            if address not in places or ages.get(address, age + 1) > age:
                raise NotModelled("copies in the background that a later iteration does not wait for")
        if machine.touches is not None and not (more := self._touched(head, arrival)) <= machine.touches[key]:
            machine.touches[key] |= more
            machine.grown = True
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


def both_of(one: Unordered, other: Unordered) -> Unordered:
    """What either leaves unordered."""
    return one[0] | other[0], one[1] | other[1]


def is_false(term: Term) -> bool:
    """Whether a condition never holds."""
    return term.is_const and not term.attr


def merged(arrivals: list[Arrival]) -> Arrival:
    """The state where ways meet.

    Raises:
        NotModelled: ways that differ in more than threads or a condition of all.
    """
    found = arrivals[-1]
    for other in arrivals[-2::-1]:
        if same(other.active, found.active):
            values = tuple(chosen((other.path,), a, b) for a, b in zip(other.values, found.values))
            kept = kept_of((other.path,), other, found)
            memory = choose(other.path, other.state.memory, found.state.memory)
            path, active = either(other.path, found.path), found.active
        elif other.path is found.path:
            values = tuple(chosen(other.active, a, b) for a, b in zip(other.values, found.values))
            kept = kept_of(other.active, other, found)
            later = max(other.state, found.state, key=lambda state: state.steps)
            memory, path, active = later.memory, found.path, mapped(either, other.active, found.active)
        else:
            raise NotModelled("ways meet that some threads take under some condition")
        steps = max(other.state.steps, found.state.steps)
        shared, order = other.state.shared.merged(found.state.shared), other.state.order.merged(found.state.order)
        found = Arrival(path, active, State(memory, shared, steps, order), values, kept)
    return found


def kept_of(condition: Register, one: Arrival, other: Arrival) -> dict[int, Value]:
    """The values of loops where ways meet."""
    if one.kept is other.kept:
        return one.kept
    both_have = one.kept.keys() & other.kept.keys()
    return one.kept | other.kept | {slot: chosen(condition, one.kept[slot], other.kept[slot]) for slot in both_have}


def same(a: Register, b: Register) -> bool:
    """Whether registers hold the same terms."""
    count = max(len(a), len(b))
    return all(x is y for x, y in zip(full(a, count) if len(a) == 1 else a, full(b, count) if len(b) == 1 else b))


def chosen(condition: Register, a: Value, b: Value) -> Value:
    """condition ? a : b, thread by thread."""
    if a is b:
        return a
    if isinstance(a, Struct) and isinstance(b, Struct):
        return Struct(tuple(chosen(condition, x, y) for x, y in zip(a.fields, b.fields, strict=True)))
    if isinstance(a, Vector) and isinstance(b, Vector):
        return Vector(tuple(mapped(choose, condition, x, y) for x, y in zip(a.parts, b.parts, strict=True)))
    assert isinstance(a, tuple)
    assert isinstance(b, tuple)
    return mapped(choose, condition, a, b)
