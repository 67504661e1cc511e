"""Products on tensor cores by mma.sync, evaluated warp by warp, are the products."""

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lowered_tensors import compute, module, product

NUMBERS = {
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f32": np.float32,
    "f64": np.float64,
    "i8": np.int8,
    "i32": np.int32,
    "f8E5M2": ml_dtypes.float8_e5m2,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
}
# Types of a, b and the result, the least kWidth, and capabilities that multiply them.
PRODUCTS = [
    ("f16", "f16", "f32", 2, (75, 80, 90)),
    ("f16", "f16", "f16", 2, (75, 80)),
    ("bf16", "bf16", "f32", 2, (80,)),
    ("f32", "f32", "f32", 1, (80,)),
    ("f64", "f64", "f64", 1, (80, 90)),
    ("i8", "i8", "i32", 4, (75, 80)),
    ("f8E5M2", "f8E4M3FN", "f32", 4, (89, 120)),
    ("f8E4M3FN", "f8E4M3FN", "f32", 4, (89, 90)),
    ("f8E4M3FN", "f8E5M2", "f16", 4, (120,)),
]


def mma(warps, minor=0) -> str:
    shape = [1] * (len(warps) - 2) + [16, 8]
    return (
        f"#ttg.nvidia_mma<{{versionMajor = 2, versionMinor = {minor}, warpsPerCTA = {list(warps)}, "
        f"instrShape = {shape}}}>"
    )


def swizzled(order, vec=1, per_phase=1, max_phase=1) -> str:
    return (
        f"#ttg.swizzled_shared<{{vec = {vec}, perPhase = {per_phase}, maxPhase = {max_phase}, order = {list(order)}}}>"
    )


def blocked(shape, warps) -> str:
    """Any layout in which operands arrive."""
    rank = len(shape)
    sizes = [1] * rank, [1] * (rank - 2) + [4, 8], [1] * (rank - 1) + [warps], list(range(rank))[::-1]
    names = "sizePerThread", "threadsPerWarp", "warpsPerCTA", "order"
    return f"#ttg.blocked<{{{', '.join(f'{name} = {value}' for name, value in zip(names, sizes))}}}>"


def check(shape, types, k_width, warps, capability, batch=(), memory=None, through=(True, True)):
    m, n, k = shape
    a_type, b_type, result = types
    rng = np.random.default_rng(m + n + k)
    low, high = (-100, 100) if a_type == "i8" else (-3, 4)
    a, b = (rng.integers(low, high, (*batch, *size)) for size in ((m, k), (k, n)))
    c = rng.integers(-3, 4, (*batch, m, n))
    count = int(np.prod(warps))
    memory = memory or swizzled(tuple(range(len(warps)))[::-1])
    function, aliases = product(
        shape, (a_type, b_type), result, mma(warps, int(capability == 75)), blocked(warps, count), memory, through,
        batch, f", kWidth = {k_width}",
    )  # fmt: skip
    given = [x.astype(NUMBERS[type]) for x, type in ((a, a_type), (b, b_type), (c, result))]
    given = [
        x.view(np.uint8) if x.dtype.itemsize == 1 else x.view(np.uint32) if x.dtype == np.int32 else x for x in given
    ]
    (found,) = compute(module(function, aliases, count), *given, capability=capability)
    found = found.view(np.int32) if result == "i32" else found.astype(np.float64)
    np.testing.assert_array_equal(found, a @ b + c)


@pytest.mark.parametrize("a, b, result, k_width, capability", [(*p[:4], c) for p in PRODUCTS for c in p[4]])
def test_every_type(a, b, result, k_width, capability):
    check((32, 16, 64), (a, b, result), k_width, (2, 1), capability)


@pytest.mark.parametrize("shape", [(1, 8, 16), (16, 1, 16), (16, 8, 8), (16, 8, 4), (16, 8, 1), (8, 4, 2), (64, 8, 16)])
@pytest.mark.parametrize("a, b, result, k_width, capability", [(*p[:4], p[4][-1]) for p in PRODUCTS])
def test_small_tiles(shape, a, b, result, k_width, capability):
    check(shape, (a, b, result), k_width, (2, 2), capability, through=(False, False))


@pytest.mark.parametrize("through", [(True, True), (False, True)])
def test_batches(through):
    check((16, 16, 32), ("f16", "f16", "f32"), 2, (2, 1, 2), 80, batch=(4,), through=through)


@st.composite
def products(draw):
    """Types, capability, kWidth, shape, warps, memory, and which operands go through it."""
    a, b, result, k_width, capabilities = draw(st.sampled_from(PRODUCTS))
    size = 64 if a == "f64" else NUMBERS[a](0).itemsize * 8
    k_width = min(k_width << draw(st.integers(0, 2)), 128 // size)
    warps = draw(st.integers(0, 2)), draw(st.integers(0, 2))
    shape = tuple(1 << draw(st.integers(low, 6)) for low in (2, 2, 3))
    vector = 1 << draw(st.integers(0, 3))
    phases = 1 << draw(st.integers(0, 3))
    memory = swizzled(draw(st.sampled_from([(1, 0), (0, 1)])), vector, draw(st.sampled_from([1, 2])), phases)
    through = draw(st.tuples(st.booleans(), st.booleans()))
    return (
        shape, (a, b, result), k_width, tuple(1 << bits for bits in warps), draw(st.sampled_from(capabilities)), memory,
        through,
    )  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(products())
def test_any_product(given_product):
    shape, types, k_width, warps, capability, memory, through = given_product
    check(shape, types, k_width, warps, capability, memory=memory, through=through)
