"""A matrix product by tcgen05 in Gluon: its sums are in tensor memory, and barriers say when a product has ended.

A program makes a block of the result.  A buffer is loaded again when the product that read it has ended: that is when
its barrier in `free` has got the product's arrival.

    TTKIT_DEVICE=interpret:sm_100 python examples/gluon_tcgen05.py
"""

import numpy as np
from showing import check, fetched, placed

import ttkit
from ttkit.language import gluon
from ttkit.language import gluon as gl
from ttkit.language.gluon.nvidia.blackwell import (
    TensorDescriptor,
    TensorMemoryLayout,
    allocate_tensor_memory,
    fence_async_shared,
    get_tmem_reg_layout,
    mbarrier,
    tcgen05_commit,
    tcgen05_mma,
    tma,
)


@gluon.jit
def load_blocks(a_rows, b_rows, row, column, step, a_tiles, b_tiles, full, free, STAGES: gl.constexpr):
    """Begins to load the blocks of a step along K, once their buffers are free."""
    block: gl.constexpr = a_rows.block_shape[1]
    size: gl.constexpr = (a_rows.block_shape[0] + b_rows.block_shape[0]) * block * 2
    slot = step % STAGES
    mbarrier.wait(free.index(slot), (step // STAGES & 1) ^ 1)
    mbarrier.expect(full.index(slot), size)
    tma.async_copy_global_to_shared(a_rows, [row, step * block], full.index(slot), a_tiles.index(slot))
    tma.async_copy_global_to_shared(b_rows, [column, step * block], full.index(slot), b_tiles.index(slot))


@gluon.jit
def matmul(a_rows, b_rows, c_rows, k, STAGES: gl.constexpr):
    M: gl.constexpr = c_rows.block_shape[0]
    N: gl.constexpr = c_rows.block_shape[1]
    K: gl.constexpr = a_rows.block_shape[1]
    row, column = gl.program_id(0) * M, gl.program_id(1) * N
    steps = gl.cdiv(k, K)
    a_tiles = gl.allocate_shared_memory(gl.float16, [STAGES, M, K], a_rows.layout)
    b_tiles = gl.allocate_shared_memory(gl.float16, [STAGES, N, K], b_rows.layout)
    full = gl.allocate_shared_memory(gl.int64, [STAGES, 1], mbarrier.MBarrierLayout())
    free = gl.allocate_shared_memory(gl.int64, [STAGES, 1], mbarrier.MBarrierLayout())
    done = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    for stage in gl.static_range(STAGES):
        mbarrier.init(full.index(stage), count=1)
        mbarrier.init(free.index(stage), count=1)
    mbarrier.init(done, count=1)
    memory: gl.constexpr = TensorMemoryLayout((M, N), col_stride=1)
    acc = allocate_tensor_memory(gl.float32, [M, N], memory)
    for step in range(min(steps, STAGES - 1)):
        load_blocks(a_rows, b_rows, row, column, step, a_tiles, b_tiles, full, free, STAGES)
    for step in range(steps):
        slot = step % STAGES
        mbarrier.wait(full.index(slot), step // STAGES & 1)
        left, right = a_tiles.index(slot), b_tiles.index(slot).permute([1, 0])
        tcgen05_mma(left, right, acc, use_acc=step > 0, mbarriers=[free.index(slot)])
        if step + STAGES - 1 < steps:
            load_blocks(a_rows, b_rows, row, column, step + STAGES - 1, a_tiles, b_tiles, full, free, STAGES)
    tcgen05_commit(done)
    mbarrier.wait(done, 0)
    total = acc.load(get_tmem_reg_layout(gl.float32, (M, N), memory, gl.num_warps()))
    tile = gl.allocate_shared_memory(gl.float16, c_rows.block_shape, c_rows.layout)
    tile.store(total.to(gl.float16))
    fence_async_shared()
    tma.async_copy_shared_to_global(c_rows, [row, column], tile)
    tma.store_wait(0)


def product(a, b, M=128, N=64, K=64, STAGES=3):
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
