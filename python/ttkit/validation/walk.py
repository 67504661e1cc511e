"""Walks a function and gives its terms: what it returns, what memory becomes, what it reads."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Any

import ttkit.dialects.defined as defined
from ttkit.interpreter.decode import Block, Function, Instruction, Module, Region
from ttkit.operation_sets import TCGEN5_MMAS
from ttkit.validation.axis_terms import Hints
from ttkit.validation.background_registers import Sources, check_written, sources_of
from ttkit.validation.blocks import Blocks
from ttkit.validation.booleans import both, choose, negation, truth
from ttkit.validation.claims import note_claims
from ttkit.validation.differences import note_effect
from ttkit.validation.facts import note_arguments, note_copy, note_results
from ttkit.validation.happens_before import GLOBAL, Order, touched
from ttkit.validation.kept_attributes import unknown_attribute
from ttkit.validation.opaque import OPAQUE, PARALLEL, opaque, shared_buffers, terms_of
from ttkit.validation.paths import chosen
from ttkit.validation.promises import note_promises
from ttkit.validation.registry import EXACT_IF_UNROLLED, MEANINGS, load_meanings
from ttkit.validation.tensors_apart import Tensors, follow_tensors, written_at
from ttkit.validation.terms import MEMORY, Term, make
from ttkit.validation.values import (
    Buffer,
    NotModelled,
    Value,
    View,
    parts_of,
    symbolic_arguments,
)

MAX_CALLS = 20
SEGMENTS, TOKEN = "operandSegmentSizes", "!ttg.async.token"
UNWAITED = "that stores in the background end in time, with no wait for them at the end"
Frame = dict[int, Any]


@dataclass
class State:
    """The effects of a program so far.

    memory: the term of global memory.
    contents: of each buffer, an element as a function of its index; of `Walk.tensors`, what was done to each.
    group: number of the group of copies that is open; closed ones have smaller numbers.
    products: of each that runs in the background, the oldest first, its number, its operands in memory, and the slots
        of those in registers.
    stores: the views that copies from buffers to memory read in the background, the oldest first.
    barriers: the mbarriers by their place (meanings/barriers.py).
    arrivals: (barrier, phase, number): the phase is over when the tensor core's work up to this number has ended.
    maps: descriptors by the pointer to them.
    """

    memory: Term
    contents: dict[Buffer, Term] = field(default_factory=dict)
    group: int = 0
    products: tuple[Any, ...] = ()
    stores: tuple[Any, ...] = ()
    barriers: dict[Any, Any] = field(default_factory=dict)
    arrivals: tuple[Any, ...] = ()
    maps: dict[Term, Any] = field(default_factory=dict)

    def copy(self) -> State:
        """For a branch."""
        return replace(self, contents=dict(self.contents), barriers=dict(self.barriers), maps=dict(self.maps))

    @property
    def background(self) -> tuple[Any, ...]:
        """All work in the background."""
        return self.group, self.products, self.stores, self.barriers, self.arrivals

    def merged(self, condition: Term, other: State) -> State:
        """This one where the condition holds, the other elsewhere; without the buffers of one alone.

        Raises:
            NotModelled: groups of copies differ.
        """
        known = [buffer for buffer in self.contents if buffer in other.contents]
        ours, theirs = (one.with_barriers_of(known) for one in (self, other))
        if ours.background != theirs.background:
            raise NotModelled("a branch begins copies or products in the background that the other does not")
        contents = {one: choose(condition, self.contents[one], other.contents[one]) for one in known}
        memory = choose(condition, self.memory, other.memory)
        return replace(ours, memory=memory, contents=contents, maps=self.maps | other.maps)

    def with_barriers_of(self, buffers: Collection[Buffer]) -> State:
        """The same without the barriers in buffers besides these."""
        barriers = {place: one for place, one in self.barriers.items() if place[0] in buffers}
        arrivals = tuple(one for one in self.arrivals if one[0][0] in buffers)
        return replace(self, barriers=barriers, arrivals=arrivals)


@dataclass
class Outcome:
    """The terms of a function.

    results: what it returns.
    memory: what it leaves.
    reads: its reads of global memory, with conditions.
    reorderings: operations that may give their elements in any order.
    promises: (operation, promise, operands), and facts (`facts.py`), each with the operation that makes it.
    order: what happened before what, if groups of warps were followed together.
    hints: facts that values are said to keep.
    effects: by memory after it, the operation that changed it; reorders, last: operations, the latter the last one.
    """

    results: tuple[Term, ...]
    memory: Term
    reads: dict[Term, Instruction]
    reorderings: int = 0
    promises: dict[Any, Instruction | None] = field(default_factory=dict)
    order: Order | None = None
    hints: Hints = field(default_factory=dict)
    effects: dict[Term, Instruction] = field(default_factory=dict)
    reorders: Instruction | None = None
    last: Instruction | None = None


@dataclass
class Limits:
    """Limits of a walk.

    unrolls: iterations of a loop that is followed one by one, if their number is known; 0 for none.  Then operations in
        the background have their exact meaning.
    shift: iterations by which what a loop of many carries is late: so many more are followed one by one at its
        beginning, and fewer at its end.
    apart: whether arguments are taken to point to different tensors (`tensors_apart.py`).
    """

    unrolls: int = 0
    shift: int = 0
    apart: bool = False


class Walk:
    """Follows the operations of one function.

    state: what it has done.
    path: when the current operation happens, within the innermost loop.
    level: loops around it.
    reads: of the innermost loop, and where they are; with `notes_claims` also what operations take to hold.
    bounds: (lower, upper, step) of loops that were not followed one by one.
    closes: whether deep reductions are functions of whole tensors.
    order: what happens before what, where groups of warps are followed together; `group` is the number of this one.
    sources: of the function's registers.
    places: of programs in the grid, along the axes where they have other numbers than their CTAs.
    follows_groups, together: whether groups of warps are followed; those of which this is one.
    tensors: of the arguments, if these are taken to point to different ones.
    asserted: what assertions outside of loops have let pass so far.
    """

    def __init__(self, module: Module, limits: Limits | None = None) -> None:
        load_meanings()
        self.module, self.limits = module, limits or Limits()
        self.state = State(make("memory", (), None, MEMORY))
        self.path, self.level, self.calls = truth(True), 0, 0
        self.reads: dict[Term, Instruction] = {}
        self.bounds: list[tuple[Term, Term, Term]] = []
        self.current: Instruction | None = None
        self.names: dict[Buffer, int] = {}
        self.shared: set[int] = set()
        self.promises: dict[Any, Instruction | None] = {}
        self.hints: Hints = {}
        self.asserted: tuple[Term, ...] = ()
        self.effects: dict[Term, Instruction] = {}
        self.reorders: Instruction | None = None
        self.places: dict[int, Term] = {}
        self.closes = self.follows_groups = True
        self.order: Order | None = None
        self.together: Any = None
        self.group, self.notes_claims = 0, False
        self.sources: Sources = {}
        self.tensors: Tensors = {}
        self.last_serial = self.reorderings = self.scratches = 0

    def serial(self) -> int:
        """Another number each time, larger than those before."""
        self.last_serial += 1
        return self.last_serial

    def function(self, function: Function, arguments: list[Value] | None = None) -> Outcome:
        """The terms of a function, of symbolic arguments unless they are given.

        Raises:
            NotModelled: something in it has no meaning here.
        """
        given = arguments if arguments is not None else symbolic_arguments(function)
        if self.limits.unrolls and any(op.name == PARALLEL for op in function.operations()):
            self.order = Order()
        else:
            self.shared = shared_buffers(function, self.is_opaque, self.follows_groups)
        note_arguments(self, None, function, given)
        if self.limits.apart:
            follow_tensors(self, function, given)
        try:
            results = self.call(function, given)
        except NotModelled as error:
            if error.op is None:
                error.op = self.current
            raise
        terms = tuple(part for value in results for part in parts_of(value))
        if self.state.stores:
            self.promises.setdefault(("ttng.async_tma_store_wait", UNWAITED, ()), self.current)
        return Outcome(
            terms, self.state.memory, self.reads, self.reorderings, self.promises, self.order, self.hints,
            self.effects, self.reorders, self.current,
        )  # fmt: skip

    def call(self, function: Function, arguments: list[Value]) -> tuple[Value, ...]:
        """The results of a function on arguments.

        Raises:
            NotModelled: it has no body, or calls are too deep.
        """
        if function.body is None:
            raise NotModelled(f"@{function.name} is declared and not defined")
        self.calls += 1
        if self.calls > MAX_CALLS:
            raise NotModelled("calls inside one another")
        outer, self.sources = self.sources, sources_of(function)
        results = self.region(function.body, {}, arguments)
        self.sources = outer
        self.calls -= 1
        return results

    def region(self, region: Region, frame: Frame, arguments: list[Value]) -> tuple[Value, ...]:
        """The operands of the terminator that ends a region."""
        if len(region.blocks) == 1:
            return self.block(region.blocks[0], frame, arguments)[1]
        return self._graph(region, frame, arguments)

    def block(self, block: Block, frame: Frame, arguments: Any) -> tuple[Instruction, tuple[Value, ...]]:
        """The terminator of a block, and its operands."""
        for slot, value in zip(block.arguments, arguments):
            frame[slot] = value
        for op in block.instructions[:-1]:
            self.execute(op, frame)
        last = block.instructions[-1]
        return last, tuple(frame[slot] for slot in last.operands)

    def execute(self, op: Instruction, frame: Frame) -> None:
        """Gives the results of an operation their terms.

        Raises:
            NotModelled: it has no meaning here.
        """
        self.current, memory = op, self.state.memory
        defined.load_part(op.name, "proof")
        if self.state.products:
            check_written(self, op)
        if self.is_opaque(op):
            self._take(op, frame, opaque(self, op, [frame[slot] for slot in op.operands]))
            self.effects.setdefault(self.state.memory, op)
            return
        meaning = MEANINGS.get(op.name)
        if meaning is None:
            raise NotModelled("this operation is not modelled", op)
        if op.name in EXACT_IF_UNROLLED and (unknown := unknown_attribute(op)):
            raise NotModelled(f"its attribute {unknown} is not modelled", op)
        if op.regions and op.name not in OWN_REGIONS:
            results = meaning(self, op, frame)
        else:
            self.frame = frame
            args = tuple(frame[slot] for slot in op.operands)
            note_promises(self, op, args)
            note_copy(self, op, args)
            if self.notes_claims:
                note_claims(self, op, args)
            results = meaning(self, op, *args)
        note_results(self, op, results)
        note_effect(self, op, memory, results)
        self._take(op, frame, results)

    def _take(self, op: Instruction, frame: Frame, results: Any) -> None:
        if len(op.results) == 1 and not isinstance(results, tuple):
            results = (results,)
        for slot, value in zip(op.results, results or (), strict=True):
            frame[slot] = value

    def region_terms(self, op: Instruction, sorts: list[str]) -> list[Term]:
        """The results of a region that combines elements, of symbols for its arguments; effects that it has.

        Raises:
            NotModelled: it reads or writes memory.
        """
        inner = copy.copy(self)
        inner.state, inner.reads = self.state.copy(), {}
        before = inner.state.memory = make("memory", (), "region", MEMORY)
        symbols = [make("element", (), n, sort) for n, sort in enumerate(sorts)]
        frame = {slot: self.frame[slot] for slot in op.captures}
        results = inner.region(op.regions[0], frame, list(symbols))
        self.reads.update(claims := {one: by for one, by in inner.reads.items() if one.args[1].head == "claim"})
        if len(claims) < len(inner.reads) or not only_effects(inner.state.memory):
            raise NotModelled("its region accesses memory", op)
        terms = [part for value in results for part in parts_of(value)]
        return terms if inner.state.memory is before else [*terms, inner.state.memory]

    # --- effects

    def is_opaque(self, op: Instruction) -> bool:
        """Whether an operation is an effect of which nothing else is known."""
        if op.name not in MEANINGS:
            return op.name in OPAQUE
        if op.name not in EXACT_IF_UNROLLED or self.limits.unrolls:
            return False
        if op.name in TCGEN5_MMAS:
            return "is_async" in op.attributes or bool(op.attributes["operandSegmentSizes"][-2])
        return op.name != "ttng.warp_group_dot" or bool(op.attributes.get("isAsync"))

    def note_read(self, mask: Term, address: Term, size: int = 0) -> None:
        """Notes a read of global memory of so many bytes."""
        condition = both(self.path, mask)
        if size and self.notes_claims:
            address = make("bytes", (address,), size, "i64")
        if not (condition.is_const and not condition.attr):
            assert self.current is not None
            self.reads.setdefault(make("access", (condition, address), None, "i1"), self.current)

    def effect(self, op: Instruction, *key: Any) -> Term:
        """An effect in the order of the program, of operands and of a key."""
        from ttkit.validation.meanings.elementwise import key_of

        touched(self, GLOBAL, True)
        terms = [make("closed", (term,), None, term.sort) for term in key if isinstance(term, Term)]
        names = tuple(str(one) for one in key if not isinstance(one, Term))
        shapes, segments = without_tokens(op)
        own = tuple(one for one in key_of(op) if one[0] != SEGMENTS)
        key_of_op = () if names == ("write",) else (*own, (SEGMENTS, str(segments))) if segments else own
        written_at(self, None, "effect", tuple(terms), (names, key_of_op, shapes))
        return self.state.memory

    def opaque_write(self, op: Instruction, view: View, value: Term) -> None:
        """A write to a buffer that is part of the memory's term."""
        self.effect(op, "write", *terms_of(self, op, view), value)

    def name(self, buffer: Buffer) -> int:
        """The number of a buffer, by its first use."""
        found = self.names.setdefault(buffer, len(self.names))
        return found * 1000 + buffer.level

    # --- branches

    def branch(self, condition: Term, first: Any, second: Any) -> tuple[Value, ...]:
        """The results of two ways, each a function without arguments, one of which is gone."""
        if condition.is_const:
            return first() if condition.attr else second()
        path, start = self.path, self.state.copy()
        self.path = both(path, condition)
        ones = first()
        after, self.state = self.state, start
        self.path = both(path, negation(condition))
        others = second()
        self.state, self.path = after.merged(condition, self.state), path
        return tuple(chosen(condition, a, b) for a, b in zip(ones, others, strict=True))

    def _graph(self, region: Region, frame: Frame, arguments: list[Value]) -> tuple[Value, ...]:
        """Blocks that branch to one another."""
        return Blocks(self, region, frame).results(arguments)


def without_tokens(op: Instruction) -> tuple[tuple[Any, ...], tuple[int, ...]]:
    """The shapes of the operands besides tokens, and how many of these are in each segment."""
    is_real = [kind.text != TOKEN for kind in op.operand_types]
    shapes = tuple(kind.shape for kind, real in zip(op.operand_types, is_real) if real)
    ends = list(itertools.accumulate(op.attributes.get(SEGMENTS, ()), initial=0))
    return shapes, tuple(sum(is_real[first:last]) for first, last in itertools.pairwise(ends))


def only_effects(memory: Term) -> bool:
    """Whether a term of memory is that of a region which prints or asserts, and writes nothing."""
    while memory.head in ("effect", "ite"):
        if memory.head == "ite":
            return all(only_effects(side) for side in memory.args[1:])
        memory = memory.args[0]
    return memory.head == "memory"


OWN_REGIONS = ("tt.reduce", "tt.scan", "tt.map_elementwise")
"""Operations whose meanings take values although they have regions."""
