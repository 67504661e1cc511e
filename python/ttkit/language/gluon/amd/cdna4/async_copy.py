"""Names of copies in the background for CDNA 4."""

from ttkit.language.gluon.amd.refused import refused

__all__ = ["buffer_load_to_shared", "commit_group", "global_load_to_shared", "load_shared_relaxed", "wait_group"]

buffer_load_to_shared = refused("cdna4.async_copy.buffer_load_to_shared")
commit_group = refused("cdna4.async_copy.commit_group")
global_load_to_shared = refused("cdna4.async_copy.global_load_to_shared")
load_shared_relaxed = refused("cdna4.async_copy.load_shared_relaxed")
wait_group = refused("cdna4.async_copy.wait_group")
