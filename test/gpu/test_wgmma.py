"""Products of warp groups (wgmma) on the GPU: every type, swizzle, and way of dividing them among warps."""

import numpy as np
import pytest
from mma_products import plain
from test_cluster_layouts import run
from wgmma_products import Product, elements, in_background, layouts, tiles, views

from ttkit.target import Target


@pytest.mark.parametrize("product", [*tiles(), *layouts(), *elements(), *in_background(), *views()], ids=str)
def test_products(product: Product, capability: int):
    if not Target(capability).has_wgmma:
        pytest.skip("wgmma is of sm_90")
    a, b, c, wanted = product.arrays()
    inputs = {
        "a": (plain(a), product.element, "#l"),
        "b": (plain(b), product.element, "#l"),
        "c": (plain(c), product.result, "#mma"),
    }
    outputs = {"d": (wanted.shape, product.result, "#mma")}
    (found,) = run(capability, product.aliases, inputs, outputs, product.body(), 1, product.num_warps)
    np.testing.assert_array_equal(found.view(wanted.dtype), wanted)
