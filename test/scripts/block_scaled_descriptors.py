"""A product of fp8 and fp4 by descriptors; the scales lie as tensor cores of sm_100 want them: 128 rows by 4 of them
are 512 neighbouring bytes, four rows 32 apart beside each other."""

import arrays
import numpy as np
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

E2M1 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6, 0, -0.5, -1, -1.5, -2, -3, -4, -6], np.float32)
GROUP = 32  # elements that share a scale


@triton.jit
def scales_in_order(tile, ROWS: tl.constexpr, COUNT: tl.constexpr):
    """[1, ROWS / 128, COUNT / 4, 2, 256] bytes as they lie, as [ROWS, COUNT]."""
    tile = tile.reshape(ROWS // 128, COUNT // 4, 32, 4, 4)
    return tile.trans(0, 3, 2, 1, 4).reshape(ROWS, COUNT)


@triton.jit
def scaled_product(
    a, a_scale, b, b_scale, c, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, FP4: tl.constexpr
):
    row, column = tl.program_id(0), tl.program_id(1)
    GROUPS: tl.constexpr = BK // 32
    total = tl.zeros((BM, BN), tl.float32)
    for step in tl.range(0, tl.cdiv(K, BK), num_stages=2):
        left, right = a.load([row * BM, step * BK]), b.load([column * BN, step * BK // (2 if FP4 else 1)])
        place = step * (GROUPS // 4)
        left_scale = scales_in_order(a_scale.load([0, row * (BM // 128), place, 0, 0]), BM, GROUPS)
        right_scale = scales_in_order(b_scale.load([0, column * (BN // 128), place, 0, 0]), BN, GROUPS)
        if FP4:
            total = tl.dot_scaled(left, left_scale, "e5m2", right.T, right_scale, "e2m1", total)
        else:
            total = tl.dot_scaled(left, left_scale, "e5m2", right.T, right_scale, "e5m2", total)
    c.store([row * BM, column * BN], total.to(tl.float16))


def packed_scales(scales):
    """[rows, count] -> [1, rows / 128, count / 4, 2, 256], as the kernel reads them."""
    rows, count = scales.shape
    tiles = scales.reshape(rows // 128, 4, 32, count // 4, 4).transpose(0, 3, 2, 1, 4)
    return np.ascontiguousarray(tiles).reshape(1, rows // 128, count // 4, 2, 256)


def e5m2(codes):
    return (codes.astype(np.uint16) << 8).view(np.float16).astype(np.float32)


def describe(array, block):
    shape = list(array.shape)
    strides = [int(np.prod(shape[axis + 1 :])) for axis in range(len(shape))]
    return TensorDescriptor(array, shape, strides, block)


def main():
    M, N, K, block = 128, 128, 256, (128, 128, 128)
    codes_a = arrays.random.integers(0x30, 0x48, (M, K)).astype(np.uint8)
    scales = [arrays.random.integers(124, 130, (rows, K // GROUP)).astype(np.uint8) for rows in (M, N)]
    factors = [np.exp2(np.repeat(each, GROUP, 1).astype(np.float32) - 127) for each in scales]
    for fp4 in (False, True):
        codes_b = arrays.random.integers(0, 16, (N, K)) if fp4 else arrays.random.integers(0x30, 0x48, (N, K))
        codes_b = codes_b.astype(np.uint8)
        stored_b = codes_b[:, ::2] | codes_b[:, 1::2] << 4 if fp4 else codes_b
        a, b, a_scale, b_scale = map(arrays.on_device, (codes_a, stored_b, *map(packed_scales, scales)))
        c = arrays.zeros(M, N, dtype=np.float16)
        scale_block = [1, 1, block[2] // GROUP // 4, 2, 256]
        scaled_product[(M // block[0], N // block[1])](
            describe(a, [block[0], block[2]]),
            describe(a_scale, scale_block),
            describe(b, [block[1], block[2] // (2 if fp4 else 1)]),
            describe(b_scale, scale_block),
            describe(c, [block[0], block[1]]),
            K,
            *block,
            FP4=fp4,
        )
        left, right = e5m2(codes_a) * factors[0], (E2M1[codes_b] if fp4 else e5m2(codes_b)) * factors[1]
        arrays.close(c, left @ right.T, 0.5, 1e-2)


if __name__ == "__main__":
    main()
