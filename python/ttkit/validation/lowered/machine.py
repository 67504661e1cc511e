"""Walks lowered code with all threads of a program at once.

Threads go through blocks together.  A branch that all take alike is a condition of the path, as in the kernel; one that
threads take differently leaves some of them out for a while (`active`).
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import Any

from ttkit.interpreter.decode import Block, Function, Instruction, Module, Region
from ttkit.validation.booleans import both, choose, either, negation, truth
from ttkit.validation.lowered.alignment import Alignment
from ttkit.validation.lowered.effects import Effects
from ttkit.validation.lowered.meanings import LOWERED, load_lowered_meanings
from ttkit.validation.lowered.order import NOBODY, Order, Unordered
from ttkit.validation.lowered.registers import Register, Struct, Value, Vector, collapsed, full, mapped, numbers
from ttkit.validation.lowered.relation import Relation
from ttkit.validation.lowered.shared_memory import WARP, SharedMemory
from ttkit.validation.lowered.source import Head, SourceWalk, loop_heads
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
    """A way to a block: when it is taken, by which threads, and what it brings."""

    path: Term
    active: Register
    state: State
    values: tuple[Value, ...]


@dataclass
class Machine:
    """All threads of a program that runs lowered code.

    path: when the current block is reached.
    active: for which threads.
    shared_bytes: shared memory of the program.
    deadline: when to give up, on the monotonic clock.
    left: by the block of a loop, what an iteration is taken to leave unordered (`Order.unordered`).
    found: the same, as it is found.
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
    left: dict[int, Unordered] = field(default_factory=dict)
    found: dict[int, Unordered] = field(default_factory=dict)
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
        assert function.body is not None
        self.heads = self._paired_heads(function.body)
        self.found = dict.fromkeys(self.heads, NOBODY)
        try:
            return self._graph(function.body, tuple(arguments), memory)
        except NotModelled as error:
            if error.op is None:
                error.op = self.current
            raise

    def _paired_heads(self, body: Region) -> dict[int, Head]:
        """The loops, each with that of the kernel, in their order."""
        mine, theirs = sorted(loop_heads(body)), sorted(self.source.heads)
        if len(mine) != len(theirs):
            raise NotModelled(f"{len(mine)} loops, where the kernel has {len(theirs)}")
        return {block: self.source.heads[other] for block, other in zip(mine, theirs)}

    def _graph(self, body: Region, arguments: tuple[Value, ...], memory: Term) -> State:
        first = Arrival(truth(True), (truth(True),), State(memory, SharedMemory(self.shared_bytes)), arguments)
        arrivals: dict[int, list[Arrival]] = {0: [first]}
        done: list[Arrival] = []
        again: dict[int, int] = {}
        for number, block in enumerate(body.blocks):
            if number not in arrivals:
                continue
            here = merged(arrivals.pop(number))
            self.path, self.active, self.state = here.path, here.active, here.state
            values = self._begin(number, here) if number in self.heads else here.values
            last = self._block(block, values)
            for target, condition, passed in self._targets(last):
                way = self._way(condition, passed)
                if way is None:
                    continue
                if target is None:
                    done.append(way)
                elif target <= number:
                    again[target] = again.get(target, 0) + 1
                    self.relation.again(self.heads[target], again[target] - 1, way.path, way.values, way.state.memory)
                    self._all_active("a loop that some threads leave before others")
                    self._leave(target)
                else:
                    arrivals.setdefault(target, []).append(way)
        for number, head in self.heads.items():
            if again.get(number, 0) != len(head.again):
                raise NotModelled("a loop goes on at other places than that of the kernel")
        return merged(done).state

    def _begin(self, number: int, here: Arrival) -> tuple[Value, ...]:
        """The values that an iteration begins with, after a check that the kernel's begins with the same."""
        head = self.heads[number]
        self._all_active("a loop that only some threads enter")
        self.relation.first(head, here.path, here.values, here.state.memory)
        self.state.memory = head.memory
        self.state.order = self.state.order.begin(self.state.shared, self.left.get(number, NOBODY))
        self.state.shared.forget()
        return self.relation.symbols(head, here.values)

    def _leave(self, number: int) -> None:
        """Notes what an iteration leaves unordered."""
        wrote, acquired = self.found[number]
        more = self.state.order.unordered(self.state.shared)
        self.found[number] = wrote | more[0], acquired | more[1]

    def _all_active(self, reason: str) -> None:
        if not all(term.is_const and term.attr for term in self.active):
            raise NotModelled(reason)

    def _block(self, block: Block, values: tuple[Value, ...]) -> Instruction:
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
        if time.monotonic() > self.deadline:
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

    def _targets(self, op: Instruction) -> list[tuple[int | None, Register, tuple[Value, ...]]]:
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
        if op.name == "llvm.return" and not op.operands:
            return [(None, (truth(True),), ())]
        raise NotModelled("this terminator is not modelled", op)

    def _way(self, condition: Register, passed: tuple[Value, ...]) -> Arrival | None:
        """A way that threads take from here; None if none does."""
        path, active = self.path, self.active
        if len(condition) == 1:
            path = both(path, condition[0])
        else:
            active = mapped(both, active, condition)
        if (path.is_const and not path.attr) or all(term.is_const and not term.attr for term in active):
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


def merged(arrivals: list[Arrival]) -> Arrival:
    """The state where ways meet.

    Raises:
        NotModelled: ways that differ in more than threads or a condition of all.
    """
    found = arrivals[-1]
    for other in arrivals[-2::-1]:
        if same(other.active, found.active):
            values = tuple(chosen((other.path,), a, b) for a, b in zip(other.values, found.values))
            memory = choose(other.path, other.state.memory, found.state.memory)
            path, active = either(other.path, found.path), found.active
        elif other.path is found.path:
            values = tuple(chosen(other.active, a, b) for a, b in zip(other.values, found.values))
            later = max(other.state, found.state, key=lambda state: state.steps)
            memory, path, active = later.memory, found.path, mapped(either, other.active, found.active)
        else:
            raise NotModelled("ways meet that some threads take under some condition")
        steps = max(other.state.steps, found.state.steps)
        shared, order = other.state.shared.merged(found.state.shared), other.state.order.merged(found.state.order)
        found = Arrival(path, active, State(memory, shared, steps, order), values)
    return found


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
