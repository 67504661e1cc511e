"""Products by mma.sync on the GPU: random types, shapes, warps and layouts of memory."""

import numpy as np
import pytest
from mma_products import Product, plain, random_products
from test_cluster_layouts import run

from ttkit.runtime import Device, DriverError


def products() -> list[Product]:
    """What this GPU multiplies."""
    try:
        return random_products(200, Device.current().capability)
    except DriverError:
        return random_products(1, 80)  # which is skipped


@pytest.mark.parametrize("product", products(), ids=str)
def test_products(product: Product, capability: int):
    a, b, c, wanted = product.arrays()
    inputs = {
        "a": (plain(a), product.kind[0], "#l"),
        "b": (plain(b), product.kind[1], "#l"),
        "c": (plain(c), product.kind[2], "#m"),
    }
    outputs = {"d": (wanted.shape, product.kind[2], "#m")}
    (found,) = run(capability, product.aliases(capability), inputs, outputs, product.body(), 1, product.num_warps)
    np.testing.assert_array_equal(found.view(wanted.dtype), wanted)
