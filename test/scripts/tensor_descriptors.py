"""Tensors in blocks by descriptors: made on the host, and made in the kernel."""

import arrays
import numpy as np
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor


@triton.jit
def add_blocks(x, y, out, BM: tl.constexpr, BN: tl.constexpr):
    row, column = tl.program_id(0) * BM, tl.program_id(1) * BN
    out.store([row, column], x.load([row, column]) + y.load([row, column]))


@triton.jit
def scale(x, out, M, N, factor, BM: tl.constexpr, BN: tl.constexpr):
    source = tl.make_tensor_descriptor(x, shape=[M, N], strides=[N, 1], block_shape=[BM, BN])
    target = tl.make_tensor_descriptor(out, shape=[M, N], strides=[N, 1], block_shape=[BM, BN])
    row, column = tl.program_id(0) * BM, tl.program_id(1) * BN
    target.store([row, column], source.load([row, column]) * factor)


def main():
    M, N, block = 40, 72, [16, 32]
    x, y = arrays.normal(M, N), arrays.normal(M, N)
    out, scaled = arrays.zeros(M, N), arrays.zeros(M, N)
    grid = (triton.cdiv(M, 16), triton.cdiv(N, 32))
    descriptors = [TensorDescriptor(each, [M, N], [N, 1], block) for each in map(arrays.on_device, (x, y))]
    add_blocks[grid](*descriptors, TensorDescriptor(out, [M, N], [N, 1], block), BM=16, BN=32)
    assert np.array_equal(arrays.values(out), x + y)
    if arrays.ON_GPU:
        import torch

        triton.set_allocator(lambda size, align, stream: torch.empty(size, dtype=torch.int8, device="cuda"))
    scale[grid](arrays.on_device(x), scaled, M, N, 2.0, BM=16, BN=32)
    assert np.array_equal(arrays.values(scaled), 2 * x)


if __name__ == "__main__":
    main()
