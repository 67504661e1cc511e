"""Barriers of all CTAs of a cluster.

Ops: dialects/ttng/fence_ops.td
"""

from __future__ import annotations

from typing import Any

from ttkit.language.building import builder
from ttkit.language.builtin import builtin
from ttkit.language.constants import flag_attribute

__all__ = ["arrive", "barrier", "wait"]


@builtin
def arrive(relaxed: Any = False) -> None:
    """Arrives at the cluster's barrier, without waiting.

    Args:
        relaxed: whether the arrival orders no memory accesses.

    Raises:
        BadArgument: `relaxed` is not known while compiling.

    Example:
        >>> hopper.cluster.arrive(relaxed=True)
        >>> hopper.cluster.wait()
    """
    builder().emit_op("ttng.cluster_arrive", (), (), {"relaxed": flag_attribute("arrive", "relaxed", relaxed)})


@builtin
def wait() -> None:
    """Waits until all threads of the cluster have arrived, see `arrive`.

    Example:
        >>> hopper.cluster.arrive(relaxed=True)
        >>> hopper.cluster.wait()
    """
    builder().emit_op("ttng.cluster_wait", ())


@builtin
def barrier(relaxed: Any = False) -> None:
    """Waits until all threads of the cluster are here.

    Args:
        relaxed: whether the barrier orders no memory accesses.

    Raises:
        BadArgument: `relaxed` is not known while compiling.

    Example:
        >>> hopper.cluster.barrier()
    """
    attributes = {"relaxed": flag_attribute("barrier", "relaxed", relaxed)}
    builder().emit_op("ttng.cluster_barrier", (), (), attributes)
