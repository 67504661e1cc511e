"""Products on tensor cores: scaled ones have the numbers of the operation; what is forbidden is not used.

test_pass_cases.py has the products without scales, lit/passes/accelerate_matmul.mlir what they become.
"""

import itertools

import numpy as np
import pytest
from test_decompose_dot_scaled import K, N, both_ways, operand, scale_of

import ttkit

SCALED = ("e4m3", "e5m2", "e2m1")
FORMATS = (*SCALED, "bf16", "fp16")
PAIRS = [pair for pair in itertools.product(FORMATS, FORMATS) if not set(pair).isdisjoint(SCALED)]
PASSES = (
    "ttkit-decompose-dot-scaled{{leave-regular=true}},convert-triton-to-tritongpu{{target=cuda:{} num-warps=4}},"
    "tritongpu-accelerate-matmul"
)
# The scaled numbers are rounded to bf16, or to f16 if one operand is.
TOLERANCE = 2**-7


@pytest.mark.parametrize("capability", [80, 90, 120])
@pytest.mark.parametrize(("a_format", "b_format"), PAIRS)
def test_scaled_products(capability, a_format, b_format):
    rng = np.random.default_rng(7)
    a = operand(rng, a_format, (64, K), 1)
    b = operand(rng, b_format, (K, N), 0)
    kinds = ["e8m0" if format in SCALED else "none" for format in (a_format, b_format)]
    scales = scale_of(rng, kinds[0], 64), scale_of(rng, kinds[1], N)
    # Far from the ends of f16, which has too few exponents for the scales.
    scales = tuple(None if scale is None else (scale // 4 + 95).astype(np.int8) for scale in scales)
    wanted, found = both_ways((a_format, b_format), a, b, *scales, passes=PASSES.format(capability))
    assert np.abs(found - wanted).max() <= TOLERANCE * np.abs(wanted).max()


PRODUCT = """
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:CAPABILITY"} {
tt.func @product(%a: tensor<64x64xf16, #a>, %b: tensor<64x64xf16, #b>, %c: tensor<64x64xf32, #blocked>)
    -> tensor<64x64xf32, #blocked> {
  %d = tt.dot %a, %b, %c : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #blocked>
  tt.return %d : tensor<64x64xf32, #blocked>
}
}
"""


def accelerated(capability: int) -> str:
    with ttkit.Context():
        module = ttkit.parse(PRODUCT.replace("CAPABILITY", str(capability)))
        ttkit.run_passes(module, "tritongpu-accelerate-matmul")
        return str(module)


def test_variables_forbid_instructions(monkeypatch):
    assert "warp_group_dot" in accelerated(90)
    assert "tc_gen5_mma" in accelerated(100)
    monkeypatch.setenv("DISABLE_MMA_V3", "1")
    monkeypatch.setenv("DISABLE_MMA_V5", "1")
    assert "versionMajor = 2" in accelerated(90)
    assert "versionMajor = 2" in accelerated(100)


def test_unknown_gpus_are_refused():
    with pytest.raises(ttkit.PassError, match="unknown target sm_61; known are sm_75"):
        accelerated(61)
