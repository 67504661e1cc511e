"""Scans with a function of our own, sorting, histograms, and elements by index."""

import arrays
import numpy as np
import triton
import triton.language as tl


@triton.jit
def linear(a1, b1, a2, b2):
    """x -> a2 * (a1 * x + b1) + b2."""
    return a1 * a2, b1 * a2 + b2


@triton.jit
def recurrence(a, b, out, N: tl.constexpr):
    at = tl.arange(0, N)
    _, state = tl.associative_scan((tl.load(a + at), tl.load(b + at)), 0, linear)
    tl.store(out + at, state)


@triton.jit
def order(x, out, counts, best, N: tl.constexpr, BINS: tl.constexpr):
    at = tl.arange(0, N)
    values = tl.load(x + at)
    ordered = tl.sort(values, descending=True)
    tl.store(out + at, tl.cumsum(ordered, 0))
    tl.store(counts + tl.arange(0, BINS), tl.histogram(values, BINS))
    value, index = tl.max(values, 0, return_indices=True)
    tl.store(best, value * N + index)
    tl.store(best + 1 + at, tl.gather(values, N - 1 - at, 0))


def main():
    n = 64
    a, b, out = arrays.normal(n) * 0.5, arrays.normal(n), arrays.zeros(n)
    recurrence[(1,)](arrays.on_device(a), arrays.on_device(b), out, N=n)
    state, expected = 0.0, []
    for factor, term in zip(a, b):
        state = factor * state + term
        expected.append(state)
    arrays.close(out, expected, 1e-3, 1e-3)

    x = arrays.random.integers(0, 16, n).astype(np.int32)
    sums, counts, best = (arrays.zeros(size, dtype=np.int32) for size in (n, 16, n + 1))
    order[(1,)](arrays.on_device(x), sums, counts, best, N=n, BINS=16)
    assert np.array_equal(arrays.values(sums), np.cumsum(np.sort(x)[::-1]))
    assert np.array_equal(arrays.values(counts), np.bincount(x, minlength=16))
    assert arrays.values(best)[0] == x.max() * n + x.argmax()
    assert np.array_equal(arrays.values(best)[1:], x[::-1])


if __name__ == "__main__":
    main()
