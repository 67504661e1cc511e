"""Passes that have nothing to act on are no part of a kernel's compilation."""

import pytest

import ttkit
from ttkit.options import CompileOptions
from ttkit.passes.infra.steps import pass_name
from ttkit.passes.stages import stage_passes, steps

OPTIONS = CompileOptions.for_capability(90)
COPY = "tt.func @f(%p: !tt.ptr<f32>) { %x = tt.load %p : !tt.ptr<f32>  tt.store %p, %x : !tt.ptr<f32>  tt.return }"
LOOP = """tt.func @f(%p: !tt.ptr<i32>, %n: i32) {
  scf.for %i = %n to %n step %n : i32 { tt.store %p, %i : !tt.ptr<i32> }
  tt.return
}"""
DOT = """tt.func @f(%a: tensor<16x16xf16>, %c: tensor<16x16xf32>) {
  %d = tt.dot %a, %a, %c : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  tt.return
}"""
OF_LOOPS = {
    "tritongpu-assign-latencies",
    "tritongpu-schedule-loops",
    "tritongpu-pipeline",
    "tritongpu-fuse-nested-loops",
}
OF_PRODUCTS = {
    "tritongpu-accelerate-matmul",
    "tritongpu-F32DotTC",
    "tritongpu-optimize-dot-operands",
    "tritongpu-reduce-data-duplication",
}
OF_OTHERS = {"symbol-dce", "triton-nvidia-tma-lowering", "tritongpu-optimize-thread-locality"}


def names(text: str, capability: int = 90) -> set[str]:
    options = CompileOptions.for_capability(capability)
    with ttkit.Context():
        return set(map(pass_name, stage_passes("ttkit-ttgir", options, ttkit.parse(text))))


@pytest.mark.parametrize(
    ("text", "there", "left_out"),
    [(COPY, set(), OF_LOOPS | OF_PRODUCTS), (LOOP, OF_LOOPS, OF_PRODUCTS), (DOT, OF_PRODUCTS, OF_LOOPS)],
    ids=["neither", "loop", "product"],
)
def test_passes_without_anything_to_act_on_are_left_out(text, there, left_out):
    found = names(text)
    assert there <= found
    assert not (left_out | OF_OTHERS) & found
    assert "tritongpu-coalesce" in found
    assert ("triton-licm" in found) == (text is LOOP)


@pytest.mark.parametrize(("text", "runs"), [(COPY, 1), (LOOP, 2), (DOT, 3)], ids=["neither", "loop", "product"])
def test_conversions_are_removed_again_after_passes_that_may_make_some(text, runs):
    with ttkit.Context():
        passes = stage_passes("ttkit-ttgir", OPTIONS, ttkit.parse(text))
    assert passes.count("tritongpu-remove-layout-conversions") == runs


@pytest.mark.parametrize("capability", [90, 100])
def test_loops_are_divided_among_groups_of_warps_where_they_ask(capability):
    asking = LOOP.replace("store %p, %i : !tt.ptr<i32> }", "store %p, %i : !tt.ptr<i32> } {tt.warp_specialize}")
    passes = {"nvgpu-warp-specialization", "tritongpu-automatic-warp-specialization"}
    assert not passes & names(LOOP, capability)
    assert len(passes & names(asking, capability)) == 1


WIDE = """tt.func @f(%a: tensor<128x16xf16>, %b: tensor<16x256xf16>, %c: tensor<128x256xf32>, %n: i32) {
  %r = scf.for %i = %n to %n step %n iter_args(%s = %c) -> tensor<128x256xf32> : i32 {
    %d = tt.dot %a, %b, %s : tensor<128x16xf16> * tensor<16x256xf16> -> tensor<128x256xf32>
    scf.yield %d : tensor<128x256xf32>
  }
  tt.return
}"""


@pytest.mark.parametrize(("text", "divides"), [(WIDE, True), (WIDE.replace("256", "128"), False)])
def test_a_result_beyond_the_registers_may_divide_a_loop(text, divides):
    assert ({"ttkit-choose-warp-groups", "nvgpu-warp-specialization"} <= names(text)) == divides


def test_without_a_module_a_stage_has_all_its_passes():
    assert stage_passes("ttkit-ttgir", OPTIONS) == [step.text for step in steps("ttkit-ttgir", OPTIONS)]
