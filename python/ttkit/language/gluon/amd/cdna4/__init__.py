"""Names for CDNA 4."""

from ttkit.language.gluon.amd.cdna4 import async_copy
from ttkit.language.gluon.amd.refused import refused

__all__ = [
    "async_copy", "buffer_atomic_add", "buffer_atomic_and", "buffer_atomic_max", "buffer_atomic_min",
    "buffer_atomic_or", "buffer_atomic_xchg", "buffer_atomic_xor", "buffer_load", "buffer_store",
    "compute_efficient_padded_shared_layout", "get_mfma_scale_layout", "get_scaled_upcast_fp4_scale_layout",
    "load_shared_fp4_repacked", "mfma", "mfma_scaled", "scaled_downcast", "scaled_upcast",
]  # fmt: skip

buffer_atomic_add = refused("cdna4.buffer_atomic_add")
buffer_atomic_and = refused("cdna4.buffer_atomic_and")
buffer_atomic_max = refused("cdna4.buffer_atomic_max")
buffer_atomic_min = refused("cdna4.buffer_atomic_min")
buffer_atomic_or = refused("cdna4.buffer_atomic_or")
buffer_atomic_xchg = refused("cdna4.buffer_atomic_xchg")
buffer_atomic_xor = refused("cdna4.buffer_atomic_xor")
buffer_load = refused("cdna4.buffer_load")
buffer_store = refused("cdna4.buffer_store")
compute_efficient_padded_shared_layout = refused("cdna4.compute_efficient_padded_shared_layout")
get_mfma_scale_layout = refused("cdna4.get_mfma_scale_layout")
get_scaled_upcast_fp4_scale_layout = refused("cdna4.get_scaled_upcast_fp4_scale_layout")
load_shared_fp4_repacked = refused("cdna4.load_shared_fp4_repacked")
mfma = refused("cdna4.mfma")
mfma_scaled = refused("cdna4.mfma_scaled")
scaled_downcast = refused("cdna4.scaled_downcast")
scaled_upcast = refused("cdna4.scaled_upcast")
