"""Lower fences, and numbered barriers of the hardware.

Ops: dialects/ttng/fence_ops.td    Test: test/lit/lower/fence.mlir
"""

from mlir import ir

from ttkit.inspection import collect
from ttkit.operation_sets import FENCE, TMA_LOADS
from ttkit.passes.infra.constants import constant_splat
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.registry import lowers
from ttkit.passes.lower.unsupported import CannotLower
from ttkit.passes.lower.warps import BARRIER_NUMBERS


@lowers(FENCE)
def fence_async_shared(low: Lowering, op: ir.OpView) -> None:
    """Make the threads' stores to shared memory visible to asynchronous copies and tensor cores."""
    low.require("has_tma", "fences between proxies")
    space = "cluster" if op.bCluster else "cta"
    low.emit.inline_asm(f"fence.proxy.async.shared::{space};", "", None)


def fence_before_copies(low: Lowering) -> None:
    """Orders the threads' accesses to shared memory before copies by TMA, if the module has any.

    Differs from Triton, whose kernels write the address of tensor memory where TMA writes later, without a fence.
    """
    if collect(low.module, TMA_LOADS):
        low.emit.inline_asm("fence.proxy.async.shared::cta;", "", None)


@lowers("ttng.fence_mbarrier_init_release_cluster")
def fence_mbarrier_init(low: Lowering, op: ir.OpView) -> None:
    """The cluster sees the mbarriers that were set up before."""
    low.require("has_clusters", "clusters")
    low.emit.inline_asm("fence.mbarrier_init.release.cluster;", "", None)


@lowers("ttng.arrive_barrier_named")
def arrive_barrier_named(low: Lowering, op: ir.OpView, bar: ir.Value, threads: ir.Value) -> None:
    """All threads come to a barrier of the hardware, and go on."""
    # nvvm.barrier.arrive has no translation to LLVM IR in MLIR 22.
    low.emit.intrinsic_effect("llvm.nvvm.barrier.cta.arrive.aligned.count", number_of(low, op, bar), threads)


@lowers("ttng.wait_barrier_named")
def wait_barrier_named(low: Lowering, op: ir.OpView, bar: ir.Value, threads: ir.Value) -> None:
    """All threads come to a barrier of the hardware, and wait for the others."""
    low.emit.named_barrier(number_of(low, op, bar), threads)


def number_of(low: Lowering, op: ir.OpView, bar: ir.Value) -> ir.Value:
    """The number of a barrier, which may be one for each partition that runs the code.

    Raises CannotLower if the code made here uses a barrier, by its constant number, for something else.
    """
    of_all = op.operation.attributes.get(BARRIER_NUMBERS)
    numbers = [constant_splat(op.bar)] if of_all is None else list(of_all)
    taken = low.workers.barriers if low.workers else 1
    for number in numbers:
        if number is not None and number < taken:
            raise CannotLower(f"found barrier {number}; those below {taken} are taken, choose one up to 15")
    return bar if of_all is None else low.warps.number_of_barrier(list(of_all))
