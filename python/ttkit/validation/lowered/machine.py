"""Walks lowered code with all threads of a program at once.

Threads go through blocks together.  A branch that all take alike is a condition of the path, as in the kernel; one that
threads take differently leaves some of them out for a while (`active`).
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from ttkit.interpreter.decode import Block, Function, Instruction, Module
from ttkit.validation.booleans import both, negation, truth
from ttkit.validation.graphs import graph_of
from ttkit.validation.lowered import messages
from ttkit.validation.lowered.alignment import Alignment
from ttkit.validation.lowered.arrivals import Arrival, State, is_false, merged
from ttkit.validation.lowered.buffers import Touched
from ttkit.validation.lowered.effects import Effects
from ttkit.validation.lowered.flights import Flight
from ttkit.validation.lowered.flow import follow
from ttkit.validation.lowered.groups import Meetings, region_of
from ttkit.validation.lowered.kernel_groups import Group
from ttkit.validation.lowered.kernel_loops import Key, called
from ttkit.validation.lowered.lowered_loops import LoweredBlocks
from ttkit.validation.lowered.meanings import LOWERED, PURE, load_lowered_meanings
from ttkit.validation.lowered.order import Unordered
from ttkit.validation.lowered.registers import (
    Register,
    Struct,
    Value,
    Vector,
    collapsed,
    full,
    mapped,
    numbers,
    uniform,
)
from ttkit.validation.lowered.relation import Relation
from ttkit.validation.lowered.shared_memory import WARP
from ttkit.validation.lowered.source import SourceWalk
from ttkit.validation.terms import Term
from ttkit.validation.values import NotModelled


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
    touches: by the copy of a loop, which threads may have touched which addresses of buffers since the last barrier
        where an iteration begins; None if any may.
    used: copies of loops whose iterations may begin without a barrier after accesses to shared memory.
    flights: by the copy of a loop, which products are taken to be in the background where an iteration begins.
    maps: by the copy of a loop, the tensor maps that its iterations begin with.
    tiles: by the memory after a copy of a tile, the addresses of elements that messages have copied.
    orders: terms that combine elements in some order, and what stands for each.
    reported: by the memory after an assertion, the threads that report a failure of it where there is one.
    computed: results of pure operations, by operation and operands.
    group: of warps, whose threads these are; meetings: with the others, met: how many there were;
        gathered: barriers of all warps before.
    common: addresses of buffers that all groups know.
    registers: that each of them has, where that is known.
    here: the stack and the prints of the current block.
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
    touches: dict[Key, Touched] | None = None
    used: set[Key] = field(default_factory=set)
    flights: dict[Key, Flight] = field(default_factory=dict)
    maps: dict[Key, dict[Term, Any]] = field(default_factory=dict)
    tiles: dict[Term, set[int]] = field(default_factory=dict)
    orders: dict[Term, Term] = field(default_factory=dict)
    reported: dict[Term, set[int]] = field(default_factory=dict)
    computed: dict[Any, Value] = field(default_factory=dict)
    group: Group | None = None
    meetings: Meetings = field(default_factory=Meetings)
    common: frozenset[int] = frozenset()
    met: int = 0
    gathered: int = 0
    registers: int | None = None
    here: messages.Block = field(default_factory=messages.Block)
    frame: dict[int, Any] = field(default_factory=dict)
    state: State = field(init=False)

    def __post_init__(self) -> None:
        load_lowered_meanings()
        self.path = truth(True)
        self.active: Register = (truth(True),)
        self.current: Instruction | None = None

    def run(self, function: Function, arguments: list[Value], start: State) -> State:
        """The state when all threads have returned.

        Raises:
            NotModelled: something has no meaning here, or does what the kernel does not.
        """
        first = Arrival(truth(True), (truth(True),), start, tuple(arguments))
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
            if self.group is not None and key[1] != ("group", self.group.number):
                continue
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
        body, here = function.body, self.context
        if self.group is not None and not outer:
            if self.source.loops.get(here, 0):
                raise NotModelled("a kernel with groups of warps that has other loops")
            body = region_of(body, self.group.number, self.meetings.count)
            here = (*here, ("group", self.group.number))
        graph = graph_of(body)
        count = self.source.loops.get(here, 0)
        if len(graph.bodies) != count:
            raise NotModelled(f"{len(graph.bodies)} loops, where the kernel has {count}")
        done = merged(follow(LoweredBlocks(self, body), graph, first))
        self.context, self.frame = outer, frame
        return done

    def called(self, function: Function, values: tuple[Value, ...]) -> Value:
        """The results of a function that threads call here."""
        done = self.call(function, Arrival(self.path, self.active, self.state, values))
        self.path, self.active, self.state = done.path, done.active, done.state
        return done.values[0] if done.values else ()

    def block(self, block: Block, values: tuple[Value, ...]) -> Instruction:
        """Runs a block; gives its terminator."""
        self.here = messages.Block()
        messages.pass_assertions(self)
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
        values = [self.frame[slot] for slot in op.operands]
        if op.name in PURE:
            key = (id(op), *values)
            if key not in self.computed:
                self.computed[key] = meaning(self, op, *values)
            result = self.computed[key]
        else:
            result = meaning(self, op, *values)
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
        """The blocks that a terminator goes to, None for a return; for which threads, with what.

        Raises:
            NotModelled: it is another terminator.
        """
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
        if op.name == "llvm.switch" and len(values) == 1:
            case = uniform(values[0])
            if not case.is_const:
                raise NotModelled("a number of a group that is not known", op)
            cases = list(map(int, op.attributes["case_values"]))
            place = cases.index(case.attr) + 1 if case.attr in cases else 0
            return [(op.successors[place], (truth(True),), ())]
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

    @property
    def first(self) -> int:
        """The number of the first thread."""
        return 0 if self.group is None else self.group.first

    def running(self) -> list[bool]:
        """Which threads are here.

        Raises:
            NotModelled: it depends on more than the thread.
        """
        return [bool(one) for one in numbers(self.active, self.threads)]

    def all_here(self, what: str) -> None:
        """Raises NotModelled unless all threads of the program are here, with what only some do, in words."""
        if not all(self.running()):
            raise NotModelled(f"{what} that some threads do not reach", self.current)

    def together(self) -> None:
        """Raises NotModelled unless the threads of each warp are here together, or not at all."""
        here = full(self.active, self.threads)
        if any(here[thread] is not here[thread - thread % WARP] for thread in range(self.threads)):
            raise NotModelled("an operation of whole warps that some threads of a warp do not reach")
