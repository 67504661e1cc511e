"""The work of one program of a kernel, counted in tt: bytes, operations of dots, instructions, live tensors.

    work = work_of(function, arguments=[None, None, 4096], grid=(64, 1, 1), threads=128)

Loops count as often as they run.  Bounds are numbers that follow from constants, from the arguments that are given, and
from the place of a program in the middle of the grid.  Nothing is known of layouts and registers here: all of it is
what the program asks for, before any pass.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from mlir import ir

from ttkit.analysis.axis_analysis import AxisInfoAnalysis
from ttkit.analysis.dot_operands import (
    dots_after,
    fragment_elements,
    is_converted_load,
    is_for_dots_alone,
    leads_to_dot,
)
from ttkit.analysis.liveness import Liveness
from ttkit.analysis.program_numbers import ProgramNumbers
from ttkit.analysis.vector_width import alignment, mask_alignment
from ttkit.inspection import defining, element_bits
from ttkit.layout.hardware import GROUP_WARPS, WGMMA_ROWS
from ttkit.operation_sets import ALONG_AXIS, ATOMICS, DESCRIPTOR_LOADS, DESCRIPTOR_STORES, DOTS, TENSOR_VIEWS
from ttkit.records import dataclass

WIDEST = 16  # bytes of a thread's access
PIECE = 64  # bytes that memory gives at a time
INTEGERS = 1 / 3  # share of their bytes that integers and pointers take in registers: many differ by a constant
COPIED_BITS = 32  # least of an access that cp.async can do
_SPECIAL = ("exp", "log", "sqrt", "sin", "cos", "tan", "erf", "div", "pow")
_CALLED = ("tt.extern_elementwise", *(f"math.{name}" for name in "erf sin cos tan pow log1p expm1".split()))
_OF_BASE = ("tt.addptr", "tt.splat", "tt.broadcast", "tt.bitcast", *TENSOR_VIEWS)
_FREE = ("arith.constant", "tt.splat", "tt.broadcast", "tt.make_range", *TENSOR_VIEWS)


@dataclass
class Work:
    """The work of a program; all numbers are of the whole program, unless they are said to be of a thread.

    loaded, stored: bytes of global memory.
    again: those of `loaded` that another loop has loaded before; `kept` what caches must keep for that.
    described: those of `loaded` and `stored` that descriptors move.
    requests: instructions of a thread that access global memory by pointers.
    pieces: those of 64 bytes of global memory that accesses touch, those by pointers.
    atomics: elements; `rivals` how many programs change each address.
    flops: of dots: twice the multiply-adds; `wide_flops` those of elements of 32 bits and more.
    instructions: of a thread, that compute tensors; `specials` those of them that are exponentials, divisions and such,
        `calls` those that are functions of libdevice, with branches in them.
    reduced: elements that reductions and scans take; `reductions` how many of these there are.
    iterations: of loops that load or have dots; `trips` of the one that runs most often.
    slots: bytes of the tiles that an iteration copies to shared memory for its dots.
    streamed: bytes that an iteration loads otherwise.
    operands: bytes of other operands of dots that are in shared memory: loaded before a loop, or computed.
    direct, relayed, ahead: bytes of the tiles that a pipelined loop loads ahead into shared memory, where each element
        counts: those that groups of warps multiply there; those that go on to registers, converted or not, so that a
        slot less is enough; and those that dots need after other computations.
    fragments: bytes of the operands that all warps have in registers for a dot, at most.
    accumulated: bytes of the accumulators of a loop; of the largest result of a dot, if that is more.
    carried: bytes of floats that a loop keeps from one iteration to the next, at most: carried, or from before it.
    live: bytes of tensors that are live at once, at most, without what is loaded for dots alone; `live_integers` those
        of them that are not floats.
    rows: elements along the first axis of the largest dot, by those of `columns` the last.
    """

    loaded: float = 0.0
    stored: float = 0.0
    again: float = 0.0
    kept: float = 0.0
    described: float = 0.0
    requests: float = 0.0
    pieces: float = 0.0
    atomics: float = 0.0
    rivals: float = 0.0
    flops: float = 0.0
    wide_flops: float = 0.0
    instructions: float = 0.0
    specials: float = 0.0
    calls: float = 0.0
    reduced: float = 0.0
    reductions: float = 0.0
    iterations: float = 0.0
    trips: float = 1.0
    slots: float = 0.0
    streamed: float = 0.0
    operands: float = 0.0
    direct: float = 0.0
    relayed: float = 0.0
    ahead: float = 0.0
    fragments: float = 0.0
    accumulated: float = 0.0
    carried: float = 0.0
    live: float = 0.0
    live_integers: float = 0.0
    rows: float = 1.0
    columns: float = 1.0


def work_of(
    function: ir.Operation, arguments: Sequence[float | None], grid: Sequence[int], threads: int, by_groups: bool = True
) -> Work:
    """The work of a program in the middle of a grid.

    Args:
        function: a `tt.func` without calls.
        arguments: its arguments that are numbers; None for others.
        threads: of a program.
        by_groups: whether four warps together multiply tiles in shared memory, as on sm_90, where a tile has the rows.
    """
    walk = _Walk(ProgramNumbers(function, arguments, grid), threads, by_groups)
    for block in function.regions[0].blocks:
        walk.block(block, 1.0, None)
    walk.live_at_most(function)
    for by_loop in walk.read.values():
        if (repeated := sum(by_loop.values()) - max(by_loop.values())) > 0:
            walk.work.again, walk.work.kept = walk.work.again + repeated, walk.work.kept + max(by_loop.values())
    return walk.work


class _Loop:
    """Bytes that an iteration of a loop loads by itself, and those of the accumulators that it carries."""

    def __init__(self) -> None:
        self.slots = self.streamed = self.accumulated = 0.0
        self.direct = self.relayed = self.ahead = 0.0
        self.counts = False


class _Walk:
    """One pass over the operations."""

    def __init__(self, numbers: ProgramNumbers, threads: int, by_groups: bool) -> None:
        self.by_groups = by_groups and threads % (32 * GROUP_WARPS) == 0
        self.numbers, self.threads = numbers, threads
        self.work = Work()
        self.axes = AxisInfoAnalysis()
        self.largest = 0.0  # bytes of a dot's result
        self.seen: set[ir.Value] = set()  # operands that are counted
        self.read: dict[ir.Value, dict[_Loop | None, float]] = {}  # bytes from each base, by loops
        self.copied: dict[ir.Value, bool] = {}  # what is loaded for dots alone; whether a loop has slots for it

    # --- operations -----------------------------------------------------------------------------------------------

    def block(self, block: ir.Block, times: float, loop: _Loop | None) -> None:
        """Adds what the operations of a block do."""
        for view in block.operations:
            op = view.operation
            if op.name == "scf.for":
                self._loop(op, times)
            elif op.name in ALONG_AXIS:
                self._along_axis(op, times)
            elif len(op.regions):
                for region in op.regions:
                    for inner in region.blocks:
                        self.block(inner, times, loop)
            else:
                self._plain(op, times, loop)

    def _loop(self, op: ir.Operation, times: float) -> None:
        trips, loop, work = self.numbers.trips(op), _Loop(), self.work
        self.block(op.regions[0].blocks[0], times * trips, loop)
        if loop.counts:
            work.iterations += times * trips
            work.trips = max(work.trips, trips)
        work.slots, work.streamed = max(work.slots, loop.slots), max(work.streamed, loop.streamed)
        if loop.direct + loop.relayed + loop.ahead > work.direct + work.relayed + work.ahead:
            work.direct, work.relayed, work.ahead = loop.direct, loop.relayed, loop.ahead
        work.accumulated = max(work.accumulated, loop.accumulated)
        work.carried = max(work.carried, _carried(op))

    def _plain(self, op: ir.Operation, times: float, loop: _Loop | None) -> None:
        if op.name == "tt.load" or op.name in DESCRIPTOR_LOADS:
            self._load(op, times, loop)
        elif op.name == "tt.store" or op.name in DESCRIPTOR_STORES:
            value = op.operands[1] if op.name == "tt.store" else op.operands[-1 if _is_tensor(op.operands[-1]) else 1]
            self.work.stored += times * self._access(op, value.type, times)
        elif op.name in ATOMICS:
            self.work.atomics += times * _elements(op.results[0].type)
            self.work.rivals = max(self.work.rivals, times * self.numbers.programs_with(op.operands[0]))
        elif op.name in DOTS:
            self._dot(op, times, loop)
        elif op.name not in _FREE and op.results and _is_tensor(op.results[0]):
            count = times * max(1.0, _elements(op.results[0].type) / self.threads)
            self.work.instructions += count
            if any(word in op.name for word in _SPECIAL):
                self.work.specials += count
            if op.name in _CALLED:
                self.work.calls += count

    def _load(self, op: ir.Operation, times: float, loop: _Loop | None) -> None:
        size = self._access(op, op.results[0].type, times)
        self.work.loaded += times * size
        of_base = self.read.setdefault(base_of(op.operands[0]), {})
        of_base[loop] = of_base.get(loop, 0.0) + times * size
        is_copied = leads_to_dot(op.results[0]) and self._is_wide_enough(op)
        if is_copied and is_for_dots_alone(op.results[0]):
            self.copied[op.results[0]] = loop is not None
        if loop is not None:
            loop.counts = True
            if is_copied:
                loop.slots += size
            else:
                loop.streamed += size
            self._slot(op, loop)

    def _slot(self, op: ir.Operation, loop: _Loop) -> None:
        """Counts the shared memory for what a loop loads ahead."""
        value = op.results[0]
        if not _is_tensor(value) or not self._is_wide_enough(op):
            return
        tile = _elements(value.type) * _bits(value.type) / 8
        if not (dots := dots_after(value)):
            return
        if is_for_dots_alone(value) and all(map(self._is_by_group, dots)):
            loop.direct += tile
        elif leads_to_dot(value):
            loop.relayed += tile
        else:
            loop.ahead += tile

    def _is_by_group(self, dot: ir.Operation) -> bool:
        """Whether four warps together do it."""
        return self.by_groups and _shape(dot.results[0].type)[-2] >= WGMMA_ROWS

    def _is_wide_enough(self, op: ir.Operation) -> bool:
        """Whether a thread can copy what it loads to shared memory by itself, or TMA does."""
        return op.name in DESCRIPTOR_LOADS or self._run(op) * _bits(op.results[0].type) >= COPIED_BITS

    def _run(self, op: ir.Operation) -> float:
        """Elements that a thread can access at once, by the alignment of pointers and mask."""
        if not _is_tensor(pointers := op.operands[0]):
            return 1.0
        masks = [one for one in list(op.operands)[1:] if _is_tensor(one) and _bits(one.type) == 1]

        def along(d: int) -> int:
            """Those along an axis."""
            return min([alignment(self.axes, pointers, d), *(mask_alignment(self.axes, mask, d) for mask in masks)])

        return float(max(map(along, range(self.axes.info(pointers).rank))))

    def _access(self, op: ir.Operation, kind: ir.Type, times: float) -> float:
        """Bytes of an access, each address once; counts its instructions."""
        bits, elements = _bits(kind), _elements(kind)
        if op.name in (*DESCRIPTOR_LOADS, *DESCRIPTOR_STORES):
            self.work.described += times * elements * bits / 8
            return elements * bits / 8
        facts = self.axes.info(op.operands[0])
        of_thread = max(1.0, elements / self.threads)
        vector = max(1.0, min(self._run(op), of_thread, WIDEST * 8 / bits))
        self.work.requests += times * of_thread / vector
        shape = _shape(kind)
        same = math.prod(min(facts.constancy[axis], shape[axis]) for axis in range(len(shape))) if shape else 1
        size = elements * bits / 8 / max(1, same)
        run, length = max(((facts.contiguity[axis], shape[axis]) for axis in range(len(shape))), default=(1, 1))
        row = bits / 8 * run
        if run < length and row >= PIECE / 2:  # as far as it is known: it may be longer
            row = max(row, PIECE)
        self.work.pieces += times * size / row * max(1.0, row / PIECE)
        return size

    def _dot(self, op: ir.Operation, times: float, loop: _Loop | None) -> None:
        work, left, result = self.work, _shape(op.operands[0].type), _shape(op.results[0].type)
        flops = 2.0 * math.prod(result) * left[-1]
        work.flops += times * flops
        if _bits(op.operands[0].type) >= 32:
            work.wide_flops += times * flops
        size = math.prod(result) * _bits(op.results[0].type) / 8
        if size >= self.largest:
            self.largest, work.rows, work.columns = size, float(result[-2]), float(result[-1])
        if loop is not None:
            loop.accumulated += size * isinstance(op.operands[2].owner, ir.Block)
        work.accumulated = max(work.accumulated, size)
        for place, operand in enumerate(list(op.operands)[:2]):
            self._operand(operand, place, self._is_by_group(op))
        if not self._is_by_group(op):
            copies = fragment_elements(result[-2], result[-1], left[-1], self.threads // 32)
            work.fragments = max(work.fragments, copies * _bits(op.operands[0].type) / 8)
        if loop is not None:
            loop.counts = True

    def _operand(self, value: ir.Value, place: int, by_group: bool) -> None:
        """Counts an operand that needs shared memory besides slots.  The first one may be in registers."""
        while (made := defining(value)) is not None and made.operation.name in TENSOR_VIEWS:
            value = made.operation.operands[0]
        if value in self.seen or self.copied.get(value):
            return
        if not by_group and value not in self.copied and is_converted_load(value):
            return
        if place == 1 or value in self.copied:
            self.seen.add(value)
            self.work.operands += _elements(value.type) * _bits(value.type) / 8

    def _along_axis(self, op: ir.Operation, times: float) -> None:
        elements = max(map(_elements, (operand.type for operand in op.operands)))
        self.work.reduced += times * elements
        self.work.reductions += times
        self.work.instructions += times * max(1.0, elements / self.threads)

    def live_at_most(self, function: ir.Operation) -> None:
        """Finds what is live at once, at most, where integers count as `INTEGERS`."""
        live = Liveness(function)
        changes: list[tuple[int, float, float]] = []
        for value in _tensors(function):
            made = defining(value)
            if (made is not None and made.operation.name in _FREE) or value in self.copied:
                continue
            size = _elements(value.type) * _bits(value.type) / 8
            others = 0.0 if isinstance(_element(value.type), ir.FloatType) else size
            start, end = live.interval(value)
            changes += [(start, size, others), (end, -size, -others)]
        total = integers = most = 0.0
        for _, size, others in sorted(changes, key=lambda one: (one[0], one[1])):
            total, integers = total + size, integers + others
            if (weight := total - (1 - INTEGERS) * integers) > most:
                most, self.work.live, self.work.live_integers = weight, total, integers


def _tensors(function: ir.Operation) -> Iterator[ir.Value]:
    found: list[ir.Value] = []

    def note(op: ir.Operation) -> ir.WalkResult:
        """Keeps the tensors that an operation makes, or its regions take."""
        found.extend(result for result in op.results if _is_tensor(result))
        if op.name not in ALONG_AXIS:
            for region in op.regions:
                for block in region.blocks:
                    found.extend(argument for argument in block.arguments if _is_tensor(argument))
        return ir.WalkResult.ADVANCE

    function.walk(note)
    yield from found


def _carried(loop: ir.Operation) -> float:
    """Bytes of floats that a loop carries, or uses from before it."""
    made: set[ir.Value] = set()
    taken: set[ir.Value] = set()

    def note(op: ir.Operation) -> ir.WalkResult:
        """Keeps what operations make, and what they take."""
        made.update(op.results)
        for region in op.regions:
            for block in region.blocks:
                made.update(block.arguments)
        taken.update(value for value in op.operands if _is_tensor(value))
        return ir.WalkResult.ADVANCE

    loop.walk(note)
    old = [value for value in taken - made if (op := defining(value)) is None or op.operation.name not in _FREE]
    kept = {*filter(_is_tensor, loop.regions[0].blocks[0].arguments), *old} - set(loop.operands)
    kept = {value for value in kept if isinstance(_element(value.type), ir.FloatType)}
    return sum(_elements(value.type) * _bits(value.type) / 8 for value in kept)


def base_of(value: ir.Value) -> ir.Value:
    """The pointer or descriptor, of a function's arguments where that is known, from which an address is computed."""
    while True:
        if isinstance(value.owner, ir.Block):
            loop = value.owner.owner
            if loop is None or loop.name != "scf.for":
                return value
            value = loop.operands[2 + ir.BlockArgument(value).arg_number]
        elif value.owner.name in _OF_BASE:
            value = value.owner.operands[0]
        else:
            return value


def _is_tensor(value: ir.Value) -> bool:
    return isinstance(value.type, ir.RankedTensorType)


def _shape(kind: ir.Type) -> list[int]:
    return list(kind.shape) if isinstance(kind, ir.RankedTensorType) else []


def _element(kind: ir.Type) -> ir.Type:
    return kind.element_type if isinstance(kind, ir.RankedTensorType) else kind


def _elements(kind: ir.Type) -> float:
    return float(math.prod(_shape(kind)))


def _bits(kind: ir.Type) -> int:
    return element_bits(_element(kind))
