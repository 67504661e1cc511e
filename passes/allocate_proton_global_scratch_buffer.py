"""Give the scratch memory of a kernel's times its place in what a launch provides.

    %0 = proton_gpu.global_scratch_alloc {alignment = 128 : i32, nbytes = 1152 : i32} : !tt.ptr<i32>
  =>
    module attributes {ttg.profile_scratch_memory_alignment = 128 : i32, ttg.profile_scratch_memory_size = 1152 : i32}
    %0 = proton_gpu.global_scratch_alloc {alignment = 128 : i32, nbytes = 1152 : i32, offset = 0 : i32} : !tt.ptr<i32>

Input:  ttg with proton_gpu.      Output: the same with offsets; size and alignment, in bytes, at the module.
Order:  after convert-proton-to-protongpu, before the lowering.
Skips:  nothing.
Test:   test/lit/passes/allocate_proton_global_scratch_buffer.mlir
"""

from mlir import ir

from ttkit.passes.infra import Pass, PassError, collect
from ttkit.passes.infra.constants import i32_attribute

SIZE, ALIGNMENT = "ttg.profile_scratch_memory_size", "ttg.profile_scratch_memory_alignment"


class AllocateProtonGlobalScratchBuffer(Pass):
    """Give the scratch memory of a kernel's times its place"""

    name = "allocate-proton-global-scratch-buffer"

    def run(self, op: ir.Operation) -> None:
        """Places aligned buffers one after another; the total is aligned as the strictest, in bytes.

        Raises:
            PassError: an alignment is not a power of two.
        """
        end, largest = 0, 1
        for allocation in collect(op, ["proton_gpu.global_scratch_alloc"]):
            alignment = allocation.attributes["alignment"].value
            if alignment < 1:
                raise PassError(allocation, f"found an alignment of {alignment} bytes; it must be positive")
            offset = -(-end // alignment) * alignment
            allocation.attributes["offset"] = i32_attribute(offset)
            end, largest = offset + allocation.attributes["nbytes"].value, max(largest, alignment)
        if end:
            op.attributes[SIZE] = i32_attribute(-(-end // largest) * largest)
            op.attributes[ALIGNMENT] = i32_attribute(largest)
