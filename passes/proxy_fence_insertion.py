"""Let TMA write to shared memory only after what threads did there.

    %x = ttg.local_load %m : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf16, #blocked>
    ttng.async_tma_copy_global_to_local %d[%i, %j] %m, %barrier, %true
  =>
    %x = ttg.local_load %m : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf16, #blocked>
    ttng.fence_async_shared {bCluster = false}
    ttng.async_tma_copy_global_to_local %d[%i, %j] %m, %barrier, %true

`ttkit.analysis.proxy_fences` has the rules.

Input:  ttg after shared memory was allocated: buffers that share bytes need fences too.      Output: the same with
        fences.
Order:  after allocate-shared-memory-nv, right before the conversion to LLVM.
Skips:  GPUs before sm_90.
Test:   test/lit/passes/proxy_fence_insertion.mlir
"""

from mlir import ir

from ttkit.analysis.allocation import NotPlaced
from ttkit.analysis.proxy_fences import needed_fences
from ttkit.analysis.scratch_sizes import ScratchTarget
from ttkit.dialects import ttng
from ttkit.operation_sets import TMA_LOADS
from ttkit.passes.infra import Pass, contains_any, option
from ttkit.passes.infra.buffers_and_barriers import allocate_buffers
from ttkit.passes.infra.target import target_of
from ttkit.records import dataclass


@dataclass(frozen=True)
class ProxyFenceInsertion(Pass):
    """Let TMA write to shared memory only after what threads did there"""

    name = "triton-nvidia-gpu-proxy-fence-insertion"
    dependent_dialects = ("ttng",)

    compute_capability: int = option(90, "device compute capability")

    def run(self, op: ir.Operation) -> None:
        """Puts a fence before each operation that needs one."""
        target = target_of(op, self.compute_capability)
        if not contains_any(op, TMA_LOADS) or not target.has_tma:
            return
        try:
            allocation = allocate_buffers(op, ScratchTarget(target), is_placed=True)
        except NotPlaced:
            allocation = allocate_buffers(op)
        for copy in needed_fences(allocation):
            ttng.fence_async_shared(False, loc=copy.location, ip=ir.InsertionPoint(copy))
