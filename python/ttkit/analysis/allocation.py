"""Allocation of shared memory: the offset of each buffer, in bytes.

Buffers are explicit (`ttg.local_alloc`), scratch (memory of an operation while it runs) or virtual (all memory of a
called function).  Two buffers may share memory unless they are live at the same time, or belong to warps that run
concurrently.  Offsets are chosen as in Triton 3.6, so that they agree:

1. The largest buffers first, each gets a place in a table of free stretches of time, lowest offset first ("Algorithms
for
   Compile-Time Memory Optimization", J. Gergov, 1999).  This ignores some overlaps.
2. Buffers that overlap in time and space interfere.  Colour the graph of interference first-fit; all but the first
   colour move after their neighbours.  Repeat until none interfere.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator
from dataclasses import field
from math import prod
from typing import Any

from mlir import ir

from ttkit.analysis.alias import SharedMemoryAliases
from ttkit.analysis.call_graph import callees_first, root_functions
from ttkit.analysis.liveness import ALWAYS, Interval, Liveness
from ttkit.analysis.scratch_sizes import (
    GENERIC,
    SCRATCH_ALIGNMENT,
    ScratchTarget,
    capture_bytes,
    scratch_bytes,
    scratch_operations,
)
from ttkit.analysis.tensor_core_reads import background_reads
from ttkit.dialects._layouts import layout_of
from ttkit.dialects._ttg_types import MemDescType
from ttkit.inspection import collect, stored_bits
from ttkit.layout.shared_encodings import NvmmaShared, PaddedShared, SharedLinear
from ttkit.operation_sets import WARP_SPECIALIZE
from ttkit.records import dataclass

OFFSET = "allocation.offset"
"""The attribute with the offset of a buffer, on its owner."""
CAPTURE_ALIGNMENT = 8
DEFAULT_ALIGNMENT = 16
TMA_ALIGNMENT = 128
FUNCTION_ALIGNMENT = 4


class NotPlaced(Exception):
    """A buffer's owner has no `allocation.offset`."""


