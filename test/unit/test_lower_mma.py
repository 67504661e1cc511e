"""Products on tensor cores by mma.sync, evaluated warp by warp, are the products."""

import random
from dataclasses import replace

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lowered_tensors import compute, module
from mma_products import KINDS, PLAIN, Product, least_width, plain, random_product

ROWS = f"{PLAIN}[1, 0]}}>"


def check(product: Product, capability: int) -> None:
    a, b, c, wanted = product.arrays()
    text = module(product.function(), product.aliases(capability), product.num_warps)
    given = [x if x.dtype == ml_dtypes.bfloat16 else plain(x) for x in (a, b, c)]
    (found,) = compute(text, *given, capability=capability)
    np.testing.assert_array_equal(found.view(wanted.dtype), wanted)


@pytest.mark.parametrize("kind, capability", [(kind, c) for kind, capabilities in KINDS.items() for c in capabilities])
def test_every_type(kind, capability):
    check(Product((32, 16, 64), kind, least_width(kind), (2, 1), memory=(ROWS, ROWS)), capability)


@pytest.mark.parametrize("shape", [(1, 8, 16), (16, 1, 16), (16, 8, 8), (16, 8, 4), (16, 8, 1), (8, 4, 2), (64, 8, 16)])
@pytest.mark.parametrize("kind, capability", [(kind, capabilities[-1]) for kind, capabilities in KINDS.items()])
def test_small_tiles(shape, kind, capability):
    check(Product(shape, kind, least_width(kind), (2, 2)), capability)


@pytest.mark.parametrize("capability", (80, 90))
@pytest.mark.parametrize(
    "product",
    [
        Product((32, 16, 64), ("f64",) * 3, 1, (2, 1), memory=(ROWS, ROWS)),
        Product((64, 32, 8), ("f64",) * 3, 2, (2, 2)),
        Product((8, 4, 2), ("f64",) * 3, 1, (2, 2)),
        Product((1, 8, 16), ("f64",) * 3, 1, (1, 2)),
        Product((16, 16, 8), ("f64",) * 3, 1, (2, 1, 2), (4,)),
    ],
    ids=str,
)
def test_instructions_of_8_rows(product, capability):
    check(replace(product, rows=8), capability)


@pytest.mark.parametrize("memory", [None, f"{PLAIN}[2, 1, 0]}}>"])
def test_batches(memory):
    check(Product((16, 16, 32), ("f16", "f16", "f32"), 2, (2, 1, 2), (4,), (memory, memory)), 80)


SLICES = """tt.func public @f(%a: tensor<32x64xf16, #l>, %b: tensor<64x16xf16, #l>, %c: tensor<32x16xf32, #m>)
    -> tensor<32x16xf32, #m> {{
  %am = ttg.local_alloc %a : (tensor<32x64xf16, #l>) -> !ttg.memdesc<32x64xf16, #sa, #ttg.shared_memory>
  %bm = ttg.local_alloc %b : (tensor<64x16xf16, #l>) -> !ttg.memdesc<64x16xf16, #sb, #ttg.shared_memory>
  {slices}
  tt.return %d{last} : tensor<32x16xf32, #m>
}}"""
SLICE = """%as{n} = ttg.memdesc_subslice %am[0, {k}] : !ttg.memdesc<32x64xf16, #sa, #ttg.shared_memory>
    -> !ttg.memdesc<32x16xf16, #sa, #ttg.shared_memory, 32x64>
  %bs{n} = ttg.memdesc_subslice %bm[{k}, 0] : !ttg.memdesc<64x16xf16, #sb, #ttg.shared_memory>
    -> !ttg.memdesc<16x16xf16, #sb, #ttg.shared_memory, 64x16>
  %al{n} = ttg.local_load %as{n} : !ttg.memdesc<32x16xf16, #sa, #ttg.shared_memory, 32x64> -> tensor<32x16xf16, #left>
  %bl{n} = ttg.local_load %bs{n} : !ttg.memdesc<16x16xf16, #sb, #ttg.shared_memory, 64x16> -> tensor<16x16xf16, #right>
  %d{n} = tt.dot %al{n}, %bl{n}, {before} : tensor<32x16xf16, #left> * tensor<16x16xf16, #right>
    -> tensor<32x16xf32, #m>"""


@pytest.mark.parametrize("order", [[1, 0], [0, 1]])
def test_parts_of_buffers(order):
    """Slices along k, as prefetching makes them, loaded as matrices."""
    memory = f"swizzled_shared<{{vec = 8, perPhase = 2, maxPhase = 4, order = {order}}}>"
    product = Product((32, 16, 64), ("f16", "f16", "f32"), 2, (2, 1), memory=(memory, memory))
    slices = "\n  ".join(SLICE.format(n=n, k=16 * n, before=f"%d{n - 1}" if n else "%c") for n in range(4))
    a, b, c, wanted = product.arrays()
    text = module(SLICES.format(slices=slices, last=3), product.aliases(80), product.num_warps)
    (found,) = compute(text, a, b, c, capability=80)
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.sweep
@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([(kind, c) for kind, found in KINDS.items() for c in found]))
def test_any_product(seed, chosen):
    kind, capability = chosen
    check(random_product(random.Random(seed), kind), capability)
