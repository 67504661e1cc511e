"""Cooperation of the CTAs of a cluster: barriers, and reads of each other's shared memory.

Elements move between CTAs as within one.  Each CTA stores its elements in its own shared memory, and all synchronize.
Each then loads the elements that it needs from the CTAs that have them.  All synchronize again before a CTA overwrites
that memory or exits.

Ops: dialects/ttng/fence_ops.td    Test: test/lit/lower/cluster.mlir
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from mlir import ir

from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.registry import lowers
from ttkit.passes.lower.unsupported import CannotLower

ARRIVES_APART = "write ttng.cluster_barrier (hopper.cluster.barrier), which each group has of its own"
"""What to do about ttng.cluster_arrive and ttng.cluster_wait in groups of warps.

Triton 3.7 makes instructions of them for which the cluster waits forever, and 3.9 has neither.
"""


@lowers("ttng.cluster_arrive")
def cluster_arrive(low: Lowering, op: ir.OpView) -> None:
    """Arrives at the cluster's barrier; a relaxed arrival does not order memory."""
    let_all_arrive(low, ARRIVES_APART)
    relaxed = ".relaxed" if op.relaxed else ""
    low.emit.effect(f"nvvm.cluster.arrive{relaxed}", aligned=ir.UnitAttr.get(low.emit.context))


@lowers("ttng.cluster_wait")
def cluster_wait(low: Lowering, op: ir.OpView) -> None:
    """Waits until all threads of the cluster have arrived."""
    low.require("has_clusters", "clusters")
    # Barrier 0 is the kernel's own.  Warps of partitions have arrived and waited where the kernel's warps arrived.
    if low.warps.present.barriers[0]:
        refuse_in_groups(low, ARRIVES_APART)
    low.emit.effect("nvvm.cluster.wait", aligned=ir.UnitAttr.get(low.emit.context))


@lowers("ttng.cluster_barrier")
def cluster_barrier(low: Lowering, op: ir.OpView) -> None:
    """Arrives at the cluster's barrier and waits; a relaxed arrival does not order memory."""
    cluster_arrive(low, op)
    cluster_wait(low, op)


def synchronize_ctas(low: Lowering) -> None:
    """All threads of the cluster synchronize; each sees what the others have written.

    Raises CannotLower if they can't.
    """
    let_all_arrive(low)
    aligned = ir.UnitAttr.get(low.emit.context)
    low.emit.effect("nvvm.cluster.arrive", aligned=aligned)
    low.emit.effect("nvvm.cluster.wait", aligned=aligned)


@contextmanager
def stored_by_all(low: Lowering, crosses_ctas: bool) -> Iterator[None]:
    """A context for code that loads elements that threads of this CTA, or with `crosses_ctas` of all, have stored.

    With `crosses_ctas`, no CTA overwrites its elements or exits before all CTAs have loaded them.

    Raises:
        CannotLower: the CTAs can't synchronize.
    """
    if crosses_ctas:
        synchronize_ctas(low)
    else:
        low.warps.synchronize()
    yield
    if crosses_ctas:
        synchronize_ctas(low)


def let_all_arrive(low: Lowering, advice: str = "choose num_ctas=1, or no warp specialization") -> None:
    """Has warps that wait for partitions arrive, too, and wait: the barrier counts all threads of the cluster.

    Args:
        advice: what to do where they cannot.

    Raises:
        CannotLower: the target has no clusters, or partitions run, whose warps do not come here.
    """
    low.require("has_clusters", "clusters")
    refuse_in_groups(low, advice)
    if low.workers is not None:
        low.workers.join_cluster()


def refuse_in_groups(low: Lowering, advice: str) -> None:
    """Raises CannotLower where warps run partitions: those would not come to a barrier of all threads."""
    if low.total_warps != low.kernel_warps and (low.workers is None or low.workers.are_busy):
        raise CannotLower(
            "found CTAs of a cluster that must synchronize while warps are specialized: some would wait forever; "
            + advice
        )


def in_cta(low: Lowering, pointer: ir.Value, cta: ir.Value) -> ir.Value:
    """The address in the shared memory of CTA `cta` (an i32) that corresponds to `pointer` in this CTA's."""
    return low.emit.op("nvvm.mapa", low.emit.pointers[7], pointer, cta)


def peers(low: Lowering, bits: Sequence[int]) -> list[ir.Value]:
    """The CTAs, with this one, whose numbers differ only in `bits`: i32 values, in the same order in each CTA."""
    emit, mask = low.emit, sum(1 << bit for bit in bits)
    first = emit.and_(low.index.block(), emit.i32_constant(~mask))
    numbers = [sum((number >> i & 1) << bit for i, bit in enumerate(bits)) for number in range(1 << len(bits))]
    return [emit.or_(first, emit.i32_constant(number)) if number else first for number in numbers]
