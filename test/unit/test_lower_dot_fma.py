"""Products without tensor cores, evaluated thread by thread, are the products: operands in memory and in registers."""

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from layout_strategies import orders
from lowered_tensors import compute, module, product

NUMBERS = {
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f32": np.float32,
    "f64": np.float64,
    "i8": np.uint8,
    "i32": np.uint32,
    "f8E5M2": ml_dtypes.float8_e5m2,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
}
PREPARE = "ttkit-place-dot-operands"


def blocked(size, lanes, warps, order) -> str:
    return (
        f"#ttg.blocked<{{sizePerThread = {list(size)}, threadsPerWarp = {list(lanes)}, warpsPerCTA = {list(warps)}, "
        f"order = {list(order)}}}>"
    )


def swizzled(order) -> str:
    return f"#ttg.swizzled_shared<{{vec = 1, perPhase = 1, maxPhase = 1, order = {list(order)}}}>"


def check(shape, element, result, layout, source, memory, warps=1, capability=90, batch=(), through=(True, True)):
    m, n, k = shape
    rng = np.random.default_rng(len(element) + m)
    function, aliases = product(shape, (element, element), result, layout, source, memory, through, batch)
    signed = element.startswith("i")
    a, b = (rng.integers(-3, 4, (*batch, *size)) for size in ((m, k), (k, n)))
    c = rng.integers(-3, 4, (*batch, m, n))
    as_given = [x.astype(f"i{np.dtype(NUMBERS[e]).itemsize}").view(NUMBERS[e]) if signed else x.astype(NUMBERS[e])
                for x, e in ((a, element), (b, element), (c, result))]  # fmt: skip
    if element.startswith("f8"):
        as_given[:2] = [x.view(np.uint8) for x in as_given[:2]]
    (found,) = compute(module(function, aliases, warps), *as_given, capability=capability, before=PREPARE)
    expected = a @ b + c
    found = found.view(np.int32) if signed else found.astype(np.float64)
    np.testing.assert_array_equal(found, expected)


LAYOUT = blocked((2, 4), (8, 4), (1, 1), (1, 0))
TYPES = [
    ("f16", "f32"),
    ("bf16", "f32"),
    ("f32", "f32"),
    ("f64", "f64"),
    ("i8", "i32"),
    ("f8E5M2", "f32"),
    ("f8E4M3FN", "f32"),
    ("f16", "f16"),
]


@pytest.mark.parametrize("element, result", TYPES)
@pytest.mark.parametrize("order", [(1, 0), (0, 1)])
def test_every_type(element, result, order):
    check((16, 16, 64), element, result, LAYOUT, LAYOUT, swizzled(order))


@pytest.mark.parametrize("through", [(False, True), (True, False), (False, False)])
def test_operands_in_registers(through):
    check((16, 16, 32), "f16", "f32", LAYOUT, LAYOUT, swizzled((1, 0)), through=through)


def test_pairs_of_f32():
    check((16, 32, 32), "f16", "f32", LAYOUT, LAYOUT, swizzled((1, 0)), capability=100)


def test_halves_are_rounded_once():
    function, aliases = product((16, 16, 16), ("f16", "f16"), "f16", LAYOUT, LAYOUT, swizzled((1, 0)))
    ones = np.ones((16, 16), np.float16)
    (found,) = compute(module(function, aliases), ones, ones, np.full((16, 16), 2048, np.float16), before=PREPARE)
    assert (found == 2064).all()  # one by one, 2048 + 1 would stay 2048


def test_batches():
    layout = blocked((1, 2, 2), (2, 4, 4), (2, 1, 1), (2, 1, 0))
    check((8, 16, 16), "f16", "f32", layout, layout, swizzled((2, 1, 0)), warps=2, batch=(4,))


@st.composite
def products(draw):
    """Shape, layouts of the result, the operands and the memory, warps."""
    bits = draw(st.integers(0, 2))

    def layout():
        lanes, warp = draw(st.integers(0, 5)), draw(st.integers(0, bits))
        size = tuple(1 << draw(st.integers(0, 3)) for _ in range(2))
        return blocked(size, (1 << lanes, 32 >> lanes), (1 << warp, 1 << bits - warp), draw(orders(2)))

    shape = tuple(1 << draw(st.integers(2, 5)) for _ in range(3))
    return shape, layout(), layout(), swizzled(draw(orders(2))), 1 << bits


@pytest.mark.sweep
@settings(max_examples=25)
@given(products(), st.sampled_from(TYPES), st.sampled_from([80, 100]))
def test_any_layout(product, types, capability):
    shape, layout, source, memory, warps = product
    check(shape, *types, layout, source, memory, warps, capability)
