"""Shared memory of a kernel whose loops warp groups will divide, known before tensors have layouts.

- Slots for tiles that loops load, and tiles that are received once, stay as long as the kernel runs.
- Left operands that a group loads itself stay until its last loop ends.
- Stores pass through the same memory after it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mlir import ir

from ttkit.analysis.axis_analysis import AxisInfoAnalysis
from ttkit.inspection import collect, stored_bits, users_of
from ttkit.layout.blocked import blocked
from ttkit.layout.encodings import NvidiaMma
from ttkit.layout.hardware import GROUP_WARPS, LANES, VECTOR_BITS
from ttkit.layout.swizzling import scratch_layout, shared_instructions
from ttkit.layout.to_linear import to_linear_layout
from ttkit.operation_sets import BLOCK_LOADS
from ttkit.passes.infra.nesting import is_above
from ttkit.passes.infra.tensor_bytes import bytes_of
from ttkit.passes.products.instruction import instruction_shape

BARRIER_BYTES = 1 << 10
"""Bytes for the mbarriers of all buffers, more than they take."""


def divided_bytes(
    function: ir.Operation, loops: Sequence[ir.Operation], slots: Sequence[int], groups: int, received_slots: int = 0
) -> int:
    """The shared memory that a divided kernel will take, in bytes.

    Loops with the same tiles share buffers (`buffer_owners.py`).  `warp_specialization.py` checks the kernel itself.

    Args:
        function: of tt, whose loops have all its dot operations.
        loops: those to divide; slots: of the buffers of each.
        groups: the number of groups that compute, each with the same share of rows.
        received_slots: slots for tiles received once, if they are received for the next program while stores run;
            0 if a kernel ends with its program, and stores may pass through the memory of those tiles.
    """
    analysis = AxisInfoAnalysis()
    tiles = [tuple(tile_of(load, analysis) for load in loads_in(loop)) for loop in loops]
    inside = sum(count * sum(tile.size for tile in of_loop) for of_loop, count in {*zip(tiles, slots)})
    received = [load.result for load in loads_in(function) if is_received(load) and load.parent.operation == function]
    own = [[bytes_of(left) for left in own_operands(loop) - {*received}] for loop in loops]
    free = [] if received_slots else [str(one.type) for one in received]
    before, after = max(map(sum, own)), stored_bytes(function, free, groups)
    # What a store needs must be in one piece, and the operands of a group need not be neighbours.
    fits = after <= min(max(sizes, default=0) for sizes in own)
    once = max(received_slots, 1) * sum(map(bytes_of, received))
    return inside + once + (max(before, after) if fits else before + after) + BARRIER_BYTES


def own_operands(loop: ir.Operation) -> set[ir.Value]:
    """The left operands from outside of a loop, which the groups that compute put into shared memory."""
    return {dot.opview.a for dot in collect(loop, ["tt.dot"]) if is_above(dot.opview.a, loop)}


def stored_bytes(function: ir.Operation, free: list[str], groups: int) -> int:
    """Bytes that stores pass through, without those that find the memory of a tile that is read no more.

    Stores by TMA need their buffers at the same time, conversions for other stores one after the other.

    free: the types of tiles that `staged_stores.py` stages stores in.
    """
    staged, converted = 0, [0]
    analysis = AxisInfoAnalysis()
    for store in collect(function, ["tt.descriptor_store", "tt.descriptor_reduce", "tt.store"]):
        if store.name == "tt.store":
            converted.append(conversion_bytes(store, analysis, groups))
        elif store.name == "tt.descriptor_store" and str(store.opview.src.type) in free:
            free.remove(str(store.opview.src.type))
        else:
            staged += bytes_of(store.opview.src)
    return staged + max(converted)


def conversion_bytes(store: ir.Operation, analysis: AxisInfoAnalysis, groups: int) -> int:
    """Bytes in which all groups at once bring results of wgmma into the layout in which a store is coalesced."""
    value, pointer = store.opview.value, store.opview.ptr
    if not isinstance(value.type, ir.RankedTensorType) or value.type.rank != 2:
        return bytes_of(value)
    rows, columns = value.type.shape
    part, width = (rows // groups, columns), stored_bits(value.type.element_type)
    contiguity = analysis.info(pointer).contiguity
    order = fastest_dimensions(store, analysis)
    per_thread = [min(VECTOR_BITS // width, part[d], contiguity[d]) if d == order[0] else 1 for d in range(2)]
    shape = instruction_shape(3, part, ir.F16Type.get(store.context), GROUP_WARPS)
    computed = to_linear_layout(part, NvidiaMma(3, 0, (GROUP_WARPS, 1), shape))
    stored = to_linear_layout(part, blocked(part, per_thread, order, GROUP_WARPS, LANES))
    stores, loads = shared_instructions(width, True), shared_instructions(width, True)
    return groups * scratch_layout(computed, stored, width, stores, loads).elements * width // 8


def loads_in(root: ir.Operation) -> list[ir.Operation]:
    """The loads of tiles, of which buffers hold the data."""
    return [
        load
        for load in collect(root, BLOCK_LOADS)
        if isinstance(load.result.type, ir.RankedTensorType) and load.result.type.rank > 1
    ]


def is_received(load: ir.Operation) -> bool:
    """Whether another group loads a tile, by TMA."""
    return load.name != "tt.load"


class Tile(NamedTuple):
    """The properties that loads which share a buffer have in common: tensor type, fastest dimension, users, bytes."""

    type: str
    fastest: int
    users: tuple[str, ...]
    size: int


def tile_of(load: ir.Operation, analysis: AxisInfoAnalysis) -> Tile:
    """The tile that a load loads."""
    type = load.result.type
    fastest = type.rank - 1 if is_received(load) else fastest_dimensions(load, analysis)[0]
    # The users choose the layout of the buffer.
    users = tuple(sorted({user.name for user in users_of(load.result)}))
    return Tile(str(type), fastest, users, bytes_of(load.result))


def fastest_dimensions(access: ir.Operation, analysis: AxisInfoAnalysis) -> list[int]:
    """The dimensions of an access through pointers in the order in which addresses grow."""
    contiguity = analysis.info(access.opview.ptr).contiguity
    return sorted(range(len(contiguity)), key=lambda d: -contiguity[d])
