"""Lower fences, and the barrier of a cluster.

Ops: dialects/ttng/fence_ops.td    Test: test/lit/lower/fence.mlir
"""

from mlir import ir

from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.registry import lowers


@lowers("ttng.fence_async_shared")
def fence_async_shared(low: Lowering, op: ir.OpView) -> None:
    """What threads have stored to shared memory is there for asynchronous copies and tensor cores."""
    low.require(90, "fences between proxies")
    space = "cluster" if op.operation.attributes["bCluster"].value else "cta"
    low.emit.inline_asm(f"fence.proxy.async.shared::{space};", "", None)


@lowers("ttng.fence_mbarrier_init_release_cluster")
def fence_mbarrier_init(low: Lowering, op: ir.OpView) -> None:
    """The cluster sees the mbarriers that were set up before."""
    low.require(90, "clusters")
    low.emit.inline_asm("fence.mbarrier_init.release.cluster;", "", None)


@lowers("ttng.cluster_arrive")
def cluster_arrive(low: Lowering, op: ir.OpView) -> None:
    """Arrives at the cluster's barrier; relaxed: without ordering memory."""
    low.require(90, "clusters")
    relaxed = ".relaxed" if op.operation.attributes["relaxed"].value else ""
    low.emit.inline_asm(f"barrier.cluster.arrive{relaxed}.aligned;", "", None)


@lowers("ttng.cluster_wait")
def cluster_wait(low: Lowering, op: ir.OpView) -> None:
    """Waits until all threads of the cluster have arrived."""
    low.require(90, "clusters")
    low.emit.inline_asm("barrier.cluster.wait.aligned;", "", None)
