"""The kernel in ttg, as what its lowered code is compared with: its effects in order, and its loops.

A loop is cut where its iterations begin.  There every value that a block takes, and memory, become symbols; they stand
for whatever an iteration may begin with.  Lowered code cuts its loops at the same blocks, with the same symbols.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ttkit.interpreter.decode import Function, Instruction, Region
from ttkit.interpreter.values import ValueType
from ttkit.validation.booleans import both, truth
from ttkit.validation.integers import add, scaled, subtract
from ttkit.validation.integers import number as number_of
from ttkit.validation.lowered.combining import Combined
from ttkit.validation.lowered.register_order import assembled, concatenated, in_packs, in_place, text_of_assembly
from ttkit.validation.terms import MEMORY, Term, at_index, indices, make
from ttkit.validation.values import NotModelled, Token, Value, View, parts_of, sort_of
from ttkit.validation.walk import Frame, Walk, merged_arrivals, symbolic_arguments, targets


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


@dataclass
class Head:
    """A block in which iterations of a loop begin.

    block: its number.
    kinds: the types of what it takes.
    path: when it is reached.
    first: what it gets from outside of the loop.
    symbols: what it is taken to get.
    memory, first_memory: the same of memory.
    again: what it gets from iterations: when, values and memory.
    """

    block: int
    kinds: tuple[ValueType, ...]
    path: Term
    first: tuple[Value, ...]
    symbols: tuple[Value, ...]
    memory: Term
    first_memory: Term
    again: list[tuple[Term, tuple[Value, ...], Term]] = field(default_factory=list)


@dataclass
class Known:
    """Facts about the values of loops, by block and place; `invariants` finds it and proves it.

    linear: whose elements differ in every iteration as in the first.
    multiples: numbers, or first elements of linear ones, that are multiples of a power of two.
    """

    linear: set[tuple[int, int]] = field(default_factory=set)
    multiples: dict[tuple[int, int], int] = field(default_factory=dict)


class SourceWalk(Walk):
    """Follows a kernel whose loops are branches between blocks.

    events: changes of memory, in order.
    heads: of its loops, by block.
    conditions: of branches.
    accesses: reads, by the condition and the address, and the type of the elements.
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
        self.accesses: dict[tuple[Term, str], Instruction] = {}
        self.events: list[Event] = []
        self.combined: list[Combined] = []
        self.assembly: set[tuple[str, str]] = set()
        self.heads: dict[int, Head] = {}

    def execute(self, op: Instruction, frame: Frame) -> None:
        """Notes changes of memory.

        Raises:
            NotModelled: it has no meaning here.
        """
        before = self.state.memory
        super().execute(op, frame)
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
        """Notes a read of global memory."""
        super().note_read(mask, address)
        op = self.current
        assert op is not None
        access = make("access", (both(self.path, mask), address), None, "i1")
        self.accesses.setdefault((access, sort_of(op.result_types[0])), op)

    def _graph(self, region: Region, frame: Frame, arguments: list[Value]) -> tuple[Value, ...]:
        """Blocks in order; branches backwards end an iteration."""
        arrivals: dict[int, list[Any]] = {0: [(self.path, self.state, tuple(arguments))]}
        heads, done = loop_heads(region), []
        for number, block in enumerate(region.blocks):
            if number not in arrivals:
                continue
            self.path, self.state, values = merged_arrivals(arrivals.pop(number))
            if number in heads:
                values = self._begin(number, heads[number], values)
            last, given = self.block(block, frame, list(values))
            if not last.successors:
                done.append((self.path, self.state, given))
                continue
            if last.name == "cf.cond_br" and isinstance(given[0], Term) and not given[0].is_const:
                self.conditions.append(given[0])
            for target, when, passed in targets(last, given):
                together = both(self.path, when)
                if together.is_const and not together.attr:
                    continue
                if target <= number:
                    self._again(target, together, passed)
                else:
                    arrivals.setdefault(target, []).append((together, self.state.copy(), passed))
        self.path, self.state, results = merged_arrivals(done)
        return results

    def _begin(self, number: int, kinds: tuple[ValueType, ...], first: tuple[Value, ...]) -> tuple[Value, ...]:
        """The values that an iteration begins with.

        Raises:
            NotModelled: buffers hold something.
        """
        if self.state.contents:
            raise NotModelled("buffers in shared memory that live through a loop")
        symbols = tuple(
            header_symbol(number, place, kind, one, self.known) for place, (kind, one) in enumerate(zip(kinds, first))
        )
        memory = make("memory", (), ("loop", number), MEMORY)
        self.heads[number] = Head(number, kinds, self.path, first, symbols, memory, self.state.memory)
        self.state.memory = memory
        return symbols

    def _again(self, target: int, when: Term, values: tuple[Value, ...]) -> None:
        if target not in self.heads:
            raise NotModelled("a branch backwards to a block that is not reached from before")
        if self.state.contents:
            raise NotModelled("buffers in shared memory that live through a loop")
        self.heads[target].again.append((when, values, self.state.memory))


def header_symbol(number: int, place: int, kind: ValueType, value: Value, known: Known) -> Value:
    """A value that an iteration begins with.

    Raises:
        NotModelled: it is not one of numbers.
    """
    if isinstance(value, Token):
        return value
    if not isinstance(value, Term) or isinstance(value, View):
        raise NotModelled("a loop that carries buffers, block pointers or descriptors")
    name = ("iteration", number, place)
    if kind.shape and (number, place) not in known.linear:
        return make("call", indices(kind.shape), name, sort_of(kind))
    first = make("call", (), name, value.sort)
    power = known.multiples.get((number, place), 1)
    first = scaled(first, power) if power > 1 else first
    return add(from_first(value, kind), first) if kind.shape else first


def from_first(value: Term, kind: ValueType) -> Term:
    """The difference of elements from the first one."""
    return subtract(value, first_of(value, kind))


def first_of(value: Term, kind: ValueType) -> Term:
    """The first element of a tensor; a scalar itself."""
    return at_index(value, dict.fromkeys(range(kind.rank), number_of(0, "i32")))


def loop_heads(region: Region) -> dict[int, tuple[ValueType, ...]]:
    """Blocks that later ones branch to, with the types of what they take."""
    found: dict[int, tuple[ValueType, ...]] = {}
    for number, block in enumerate(region.blocks):
        last = block.instructions[-1]
        kinds = last.operand_types
        if last.name in ("cf.cond_br", "llvm.cond_br"):
            count = last.attributes["operandSegmentSizes"][1]
            passed = [kinds[1 : 1 + count], kinds[1 + count :]]
        else:
            passed = [kinds] * len(last.successors)
        for target, given in zip(last.successors, passed):
            if target <= number:
                found[target] = tuple(given)
    return found


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
