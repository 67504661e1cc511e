"""A matrix product by wgmma in Gluon: TMA fills a ring of buffers while the tensor cores multiply.

A program makes a block of the result.  A product is still running while the next one starts: its buffers are loaded
again after the wait that says it has ended.

    TTKIT_DEVICE=interpret:sm_90 python examples/gluon_wgmma.py
"""

import numpy as np
from showing import check, fetched, placed

import ttkit
from ttkit.language import gluon
from ttkit.language import gluon as gl
from ttkit.language.gluon.nvidia.hopper import (
    TensorDescriptor,
    fence_async_shared,
    mbarrier,
    tma,
    warpgroup_mma,
    warpgroup_mma_init,
    warpgroup_mma_wait,
)


@gluon.jit
def load_blocks(a_rows, b_rows, row, column, step, a_tiles, b_tiles, ready, STAGES: gl.constexpr):
    """Begins to load the blocks of a step along K into their buffers."""
    slot = step % STAGES
    block: gl.constexpr = a_rows.block_shape[1]
    size: gl.constexpr = (a_rows.block_shape[0] + b_rows.block_shape[0]) * block * 2
    bar = ready.index(slot)
    mbarrier.expect(bar, size)
    tma.async_copy_global_to_shared(a_rows, [row, step * block], bar, a_tiles.index(slot))
    tma.async_copy_global_to_shared(b_rows, [column, step * block], bar, b_tiles.index(slot))


@gluon.jit
def matmul(a_rows, b_rows, c_rows, k, STAGES: gl.constexpr):
    M: gl.constexpr = a_rows.block_shape[0]
    N: gl.constexpr = b_rows.block_shape[0]
    K: gl.constexpr = a_rows.block_shape[1]
    row, column = gl.program_id(0) * M, gl.program_id(1) * N
    a_tiles = gl.allocate_shared_memory(gl.float16, [STAGES, M, K], a_rows.layout)
    b_tiles = gl.allocate_shared_memory(gl.float16, [STAGES, N, K], b_rows.layout)
    ready = gl.allocate_shared_memory(gl.int64, [STAGES, 1], mbarrier.MBarrierLayout())
    for stage in gl.static_range(STAGES):
        mbarrier.init(ready.index(stage), count=1)
    steps = gl.cdiv(k, K)
    for step in range(min(steps, STAGES)):
        load_blocks(a_rows, b_rows, row, column, step, a_tiles, b_tiles, ready, STAGES)
    mma: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [gl.num_warps(), 1], [16, N, 16])
    acc = warpgroup_mma_init(gl.zeros([M, N], gl.float32, mma))
    for step in range(steps):
        slot = step % STAGES
        mbarrier.wait(ready.index(slot), step // STAGES & 1)
        acc = warpgroup_mma(a_tiles.index(slot), b_tiles.index(slot).permute([1, 0]), acc, is_async=True)
        acc = warpgroup_mma_init(warpgroup_mma_wait(1, deps=[acc]))
        following = step - 1 + STAGES  # in the buffers of the product before this one, which has ended
        if (step > 0) & (following < steps):
            load_blocks(a_rows, b_rows, row, column, following, a_tiles, b_tiles, ready, STAGES)
    total = warpgroup_mma_wait(0, deps=[acc])
    tile = gl.allocate_shared_memory(gl.float16, c_rows.block_shape, c_rows.layout)
    tile.store(total.to(gl.float16))
    fence_async_shared()
    tma.async_copy_shared_to_global(c_rows, [row, column], tile)
    tma.store_wait(0)


def product(a, b, M=128, N=64, K=64, STAGES=4):
    """`a @ b.T` of matrices of fp16."""
    (m, k), n = a.shape, b.shape[0]
    arrays = [placed(array) for array in (a, b, np.zeros((m, n), np.float16))]
    blocks = ([M, K], [N, K], [M, N])
    a_rows, b_rows, c_rows = [
        TensorDescriptor(array, shape, (shape[1], 1), block, gl.NVMMASharedLayout.get_default_for(block, gl.float16))
        for array, shape, block in zip(arrays, ((m, k), (n, k), (m, n)), blocks)
    ]
    matmul[(ttkit.cdiv(m, M), ttkit.cdiv(n, N))](a_rows, b_rows, c_rows, k, STAGES=STAGES)
    return fetched(arrays[2])


def main():
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal(shape).astype(np.float16) for shape in ((160, 360), (72, 360)))
    check("a @ b.T", product(a, b), a.astype(np.float32) @ b.T.astype(np.float32), 2e-2)


if __name__ == "__main__":
    main()
