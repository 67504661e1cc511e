"""Pipelined loops on the GPU: the same results with any number of stages, also of loops shorter than their pipeline.

All numbers are small integers, so that sums are exact in every order.
"""

import numpy as np
import pytest

import ttkit
import ttkit.language as tl
from ttkit.runtime import DeviceArray, OutOfResources, TensorDescriptor

TILE = 64


@ttkit.jit
def product(a, b, out, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, STAGES: tl.constexpr):
    rows, columns, inner = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    total = tl.zeros((M, N), tl.float32)
    for start in tl.range(0, k, K, num_stages=STAGES):
        x = tl.load(a + rows[:, None] * k + (start + inner)[None, :], mask=(start + inner)[None, :] < k, other=0.0)
        y = tl.load(b + (start + inner)[:, None] * N + columns[None, :], mask=(start + inner)[:, None] < k, other=0.0)
        total = tl.dot(x, y, total)
    tl.store(out + rows[:, None] * N + columns[None, :], total)


@ttkit.jit
def product_of_descriptors(a, b, out, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, STAGES: tl.constexpr):
    total = tl.zeros((M, N), tl.float32)
    for start in tl.range(0, k, K, num_stages=STAGES):
        total = tl.dot(a.load([0, start]), b.load([start, 0]), total)
    out.store([0, 0], total)


@ttkit.jit
def chained(a, b, out, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, STAGES: tl.constexpr):
    rows, columns, inner = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    first = tl.load(a + rows[:, None] * K + inner[None, :])
    total = tl.zeros((M, K), tl.float32)
    for start in tl.range(0, k, N, num_stages=STAGES):
        y = tl.load(b + (start + columns)[None, :] * K + inner[:, None])
        part = tl.dot(first, y)
        z = tl.load(b + (start + columns)[:, None] * K + inner[None, :])
        total = tl.dot(tl.minimum(part, 2.0).to(tl.float16), z, total)
    tl.store(out + rows[:, None] * K + inner[None, :], total)


@ttkit.jit
def gathered(table, index, out, n, BLOCK: tl.constexpr, STAGES: tl.constexpr):
    place = tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), tl.float32)
    for row in tl.range(n, num_stages=STAGES):
        chosen = tl.load(index + row * BLOCK + place)
        total += tl.load(table + chosen)
        tl.store(out + row * BLOCK + place, total)


@ttkit.jit
def product_of_bytes(a, b, out, COUNT: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    rows, columns, inner = tl.arange(0, N), tl.arange(0, N), tl.arange(0, K)
    total = tl.zeros((N, N), tl.float32)
    for start in tl.range(0, COUNT, K, num_stages=4):
        x = tl.load(a + rows[:, None] * COUNT + (start + inner)[None, :], eviction_policy="evict_last")
        y = tl.load(b + (start + inner)[:, None] * N + columns[None, :], eviction_policy="evict_first")
        total = tl.dot(x.to(tl.float16), y, total)
    tl.store(out + rows[:, None] * N + columns[None, :], total)


def integers(*shape, seed=0, dtype=np.float16):
    return np.random.default_rng(seed).integers(-2, 3, shape).astype(dtype)


@pytest.mark.parametrize("stages", range(1, 8))
@pytest.mark.parametrize("k", [0, 16, 32, 80, 256])
def test_products(capability, stages, k):
    a, b = integers(TILE, k, seed=1), integers(k, TILE, seed=2)
    out = np.zeros((TILE, TILE), np.float32)
    product[(1,)](
        a if k else np.zeros(1, np.float16), b if k else np.zeros(1, np.float16), out, k, TILE, TILE, 32, stages
    )
    np.testing.assert_array_equal(out, a.astype(np.float32) @ b.astype(np.float32))


@pytest.mark.parametrize("warps", [4, 8])
def test_hints_of_eviction(capability, warps):
    """Of copies of 4 and 8 bytes, of which ptxas made an illegal instruction."""
    a, b, out = integers(32, 256, dtype=np.int8), integers(256, 32, seed=1), np.zeros((32, 32), np.float32)
    product_of_bytes[(1,)](a, b, out, 256, 32, 32, num_warps=warps)
    np.testing.assert_array_equal(out, a.astype(np.float32) @ b.astype(np.float32))


@pytest.mark.parametrize("stages", range(1, 7))
@pytest.mark.parametrize("k", [64, 128, 448])
def test_products_of_descriptors(capability, stages, k):
    if capability < 90:
        pytest.skip("needs TMA")
    a, b = integers(TILE, k, seed=3), integers(k, TILE, seed=4)
    x, y, out = DeviceArray(a), DeviceArray(b), DeviceArray(np.zeros((TILE, TILE), np.float32))
    descriptors = [TensorDescriptor.from_tensor(array, [TILE, TILE]) for array in (x, y, out)]
    product_of_descriptors[(1,)](*descriptors, k, TILE, TILE, TILE, stages)
    np.testing.assert_array_equal(out.numpy(), a.astype(np.float32) @ b.astype(np.float32))


@pytest.mark.parametrize("stages", range(1, 6))
@pytest.mark.parametrize("warps", [4, 8])
def test_chained_products(capability, stages, warps):
    a, b = integers(128, TILE, seed=5), integers(256, TILE, seed=6)
    out = np.zeros((128, TILE), np.float32)
    chained[(1,)](a, b, out, 256, 128, TILE, TILE, stages, num_warps=warps)
    x, y = a.astype(np.float32), b.astype(np.float32)
    np.testing.assert_array_equal(out, np.minimum(x @ y.T, 2) @ y)


@pytest.mark.parametrize("stages", range(1, 8))
@pytest.mark.parametrize("rows", [0, 1, 2, 9])
def test_gathers(capability, stages, rows):
    table = integers(1000, seed=7, dtype=np.float32)
    index = np.random.default_rng(8).integers(0, 1000, (rows + 1, 256)).astype(np.int32)
    out = np.zeros((rows + 1, 256), np.float32)
    gathered[(1,)](table, index, out, rows, 256, stages)
    np.testing.assert_array_equal(out[:rows], np.cumsum(table[index[:rows]], axis=0))


def test_too_many_stages(capability):
    a = np.zeros((128, 128), np.float16)
    out = np.zeros((128, 128), np.float32)
    with pytest.raises(OutOfResources, match="shared memory"):
        product[(1,)](a, a, out, 128, 128, 128, 128, 12)
