"""Names of copies in the background for gfx1250."""

from ttkit.language.gluon.amd.refused import refused

__all__ = ["commit_group", "global_to_shared", "mbarrier_arrive", "shared_to_global", "wait_group"]

commit_group = refused("gfx1250.async_copy.commit_group")
global_to_shared = refused("gfx1250.async_copy.global_to_shared")
mbarrier_arrive = refused("gfx1250.async_copy.mbarrier_arrive")
shared_to_global = refused("gfx1250.async_copy.shared_to_global")
wait_group = refused("gfx1250.async_copy.wait_group")
