"""Pointers to blocks: a transposed copy, with bounds checked by the pointers."""

import arrays
import numpy as np
import triton
import triton.language as tl


@triton.jit
def transpose(x, y, M, N, BM: tl.constexpr, BN: tl.constexpr):
    row, column = tl.program_id(0) * BM, tl.program_id(1) * BN * 2
    source = tl.make_block_ptr(x, (M, N), (N, 1), (row, column), (BM, BN), (1, 0))
    target = tl.make_block_ptr(y, (N, M), (M, 1), (column, row), (BN, BM), (1, 0))
    for _ in tl.static_range(2):
        block = tl.load(source, boundary_check=(0, 1), padding_option="zero")
        tl.store(target, tl.trans(block), boundary_check=(0, 1))
        source = tl.advance(source, (0, BN))
        target = tl.advance(target, (BN, 0))


def main():
    x = arrays.normal(45, 70)
    y = arrays.zeros(70, 45)
    transpose[(triton.cdiv(45, 32), triton.cdiv(70, 32))](arrays.on_device(x), y, 45, 70, BM=32, BN=16)
    assert np.array_equal(arrays.values(y), x.T)


if __name__ == "__main__":
    main()
