"""Stages: their options, their passes, and that MLIR knows them."""

import re

import pytest

import ttkit
import ttkit.language as tl
from ttkit.options import CompileOptions
from ttkit.passes.infra.preconditions import TAKES_TT
from ttkit.passes.infra.steps import pass_name
from ttkit.passes.registry import PIPELINES
from ttkit.passes.stages import OWN_PLANS, STAGES, parse_options, pipeline_text, steps

KERNEL = """
tt.func public @negate(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
  %0 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
  %1 = tt.splat %p : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
  %2 = tt.addptr %1, %0 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
  %3 = tt.load %2 : tensor<256x!tt.ptr<f32>>
  %4 = arith.negf %3 : tensor<256xf32>
  tt.store %2, %4 : tensor<256x!tt.ptr<f32>>
  tt.return
}
"""


def test_every_stage_is_registered():
    assert list(PIPELINES) == list(STAGES)


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("", CompileOptions.for_capability(90)),
        ("capability=80", CompileOptions.for_capability(80)),
        ("num-warps=8 num-stages=5", CompileOptions.for_capability(90, num_warps=8, num_stages=5)),
        ("plan=triton", CompileOptions.for_capability(90, plan="triton")),
    ],
)
def test_options_of_a_stage(text, options):
    assert parse_options(text) == options


@pytest.mark.parametrize("capability", [75, 80, 90, 100, 120])
def test_each_place_in_a_stage_has_a_name_of_its_own(capability):
    options = CompileOptions.for_capability(capability)
    for stage in STAGES:
        names = [step.name for step in steps(stage, options)]
        assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    "options", ["capability", "capability=", "capability=-80", "capability=sm_90", "cpu=1", "plan=best"]
)
def test_options_that_no_stage_has(options):
    with pytest.raises(ValueError, match=r"option|use 'ttkit' or 'triton'"):
        parse_options(options)


@pytest.mark.parametrize("capability", [80, 90, 100])
def test_stages_run_one_after_the_other(capability, context):
    spelled_out, named = ttkit.parse(KERNEL), ttkit.parse(KERNEL)
    for stage in STAGES:
        ttkit.run_passes(spelled_out, pipeline_text(stage, f"capability={capability}"))
        ttkit.run_passes(named, f"{stage}{{capability={capability}}}")
        assert str(named) == str(spelled_out)


def test_descriptors_stay_where_there_is_tma():
    rewrite = "triton-rewrite-tensor-descriptor-to-pointer"
    assert [rewrite in pipeline_text("ttkit-ttir", f"capability={c}") for c in (75, 80, 89, 90, 100)] == (
        [True] * 3 + [False] * 2
    )


def test_a_wrong_option_is_a_value_error(context):
    with pytest.raises(ValueError, match="no option 'warps'"):
        ttkit.run_passes(ttkit.parse("module {}"), "ttkit-ttir{warps=4}")


def test_tritons_plan_is_made_by_tritons_passes():
    rest = {
        "ttkit-cluster-barrier-insertion",  # synchronization, which Triton 3.9 inserts
        "ttkit-cluster-barriers-of-groups",
        "ttkit-compare-bits",  # arithmetic
        "ttkit-decompose-dot-scaled",  # what Triton does in another pass
        "ttkit-divide-long-blocks",  # time of compilation
        "ttkit-locate-inlined-code",  # lines
        "ttkit-narrow-products",  # arithmetic, which LLVM finds in Triton's code
        "ttkit-place-dot-operands",  # shared memory
    }
    for capability in (80, 90, 100):
        own = CompileOptions.for_capability(capability)
        tritons = CompileOptions.for_capability(capability, plan="triton")
        for stage in STAGES:
            # ttgir has Triton's products, which are narrow in llir then.
            names = [pass_name(step.text) for step in steps(stage, own) if step.name != "narrow-before-pipelining"]
            left = [pass_name(step.text) for step in steps(stage, tritons)]
            assert left == [name for name in names if name not in OWN_PLANS]
            assert {name for name in left if name.startswith("ttkit-")} <= rest


@ttkit.jit
def scaled(x, scales, w, y, K, M: tl.constexpr, N: tl.constexpr, STEP: tl.constexpr):
    rows, columns = tl.arange(0, M), tl.arange(0, N)
    total = tl.zeros((M, N), tl.float32)
    for first in range(0, K, STEP):
        k = first + tl.arange(0, STEP)
        left = tl.load(x + rows[:, None] * K + k[None, :]).to(tl.float32) * tl.load(scales + k)[None, :]
        total = tl.dot(left.to(tl.float16), tl.load(w + k[:, None] * N + columns[None, :]), total)
    tl.store(y + rows[:, None] * N + columns[None, :], total)


@pytest.mark.parametrize(("plan", "is_narrow"), [("ttkit", True), ("triton", False)])
def test_left_operands_are_multiplied_in_16_bits_before_they_are_split(plan, is_narrow):
    types = {"x": "*fp16", "scales": "*fp16", "w": "*fp16", "y": "*fp32", "K": "i32"}
    constants = {"M": 64, "N": 64, "STEP": 64}
    given = {(index,): [["tt.divisibility", 16]] for index in range(len(types))}
    source = ttkit.ASTSource(scaled, {**types, **dict.fromkeys(constants, "constexpr")}, constants, given)
    text = ttkit.compile(source, ttkit.GPUTarget("cuda", 90, 32), {"plan": plan}).asm["ttgir"]
    parts = [re.search(rf"arith\.{name} .*tensor<64x(16|64)xf16", text) for name in ("mulf", "truncf")]
    assert [found is not None for found in parts] == [is_narrow, not is_narrow]


@pytest.mark.parametrize("word", [None, "off", "on"])
def test_the_plan_is_an_option_of_kernels_and_a_variable(word, monkeypatch):
    if word:
        monkeypatch.setenv("TTKIT_PLAN", word)
    options = CompileOptions.parse({}, 90)
    assert options.plan == ("triton" if word == "off" else "ttkit")
    assert ("plan" in options.as_dict()) == (word == "off")
    assert CompileOptions.parse({"plan": "ttkit"}, 90).plan == "ttkit"
    assert CompileOptions.parse({"plan": "triton"}, 90).hash() != CompileOptions.for_capability(90).hash()


def test_passes_before_layouts_take_tensors_without_them() -> None:
    """A bug in such a pass is not blamed on tensors that have no layout yet."""
    options = CompileOptions.for_capability(90)
    texts = [step.text for stage in ("ttkit-ttir", "ttkit-ttgir") for step in steps(stage, options)]
    names = [pass_name(text) for text in texts]
    before = names[: names.index("convert-triton-to-tritongpu")]
    assert {name for name in before if name.startswith(("triton", "ttkit"))} <= TAKES_TT
