"""Since sm_90: copies by the tensor memory accelerator, wgmma, fences; and what sm_80 has."""

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
from ttkit.lazy_names import lazy_names

__all__ = [
    "CachePolicy", "FractionalEvictionPolicy", "async_copy", "async_store", "cluster", "fence_async_shared",
    "mbarrier", "mma_v2", "tma", "warpgroup_mma", "warpgroup_mma_accumulator", "warpgroup_mma_accumulator_type",
    "warpgroup_mma_init", "warpgroup_mma_wait",
]  # fmt: skip


_TAKEN_BY_LAUNCHES = ("TensorDescriptor", "TensorDescriptorIm2Col")
__getattr__ = lazy_names(__name__, dict.fromkeys(_TAKEN_BY_LAUNCHES, "ttkit.runtime.gluon_descriptor"))
