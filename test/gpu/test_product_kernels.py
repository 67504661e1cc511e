"""Kernels with products, compiled for this GPU, or for older ones by mma.sync: its driver takes their PTX."""

from typing import Any

import numpy as np
import pytest
from mma_products import plain
from product_kernels import Case, cases

from ttkit.runtime import CompiledKernel, DeviceArray

OLDER = [(case, older) for case in cases() for older in case.capabilities if older < 90]


@pytest.mark.parametrize("case", cases(), ids=[case.name for case in cases()])
@pytest.mark.parametrize("num_stages", [1, 3])
def test_for_this_gpu(case: Case, num_stages: int, capability: int):
    made = case.compile(capability, num_stages=num_stages)
    check(case, CompiledKernel.from_cubin(made.asm["cubin"], made.metadata, check=True))


@pytest.mark.parametrize("case, older", OLDER, ids=[f"{case.name}-{older}" for case, older in OLDER])
@pytest.mark.parametrize("num_stages", [1, 3])
def test_for_older_gpus(case: Case, older: int, num_stages: int, capability: int):
    if older > capability:
        pytest.skip(f"the GPU is older than sm_{older}")
    made = case.compile(older, num_stages=num_stages)
    here = made.metadata | {"target": made.metadata["target"] | {"arch": capability}}
    check(case, CompiledKernel.from_cubin(made.asm["ptx"].encode() + b"\0", here, check=True))


def check(case: Case, kernel: Any) -> None:
    """The kernel gives what NumPy does."""
    inputs = [DeviceArray(plain(array) if array.size else np.zeros(1, np.uint8)) for array in case.inputs]
    found = DeviceArray(np.zeros_like(plain(case.wanted)))
    kernel[1](*inputs, found, *case.numbers.values())
    np.testing.assert_array_equal(found.numpy().view(case.wanted.dtype), case.wanted)
