"""Tensor maps for descriptors: what a launcher is told, compared with Triton 3.6; and what the driver is asked for."""

import json
from pathlib import Path

import pytest

import ttkit
from ttkit.compiler.module_metadata import of_kernel
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
