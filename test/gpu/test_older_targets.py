"""Kernels with products, compiled for older GPUs, by mma.sync, run on this one: its driver takes their PTX."""

import numpy as np
import pytest
from mma_products import plain
from product_kernels import Case, cases

from ttkit.runtime import CompiledKernel, DeviceArray

CHOSEN = [(case, older) for case in cases() for older in case.capabilities if older < 90]


@pytest.mark.parametrize("case, older", CHOSEN, ids=[f"{case.name}-{older}" for case, older in CHOSEN])
@pytest.mark.parametrize("num_stages", [1, 3])
def test_products(case: Case, older: int, num_stages: int, capability: int):
    if older > capability:
        pytest.skip(f"the GPU is older than sm_{older}")
    made = case.compile(older, num_stages=num_stages)
    here = made.metadata | {"target": made.metadata["target"] | {"arch": capability}}
    kernel = CompiledKernel.from_cubin(made.asm["ptx"].encode() + b"\0", here, check=True)
    inputs = [DeviceArray(plain(array) if array.size else np.zeros(1, np.uint8)) for array in case.inputs]
    found = DeviceArray(np.zeros_like(plain(case.wanted)))
    kernel[1](*inputs, found, *case.numbers.values())
    np.testing.assert_array_equal(found.numpy().view(case.wanted.dtype), case.wanted)
