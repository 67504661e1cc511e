"""Names of functions for AMD's GPUs, which programs import beside others; a kernel that calls one is refused."""

from ttkit.language.gluon.amd import cdna3, cdna4, gfx1250, rdna3, rdna4
from ttkit.layout.gluon.amd import AMDMFMALayout, AMDWMMALayout

__all__ = ["AMDMFMALayout", "AMDWMMALayout", "cdna3", "cdna4", "gfx1250", "rdna3", "rdna4"]
