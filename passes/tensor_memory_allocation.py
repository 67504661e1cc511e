"""Give every buffer in tensor memory its columns and rows.

    %0 = ttng.tmem_alloc : () -> !ttg.memdesc<128x64xf32, #tmem, ...>
    %1 = ttng.tmem_alloc : () -> !ttg.memdesc<128x128xf32, #tmem, ...>
 =>
    module attributes {ttg.tensor_memory_size = 256 : i32}
    %0 = ttng.tmem_alloc {tensor_memory_col_offset = 0 : i32, tensor_memory_row_offset = 0 : i32} ...
    %1 = ttng.tmem_alloc {tensor_memory_col_offset = 64 : i32, tensor_memory_row_offset = 0 : i32} ...

Buffers that are not used at the same time share columns.  If an MMA with 64 rows has A in tensor memory, A and the
accumulator get the same rows.  The module gets the number of columns that a kernel allocates, a power of two.  More
than 512, the number of columns of the hardware, is an error at launch, so that autotuning tries another configuration.

Differs from Triton: a buffer also lives as long as views of some of its columns, and values that control flow passes
on; buffers of functions of which one calls the other, directly or not, never share columns.

Input:  ttg and ttng, with control flow of scf or cf.      Output: the same with attributes.
Order:  after all passes that add or remove buffers, after allocate-shared-memory-nv; before the lowering.
Skips:  shared memory.
Test:   test/lit/passes/tensor_memory_allocation.mlir
"""

from typing import Any

from mlir import ir

from ttkit.analysis.alias import TensorMemoryAliases
from ttkit.analysis.call_graph import reachable_calls
from ttkit.analysis.liveness import Liveness
from ttkit.analysis.tmem_placement import Place, Scan, capacity, size_of
from ttkit.dialects._layouts import layout_of
from ttkit.inspection import address_of, collect, enclosing
from ttkit.layout.encodings import TensorMemory
from ttkit.module_attributes import module_number
from ttkit.operation_sets import TCGEN5_MMAS, TMEM_ALLOC, WARP_SPECIALIZE
from ttkit.passes.infra import Pass
from ttkit.passes.infra.constants import i32_attribute
from ttkit.passes.infra.launch_needs import note_need

COLUMN, ROW = "tensor_memory_col_offset", "tensor_memory_row_offset"
SIZE, SHARED = "ttg.tensor_memory_size", "ttg.shared"
# Rows between the two halves of each warp's rows.
HALF_ROWS = 16
# A kernel learns through shared memory where its columns begin.
ADDRESS_BYTES = 4


class TensorMemoryAllocation(Pass):
    """Give every buffer in tensor memory its columns and rows"""

    name = "triton-tensor-memory-allocation"

    def run(self, op: ir.Operation) -> None:
        """Allocates function by function; buffers of kernel and callees live together.

        The module's size is in columns; shared memory has at least room for the address.
        """
        columns = 0
        called, places = reachable_calls(op), dict[str, list[Place]]()
        for function in collect(op, ["tt.func"]):
            name = function.attributes["sym_name"].value
            others = [other for other in places if other in called[name] or name in called[other]]
            places[name] = allocate(function, [place for other in others for place in places[other]])
            columns = max([columns, *(place.column + place.size.columns for place in places[name])])
        note_need(op, SIZE, capacity(columns))
        shared = module_number(op, SHARED, 0)
        if columns and shared < ADDRESS_BYTES:
            op.attributes[SHARED] = i32_attribute(ADDRESS_BYTES)


def allocate(function: ir.Operation, others: list[Place]) -> list[Place]:
    """Places the buffers of a function.

    Args:
        others: places of buffers of functions that call it, or that it calls.
    """
    allocs = collect(function, [TMEM_ALLOC])
    if not allocs:
        return []
    aliases, liveness, scan = TensorMemoryAliases(function), Liveness(function), Scan()
    lives = {alloc: liveness.interval(alloc) for alloc in aliases.allocations}
    for value, sources in aliases.of.items():
        for source in sources:
            lives[source] = lives[source].union(liveness.interval(value))
    for place in others:
        scan.keep(place)
    together = same_rows(function, aliases)
    halves: dict[int, int] = {}
    places: dict[int, Place] = {}
    for alloc in allocs:
        group = together.get(address_of(alloc), address_of(alloc))
        beside = [places[address_of(other)] for other in allocs[: len(places)] if run_beside(alloc, other)]
        memory = alloc.opview.result
        place = scan.place(size_of(memory.type), lives[memory], beside, halves.get(group))
        halves.setdefault(group, place.half)
        places[address_of(alloc)] = place
        alloc.attributes[COLUMN], alloc.attributes[ROW] = (
            i32_attribute(place.column),
            i32_attribute(place.half * HALF_ROWS),
        )
    return list(places.values())


def same_rows(function: ir.Operation, aliases: TensorMemoryAliases) -> dict[int, int]:
    """Addresses of allocations that must have the same rows as others -> the address that stands for all of these."""
    groups: dict[int, int] = {}
    for product in collect(function, TCGEN5_MMAS):
        view: Any = product.opview
        if not isinstance(layout_of(view.a), TensorMemory) or size_of(view.a.type).halves > 1:
            continue
        buffers = [address_of(value.owner.operation) for used in (view.a, view.d) for value in aliases.of[used]]
        roots = {groups.get(buffer, buffer) for buffer in buffers}
        first = min(roots)
        groups.update({buffer: first for buffer, root in groups.items() if root in roots})
        groups.update(dict.fromkeys([*buffers, *roots], first))
    return groups


def run_beside(a: ir.Operation, b: ir.Operation) -> bool:
    """Whether two allocations are of different groups of warps, which run at the same time."""
    outer = enclosing(a, WARP_SPECIALIZE)
    other = enclosing(b, WARP_SPECIALIZE)
    return outer is not None and other is not None and outer == other and a.block.region != b.block.region
