"""Tensor maps for descriptors: what a launcher is told, compared with Triton 3.6; and what the driver is asked for."""

import json
from pathlib import Path

import pytest

import ttkit
import ttkit.language as tl
from ttkit.compiler.levels import make_ttgir, make_ttir
from ttkit.compiler.module_metadata import of_kernel
from ttkit.options import CompileOptions
from ttkit.runtime.tensor_maps import HOST_TYPE, fill_tma_descriptor

# Made by test/oracle/record_tensor_maps.py.
RECORDED = json.loads((Path(__file__).parents[1] / "data" / "tensor_maps.json").read_text())


def test_as_triton(context):
    assert len(RECORDED) > 100
    for case in RECORDED:
        aliases = "\n".join(f"{name} = {text}" for name, text in case["aliases"])
        arguments = ", ".join(f"%a{index}: {kind}" for index, kind in enumerate(case["types"]))
        module = ttkit.parse(f"{aliases}\nmodule {{ tt.func public @kernel({arguments}) {{ tt.return }} }}", context)
        assert of_kernel(module)["tensordesc_meta"] == case["meta"], case["name"]


@ttkit.jit
def copy_rows(a, b):
    b.store([tl.program_id(0) * 16, 0], a.load([tl.program_id(0) * 16, 0]))


@pytest.mark.parametrize(
    "name", ["fp16[64, 32]", "fp32[32, 128]", "i8[8, 16]", "fp64[64, 32]", "u16[512, 16]", "bf16[32, 128]"]
)
def test_of_kernels_that_are_compiled(name, context):
    """The passes choose the same layouts as Triton's, so that launchers are told the same."""
    (case,) = (case for case in RECORDED if case["name"] == name)
    source = ttkit.ASTSource(copy_rows, dict.fromkeys("ab", f"tensordesc<{name}>"))
    target, options = ttkit.GPUTarget("cuda", 90, 32), CompileOptions.for_capability(90)
    module = source.make_ir(target, context=context)
    for make in (make_ttir, make_ttgir):
        make(module, {}, options)
    assert of_kernel(module)["tensordesc_meta"] == case["meta"]


def test_what_the_driver_is_asked_for(gpu):
    made = fill_tma_descriptor(4096, 2, 2, HOST_TYPE[10], [64, 32], [1000, 500], [512, 1], 1)
    words = [int.from_bytes(made.data[place : place + 8], "little") for place in range(0, 128, 8)]
    assert words[1:6] == [9, 2, 4096, 2, 1]  # bfloat16, rank, address, swizzle, NaN outside
    assert words[6:8] == [500, 1000] and words[9:11] == [32, 64] and words[12] == 1024


def test_refused(gpu):
    gpu.fail("cuTensorMapEncodeTiled", 1)
    with pytest.raises(
        ValueError, match=r"Failed to create tensor map descriptor: CUDA_ERROR_FAKE.*shape \[1000, 500\]"
    ):
        fill_tma_descriptor(4096, 2, 2, 6, [64, 32], [1000, 500], [512, 1], 0)
