"""Give the buffer of a kernel's times its place in shared memory, after everything else.

    module attributes {ttg.shared = 128 : i32}
    %0 = ttg.local_alloc : () -> !ttg.memdesc<8xi32, ...>
    %1 = proton_gpu.segment_alloc %0
  =>
    module attributes {ttg.shared = 160 : i32}
    %0 = ttg.local_alloc {allocation.offset = 128 : i32} : () -> !ttg.memdesc<8xi32, ...>

Input:  ttg with proton_gpu; all other shared memory is allocated.      Output: the same with the offset.
Order:  after convert-proton-to-protongpu.
Skips:  buffers in global memory.
Test:   test/lit/passes/allocate_proton_shared_memory.mlir
"""

from mlir import ir

from ttkit.inspection import defining
from ttkit.module_attributes import module_number
from ttkit.passes.infra import Pass, collect
from ttkit.passes.infra.constants import i32_attribute

ALIGNMENT = 8  # of entries
OFFSET, SHARED = "allocation.offset", "ttg.shared"


class AllocateProtonSharedMemory(Pass):
    """Give the buffer of a kernel's times its place in shared memory"""

    name = "allocate-proton-shared-memory"

    def run(self, op: ir.Operation) -> None:
        """Places buffers after the shared memory that the kernel uses, and adds their size in bytes."""
        for segment in collect(op, ["proton_gpu.segment_alloc"]):
            buffer = defining(segment.opview.buffer)
            if buffer is None or buffer.name != "ttg.local_alloc" or OFFSET in buffer.attributes:
                continue
            used = module_number(op, SHARED, 0)
            offset = -(-used // ALIGNMENT) * ALIGNMENT
            size = int(buffer.result.type.shape[0]) * 4
            buffer.attributes[OFFSET] = i32_attribute(offset)
            op.attributes[SHARED] = i32_attribute(offset + size)
