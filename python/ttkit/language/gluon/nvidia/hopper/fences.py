"""Order between accesses of threads and those of asynchronous units.

Ops: dialects/ttng/fence_ops.td
"""

from __future__ import annotations

from typing import Any

from ttkit.language.building import builder
from ttkit.language.builtin import builtin
from ttkit.language.constants import flag_attribute


@builtin
def fence_async_shared(cluster: Any = False) -> None:
    """Makes what threads wrote to shared memory visible to TMA, wgmma and tcgen05 operations after it.

    Args:
        cluster: also in the shared memory of the cluster's other CTAs.

    Raises:
        BadArgument: `cluster` is not known while compiling.
    """
    attributes = {"bCluster": flag_attribute("fence_async_shared", "cluster", cluster)}
    builder().emit_op("ttng.fence_async_shared", (), (), attributes)
