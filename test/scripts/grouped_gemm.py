"""Products of matrices of different sizes in one launch: their addresses and sizes come from tables."""

import arrays
import numpy as np
import triton
import triton.language as tl


@triton.jit
def grouped_matmul(a_table, b_table, c_table, sizes, count, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    tile = tl.program_id(0)
    before = 0
    for problem in range(count):
        M = tl.load(sizes + problem * 3)
        N = tl.load(sizes + problem * 3 + 1)
        K = tl.load(sizes + problem * 3 + 2)
        columns = tl.cdiv(N, BN)
        tiles = tl.cdiv(M, BM) * columns
        while tile >= before and tile < before + tiles:
            a = tl.load(a_table + problem).to(tl.pointer_type(tl.float16))
            b = tl.load(b_table + problem).to(tl.pointer_type(tl.float16))
            c = tl.load(c_table + problem).to(tl.pointer_type(tl.float16))
            offs_m = (tile - before) // columns * BM + tl.arange(0, BM)
            offs_n = (tile - before) % columns * BN + tl.arange(0, BN)
            total = tl.zeros((BM, BN), dtype=tl.float32)
            for k in range(0, K, BK):
                offs_k = k + tl.arange(0, BK)
                x = tl.load(
                    a + offs_m[:, None] * K + offs_k[None, :],
                    mask=(offs_m[:, None] < M) & (offs_k[None, :] < K),
                    other=0,
                )
                y = tl.load(
                    b + offs_k[:, None] * N + offs_n[None, :],
                    mask=(offs_k[:, None] < K) & (offs_n[None, :] < N),
                    other=0,
                )
                total += tl.dot(x, y)
            mask = (offs_m[:, None] < M) & (offs_n[None, :] < N)
            tl.store(c + offs_m[:, None] * N + offs_n[None, :], total.to(tl.float16), mask=mask)
            tile += tl.num_programs(0)
        before += tiles


def main():
    sizes = [(33, 20, 40), (16, 70, 16), (50, 17, 64)]
    a = [arrays.on_device(arrays.normal(M, K, dtype=np.float16)) for M, N, K in sizes]
    b = [arrays.on_device(arrays.normal(K, N, dtype=np.float16)) for M, N, K in sizes]
    c = [arrays.zeros(M, N, dtype=np.float16) for M, N, K in sizes]
    tables = [arrays.on_device(np.array([arrays.address(each) for each in group], np.int64)) for group in (a, b, c)]
    sizes_on_device = arrays.on_device(np.array(sizes, np.int32))
    grouped_matmul[(4,)](*tables, sizes_on_device, len(sizes), BM=32, BN=32, BK=16)
    for left, right, found in zip(a, b, c):
        expected = arrays.values(left).astype(np.float32) @ arrays.values(right).astype(np.float32)
        arrays.close(found, expected, 5e-2, 5e-3)


if __name__ == "__main__":
    main()
