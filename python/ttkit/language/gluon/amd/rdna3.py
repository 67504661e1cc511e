"""Names for RDNA 3."""

from ttkit.language.gluon.amd.refused import refused

__all__ = ["wmma"]

wmma = refused("rdna3.wmma")
