"""Names for gfx1250."""

from ttkit.language.gluon.amd.gfx1250 import async_copy, mbarrier, tdm
from ttkit.language.gluon.amd.refused import Refused, refused

__all__ = [
    "async_copy",
    "buffer_load",
    "buffer_store",
    "get_wmma_scale_layout",
    "mbarrier",
    "tdm",
    "wmma",
    "wmma_scaled",
]

buffer_load = refused("gfx1250.buffer_load")
buffer_store = refused("gfx1250.buffer_store")
get_wmma_scale_layout = refused("gfx1250.get_wmma_scale_layout")
wmma = refused("gfx1250.wmma")
wmma_scaled = refused("gfx1250.wmma_scaled")


class TensorDescriptor(Refused):
    """The class of descriptors that launches take."""

    place = "gfx1250"

    from_tensor = staticmethod(refused("gfx1250.TensorDescriptor.from_tensor"))
