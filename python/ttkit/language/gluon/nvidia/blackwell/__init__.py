"""Since sm_100: tensor memory, products that accumulate in it, rows by TMA, pairs of fp32; and what was before."""

from importlib import import_module
from typing import Any

from ttkit.language.gluon.cache_policy import FractionalEvictionPolicy
from ttkit.language.gluon.cache_policy import NvidiaCachePolicy as CachePolicy
from ttkit.language.gluon.nvidia.ampere import async_copy, mma_v2
from ttkit.language.gluon.nvidia.blackwell import clc, float2, tma
from ttkit.language.gluon.nvidia.blackwell.packed import add2, fma2, max2, min2, mul2, sub2
from ttkit.language.gluon.nvidia.blackwell.products import tcgen05_commit, tcgen05_copy, tcgen05_mma, tcgen05_mma_scaled
from ttkit.language.gluon.nvidia.blackwell.tensor_memory import (
    allocate_tensor_memory,
    get_tmem_reg_layout,
    tensor_memory_descriptor,
    tensor_memory_descriptor_type,
)
from ttkit.language.gluon.nvidia.hopper import fence_async_shared, mbarrier
from ttkit.language.gluon.nvidia.hopper.stores import async_store
from ttkit.layout.gluon.tensor_memory import TensorMemoryLayout, TensorMemoryScalesLayout

__all__ = [
    "CachePolicy", "FractionalEvictionPolicy", "TensorMemoryLayout", "TensorMemoryScalesLayout", "add2",
    "allocate_tensor_memory", "async_copy", "async_store", "clc", "fence_async_shared", "float2", "fma2",
    "get_tmem_reg_layout", "max2", "mbarrier", "min2", "mma_v2", "mul2", "sub2", "tcgen05_commit",
    "tcgen05_copy", "tcgen05_mma", "tcgen05_mma_scaled", "tensor_memory_descriptor",
    "tensor_memory_descriptor_type", "tma",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """`TensorDescriptor`, that of `nvidia.hopper`.  Raises AttributeError for other names."""
    if name == "TensorDescriptor":
        return import_module("ttkit.runtime.gluon_descriptor").TensorDescriptor
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
