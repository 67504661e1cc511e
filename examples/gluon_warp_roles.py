"""A matrix product whose warps have roles in Gluon: one loads, the others multiply.

The loader waits until a buffer is free and fills it; the four warps of the tensor cores wait until it is full, multiply
and free it.  Neither waits for the other as long as there are free and full buffers.

    TTKIT_DEVICE=interpret:sm_90 python examples/gluon_warp_roles.py
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
    warpgroup_mma_wait,
)


@gluon.jit
def loader(a_rows, b_rows, row, column, steps, a_tiles, b_tiles, full, free, STAGES: gl.constexpr):
    """The warp that loads."""
    block: gl.constexpr = a_rows.block_shape[1]
    size: gl.constexpr = (a_rows.block_shape[0] + b_rows.block_shape[0]) * block * 2
    for step in range(steps):
        slot = step % STAGES
        # In the first round the buffers are free: a wait for the phase before the first one ends at once.
        mbarrier.wait(free.index(slot), (step // STAGES & 1) ^ 1)
        bar = full.index(slot)
        mbarrier.expect(bar, size)
        tma.async_copy_global_to_shared(a_rows, [row, step * block], bar, a_tiles.index(slot))
        tma.async_copy_global_to_shared(b_rows, [column, step * block], bar, b_tiles.index(slot))


@gluon.jit
def multiplier(c_rows, row, column, steps, a_tiles, b_tiles, full, free, STAGES: gl.constexpr):
    """The warps that multiply, and store the result."""
    M: gl.constexpr = c_rows.block_shape[0]
    N: gl.constexpr = c_rows.block_shape[1]
    mma: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [gl.num_warps(), 1], [16, N, 16])
    acc = gl.zeros([M, N], gl.float32, mma)
    for step in range(steps):
        slot = step % STAGES
        mbarrier.wait(full.index(slot), step // STAGES & 1)
        running = warpgroup_mma(a_tiles.index(slot), b_tiles.index(slot).permute([1, 0]), acc, is_async=True)
        acc = warpgroup_mma_wait(0, deps=[running])
        mbarrier.arrive(free.index(slot), count=1)
    tile = gl.allocate_shared_memory(gl.float16, c_rows.block_shape, c_rows.layout)
    tile.store(acc.to(gl.float16))
    fence_async_shared()
    tma.async_copy_shared_to_global(c_rows, [row, column], tile)
    tma.store_wait(0)


@gluon.jit
def matmul(a_rows, b_rows, c_rows, k, STAGES: gl.constexpr):
    M: gl.constexpr = a_rows.block_shape[0]
    N: gl.constexpr = b_rows.block_shape[0]
    K: gl.constexpr = a_rows.block_shape[1]
    row, column, steps = gl.program_id(0) * M, gl.program_id(1) * N, gl.cdiv(k, K)
    a_tiles = gl.allocate_shared_memory(gl.float16, [STAGES, M, K], a_rows.layout)
    b_tiles = gl.allocate_shared_memory(gl.float16, [STAGES, N, K], b_rows.layout)
    full = gl.allocate_shared_memory(gl.int64, [STAGES, 1], mbarrier.MBarrierLayout())
    free = gl.allocate_shared_memory(gl.int64, [STAGES, 1], mbarrier.MBarrierLayout())
    for stage in gl.static_range(STAGES):
        mbarrier.init(full.index(stage), count=1)
        mbarrier.init(free.index(stage), count=1)
    gl.warp_specialize(
        [
            (multiplier, (c_rows, row, column, steps, a_tiles, b_tiles, full, free, STAGES)),
            (loader, (a_rows, b_rows, row, column, steps, a_tiles, b_tiles, full, free, STAGES)),
        ],
        [1],
        [24],
    )


def product(a, b, M=64, N=64, K=64, STAGES=3):
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
    a, b = (rng.standard_normal(shape).astype(np.float16) for shape in ((96, 320), (72, 320)))
    check("a @ b.T", product(a, b), a.astype(np.float32) @ b.T.astype(np.float32), 2e-2)


if __name__ == "__main__":
    main()
