"""Barriers in shared memory, which also count bytes that are copied.

Ops: dialects/ttng/mbarrier_ops.td    Interpreter: interpreter/ops/mbarrier.py
"""

from __future__ import annotations

from typing import Any

from ttkit.language.building import builder
from ttkit.language.builtin import builtin
from ttkit.language.constants import attribute_of_32_bits, to_tensor
from ttkit.language.constexpr import unwrap
from ttkit.language.errors import BadArgument
from ttkit.language.gluon.nvidia.ampere.mbarrier import (
    MBarrierLayout,
    allocate_mbarrier,
    arrive_times,
    init,
    invalidate,
    routing,
    wait,
)
from ttkit.language.gluon.nvidia.hopper import cluster
from ttkit.language.gluon.shared_memory import descriptor

__all__ = [
    "MBarrierLayout",
    "allocate_mbarrier",
    "arrive",
    "expect",
    "fence_init_release_cluster",
    "init",
    "invalidate",
    "sync_cluster_init",
    "wait",
]


@builtin
def expect(
    mbarrier: Any, bytes: Any = None, pred: Any = True, *, bytes_per_cta: Any = None, from_cta: Any = None
) -> None:
    """Arrives at a barrier, once, whose phase then also waits for bytes that are being copied.

    Args:
        bytes: their number in each CTA, an integer known while compiling.
        pred: whether to arrive at all.
        bytes_per_cta: `bytes`, by its name since Triton 3.7.
        from_cta: as of `arrive`.

    Raises:
        BadArgument: not such an integer, none or both names, or `mbarrier` is not a barrier.

    Example:
        >>> shared = gl.NVMMASharedLayout.get_default_for([8, 32], gl.float32)
        >>> matrix = np.arange(1024, dtype=np.float32).reshape(32, 32)
        >>> tensor = tma.make_tensor_descriptor(pointer(matrix), [32, 32], [32, 1], [8, 32], shared)
        >>> tile = gl.allocate_shared_memory(gl.float32, [8, 32], shared)
        >>> bar = mbarrier.allocate_mbarrier()
        >>> mbarrier.init(bar, count=1)
        >>> mbarrier.expect(bar, 8 * 32 * 4)
        >>> tma.async_copy_global_to_shared(tensor, [8, 0], bar, tile)
        >>> mbarrier.wait(bar, 0)  # the arrival of `expect`, and all bytes
        >>> gl.max(gl.max(tile.load(rows), 1), 0)
        fp32[] 511.0
    """
    size = unwrap(bytes_per_cta) if unwrap(bytes) is None else unwrap(bytes)
    if unwrap(bytes_per_cta) not in (None, size):
        reason = "bytes and bytes_per_cta are two names of one number"
        raise BadArgument(function="expect", reason=reason, advice="give one of the two")
    attributes = {"size": attribute_of_32_bits("expect", "bytes", size)} | routing("expect", from_cta)
    operands = (descriptor("expect", mbarrier).handle, to_tensor(pred).handle)
    builder().emit_op("ttng.barrier_expect", operands, (), attributes)


@builtin
def arrive(mbarrier: Any, *, count: Any = 1, pred: Any = True, from_cta: Any = None) -> None:
    """Arrives at a barrier for all threads.

    Args:
        count: arrivals, an integer known while compiling.
        pred: whether to arrive at all.
        from_cta: a mask of bits of the CTA's number in the cluster: the CTA whose other bits are 0 arrives at the
            barriers of all CTAs with the same bits in the mask.  None is all bits: each CTA arrives at its own.

    Raises:
        BadArgument: no such number, or `mbarrier` is not a barrier.

    Example:
        >>> bar = mbarrier.allocate_mbarrier()
        >>> mbarrier.init(bar, count=4)
        >>> mbarrier.arrive(bar, count=4)
        >>> mbarrier.wait(bar, 0)
    """
    arrive_times("arrive", mbarrier, count, pred, from_cta)


@builtin
def fence_init_release_cluster() -> None:
    """Makes barriers that `init` made before visible to the cluster's other CTAs, once they pass a cluster barrier.

    Does nothing in a cluster of one CTA.

    Example:
        >>> bar = mbarrier.allocate_mbarrier()
        >>> mbarrier.init(bar, count=1)
        >>> mbarrier.fence_init_release_cluster()
        >>> hopper.cluster.barrier()
    """
    if builder().unit.options.num_ctas > 1:
        builder().emit_op("ttng.fence_mbarrier_init_release_cluster", ())


@builtin
def sync_cluster_init() -> None:
    """Waits until the barriers that all CTAs of the cluster have made can be used by all.

    Does nothing in a cluster of one CTA.

    Example:
        >>> bar = mbarrier.allocate_mbarrier()
        >>> mbarrier.init(bar, count=1)
        >>> mbarrier.sync_cluster_init()
    """
    if builder().unit.options.num_ctas > 1:
        fence_init_release_cluster()
        cluster.barrier(relaxed=True)
