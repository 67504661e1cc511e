"""Since sm_100: tensor memory, products that accumulate in it, rows by TMA, pairs of fp32; and what was before."""

from ttkit.language.gluon.cache_policy import FractionalEvictionPolicy
from ttkit.language.gluon.cache_policy import NvidiaCachePolicy as CachePolicy
from ttkit.language.gluon.nvidia.ampere import async_copy, mma_v2
from ttkit.language.gluon.nvidia.blackwell import clc, float2, tma
from ttkit.language.gluon.nvidia.blackwell.packed import add2, fma2, max2, min2, mul2, sub2
from ttkit.language.gluon.nvidia.blackwell.products import (
    tcgen05_commit,
    tcgen05_copy,
    tcgen05_mma,
    tcgen05_mma_barrier_count,
    tcgen05_mma_scaled,
)
from ttkit.language.gluon.nvidia.blackwell.tensor_memory import (
    allocate_tensor_memory,
    get_tmem_reg_layout,
    tensor_memory_descriptor,
    tensor_memory_descriptor_type,
)
from ttkit.language.gluon.nvidia.hopper import cluster, fence_async_shared, mbarrier
from ttkit.language.gluon.nvidia.hopper.stores import async_store
from ttkit.layout.gluon.tensor_memory_layouts import TensorMemoryLayout, TensorMemoryScalesLayout
from ttkit.lazy_names import lazy_names

__all__ = [
    "CachePolicy", "FractionalEvictionPolicy", "TensorMemoryLayout", "TensorMemoryScalesLayout", "add2",
    "allocate_tensor_memory", "async_copy", "async_store", "clc", "cluster", "fence_async_shared", "float2", "fma2",
    "get_tmem_reg_layout", "max2", "mbarrier", "min2", "mma_v2", "mul2", "sub2", "tcgen05_commit",
    "tcgen05_copy", "tcgen05_mma", "tcgen05_mma_barrier_count", "tcgen05_mma_scaled",
    "tensor_memory_descriptor", "tensor_memory_descriptor_type", "tma",
]  # fmt: skip


__getattr__ = lazy_names(__name__, {"TensorDescriptor": "ttkit.runtime.gluon_descriptor"})  # launches take it
