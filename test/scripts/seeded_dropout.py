"""Dropout that keeps a seed in place of a mask: the same numbers (philox) come again when they are needed."""

import arrays
import numpy as np
import triton
import triton.language as tl


@triton.jit
def dropout_kernel(x_ptr, output_ptr, n, p, seed, BLOCK: tl.constexpr):
    offsets = tl.program_id(axis=0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    keep = tl.rand(seed, offsets) > p
    tl.store(output_ptr + offsets, tl.where(keep, x / (1 - p), 0.0), mask=mask)


@triton.jit
def noise_kernel(out, seed, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(out + offsets, tl.randn(seed, offsets))
    a, b, c, d = tl.randint4x(seed, offsets)
    tl.store(out + BLOCK + offsets, ((a ^ b ^ c ^ d) & 1).to(tl.float32))


def main():
    n = 1000
    x = arrays.on_device(np.ones(n, np.float32))
    made = {}
    for seed in (1, 1, 2):
        out = arrays.zeros(n)
        dropout_kernel[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, out, n, 0.3, seed, BLOCK=256)
        again = made.setdefault(seed, arrays.values(out))
        assert np.array_equal(again, arrays.values(out))
    assert not np.array_equal(made[1], made[2])
    for found in made.values():
        assert 0.6 < np.count_nonzero(found) / n < 0.8 and set(np.unique(found)) == {0.0, np.float32(1 / (1 - 0.3))}
    out = arrays.zeros(2 * 1024)
    noise_kernel[(1,)](out, 7, BLOCK=1024)
    numbers = arrays.values(out)
    assert abs(numbers[:1024].mean()) < 0.15 and 0.85 < numbers[:1024].std() < 1.15
    assert 0.4 < numbers[1024:].mean() < 0.6


if __name__ == "__main__":
    main()
