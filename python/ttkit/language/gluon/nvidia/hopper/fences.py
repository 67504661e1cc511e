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

    Example:
        >>> shared = gl.NVMMASharedLayout.get_default_for([8, 32], gl.float32)
        >>> matrix = np.arange(1024, dtype=np.float32).reshape(32, 32)
        >>> tensor = tma.make_tensor_descriptor(pointer(matrix), [32, 32], [32, 1], [8, 32], shared)
        >>> tile = gl.allocate_shared_memory(gl.float32, [8, 32], shared)
        >>> tile.store(gl.full([8, 32], 7.0, gl.float32, rows))
        >>> hopper.fence_async_shared()  # TMA reads what threads have written
        >>> tma.async_copy_shared_to_global(tensor, [0, 0], tile)
        >>> tma.store_wait(0)
    """
    attributes = {"bCluster": flag_attribute("fence_async_shared", "cluster", cluster)}
    builder().emit_op("ttng.fence_async_shared", (), (), attributes)
