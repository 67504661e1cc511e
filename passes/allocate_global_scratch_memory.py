"""Give every `ttg.global_scratch_alloc` its place in the scratch buffer that a launch provides.

    tt.func public @f() {
      %0 = ttg.global_scratch_alloc {nbytes = 100 : i32, alignment = 8 : i32} : !tt.ptr<i8>
      %1 = ttg.global_scratch_alloc {nbytes = 128 : i32, alignment = 128 : i32} : !tt.ptr<i8>
  =>
    tt.func public @f() attributes {ttg.global_scratch_memory_alignment = 128, ttg.global_scratch_memory_size = 256} {
      %0 = ttg.global_scratch_alloc {..., ttg.global_scratch_memory_offset = 0 : i32}
      %1 = ttg.global_scratch_alloc {..., ttg.global_scratch_memory_offset = 128 : i32}

Input:  ttg, any control flow.      Output: the same with attributes, in bytes; those of the kernel also at the module.
Order:  after all passes that make such allocations; before the lowering, which reads the offsets.
Skips:  sharing: every allocation has its own place, whether others are dead or not.
Test:   test/lit/passes/allocate_global_scratch_memory.mlir
"""

from mlir import ir

from ttkit.analysis.call_graph import callees_first
from ttkit.inspection import is_public
from ttkit.passes.infra import Pass, PassError, collect
from ttkit.passes.infra.constants import i32_attribute
from ttkit.passes.infra.launch_needs import note_need

ALIGNMENT = "ttg.global_scratch_memory_alignment"
OFFSET = "ttg.global_scratch_memory_offset"
SIZE = "ttg.global_scratch_memory_size"


class AllocateGlobalScratchMemory(Pass):
    """Give every allocation of global scratch memory its offset."""

    name = "tritongpu-global-scratch-memory-allocation"

    def run(self, op: ir.Operation) -> None:
        """Allocates in each function after those it calls; the module gets the numbers of its kernel, in bytes."""
        needed: dict[str, tuple[int, int]] = {}
        for function in callees_first(op):
            size, alignment = allocate(function, needed)
            needed[function.attributes["sym_name"].value] = size, alignment
            function.attributes[SIZE], function.attributes[ALIGNMENT] = i32_attribute(size), i32_attribute(alignment)
            if is_public(function):
                note_need(op, SIZE, size)
                note_need(op, ALIGNMENT, alignment)


def allocate(function: ir.Operation, needed: dict[str, tuple[int, int]]) -> tuple[int, int]:
    """Sets the offsets in one function; gives size and alignment of all that it and its callees need, in bytes.

    Raises:
        PassError: an alignment is no power of two.
    """
    end, largest = 0, 1
    for op in collect(function, ["ttg.global_scratch_alloc", "tt.call"]):
        if op.name == "tt.call":
            size, alignment = needed.get(op.attributes["callee"].value, (0, 1))
        else:
            size, alignment = op.attributes["nbytes"].value, op.attributes["alignment"].value
        if size == 0:
            continue
        if size < 0 or alignment < 1 or alignment & (alignment - 1):
            raise PassError(op, f"found {size} bytes aligned to {alignment}; an alignment is a power of two")
        offset = -(-end // alignment) * alignment
        op.attributes[OFFSET] = i32_attribute(offset)
        end, largest = offset + size, max(largest, alignment)
    return -(-end // largest) * largest, largest
