"""Products in two parts, scaled and added up, are what they are in one."""

import numpy as np
import pytest
from lowered_tensors import compute, module
from mma_products import plain
from wgmma_products import Product

import ttkit
from ttkit.inspection import count

PASS = "ttkit-divide-large-products"
SWIZZLED = (128, False)
ROWS = Product((128, 128, 64), "f16", "f32", (4, 1), 128, SWIZZLED, SWIZZLED, asynchronous=True)
INSTRUCTION = Product((64, 256, 64), "f16", "f32", (4, 1), 256, SWIZZLED, (128, True), asynchronous=True)
COLUMNS = Product((64, 256, 64), "f16", "f32", (4, 1), 128, SWIZZLED, SWIZZLED, asynchronous=True)
BYTES = Product(
    (128, 256, 64), "f8E4M3FN", "f32", (8, 1), 256, (64, False), (64, True), "maxNumImpreciseAcc = 65536 : i32", True
)
PARTIAL = Product(
    (128, 128, 64), "f8E5M2", "f32", (4, 1), 128, (64, False), (64, True), "maxNumImpreciseAcc = 32 : i32", True
)
INTEGERS = Product((128, 128, 64), "i8", "i32", (4, 1), 128, (64, False), (64, True), asynchronous=True)


def text_of(product: Product) -> str:
    """d = c + scales * (a b), scales for rows."""
    (m, n, k), type, kind = product.shape, product.type_c, "i" if product.result == "i32" else "f"
    scales = f"tensor<{m}x1x{product.result}, #mma>"
    zero = "dense<0>" if kind == "i" else "dense<0.0>"
    product_text = product.body().replace("%c ", "%zero ").replace("%c,", "%zero,")
    operands = f"%a: tensor<{m}x{k}x{product.element}, #l>, %b: tensor<{k}x{n}x{product.element}, #l>"
    function = f"""tt.func public @f({operands}, %c: {type}, %scales: {scales}) -> {type} {{
      %zero = arith.constant {zero} : {type}
      {product_text}
      %each = tt.broadcast %scales : {scales} -> {type}
      %scaled = arith.mul{kind} %d, %each : {type}
      %sum = arith.add{kind} %c, %scaled : {type}
      tt.return %sum : {type}
    }}"""
    return module(function, product.aliases, product.num_warps)


def parts(text: str) -> int:
    """How many products there are after the pass."""
    with ttkit.Context():
        parsed = ttkit.parse(text)
        ttkit.run_passes(parsed, PASS)
        return count(parsed.operation, ["ttng.warp_group_dot"])


@pytest.mark.parametrize("product", [ROWS, INSTRUCTION, COLUMNS, BYTES, PARTIAL, INTEGERS], ids=str)
def test_parts_are_the_product(product):
    a, b, c, d = product.arrays()
    scales = np.arange(1, len(c) + 1).reshape(-1, 1).astype(c.dtype)
    wanted = (c + scales * (d - c)).astype(c.dtype)
    text = text_of(product)
    assert parts(text) == 2
    (found,) = compute(text, *map(plain, (a, b, c, scales)), before=PASS)
    np.testing.assert_array_equal(found.view(wanted.dtype), wanted)


def test_what_fits_stays_whole():
    assert parts(text_of(Product((128, 128, 64), "f16", "f32", (4, 2), 64, SWIZZLED, SWIZZLED, asynchronous=True))) == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("%d, %each", "%d, %d"),  # used twice
        ("isAsync = true", "isAsync = false"),
        ("pendings = 0", "pendings = 1"),
        ("%scaled = arith.mulf %d, %each", "%scaled = arith.mulf %c, %each"),  # not used
    ],
)
def test_others_stay_whole(old, new):
    text = text_of(ROWS)
    assert old in text
    assert parts(text.replace(old, new)) == 1
