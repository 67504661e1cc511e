"""From the name of an operation to the function that gives its terms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ttkit.declarations import declares

Meaning = Callable[..., Any]
"""Takes (walk, op, *values) and returns the result, or a tuple of them.

Raises NotModelled for a form that has no meaning here.
"""

MEANINGS: dict[str, Meaning] = {}


def means(*names: str) -> Callable[[Meaning], Meaning]:
    """Declares a function to be the meaning of operations."""
    return declares(MEANINGS, names)


EXACT_IF_UNROLLED = (
    "ttg.async_copy_global_to_local",
    "ttg.async_commit_group",
    "ttg.async_wait",
    "ttng.warp_group_dot",
    "ttng.warp_group_dot_wait",
    *(
        f"ttng.{name}"
        for name in """
        init_barrier inval_barrier barrier_expect arrive_barrier wait_barrier async_tma_copy_global_to_local
        async_tma_copy_local_to_global async_tma_gather async_tma_scatter async_tma_reduce async_tma_store_wait
        tensormap_create tensormap_fenceproxy_acquire fence_mbarrier_init_release_cluster
        reinterpret_tensor_descriptor tc_gen5_mma tc_gen5_mma_scaled tc_gen5_commit
        """.split()
    ),
    "ttg.global_scratch_alloc",
)
"""Operations that have an exact meaning only where loops are followed one iteration after the other."""

KNOWN_ATTRIBUTES = frozenset(
    """
    num pendings count size kind read_only isVolatile cache evict contiguity operandSegmentSizes inputPrecision
    maxNumImpreciseAcc isAsync is_async is_unsigned a_type b_type multicast multicastCTA nbytes alignment elem_type
    interleave_layout swizzle_mode fill_mode
    """.split()
)
"""Attributes that these meanings read, and hints: with another one, such as `two_ctas`, an operation has none."""

FAMILIES = tuple(
    "elementwise tensors memory buffers asynchronous barriers tensor_maps tensor_memory control groups".split()
)


def load_meanings() -> None:
    """Imports the families of operations, which declare their meanings."""
    from importlib import import_module

    for family in FAMILIES:
        import_module(f"ttkit.validation.meanings.{family}")