@dataclass(eq=False)
class Buffer:
    """A range of shared memory; sizes and offsets in bytes."""

    kind: str
    """"explicit", "scratch" or "virtual"."""
    owner: Any
    """The operation that allocates or uses it; the function, for memory that all its warps share."""
    size: int
    alignment: int
    offset: int = 0
    interval: Interval = ALWAYS

    @property
    def end(self) -> int:
        """The first byte after the buffer."""
        return self.offset + self.size

    def move_to(self, offset: int) -> None:
        """Moves the buffer to the next aligned offset from `offset` on."""
        self.offset = -(-offset // self.alignment) * self.alignment

    def overlaps(self, other: Buffer) -> bool:
        """Whether two buffers share bytes."""
        return self.offset < other.end and other.offset < self.end


@dataclass
class Allocation:
    """The shared memory of one function.

    Attributes:
        of_value: value -> the buffer that it allocates.
        of_op: operation -> its scratch or virtual buffer.
        aliases: the allocations into which descriptors may point.
        numbers: the numbers of the operations, as in `Liveness`; empty if there are no buffers.
        size: the total size in bytes.
    """

    function: Any
    aliases: SharedMemoryAliases
    of_value: dict[ir.Value, Buffer] = field(default_factory=dict)
    of_op: dict[ir.Operation, Buffer] = field(default_factory=dict)
    numbers: dict[ir.Operation, int] = field(default_factory=dict)
    size: int = 0

    @property
    def buffers(self) -> list[Buffer]:
        """Explicit buffers, then scratch, then virtual ones; each in the order of the text."""
        others = sorted(self.of_op.values(), key=lambda buffer: buffer.kind == "virtual")
        return [*self.of_value.values(), *others]

    def buffers_of(self, value: ir.Value) -> list[Buffer]:
        """The buffers into which a descriptor may point."""
        return [self.of_value[allocation] for allocation in self.aliases.of.get(value, ())]


class ModuleAllocation:
    """The shared memory of every function of a module, callees before callers.

    Args:
        is_placed: whether to take the offsets from the IR; lifetimes are not computed then.

    Raises:
        NotPlaced: `is_placed`, and the IR has no offset for a buffer.
        ttkit.layout.UnsuitableShape: a tensor's layout does not fit its shape.
    """

    def __init__(
        self, module: ir.Module | ir.Operation, target: ScratchTarget = GENERIC, is_placed: bool = False
    ) -> None:
        self.functions: dict[str, Allocation] = {}
        root = module.operation
        for function in callees_first(root):
            name = function.attributes["sym_name"].value
            self.functions[name] = allocate_function(function, target, self.functions, is_placed)
        self.size = max((self.functions[name].size for name in root_functions(root)), default=0)
        """Bytes that a launch of any kernel needs."""


def allocate_function(
    function: ir.Operation, target: ScratchTarget, callees: dict[str, Allocation], is_placed: bool
) -> Allocation:
    """Places the buffers of one function; `callees` has the functions that it calls."""
    allocation = Allocation(function, SharedMemoryAliases(function))
    for buffer in required_buffers(function, target, callees):
        if buffer.kind == "explicit":
            allocation.of_value[buffer.owner.result] = buffer
        else:
            allocation.of_op[buffer.owner.operation] = buffer
    buffers = allocation.buffers
    if is_placed:
        allocation.size = max(map(_end_in_ir, buffers), default=0)
    elif buffers:
        _resolve_liveness(allocation)
        allocation.size = place(buffers)
    return allocation


def _end_in_ir(buffer: Buffer) -> int:
    """Places a buffer at its offset in the IR; returns the first byte after it."""
    if (offset := buffer.owner.operation.attributes.get(OFFSET)) is None:
        raise NotPlaced
    buffer.offset = offset.value
    return buffer.end


def required_buffers(function: ir.Operation, target: ScratchTarget, callees: dict[str, Allocation]) -> Iterator[Buffer]:
    """The buffers of one function, not placed; `callees` has the functions that it calls."""
    if target.bytes_of_each:
        operations = all_operations(function)
    else:
        operations = collect(function, [*scratch_operations(), "ttg.local_alloc", WARP_SPECIALIZE, "tt.call"])
    yield from _state_of_warps(function, operations)
    for op in operations:
        name = op.name
        if name == "ttg.local_alloc":
            yield explicit_buffer(op)
        if name == "tt.call":
            callee = callees.get(op.attributes["callee"].value)  # a declaration, or a recursive call, has no entry
            if callee is not None and callee.size:
                yield Buffer("virtual", op, callee.size, SCRATCH_ALIGNMENT)
        elif name == WARP_SPECIALIZE:
            size = capture_bytes(op)
            if size:
                yield Buffer("scratch", op, size, CAPTURE_ALIGNMENT)
        else:
            size = scratch_bytes(op.opview, target)
            if size:
                yield Buffer("scratch", op, size, SCRATCH_ALIGNMENT)


def all_operations(function: ir.Operation) -> list[ir.Operation]:
    """The operations in a function, outer ones first."""
    found: list[ir.Operation] = []

    def visit(op: ir.Operation) -> ir.WalkResult:
        """Records one operation, but not the function."""
        if op != function:
            found.append(op)
        return ir.WalkResult.ADVANCE

    function.walk(visit, ir.WalkOrder.PRE_ORDER)
    return found


def _state_of_warps(function: ir.Operation, operations: list[Any]) -> Iterator[Buffer]:
    """The buffer with the next task of each warp that runs partitions, a byte each; live in the whole function."""
    counts = [sum(op.attributes["partitionNumWarps"]) for op in operations if op.name == WARP_SPECIALIZE]
    if max(counts, default=0):
        yield Buffer("scratch", function, max(counts), FUNCTION_ALIGNMENT)


def explicit_buffer(op: Any) -> Buffer:
    """The buffer of a ttg.local_alloc, with its size in bytes, not placed."""
    type = op.result.type
    layout = layout_of(type)
    if isinstance(layout, PaddedShared):
        elements = padded_size(layout, cta_shape(layout, list(type.shape)))
    else:
        elements = _elements_of(type, layout)
    alignment = op.attributes["alignment"].value if "alignment" in op.attributes else default_alignment(layout)
    return Buffer("explicit", op, elements * stored_bits(type.element_type) // 8, alignment)


def _elements_of(type: MemDescType, layout: Any) -> int:
    shape = list(type.alloc_shape)
    if len(shape) <= layout.rank:
        return elements_in_cta(layout, shape)
    return shape[0] * elements_to_next(layout, shape[1:], stored_bits(type.element_type))


def elements_in_cta(layout: Any, shape: list[int]) -> int:
    """The number of elements of a buffer in one CTA, with the padding of fp4 values, without gaps."""
    shape = list(shape)
    if isinstance(layout, NvmmaShared) and layout.fp4_padded:
        shape[contiguous_dimension(layout, len(shape))] *= 2
    return prod(cta_shape(layout, shape))


def elements_to_next(layout: Any, shape: list[int], bits: int) -> int:
    """The number of elements, of so many bits, from one of several buffers of that shape to the next.

    TMA copies to and from multiples of 128 bytes, so there is room between smaller buffers of #ttg.nvmma_shared.
    Triton leaves none, and its copies fault.
    """
    extra = max(0, len(shape) - layout.rank)
    elements = elements_in_cta(layout, shape[extra:])
    if isinstance(layout, NvmmaShared):
        elements = max(elements, 8 * TMA_ALIGNMENT // bits)
    return prod(shape[:extra]) * elements


def contiguous_dimension(layout: NvmmaShared, rank: int) -> int:
    """The dimension of a tile of `rank` dimensions along which elements are consecutive."""
    return rank - 2 if layout.transposed else rank - 1


def default_alignment(layout: Any) -> int:
    """The alignment in bytes of a buffer of that layout, unless its allocation has another one."""
    if isinstance(layout, NvmmaShared):
        return TMA_ALIGNMENT * max(1, layout.swizzling_byte_width // 16)
    return layout.alignment if isinstance(layout, SharedLinear) else DEFAULT_ALIGNMENT


def cta_shape(layout: Any, shape: list[int]) -> list[int]:
    """The shape of one CTA's part of a buffer; dimensions before those of the layout are not divided."""
    splits = [1] * layout.rank
    for basis in layout.block if isinstance(layout, (PaddedShared, SharedLinear)) else layout.cga_layout:
        for d, step in enumerate(basis):
            if step:
                splits[d] *= 2
    extra = len(shape) - layout.rank
    return shape[:extra] + [max(n // parts, 1) for n, parts in zip(shape[extra:], splits, strict=True)]


def padded_size(layout: PaddedShared, shape: list[int]) -> int:
    """The number of elements of a buffer with gaps; no gap follows its last element."""
    elements = prod(shape)
    return elements + sum(gap * (elements // interval - (elements % interval == 0)) for interval, gap in layout.pads)


def _resolve_liveness(allocation: Allocation) -> None:
    liveness = Liveness(allocation.function)
    allocation.numbers = liveness.numbers
    for value, buffer in allocation.of_value.items():
        buffer.interval = liveness.interval(value)
    for value, allocations in allocation.aliases.of.items():
        interval = liveness.interval(value)
        for source in allocations:
            buffer = allocation.of_value[source]
            buffer.interval = buffer.interval.union(interval)
    for source, interval in background_reads(allocation.function, allocation.aliases.of, liveness.numbers):
        buffer = allocation.of_value[source]
        buffer.interval = buffer.interval.union(interval)
    for op, buffer in allocation.of_op.items():
        if op != allocation.function:
            buffer.interval = Interval(liveness.numbers[op], liveness.numbers[op] + 1)


# --- offsets ---


def place(buffers: list[Buffer]) -> int:
    """Gives each buffer its offset; returns the total size in bytes."""
    by_size = sorted(buffers, key=lambda buffer: -buffer.size)
    concurrent = _concurrent_regions(by_size)
    _first_places(by_size)
    interference = _interference(by_size, concurrent)
    while True:
        _separate(by_size, interference)
        interference = _interference(by_size, concurrent)
        if not interference:
            return max(buffer.end for buffer in by_size)


def _first_places(buffers: list[Buffer]) -> None:
    # Free intervals, lowest offset first, then oldest first: (offset, age, lifetime).
    free: list[tuple[int, int, Interval]] = [(0, 0, ALWAYS)]
    age = 0

    def add(offset: int, start: int, end: int) -> None:
        """Adds a free place, from an offset on; equal offsets keep the order in which they came."""
        nonlocal age
        age += 1
        insort(free, (offset, age, Interval(start, end)))

    waiting = list(buffers)
    while waiting:
        offset, _, stretch = free.pop(0)
        chosen = next((b for b in waiting if _fits_only(b.interval, stretch, free)), None)
        if chosen is None:
            continue
        waiting.remove(chosen)
        lives = chosen.interval
        chosen.move_to(offset)
        add(chosen.end, max(stretch.start, lives.start), min(stretch.end, lives.end))
        if stretch.start < lives.start:
            add(offset, stretch.start, lives.end)
        if lives.end < stretch.end:
            add(offset, lives.start, stretch.end)


def _fits_only(lives: Interval, stretch: Interval, free: list[tuple[int, int, Interval]]) -> bool:
    return lives.intersects(stretch) and not any(lives.intersects(other) for _, _, other in free)


def _concurrent_regions(buffers: list[Buffer]) -> dict[int, tuple[Any, Any]]:
    """Id of a buffer of specialized warps -> the ttg.warp_specialize and the owner's region."""
    found: dict[int, tuple[Any, Any]] = {}
    for buffer in buffers:
        outer = buffer.owner.operation.parent
        while outer is not None and outer.operation.name not in ("tt.func", "builtin.module"):
            if outer.operation.name == WARP_SPECIALIZE:
                found[id(buffer)] = outer.operation, buffer.owner.operation.block.region
                break
            outer = outer.operation.parent
    return found


def _interference(buffers: list[Buffer], concurrent: dict[int, tuple[Any, Any]]) -> dict[int, list[Buffer]]:
    """Id of a buffer -> the buffers that share bytes with it and must not."""
    edges: dict[int, list[Buffer]] = {}
    active: list[Buffer] = []
    for x in sorted(buffers, key=lambda buffer: buffer.offset):
        active = [y for y in active if y.end > x.offset]
        for y in active:
            if x.overlaps(y) and (x.interval.intersects(y.interval) or _run_beside(x, y, concurrent)):
                edges.setdefault(id(x), []).append(y)
                edges.setdefault(id(y), []).append(x)
        active.append(x)
    return edges


def _run_beside(x: Buffer, y: Buffer, concurrent: dict[int, tuple[Any, Any]]) -> bool:
    a, b = concurrent.get(id(x)), concurrent.get(id(y))
    return a is not None and b is not None and a[0] == b[0] and a[1] != b[1]


def _separate(buffers: list[Buffer], interference: dict[int, list[Buffer]]) -> None:
    """Moves every buffer that does not get the first colour after those that it interferes with."""
    colours: dict[int, int] = {id(buffers[0]): 0}
    for x in buffers:
        taken = {colours.get(id(y), -1) for y in interference.get(id(x), ())}
        colours[id(x)] = next(colour for colour in range(len(buffers)) if colour not in taken)
    for x in buffers:
        if colours[id(x)] != 0:
            x.move_to(max((y.end for y in interference.get(id(x), ())), default=0))
