"""Names for CDNA 3."""

from ttkit.language.gluon.amd.refused import refused

__all__ = [
    "buffer_atomic_add",
    "buffer_atomic_and",
    "buffer_atomic_max",
    "buffer_atomic_min",
    "buffer_atomic_or",
    "buffer_atomic_xchg",
    "buffer_atomic_xor",
    "buffer_load",
    "buffer_store",
    "get_scaled_upcast_fp4_scale_layout",
    "mfma",
    "scaled_upcast",
]

buffer_atomic_add = refused("cdna3.buffer_atomic_add")
buffer_atomic_and = refused("cdna3.buffer_atomic_and")
buffer_atomic_max = refused("cdna3.buffer_atomic_max")
buffer_atomic_min = refused("cdna3.buffer_atomic_min")
buffer_atomic_or = refused("cdna3.buffer_atomic_or")
buffer_atomic_xchg = refused("cdna3.buffer_atomic_xchg")
buffer_atomic_xor = refused("cdna3.buffer_atomic_xor")
buffer_load = refused("cdna3.buffer_load")
buffer_store = refused("cdna3.buffer_store")
get_scaled_upcast_fp4_scale_layout = refused("cdna3.get_scaled_upcast_fp4_scale_layout")
mfma = refused("cdna3.mfma")
scaled_upcast = refused("cdna3.scaled_upcast")
