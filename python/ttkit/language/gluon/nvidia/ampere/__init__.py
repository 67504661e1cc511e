"""Since sm_80: copies from global to shared memory in the background, barriers in shared memory, mma.sync."""

from ttkit.language.gluon.cache_policy import FractionalEvictionPolicy
from ttkit.language.gluon.cache_policy import NvidiaCachePolicy as CachePolicy
from ttkit.language.gluon.nvidia.ampere import async_copy, mbarrier
from ttkit.language.gluon.nvidia.ampere.products import mma_v2
from ttkit.layout.gluon import DotOperandLayout, NVMMADistributedLayout

__all__ = [
    "CachePolicy",
    "DotOperandLayout",
    "FractionalEvictionPolicy",
    "NVMMADistributedLayout",
    "async_copy",
    "mbarrier",
    "mma_v2",
]
