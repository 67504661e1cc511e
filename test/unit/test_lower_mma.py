"""Products on tensor cores by mma.sync, evaluated warp by warp, are the products."""

import random

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


@pytest.mark.parametrize("memory", [None, f"{PLAIN}[2, 1, 0]}}>"])
def test_batches(memory):
    check(Product((16, 16, 32), ("f16", "f16", "f32"), 2, (2, 1, 2), (4,), (memory, memory)), 80)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([(kind, c) for kind, found in KINDS.items() for c in found]))
def test_any_product(seed, chosen):
    kind, capability = chosen
    check(random_product(random.Random(seed), kind), capability)
