"""Kernels with products from source to cubins: right numbers in ttg, and lowered; tensor cores, no spills."""

import importlib.util

import numpy as np
import pytest
from mlir import ir
from product_kernels import Case, cases
from sweeps import every

import ttkit
from ttkit.options import CompileOptions
from ttkit.passes.stages import stage_passes

# All GPUs for some cases, one of them for each other.
EVERYWHERE = ("small_rows", "chained", "bytes", "masked")
CHOSEN = [
    (case, capability)
    for number, case in enumerate(cases())
    for capability in (
        case.capabilities if case.name in EVERYWHERE else [case.capabilities[number % len(case.capabilities)]]
    )
]


@pytest.mark.skipif(importlib.util.find_spec("nvidia") is None, reason="needs ptxas of the nvidia-cuda-nvcc wheel")
@pytest.mark.parametrize(
    "case, capability", every(6, CHOSEN), ids=[f"{case.name}-{capability}" for case, capability in CHOSEN]
)
def test_products(case: Case, capability: int):
    uses_mma = case.types[0] != "*fp64" or capability == 80  # as with Triton
    check(case, capability, "mma.sync.aligned" if uses_mma else "")


LARGE = [case for case in cases() if case.constants["BM"] == 64]


@pytest.mark.skipif(importlib.util.find_spec("nvidia") is None, reason="needs ptxas of the nvidia-cuda-nvcc wheel")
@pytest.mark.parametrize("capability", [90, 100])
@pytest.mark.parametrize("case", every(6, LARGE), ids=[case.name for case in LARGE])
def test_products_of_warp_groups(case: Case, capability: int):
    on_tensor_memory = capability == 100 and case.name != "bytes"  # which Triton multiplies by mma.sync too
    check(case, capability, "tcgen05.mma" if on_tensor_memory else "wgmma.mma" if capability == 90 else "mma.sync")


def check(case: Case, capability: int, instruction: str) -> None:
    compiled = case.compile(capability)
    found = [name for name in ("mma.sync.aligned", "wgmma.mma", "tcgen05.mma") if name in compiled.asm["ptx"]]
    assert len(found) == bool(instruction) and all(name.startswith(instruction) for name in found)
    assert compiled.asm["cubin"].resources.spill_stores == 0
    with ttkit.Context():
        module = ttkit.parse(compiled.asm["ttgir"])
        run(case, module)
        if case.constants["BM"] == 64:
            options = CompileOptions.for_capability(capability, num_warps=case.warps)
            ttkit.run_passes(module, ",".join(stage_passes("ttkit-llir", options)))
            run(case, module)


def run(case: Case, module: ir.Module) -> None:
    """The interpreter gives what NumPy does."""
    result = np.zeros_like(case.wanted)
    ttkit.interpret(module, 1, [*case.inputs, result, *case.numbers.values()])
    np.testing.assert_array_equal(result, case.wanted)
