"""Attributes that passes leave for each other, with values that no pass writes: the operation is named."""

import pytest
from mlir import ir

import ttkit
from ttkit.passes.infra import PassError
from ttkit.passes.infra.operation_attributes import bad_attribute
from ttkit.passes.infra.preconditions import input_error_in

LOOP = """
tt.func @f(%p: !tt.ptr<i32>, %n: i32) {{
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {{
    %x = tt.load %p {{{of_load}}} : !tt.ptr<i32>
    tt.store %p, %x {{loop.cluster = 0 : i32, loop.stage = 1 : i32}} : !tt.ptr<i32>
  }} {{{of_loop}}}
  tt.return
}}
"""
FINE = {"of_load": "loop.cluster = 0 : i32, loop.stage = 0 : i32", "of_loop": "tt.scheduled_max_stage = 1 : i32"}
BUFFER = """
tt.func @f() {{
  %a = ttg.local_alloc {{{of_buffer}}} : () -> !ttg.memdesc<4xi32, #ttg.swizzled_shared<{{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}}>, #ttg.shared_memory, mutable>
  tt.return
}}
"""  # noqa: E501
INTEGER = "it must be an integer, such as 1 : i32"


def module(text, **attributes):
    body = text.format(**{**FINE, **attributes})
    return ttkit.parse(
        f'module attributes {{"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32, "ttg.threads-per-warp" = 32 : i32, '
        f'ttg.shared = 16 : i32, ttg.target = "cuda:90"}} {{ {body} }}'
    )


@pytest.mark.parametrize(
    ("pipeline", "text", "attributes", "found"),
    [
        ("tritongpu-pipeline", LOOP, {"of_load": 'loop.cluster = 0 : i32, loop.stage = "x"'}, INTEGER),
        ("tritongpu-pipeline", LOOP, {"of_load": "loop.cluster = array<i32>, loop.stage = 0 : i32"}, INTEGER),
        ("tritongpu-assign-latencies", LOOP, {"of_loop": "tt.num_stages = [3 : i32]"}, INTEGER),
        ("nvgpu-test-taskid-propagate{num-warp-groups=3}", LOOP, {"of_load": "async_task_id = 1 : i32"}, "a list"),
        ("convert-triton-gpu-to-llvm", BUFFER, {"of_buffer": "allocation.offset = [0 : i32]"}, INTEGER),
    ],
)
def test_a_value_of_another_kind_is_the_inputs_mistake(pipeline, text, attributes, found):
    with ttkit.Context(), pytest.raises(PassError, match=found):
        ttkit.run_passes(module(text, **attributes), pipeline)


@pytest.mark.parametrize(
    ("attribute", "is_bad"),
    [
        ("loop.stage = 1 : i64", False),
        ("loop.stage = true", True),
        ("async_task_id = array<i32: 0>", False),
        ("async_task_id = array<i64: 0>", True),
        ("ttg.partition.stages = [0 : i32]", False),
        ("ttg.partition.stages = [true]", True),
        ("another = unit", False),
    ],
)
def test_kinds(attribute, is_bad):
    with ttkit.Context() as context:
        context.allow_unregistered_dialects = True
        made = ir.Operation.parse(f'"test.op"() {{{attribute}}} : () -> ()')
        assert bool(bad_attribute(made)) == is_bad


@pytest.mark.parametrize("shape", ["128", "64x8"])
def test_a_tensor_in_tensor_memory_is_the_inputs_mistake(shape):
    tensor = f"tensor<{shape}xf32, #ttng.tensor_memory_encoding<blockM = 64, blockN = 8, colStride = 2>>"
    check_input_error(tensor, "whose layout is not one of registers")


def check_input_error(tensor, found):
    text = f'module attributes {{"ttg.num-warps" = 4 : i32}} {{ tt.func @f(%a: {tensor}) {{ tt.return }} }}'
    with ttkit.Context():
        mistake = input_error_in(ttkit.parse(text).operation, "tritongpu-pipeline")
        assert mistake is not None
        assert found in mistake.message
