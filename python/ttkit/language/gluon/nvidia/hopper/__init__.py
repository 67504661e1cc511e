"""Since sm_90: copies by the tensor memory accelerator, wgmma, fences; and what sm_80 has."""

from importlib import import_module
from typing import Any

from ttkit.language.gluon.cache_policy import FractionalEvictionPolicy
from ttkit.language.gluon.cache_policy import NvidiaCachePolicy as CachePolicy
from ttkit.language.gluon.nvidia.ampere import async_copy, mma_v2
from ttkit.language.gluon.nvidia.hopper import cluster, mbarrier, tma
from ttkit.language.gluon.nvidia.hopper.fences import fence_async_shared
from ttkit.language.gluon.nvidia.hopper.products import (
    warpgroup_mma,
    warpgroup_mma_accumulator,
    warpgroup_mma_accumulator_type,
    warpgroup_mma_init,
    warpgroup_mma_wait,
)
from ttkit.language.gluon.nvidia.hopper.stores import async_store

__all__ = [
    "CachePolicy", "FractionalEvictionPolicy", "async_copy", "async_store", "cluster", "fence_async_shared",
    "mbarrier", "mma_v2", "tma", "warpgroup_mma", "warpgroup_mma_accumulator", "warpgroup_mma_accumulator_type",
    "warpgroup_mma_init", "warpgroup_mma_wait",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """`TensorDescriptor` and `TensorDescriptorIm2Col`, which launches take: they belong to the runtime.

    Raises:
        AttributeError: for other names.
    """
    if name in ("TensorDescriptor", "TensorDescriptorIm2Col"):
        return getattr(import_module("ttkit.runtime.gluon_descriptor"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
