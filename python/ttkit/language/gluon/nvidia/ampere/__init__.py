"""Since sm_80: copies from global to shared memory in the background, barriers in shared memory, mma.sync."""

from ttkit.language.gluon.nvidia.ampere import async_copy, mbarrier
from ttkit.language.gluon.nvidia.ampere.products import mma_v2

__all__ = ["async_copy", "mbarrier", "mma_v2"]
