"""Attention by wgmma in Gluon: softmax(q @ k.T * scale) @ v, without the matrix of scores in memory.

A program makes a block of rows of one head.  It goes along keys and values block by block, with the largest score and
the sum of each row so far; when a larger score comes, what was summed up before is made smaller.

    TTKIT_DEVICE=interpret:sm_90 python examples/gluon_attention.py
"""

import numpy as np
from showing import check, fetched, placed

from ttkit.language import gluon
from ttkit.language import gluon as gl
from ttkit.language.gluon.nvidia.hopper import (
    TensorDescriptor,
    mbarrier,
    tma,
    warpgroup_mma,
    warpgroup_mma_wait,
)

LOG2_E = gl.constexpr(1.4426950408889634)


@gluon.jit
def load_block(keys, values, row, step, k_tiles, v_tiles, ready):
    """Begins to load a block of keys and values into their buffers."""
    rows: gl.constexpr = keys.block_shape[0]
    size: gl.constexpr = 2 * rows * keys.block_shape[1] * 2
    mbarrier.expect(ready.index(step % 2), size)
    tma.async_copy_global_to_shared(keys, [row + step * rows, 0], ready.index(step % 2), k_tiles.index(step % 2))
    tma.async_copy_global_to_shared(values, [row + step * rows, 0], ready.index(step % 2), v_tiles.index(step % 2))


@gluon.jit
def attention(queries, keys, values, out, length, scale):
    M: gl.constexpr = queries.block_shape[0]
    N: gl.constexpr = keys.block_shape[0]
    D: gl.constexpr = keys.block_shape[1]
    first, head = gl.program_id(0) * M, gl.program_id(1) * length
    q_tile = gl.allocate_shared_memory(gl.float16, queries.block_shape, queries.layout)
    k_tiles = gl.allocate_shared_memory(gl.float16, [2, N, D], keys.layout)
    v_tiles = gl.allocate_shared_memory(gl.float16, [2, N, D], values.layout)
    ready = gl.allocate_shared_memory(gl.int64, [2, 1], mbarrier.MBarrierLayout())
    loaded = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(loaded, count=1)
    for slot in gl.static_range(2):
        mbarrier.init(ready.index(slot), count=1)
    size: gl.constexpr = M * D * 2
    mbarrier.expect(loaded, size)
    tma.async_copy_global_to_shared(queries, [head + first, 0], loaded, q_tile)
    load_block(keys, values, head, 0, k_tiles, v_tiles, ready)
    mbarrier.wait(loaded, 0)
    of_scores: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [gl.num_warps(), 1], [16, N, 16])
    of_result: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [gl.num_warps(), 1], [16, D, 16])
    by_row: gl.constexpr = gl.SliceLayout(1, of_result)
    largest = gl.full([M], float("-inf"), gl.float32, gl.SliceLayout(1, of_scores))
    total = gl.zeros([M], gl.float32, gl.SliceLayout(1, of_scores))
    result = gl.zeros([M, D], gl.float32, of_result)
    for step in range(length // N):
        if step + 1 < length // N:
            load_block(keys, values, head, step + 1, k_tiles, v_tiles, ready)
        mbarrier.wait(ready.index(step % 2), step // 2 & 1)
        scores = gl.zeros([M, N], gl.float32, of_scores)
        running = warpgroup_mma(q_tile, k_tiles.index(step % 2).permute([1, 0]), scores, use_acc=False, is_async=True)
        scores = warpgroup_mma_wait(0, deps=[running]) * (scale * LOG2_E)
        larger = gl.maximum(largest, gl.max(scores, axis=1))
        weights = gl.exp2(scores - larger[:, None])
        smaller = gl.exp2(largest - larger)
        total = total * smaller + gl.sum(weights, axis=1)
        largest = larger
        result = result * gl.convert_layout(smaller, by_row)[:, None]
        left = gl.convert_layout(weights.to(gl.float16), gl.DotOperandLayout(0, of_result, 2))
        result = warpgroup_mma_wait(0, deps=[warpgroup_mma(left, v_tiles.index(step % 2), result, is_async=True)])
    result = result / gl.convert_layout(total, by_row)[:, None]
    row = head + first + gl.arange(0, M, by_row)
    column = gl.arange(0, D, gl.SliceLayout(0, of_result))
    gl.store(out + row[:, None] * D + column[None, :], result.to(gl.float16))


def attend(q, k, v, M=64, N=64):
    """Attention of q, k and v of shape (heads, length, D), fp16; M and N divide the length."""
    heads, length, D = q.shape
    arrays = [placed(array.reshape(heads * length, D)) for array in (q, k, v, np.zeros_like(q))]
    queries, keys, values = [
        TensorDescriptor(
            array, (heads * length, D), (D, 1), block, gl.NVMMASharedLayout.get_default_for(block, gl.float16)
        )
        for array, block in zip(arrays, ([M, D], [N, D], [N, D]))
    ]
    attention[(length // M, heads)](queries, keys, values, arrays[3], length, D**-0.5)
    return fetched(arrays[3]).reshape(q.shape)


def main():
    rng = np.random.default_rng(0)
    q, k, v = (rng.standard_normal((2, 192, 64)).astype(np.float16) for _ in range(3))
    scores = q.astype(np.float32) @ k.astype(np.float32).transpose(0, 2, 1) / 8
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    wanted = weights / weights.sum(-1, keepdims=True) @ v.astype(np.float32)
    check("attention", attend(q, k, v), wanted, 1e-2)


if __name__ == "__main__":
    main()
