"""Names of copies in the background for gfx1250."""

from ttkit.language.gluon.amd.refused import refused

__all__ = ["commit_group", "global_to_shared", "mbarrier_arrive", "wait_group"]

commit_group = refused("gfx1250.async_copy.commit_group")
global_to_shared = refused("gfx1250.async_copy.global_to_shared")
mbarrier_arrive = refused("gfx1250.async_copy.mbarrier_arrive")
wait_group = refused("gfx1250.async_copy.wait_group")
