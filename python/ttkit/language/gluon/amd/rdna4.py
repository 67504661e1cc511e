"""Names for RDNA 4."""

from ttkit.language.gluon.amd.refused import refused

__all__ = ["wmma"]

wmma = refused("rdna4.wmma")
