"""Products of matrices of different sizes in one launch; the kernel makes their descriptors of addresses in a table."""

import arrays
import numpy as np
import triton
import triton.language as tl


@triton.autotune(
    [
        triton.Config({"BM": 64, "BN": columns, "BK": 32, "PROGRAMS": programs}, num_warps=4)
        for columns, programs in ((32, 3), (64, 5))
    ],
    key=["count"],
)
@triton.jit
def grouped_product(
    addresses,
    sizes,
    count,
    BM: tl.constexpr,
    BN: tl.constexpr,
    BK: tl.constexpr,
    PROGRAMS: tl.constexpr,
    TYPE: tl.constexpr,
):
    tile, before = tl.program_id(0), 0
    for problem in tl.range(count):
        M, N, K = tl.load(sizes + problem * 3), tl.load(sizes + problem * 3 + 1), tl.load(sizes + problem * 3 + 2)
        columns = tl.cdiv(N, BN)
        tiles = tl.cdiv(M, BM) * columns
        if tile >= before and tile < before + tiles:
            a_address = tl.load(addresses + problem * 3).to(tl.pointer_type(TYPE))
            b_address = tl.load(addresses + problem * 3 + 1).to(tl.pointer_type(TYPE))
            c_address = tl.load(addresses + problem * 3 + 2).to(tl.pointer_type(TYPE))
            a = tl.make_tensor_descriptor(a_address, shape=[M, K], strides=[K, 1], block_shape=[BM, BK])
            b = tl.make_tensor_descriptor(b_address, shape=[N, K], strides=[K, 1], block_shape=[BN, BK])
            c = tl.make_tensor_descriptor(c_address, shape=[M, N], strides=[N, 1], block_shape=[BM, BN])
            while tile < before + tiles:
                row, column = (tile - before) // columns * BM, (tile - before) % columns * BN
                total = tl.zeros((BM, BN), tl.float32)
                for step in range(0, tl.cdiv(K, BK)):
                    total += tl.dot(a.load([row, step * BK]), b.load([column, step * BK]).T)
                c.store([row, column], total.to(TYPE))
                tile += PROGRAMS
        before += tiles


def main():
    if arrays.ON_GPU:
        import torch

        triton.set_allocator(lambda size, align, stream: torch.empty(size, dtype=torch.int8, device="cuda"))
    sizes = [(72, 40, 80), (16, 136, 64), (130, 24, 16), (64, 64, 128)]
    problems = []
    for M, N, K in sizes:
        operands = [arrays.on_device(arrays.normal(rows, K, dtype=np.float16)) for rows in (M, N)]
        problems.append([*operands, arrays.zeros(M, N, dtype=np.float16)])
    table = arrays.on_device(np.array([[arrays.address(each) for each in group] for group in problems], np.int64))
    sizes_on_device = arrays.on_device(np.array(sizes, np.int32))
    grouped_product[lambda meta: (meta["PROGRAMS"],)](table, sizes_on_device, len(sizes), TYPE=tl.float16)
    for a, b, c in problems:
        expected = arrays.values(a).astype(np.float32) @ arrays.values(b).astype(np.float32).T
        arrays.close(c, expected, 5e-2, 5e-3)


if __name__ == "__main__":
    main()
