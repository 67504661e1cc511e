"""Names of functions for AMD's GPUs, which programs import beside others; a kernel that calls one is refused."""

from ttkit.language.gluon.amd import cdna3, cdna4, gfx1250, hint, rdna3, rdna4
from ttkit.language.gluon.amd import gfx1250 as cdna5
from ttkit.language.gluon.amd.refused import Refused, refused
from ttkit.layout.gluon.amd import AMDMFMALayout, AMDWMMALayout

__all__ = [
    "AMDMFMALayout", "AMDWMMALayout", "cdna3", "cdna4", "cdna5", "gfx1250", "hint", "rdna3", "rdna4", "slice",
    "warp_pipeline_stage",
]  # fmt: skip

slice = refused("amd.slice")


class warp_pipeline_stage(Refused):
    """A stage of a loop, `with warp_pipeline_stage(...)`."""

    place = "amd"
