"""Give every buffer in shared memory its offset, with conversions of layouts as an NVIDIA target does them.

    ttg.convert_layout %x  =>  ttg.convert_layout %x {allocation.offset = 0 : i32}

As allocate-shared-memory, but a conversion's buffer suits ldmatrix (from compute capability 75) and stmatrix (from 90),
which can make it smaller or larger.

Input:  ttg, with control flow of scf or cf.      Output: the same with attributes.
Order:  as allocate-shared-memory, in its place.
Skips:  tensor memory.
Test:   test/lit/passes/allocate_shared_memory_nv.mlir
"""

from mlir import ir

from ttkit.analysis.scratch_sizes import ScratchTarget
from ttkit.passes.allocate_shared_memory import attach_offsets
from ttkit.passes.infra import Pass, option
from ttkit.passes.infra.target import target_of
from ttkit.records import dataclass


@dataclass(frozen=True)
class AllocateSharedMemoryNv(Pass):
    """Give every buffer in shared memory its offset, for an NVIDIA GPU."""

    name = "allocate-shared-memory-nv"
    compute_capability: int = option(80, "device compute capability")
    ptx_version: int = option(80, "PTX version")

    def run(self, op: ir.Operation) -> None:
        """Attaches offsets, with scratch memory as the target needs it, and the module's size, in bytes."""
        attach_offsets(op, ScratchTarget(target_of(op, self.compute_capability, self.ptx_version)))
