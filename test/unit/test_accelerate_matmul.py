"""Products on tensor cores: scaled ones have the numbers of the operation; what is forbidden is not used.

test_pass_cases.py has the products without scales, lit/passes/accelerate_matmul.mlir what they become.
"""

import itertools

import numpy as np
import pytest
from sweeps import swept
from test_decompose_dot_scaled import K, N, both_ways, operand, scale_of

import ttkit
import ttkit.language as tl
from ttkit import pipelines

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


@ttkit.jit
def chained(q, k, v, out, lse, n, M: tl.constexpr, BN: tl.constexpr, D: tl.constexpr, KIND: tl.constexpr):
    rows, columns, inner = tl.arange(0, M), tl.arange(0, BN), tl.arange(0, D)
    x = tl.load(q + rows[:, None] * D + inner[None, :])
    most = tl.full([M], -float("inf"), tl.float32)
    total = tl.zeros([BN if KIND == "gradient" else M, D], tl.float32)
    for start in range(0, n, BN):
        at = (start + columns)[:, None] * D + inner[None, :]
        scores = tl.dot(x, tl.load(k + at).T)
        if KIND == "gradient":
            p = tl.exp2(scores - tl.load(lse + rows)[:, None])
            total += tl.dot(p.to(tl.float16).T, x)
            tl.store(out + at, total)
        else:
            larger = tl.maximum(most, tl.max(scores, 1))
            p = tl.exp2(scores - larger[:, None])
            total = tl.dot(p.to(tl.float16), tl.load(v + at), total * tl.exp2(most - larger)[:, None])
            most = larger
    if KIND != "gradient":
        tl.store(out + rows[:, None] * D + inner[None, :], total)


@pytest.mark.usefixtures("for_hopper")
@pytest.mark.parametrize(
    ("kind", "m", "bn", "warps"),
    [("attention", 64, 32, 16), ("gradient", 64, 64, 8)]
    + [swept(("attention", *shape)) for shape in ((64, 64, 8), (64, 128, 8), (128, 64, 16))]
    + [swept(("gradient", *shape)) for shape in ((64, 128, 8), (64, 32, 16), (128, 64, 16))],
)
def test_groups_that_divide_columns(kind, m, bn, warps):
    rng = np.random.default_rng(5)
    q, k, v = (rng.integers(-2, 3, (rows, 32)).astype(np.float16) / 4 for rows in (m, 2 * bn, 2 * bn))
    out = np.zeros((2 * bn if kind == "gradient" else m, 32), np.float32)
    with pipelines.checked() as checking:
        compiled = chained.warmup(
            q, k, v, out, np.ones(m, np.float32), 2 * bn, m, bn, 32, kind, grid=(1,), num_warps=warps
        )
    (found,) = checking.launches
    assert found.skipped == []
    rows = m // 16
    assert f"warpsPerCTA = [{rows}, {warps // rows}]" in compiled.asm["ttgir"]
