"""Names for gfx1250, which is CDNA 5 too."""

from ttkit.language.gluon.amd.gfx1250 import async_copy, cluster, mbarrier, tdm
from ttkit.language.gluon.amd.refused import Refused, refused

__all__ = [
    "PartitionedSharedLayout", "async_copy", "buffer_load", "buffer_store", "cluster",
    "get_scaled_upcast_fp4_scale_layout", "get_wmma_scale_layout", "load_shared_fp4_repacked",
    "make_partitioned_dot_layouts", "mbarrier", "scaled_downcast", "scaled_upcast", "tdm", "wmma", "wmma_scaled",
]  # fmt: skip

buffer_load = refused("gfx1250.buffer_load")
buffer_store = refused("gfx1250.buffer_store")
get_scaled_upcast_fp4_scale_layout = refused("gfx1250.get_scaled_upcast_fp4_scale_layout")
get_wmma_scale_layout = refused("gfx1250.get_wmma_scale_layout")
load_shared_fp4_repacked = refused("gfx1250.load_shared_fp4_repacked")
make_partitioned_dot_layouts = refused("gfx1250.make_partitioned_dot_layouts")
scaled_downcast = refused("gfx1250.scaled_downcast")
scaled_upcast = refused("gfx1250.scaled_upcast")
wmma = refused("gfx1250.wmma")
wmma_scaled = refused("gfx1250.wmma_scaled")


class PartitionedSharedLayout(Refused):
    """The class of layouts of buffers in several parts."""

    place = "gfx1250"


class TensorDescriptor(Refused):
    """The class of descriptors that launches take."""

    place = "gfx1250"

    from_tensor = staticmethod(refused("gfx1250.TensorDescriptor.from_tensor"))
