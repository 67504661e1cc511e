"""Kernels from source to a cubin: a sample of what test/compile_kernels.py compiles for every target."""

import importlib.util
import sys
from pathlib import Path

import pytest

TEST = Path(__file__).parents[1]
# Kernels of most families, each for one or two targets.
SAMPLE = {
    "atomic_updates_fp16": (75,),
    "bfloat_atomics": (75, 80),
    "calls": (80,),
    "causal_attention": (80, 90),
    "dots_half_out": (100,),
    "eight_bits_fp64": (90,),
    "gathers": (120,),
    "integer_reductions_i8": (80, 90),
    "matmul_i8": (89,),
    "methods": (90,),
    "roundings_fp64": (86,),
    "scaled_dots_e4m3_e5m2": (90,),
    "scaled_matmul_packed_rows": (80,),
    "views": (75, 120),
}


@pytest.fixture(scope="module")
def compile_kernels():
    """The script, as a module; `import triton` leads to ttkit while it is in use."""
    before, path = dict(sys.modules), list(sys.path)
    sys.path.append(str(TEST))
    import compile_kernels

    compile_kernels.CASES.update(compile_kernels.load())
    yield compile_kernels
    sys.path[:] = path
    for name in set(sys.modules) - set(before):
        if name.partition(".")[0] in ("triton", "kernel_sources", "cases", "compile_kernels"):
            del sys.modules[name]


@pytest.mark.skipif(importlib.util.find_spec("nvidia") is None, reason="needs ptxas of the nvidia-cuda-nvcc wheel")
@pytest.mark.parametrize("name, target", [(name, target) for name, targets in SAMPLE.items() for target in targets])
def test_from_source_to_cubin(name, target, compile_kernels):
    found = compile_kernels.outcome(name, target)
    assert found["reached"] == compile_kernels.COMPILED, found["error"]
    assert found["resources"]["registers"] > 0


@pytest.mark.parametrize("name, target", [("dots_fp8e4nv", 80), ("matmul_cluster", 80), ("language.mapped", 90)])
def test_what_no_target_can_do_has_a_reason(name, target, compile_kernels):
    found = compile_kernels.outcome(name, target)
    assert found["reached"] != compile_kernels.COMPILED
    assert compile_kernels.reason(found["error"])
