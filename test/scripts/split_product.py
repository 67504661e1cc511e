"""A product whose sum is split between programs: parts are added by atomics; the last one to come scales the tile."""

import arrays
import numpy as np
import triton
import triton.language as tl


@triton.jit
def split_product(a_ptr, b_ptr, c_ptr, counters, m, n, k, scale, B: tl.constexpr, SPLIT: tl.constexpr):
    tile_m, tile_n, part = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    rows, columns = tile_m * B + tl.arange(0, B), tile_n * B + tl.arange(0, B)
    total = tl.zeros([B, B], tl.float32)
    for start in range(part * B, k, SPLIT * B):
        inner = start + tl.arange(0, B)
        a_mask = (rows[:, None] < m) & (inner[None, :] < k)
        b_mask = (inner[:, None] < k) & (columns[None, :] < n)
        a = tl.load(a_ptr + rows[:, None] * k + inner[None, :], mask=a_mask, other=0.0)
        b = tl.load(b_ptr + inner[:, None] * n + columns[None, :], mask=b_mask, other=0.0)
        total = tl.dot(a, b, total)
    places = c_ptr + rows[:, None] * n + columns[None, :]
    mask = (rows[:, None] < m) & (columns[None, :] < n)
    tl.atomic_add(places, total, mask=mask, sem="relaxed")
    tl.debug_barrier()
    if tl.atomic_add(counters + tile_m * tl.num_programs(1) + tile_n, 1) == SPLIT - 1:
        tl.debug_barrier()
        tl.store(places, tl.load(places, mask=mask) * scale, mask=mask)


def main():
    m, n, k, block, split = 70, 50, 130, 32, 3
    a, b = arrays.normal(m, k, dtype=np.float16), arrays.normal(k, n, dtype=np.float16)
    c = arrays.zeros(m, n)
    grid = triton.cdiv(m, block), triton.cdiv(n, block), split
    counters = arrays.zeros(grid[0] * grid[1], dtype=np.int32)
    given = arrays.on_device(a), arrays.on_device(b), c, counters
    split_product[grid](*given, m, n, k, 0.5, B=block, SPLIT=split)
    arrays.close(c, a.astype(np.float32) @ b.astype(np.float32) * 0.5, 1e-2, 1e-2)


if __name__ == "__main__":
    main()
