"""Lower fences.

Ops: dialects/ttng/fence_ops.td    Test: test/lit/lower/fence.mlir
"""

from mlir import ir

from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.registry import lowers


@lowers("ttng.fence_async_shared")
def fence_async_shared(low: Lowering, op: ir.OpView) -> None:
    """Make the threads' stores to shared memory visible to asynchronous copies and tensor cores."""
    low.require("has_tma", "fences between proxies")
    space = "cluster" if op.bCluster else "cta"
    low.emit.inline_asm(f"fence.proxy.async.shared::{space};", "", None)


@lowers("ttng.fence_mbarrier_init_release_cluster")
def fence_mbarrier_init(low: Lowering, op: ir.OpView) -> None:
    """The cluster sees the mbarriers that were set up before."""
    low.require("has_clusters", "clusters")
    low.emit.inline_asm("fence.mbarrier_init.release.cluster;", "", None)
