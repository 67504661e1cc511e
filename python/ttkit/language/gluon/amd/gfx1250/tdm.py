"""Names of copies by descriptors for gfx1250."""

from ttkit.language.gluon.amd.refused import Refused, refused

__all__ = [
    "async_gather", "async_load", "async_load_fused", "async_scatter", "async_store", "async_wait",
    "make_tensor_descriptor", "prefetch", "tensor_descriptor", "tensor_descriptor_type",
    "update_tensor_descriptor",
]  # fmt: skip

async_gather = refused("gfx1250.tdm.async_gather")
async_load = refused("gfx1250.tdm.async_load")
async_load_fused = refused("gfx1250.tdm.async_load_fused")
async_scatter = refused("gfx1250.tdm.async_scatter")
async_store = refused("gfx1250.tdm.async_store")
async_wait = refused("gfx1250.tdm.async_wait")
make_tensor_descriptor = refused("gfx1250.tdm.make_tensor_descriptor")
prefetch = refused("gfx1250.tdm.prefetch")
update_tensor_descriptor = refused("gfx1250.tdm.update_tensor_descriptor")


class tensor_descriptor_type(Refused):
    """The type of descriptors."""

    place = "gfx1250.tdm"


class tensor_descriptor(Refused):
    """The class of descriptors."""

    place = "gfx1250.tdm"
