"""The kernel in ttg, as what its lowered code is compared with: its effects in order, and its loops."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import ttkit.validation.lowered.early_leave
import ttkit.validation.lowered.kernel_products  # noqa: F401  # both declare meanings
from ttkit.interpreter.decode import Block, Function, Instruction, Region
from ttkit.interpreter.values import ValueType
from ttkit.operation_sets import ALONG_AXIS, ASSERTIONS
from ttkit.target import MOST_REGISTERS
from ttkit.validation.booleans import both, truth
from ttkit.validation.graphs import Graph, graph_of
from ttkit.validation.integers import scaled
from ttkit.validation.lowered.combining import Combined
from ttkit.validation.lowered.flow import follow
from ttkit.validation.lowered.histograms import Histogram
from ttkit.validation.lowered.kernel_groups import (
    Groups,
    check_known,
    in_region,
    note_access,
    note_writes,
    specialized,
)
from ttkit.validation.lowered.kernel_loops import Blocks, Head, Key, Known, Way, called, merged
from ttkit.validation.lowered.program_places import places_of
from ttkit.validation.lowered.register_order import assembled, concatenated, in_packs, in_place, text_of_assembly
from ttkit.validation.lowered.signals import Signal
from ttkit.validation.lowered.synchronous import SYNCHRONOUS
from ttkit.validation.opaque import OPAQUE, PARALLEL
from ttkit.validation.terms import Term, make
from ttkit.validation.values import Buffer, NotModelled, Value, View, parts_of, sort_of, symbolic_arguments
from ttkit.validation.walk import Frame, Outcome, Walk


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


class SourceWalk(Walk):
    """Follows a kernel whose loops are branches between blocks.

    events: changes of memory, in order.
    heads: of its loops.
    loops: how many there are in a function, by where it is called.
    buffers: the allocation of each.
    finite_of: the places of numbers that are known in each copy of a loop, by what (`rest`), and what its first block
        takes.
    context: where the walk is.
    conditions: of branches.
    loop_numbers: by where a loop is, the number of its first copy.
    accesses: shapes of reads, by the condition and the address, the type of the elements, and the copy of a loop.
    reading: shape and type of a read that has no result.
    assumed: promises to LLVM, with the condition under which they are made.
    known: what is taken to hold for the values of loops.
    combined: reductions and scans.
    histograms: in order.
    assembly: the user's.
    signals: events of protocols, by the memory after them (`signals.py`).
    slots: what buffers are indexed by; views: that loops carry, by body, block, place and address.
    groups: of warps, where the kernel has them; registers: what a thread has outside of them.
    scratch_argument: the number of the argument of lowered code that is scratch memory.
    leaves_by: the condition by which programs leave at once, or stay (`early_leave.py`).
    """

    def __init__(self, module: Any, threads: int, known: Known | None = None) -> None:
        super().__init__(module)
        self.places = places_of(module)
        self.closes = self.follows_groups = False
        self.threads, self.known = threads, known or Known()
        self.conditions: list[Term] = []
        self.assumed: list[tuple[Term, Term]] = []
        self.loop_numbers: dict[Key, int] = {}
        self.accesses: dict[tuple[Term, str, Key], tuple[int, ...]] = {}
        self.reading: tuple[tuple[int, ...], str] | None = None
        self.events: list[Event] = []
        self.combined: list[Combined] = []
        self.histograms: list[Histogram] = []
        self.assembly: set[tuple[str, str]] = set()
        self.signals: dict[Term, Signal] = {}
        self.slots: set[Term] = set()
        self.views: dict[tuple[int, int, int, int], View] = {}
        self.groups: Groups | None = None
        registers = module.attributes.get("ttg.maxnreg")
        self.registers = None if registers is None else min(int(registers), MOST_REGISTERS)
        self.scratch_argument = 0
        self.leaves_by: Term | None = None
        self.heads: dict[Key, Head] = {}
        self.loops: dict[Key, int] = {}
        self.buffers: dict[Buffer, Instruction] = {}
        self.finite_of: dict[Key, tuple[dict[int, int], tuple[ValueType, ...]]] = {}
        self.context: Key = ()
        self.calls_in: Counter[Key] = Counter()
        self.graphs: dict[int, Graph] = {}

    def execute(self, op: Instruction, frame: Frame) -> None:
        """Notes changes of memory.

        Raises:
            NotModelled: it has no meaning here.
        """
        if op.name == PARALLEL:
            self.current = op
            self._take(op, frame, specialized(self, op, frame))
            return
        before = self.state.memory
        held = dict(self.state.contents) if in_region(self) else {}
        meaning = SYNCHRONOUS.get(op.name)
        if meaning is None:
            super().execute(op, frame)
        else:
            self.current = op
            self._take(op, frame, meaning(self, op, *(frame[slot] for slot in op.operands)))
        if in_region(self):
            note_writes(self, op, held)
            note_access(self, op)
        if op.name == "ttg.memdesc_index":
            self.slots.add(frame[op.operands[1]])
        if op.name in ("ttg.local_alloc", "ttng.tmem_alloc"):
            self.buffers[frame[op.results[0]].buffer] = op
        if op.name == "llvm.intr.assume":
            self.assumed.append((self.path, frame[op.operands[0]]))
        if op.name == "tt.reshape" and op.attributes.get("allow_reorder"):
            frame[op.results[0]] = in_place(op, frame[op.operands[0]], self.threads)
        if op.name == "tt.cat":
            frame[op.results[0]] = concatenated(op, frame[op.operands[0]], frame[op.operands[1]], self.threads)
        if op.name == "tt.map_elementwise":
            region, given = self._region(op, frame), [frame[slot] for slot in op.operands]
            pack = op.attributes.get("pack", 1)
            frame.update(zip(op.results, in_packs(op, pack, given, self.threads, region)))
        if op.name == "tt.elementwise_inline_asm" and op.attributes.get("pure"):
            self.assembly.add(text_of_assembly(op))
            frame.update(zip(op.results, assembled(op, [frame[slot] for slot in op.operands], self.threads)))
        if op.name == "tt.histogram":
            self.histograms.append(Histogram(op, [frame[slot] for slot in op.operands], frame[op.results[0]]))
        if op.name in ALONG_AXIS:
            sources, results = (tuple(frame[slot] for slot in slots) for slots in (op.operands, op.results))
            self.combined.append(Combined(op, sources, results, self._region(op, frame)))
        if op.name in ASSERTIONS and all(frame[slot] is truth(True) for slot in op.operands):
            self.state.memory = before
        if self.state.memory is not before and op.name != "tt.call":
            self.events.append(Event(op, self.path, before, self.state.memory))

    def function(self, function: Function, arguments: list[Value] | None = None) -> Outcome:
        """The terms of a function."""
        self.scratch_argument = sum(len(parts_of(value)) for value in arguments or ())
        return super().function(function, arguments)

    def _region(self, op: Instruction, frame: Frame) -> Callable[[Sequence[Term]], tuple[Term, ...]]:
        """The region of an operation, as a function."""
        captured = {slot: frame[slot] for slot in op.captures}

        def results(arguments: Sequence[Term]) -> tuple[Term, ...]:
            """Its results.

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

    def note_read(self, mask: Term, address: Term, size: int = 0) -> None:
        """Notes a read of global memory.

        Raises:
            NotModelled: by an operation without a meaning here.
        """
        super().note_read(mask, address, size)
        op = self.current
        assert op is not None
        access = make("access", (both(self.path, mask), address), None, "i1")
        if self.reading is None and not op.results:
            raise NotModelled("copies by the tensor memory accelerator", op)
        shape, sort = self.reading or (op.result_types[0].shape, sort_of(op.result_types[0]))
        self.accesses.setdefault((access, sort, self.context), shape)

    def is_opaque(self, op: Instruction) -> bool:
        """Whether nothing is known of an operation: what is done in the background is done at once here."""
        return op.name in OPAQUE

    def block(self, block: Block, frame: Frame, arguments: Any) -> tuple[Instruction, tuple[Value, ...]]:
        """The terminator of a block, and its operands; loops look at what buffers hold where iterations end."""
        found = super().block(block, frame, arguments)
        if self.groups is not None and in_region(self):
            self.groups.accessed = True
            check_known(self)
        return found

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


def arguments_of(function: Function) -> list[Value]:
    """A symbol for each argument; a multiple of what is known to divide it.

    Raises:
        NotModelled: an argument is a buffer or a block pointer.
    """
    found = symbolic_arguments(function)
    for place, (value, attributes) in enumerate(zip(found, function.argument_attributes)):
        if not isinstance(value, Term):
            continue
        divisor = int(attributes.get("tt.divisibility", 1))
        is_number = value.sort in ("i32", "i64") and function.argument_types[place].pointee is None
        if is_number and divisor > 1 and divisor & (divisor - 1) == 0:
            found[place] = scaled(value, divisor)
    return found
