"""Kernels with products from source to cubins for GPUs with mma.sync: right numbers in ttg, tensor cores, no spills."""

import importlib.util

import numpy as np
import pytest
from product_kernels import Case, cases

import ttkit

# All GPUs for some cases, one of them for each other.
EVERYWHERE = ("small_rows", "chained", "bytes")
CHOSEN = [
    (case, capability)
    for number, case in enumerate(cases())
    for capability in (
        case.capabilities if case.name in EVERYWHERE else [case.capabilities[number % len(case.capabilities)]]
    )
]


@pytest.mark.skipif(importlib.util.find_spec("nvidia") is None, reason="needs ptxas of the nvidia-cuda-nvcc wheel")
@pytest.mark.parametrize("case, capability", CHOSEN, ids=[f"{case.name}-{capability}" for case, capability in CHOSEN])
def test_products(case: Case, capability: int):
    compiled = case.compile(capability)
    uses_mma = case.types[0] != "*fp64" or capability == 80  # as with Triton
    assert ("mma.sync.aligned" in compiled.asm["ptx"]) == uses_mma
    assert compiled.asm["cubin"].resources.spill_stores == 0
    found = np.zeros_like(case.wanted)
    with ttkit.Context():
        ttkit.interpret(ttkit.parse(compiled.asm["ttgir"]), 1, [*case.inputs, found, *case.numbers.values()])
    np.testing.assert_array_equal(found, case.wanted)
