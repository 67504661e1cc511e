"""Let the CTAs of a cluster synchronize around accesses to each other's shared memory.

    ttng.init_barrier %bar, 1
    ttng.arrive_barrier %bar, 1 {fromCTA = 0 : i32}       // CTA 0 arrives at the barriers of all
    tt.return
  =>
    ttng.init_barrier %bar, 1
    ttng.cluster_barrier
    ttng.arrive_barrier %bar, 1 {fromCTA = 0 : i32}
    ttng.cluster_barrier
    tt.return

Kernels in Gluon of Triton 3.9 leave these barriers to the compiler; those for 3.6 have them already, and get no more.
`ttkit.analysis.cluster_barriers` has the rules.

Input:  ttg after shared memory was allocated: buffers that share bytes need barriers too.      Output: the same with
        barriers.
Order:  after allocate-shared-memory-nv, before the conversion to LLVM.
Skips:  modules whose clusters have one CTA.
Test:   test/lit/passes/cluster_barrier_insertion.mlir
"""

from mlir import ir

from ttkit.analysis.allocation import NotPlaced
from ttkit.analysis.cluster_barriers import INIT, needed_cluster_barriers
from ttkit.dialects import ttng
from ttkit.passes.infra import Pass, contains_any
from ttkit.passes.infra.buffers_and_barriers import allocate_buffers
from ttkit.passes.layouts.thread_counts import num_ctas


class ClusterBarrierInsertion(Pass):
    """Let the CTAs of a cluster synchronize around accesses to each other's shared memory"""

    name = "ttkit-cluster-barrier-insertion"
    dependent_dialects = ("ttng",)

    def run(self, op: ir.Operation) -> None:
        """Puts a barrier before each operation that needs one."""
        if num_ctas(op) == 1 or not contains_any(op, (INIT,)):
            return
        try:
            allocation = allocate_buffers(op, is_placed=True)
        except NotPlaced:
            allocation = allocate_buffers(op)
        for remote in needed_cluster_barriers(allocation):
            ttng.cluster_barrier(loc=remote.location, ip=ir.InsertionPoint(remote))
