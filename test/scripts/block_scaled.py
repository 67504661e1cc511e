"""A product of numbers in microscaled formats: fp4 (two a byte) by fp8, with a scale for every 32 of them."""

import arrays
import numpy as np
import triton
import triton.language as tl

E2M1 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6, 0, -0.5, -1, -1.5, -2, -3, -4, -6], np.float32)


@triton.jit
def scaled_matmul(a, a_scale, b, b_scale, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    m, n = tl.arange(0, M), tl.arange(0, N)
    half, full, group = tl.arange(0, K // 2), tl.arange(0, K), tl.arange(0, K // 32)
    x = tl.load(a + m[:, None] * (K // 2) + half[None, :])
    y = tl.load(b + full[:, None] * N + n[None, :])
    x_scale = tl.load(a_scale + m[:, None] * (K // 32) + group[None, :])
    y_scale = tl.load(b_scale + n[:, None] * (K // 32) + group[None, :])
    product = tl.dot_scaled(x, x_scale, "e2m1", y, y_scale, "e5m2")
    tl.store(c + m[:, None] * N + n[None, :], product)


def main():
    M, N, K = 32, 32, 64
    codes = arrays.random.integers(0, 16, (M, K)).astype(np.uint8)
    # e5m2 is the upper half of f16; NaN and infinity are left out.
    bytes_b = arrays.random.integers(0x30, 0x48, (K, N)).astype(np.uint8)
    scale_a = arrays.random.integers(124, 130, (M, K // 32)).astype(np.uint8)
    scale_b = arrays.random.integers(124, 130, (N, K // 32)).astype(np.uint8)
    c = arrays.zeros(M, N)
    packed = codes[:, ::2] | codes[:, 1::2] << 4
    device = [arrays.on_device(each) for each in (packed, scale_a, bytes_b, scale_b)]
    scaled_matmul[(1,)](*device, c, M, N, K)
    left = E2M1[codes] * np.exp2(np.repeat(scale_a, 32, 1).astype(np.float32) - 127)
    right = (bytes_b.astype(np.uint16) << 8).view(np.float16).astype(np.float32)
    right *= np.exp2(np.repeat(scale_b, 32, 1).astype(np.float32) - 127).T
    arrays.close(c, left @ right, 1e-2, 1e-2)


if __name__ == "__main__":
    main()
