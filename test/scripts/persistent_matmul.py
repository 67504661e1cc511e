"""A product whose programs stay: each takes one tile after the other, by descriptors of the host and of the kernel,
with loops that are flattened and warps that are specialized."""

import arrays
import numpy as np
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor


def describe(grid, kernel, arguments):
    """What a profiler shows of a launch."""
    M, N, K = arguments["M"], arguments["N"], arguments["K"]
    return {"name": f"{kernel.name} [M={M}, N={N}, K={K}]", "flops16": 2.0 * M * N * K}


def set_blocks(arguments):
    rows, columns, depth = arguments["BM"], arguments["BN"], arguments["BK"]
    arguments["a"].block_shape, arguments["b"].block_shape = [rows, depth], [columns, depth]
    arguments["c"].block_shape = [rows, columns // 2 if arguments["HALVES"] else columns]


CONFIGS = [
    triton.Config(
        {"BM": 64, "BN": columns, "BK": 32, "GROUP": 2, "HALVES": halves},
        num_stages=3,
        num_warps=4,
        pre_hook=set_blocks,
    )
    for columns, halves in ((32, False), (64, True))
]


@triton.jit
def place(tile, in_group, rows_of_tiles, GROUP: tl.constexpr):
    group = tile // in_group
    first = group * GROUP
    size = min(rows_of_tiles - first, GROUP)
    return first + tile % size, tile % in_group // size


@triton.autotune(CONFIGS, key=["M", "N", "K", "WARP_SPECIALIZE"])
@triton.jit(launch_metadata=describe)
def product(
    a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr, HALVES: tl.constexpr,
    PROGRAMS: tl.constexpr, FLATTEN: tl.constexpr, WARP_SPECIALIZE: tl.constexpr,
):  # fmt: skip
    rows_of_tiles, columns_of_tiles = tl.cdiv(M, BM), tl.cdiv(N, BN)
    tiles, in_group = rows_of_tiles * columns_of_tiles, GROUP * columns_of_tiles
    for tile in tl.range(tl.program_id(0), tiles, PROGRAMS, flatten=FLATTEN, warp_specialize=WARP_SPECIALIZE):
        row, column = place(tile, in_group, rows_of_tiles, GROUP)
        total = tl.zeros((BM, BN), tl.float32)
        for step in range(tl.cdiv(K, BK)):
            total = tl.dot(a.load([row * BM, step * BK]), b.load([column * BN, step * BK]).T, total)
        if HALVES:
            halves = tl.permute(tl.reshape(total, (BM, 2, BN // 2)), (0, 2, 1))
            left, right = tl.split(halves)
            c.store([row * BM, column * BN], left.to(tl.float16))
            c.store([row * BM, column * BN + BN // 2], right.to(tl.float16))
        else:
            c.store([row * BM, column * BN], total.to(tl.float16))


@triton.jit
def product_by_own_descriptors(
    a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr
):
    a = tl.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK])
    b = tl.make_tensor_descriptor(b, [N, K], [K, 1], [BN, BK])
    c = tl.make_tensor_descriptor(c, [M, N], [N, 1], [BM, BN])
    rows_of_tiles, columns_of_tiles = tl.cdiv(M, BM), tl.cdiv(N, BN)
    tiles, steps = rows_of_tiles * columns_of_tiles, tl.cdiv(K, BK)
    done = tl.program_id(0) - tl.num_programs(0)  # the tile whose result is stored, an iteration behind
    for tile in tl.range(tl.program_id(0), tiles, tl.num_programs(0), flatten=True):
        row, column = place(tile, GROUP * columns_of_tiles, rows_of_tiles, GROUP)
        total = tl.zeros((BM, BN), tl.float32)
        for step in range(steps):
            total = tl.dot(a.load([row * BM, step * BK]), b.load([column * BN, step * BK]).T, total)
        done += tl.num_programs(0)
        row, column = place(done, GROUP * columns_of_tiles, rows_of_tiles, GROUP)
        c.store([row * BM, column * BN], total.to(tl.float16))


def main():
    M, N, K = 150, 136, 72
    a, b = (arrays.normal(*shape, dtype=np.float16) for shape in ((M, K), (N, K)))
    left, right = map(arrays.on_device, (a, b))
    expected = a.astype(np.float32) @ b.astype(np.float32).T
    if arrays.ON_GPU:
        import torch

        triton.set_allocator(lambda size, align, stream: torch.empty(size, dtype=torch.int8, device="cuda"))
    for flatten, specialize in ((True, False), (False, False), (False, True)):
        c = arrays.zeros(M, N, dtype=np.float16)
        given = ((left, [M, K]), (right, [N, K]), (c, [M, N]))
        descriptors = [TensorDescriptor(each, shape, [shape[1], 1], [1, 1]) for each, shape in given]
        product[lambda meta: (min(meta["PROGRAMS"], triton.cdiv(M, meta["BM"]) * triton.cdiv(N, meta["BN"])),)](
            *descriptors, M, N, K, PROGRAMS=4, FLATTEN=flatten, WARP_SPECIALIZE=specialize
        )
        arrays.close(c, expected, 5e-2, 5e-3)
    c = arrays.zeros(M, N, dtype=np.float16)
    product_by_own_descriptors[(4,)](left, right, c, M, N, K, BM=64, BN=32, BK=32, GROUP=2, num_warps=4)
    arrays.close(c, expected, 5e-2, 5e-3)


if __name__ == "__main__":
    main()
