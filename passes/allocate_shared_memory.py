"""Give every buffer in shared memory its offset.

    %0 = ttg.local_alloc : () -> !ttg.memdesc<16x16xf16, ...>
    %1 = ttg.convert_layout %x : ...                      // through 512 bytes of shared memory
 =>
    module attributes {ttg.shared = 1024 : i32}
    %0 = ttg.local_alloc {allocation.offset = 0 : i32} ...
    %1 = ttg.convert_layout %x {allocation.offset = 512 : i32} ...

Buffers that never live together share.

Input:  ttg, with control flow of scf or cf.      Output: the same with attributes.
Order:  after all passes that add or remove buffers or conversions, before membar and the lowering, which read the
        offsets.
Skips:  tensor memory.
Test:   test/lit/passes/allocate_shared_memory.mlir
"""

from mlir import ir

from ttkit.analysis.scratch_sizes import GENERIC, ScratchTarget
from ttkit.passes.infra import Pass
from ttkit.passes.infra.buffers_and_barriers import allocate_buffers
from ttkit.passes.infra.constants import i32_attribute
from ttkit.passes.infra.launch_needs import note_need


class AllocateSharedMemory(Pass):
    """Give every buffer in shared memory its offset, for any target."""

    name = "allocate-shared-memory"

    def run(self, op: ir.Operation) -> None:
        """Attaches offsets, with scratch memory as any target needs it, and the module's size, in bytes."""
        attach_offsets(op, GENERIC)


def attach_offsets(module: ir.Operation, target: ScratchTarget) -> None:
    """Sets `allocation.offset` of what owns a buffer, and `ttg.shared` of the module, in bytes."""
    allocation = allocate_buffers(module, target)
    for function in allocation.functions.values():
        for buffer in function.buffers:
            buffer.owner.attributes["allocation.offset"] = i32_attribute(buffer.offset)
    note_need(module, "ttg.shared", allocation.size)
