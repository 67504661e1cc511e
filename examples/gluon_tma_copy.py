"""Copies by TMA in Gluon: a ring of buffers, each with a barrier that counts the bytes as they arrive.

A program moves strips of rows from one matrix to another.  Up to STAGES strips are on their way at once.

    TTKIT_DEVICE=interpret:sm_90 python examples/gluon_tma_copy.py
"""

import numpy as np
from showing import check, fetched, placed

from ttkit.language import gluon
from ttkit.language import gluon as gl
from ttkit.language.gluon.nvidia.hopper import TensorDescriptor, mbarrier, tma


@gluon.jit
def load_strip(source, strip, tiles, ready, STAGES: gl.constexpr):
    """Begins to load a strip into its buffer."""
    rows: gl.constexpr = source.block_shape[0]
    size: gl.constexpr = rows * source.block_shape[1] * source.dtype.primitive_bitwidth // 8
    bar = ready.index(strip % STAGES)
    mbarrier.expect(bar, size)
    tma.async_copy_global_to_shared(source, [strip * rows, 0], bar, tiles.index(strip % STAGES))


@gluon.jit
def copy_strips(source, target, strips, STAGES: gl.constexpr):
    rows: gl.constexpr = source.block_shape[0]
    columns: gl.constexpr = source.block_shape[1]
    tiles = gl.allocate_shared_memory(source.dtype, [STAGES, rows, columns], source.layout)
    ready = gl.allocate_shared_memory(gl.int64, [STAGES, 1], mbarrier.MBarrierLayout())
    for stage in gl.static_range(STAGES):
        mbarrier.init(ready.index(stage), count=1)
    for strip in range(min(strips, STAGES - 1)):
        load_strip(source, strip, tiles, ready, STAGES)
    for strip in range(strips):
        # A barrier ends its phases one after the other: the parity says which one this strip ends.
        mbarrier.wait(ready.index(strip % STAGES), strip // STAGES & 1)
        tma.async_copy_shared_to_global(target, [strip * rows, 0], tiles.index(strip % STAGES))
        tma.store_wait(0)  # the buffer has been read: it may be loaded again
        if strip + STAGES - 1 < strips:
            load_strip(source, strip + STAGES - 1, tiles, ready, STAGES)
    for stage in gl.static_range(STAGES):
        mbarrier.invalidate(ready.index(stage))


def main():
    source = np.random.default_rng(0).standard_normal((100, 32)).astype(np.float32)
    target = np.zeros_like(source)
    layout = gl.NVMMASharedLayout.get_default_for([16, 32], gl.float32)
    arrays = [placed(source), placed(target)]
    rows, copied = [TensorDescriptor(array, source.shape, (32, 1), [16, 32], layout) for array in arrays]
    copy_strips[(1,)](rows, copied, 7, STAGES=3)
    check("the source", fetched(arrays[1]), source)


if __name__ == "__main__":
    main()
