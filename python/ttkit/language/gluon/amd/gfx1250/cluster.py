"""Names of barriers of clusters for gfx1250."""

from ttkit.language.gluon.amd.refused import refused

__all__ = ["arrive", "wait"]

arrive = refused("gfx1250.cluster.arrive")
wait = refused("gfx1250.cluster.wait")
