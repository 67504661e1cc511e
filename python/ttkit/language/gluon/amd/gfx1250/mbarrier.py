"""Names of barriers for gfx1250."""

from ttkit.language.gluon.amd.refused import refused
from ttkit.language.gluon.nvidia.ampere.mbarrier import MBarrierLayout

__all__ = ["MBarrierLayout", "arrive", "init", "wait"]

arrive = refused("gfx1250.mbarrier.arrive")
init = refused("gfx1250.mbarrier.init")
wait = refused("gfx1250.mbarrier.wait")
