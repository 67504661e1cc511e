"""remove-layout-conversions: what lit files can't say well, and the parts it is made of."""

import pytest

import ttkit
from ttkit.inspection import collect
from ttkit.interpreter.check.random_programs import random_program
from ttkit.passes.infra.dead_loop_arguments import drop_dead_loop_arguments
from ttkit.passes.infra.layout_inference import LayoutInference

PASS = "tritongpu-remove-layout-conversions"
MODULE = """
#a = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#row = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#pair = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
%s
}
"""
SHAPES = """
tt.func @shapes(%m: tensor<32x64xf32, #row>, %v: tensor<32xf32, #ttg.slice<{dim = 1, parent = #row}>>,
                %p: tensor<128x2xf32, #pair>, %x: tensor<128xf32, #b>, %packed: tensor<64x64xi8, #row>) {
  %0 = tt.trans %m {order = array<i32: 1, 0>} : tensor<32x64xf32, #row> -> tensor<64x32xf32,
      #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>>
  %1 = tt.expand_dims %v {axis = 1 : i32} : tensor<32xf32, #ttg.slice<{dim = 1, parent = #row}>>
      -> tensor<32x1xf32, #row>
  %2, %3 = tt.split %p : tensor<128x2xf32, #pair> -> tensor<128xf32, #b>
  %4 = tt.join %x, %x : tensor<128xf32, #b> -> tensor<128x2xf32, #pair>
  %5 = tt.reshape %m : tensor<32x64xf32, #row> -> tensor<2048xf32, #a>
  %6 = ttg.fp4_to_fp %packed {axis = 1 : i32} : tensor<64x64xi8, #row> -> tensor<64x128xbf16,
      #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>>
  %7 = arith.negf %m : tensor<32x64xf32, #row>
  %8 = "tt.reduce"(%m) <{axis = 1 : i32}> ({
  ^bb0(%l: f32, %r: f32):
    %sum = arith.addf %l, %r : f32
    tt.reduce.return %sum : f32
  }) : (tensor<32x64xf32, #row>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #row}>>
  tt.return
}
"""


def parse(functions):
    return ttkit.parse(MODULE % functions)


def conversions(module):
    return len(collect(module.operation, ["ttg.convert_layout"]))


@pytest.mark.parametrize(
    "name",
    ["arith.negf", "tt.expand_dims", "tt.join", "tt.reduce", "tt.reshape", "tt.split", "tt.trans", "ttg.fp4_to_fp"],
)
def test_layouts_through_operations_and_back(context, name):
    module = parse(SHAPES)
    (op,) = collect(module.operation, [name])
    layouts, source, result = LayoutInference(), op.operands[0].type.encoding, op.results[0].type.encoding
    assert layouts.result_layout(op.opview, source) == result
    back = layouts.source_layout(op.opview, result)
    assert layouts.result_layout(op.opview, back) == result


def test_layouts_that_an_operation_cannot_have(context):
    module = parse(SHAPES)
    layouts = LayoutInference()
    (expand,), (reduce,) = collect(module.operation, ["tt.expand_dims"]), collect(module.operation, ["tt.reduce"])
    row = collect(module.operation, ["arith.negf"])[0].results[0].type.encoding
    assert layouts.result_layout(expand.opview, row) is None  # no slice
    assert layouts.source_layout(reduce.opview, row) is None
    (function,) = collect(module.operation, ["tt.func"])
    assert layouts.result_layout(function.opview, row) is None


def test_dead_loop_arguments(context):
    module = parse("""
    tt.func @f(%start: i32, %n: i32, %x: f32, %p: !tt.ptr<f32>) -> f32 {
      %0:4 = scf.for %i = %start to %n step %n iter_args(%used = %x, %dead = %x, %stored = %x, %outside = %x)
          -> (f32, f32, f32, f32) : i32 {
        %1 = arith.addf %used, %x : f32
        %2 = arith.mulf %dead, %used : f32
        tt.store %p, %stored : !tt.ptr<f32>
        %3 = arith.addf %stored, %stored : f32
        scf.yield %1, %2, %3, %x : f32, f32, f32, f32
      }
      tt.return %0#0 : f32
    }""")
    assert drop_dead_loop_arguments(module.operation)
    assert not drop_dead_loop_arguments(module.operation)
    ttkit.run_passes(module, "canonicalize")
    (loop,) = collect(module.operation, ["scf.for"])
    assert len(loop.results) == 2  # used and stored


def test_loops_with_a_while_are_left_alone(context):
    module = parse("""
    tt.func @f(%n: i32, %x: f32, %c: i1, %p: !tt.ptr<f32>) {
      %0:2 = scf.for %i = %n to %n step %n iter_args(%a = %x, %b = %x) -> (f32, f32) : i32 {
        %1 = scf.while (%w = %a) : (f32) -> f32 {
          scf.condition(%c) %w : f32
        } do {
        ^bb0(%w: f32):
          scf.yield %w : f32
        }
        tt.store %p, %1 : !tt.ptr<f32>
        scf.yield %1, %b : f32, f32
      }
      tt.return
    }""")
    assert not drop_dead_loop_arguments(module.operation)


def test_constant_of_different_elements_is_made_in_the_wanted_layout(context):
    """Triton converts it, finds the conversion, and computes its operand again, for ever."""
    module = parse("""
    tt.func @f() -> (tensor<4xi32, #a>, tensor<4xi32, #b>) {
      %0 = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32, #a>
      %1 = arith.addi %0, %0 : tensor<4xi32, #a>
      %2 = ttg.convert_layout %1 : tensor<4xi32, #a> -> tensor<4xi32, #b>
      tt.return %1, %2 : tensor<4xi32, #a>, tensor<4xi32, #b>
    }""")
    ttkit.check_passes(module, PASS)
    assert conversions(module) == 0


def test_copy_that_does_not_dominate(context):
    """The conversion in the branch exists in the wanted layout, but not where the second one needs it."""
    module = parse("""
    tt.func @f(%p: tensor<512x!tt.ptr<f32>, #a>, %q: tensor<512x!tt.ptr<f32>, #b>, %c: i1) -> tensor<512xf32, #b> {
      %0 = tt.load %p : tensor<512x!tt.ptr<f32>, #a>
      scf.if %c {
        %1 = ttg.convert_layout %0 : tensor<512xf32, #a> -> tensor<512xf32, #b>
        tt.store %q, %1 : tensor<512x!tt.ptr<f32>, #b>
      }
      %2 = arith.negf %0 : tensor<512xf32, #a>
      %3 = ttg.convert_layout %2 : tensor<512xf32, #a> -> tensor<512xf32, #b>
      tt.return %3 : tensor<512xf32, #b>
    }""")
    ttkit.check_passes(module, PASS)
    assert module.operation.verify()
    assert conversions(module) == 2


def test_second_conversion_of_a_rewritten_conditional(context):
    """The conditional gets a result in the wanted layout for the first; the second takes that one, not the first."""
    module = parse("""
    tt.func @f(%c: i1) -> (tensor<512xi32, #b>, tensor<512xi32, #b>) {
      %0 = scf.if %c -> tensor<512xi32, #a> {
        %range = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #a>
        scf.yield %range : tensor<512xi32, #a>
      } else {
        %zero = arith.constant dense<0> : tensor<512xi32, #a>
        scf.yield %zero : tensor<512xi32, #a>
      }
      %1 = ttg.convert_layout %0 : tensor<512xi32, #a> -> tensor<512xi32, #b>
      %2 = ttg.convert_layout %0 : tensor<512xi32, #a> -> tensor<512xi32, #b>
      tt.return %1, %2 : tensor<512xi32, #b>, tensor<512xi32, #b>
    }""")
    ttkit.check_passes(module, PASS)
    assert conversions(module) == 0
    assert len(collect(module.operation, ["scf.if"])) == 1


def test_tensors_without_layouts_are_left_alone(context):
    module = ttkit.parse("""
    tt.func @f(%p: tensor<512x!tt.ptr<f32>>) -> tensor<512xf32> {
      %0 = tt.load %p : tensor<512x!tt.ptr<f32>>
      %1 = arith.addf %0, %0 : tensor<512xf32>
      tt.return %1 : tensor<512xf32>
    }""")
    before = str(module)
    ttkit.run_passes(module, PASS)
    assert str(module) == before


def test_several_functions(context):
    module = parse("""
    tt.func private @declared(tensor<4xi32, #a>)
    tt.func @f(%x: tensor<4xi32, #a>) -> tensor<4xi32, #a> {
      %0 = ttg.convert_layout %x : tensor<4xi32, #a> -> tensor<4xi32, #b>
      %1 = ttg.convert_layout %0 : tensor<4xi32, #b> -> tensor<4xi32, #a>
      tt.return %1 : tensor<4xi32, #a>
    }
    tt.func @g(%x: tensor<4xi32, #a>) -> tensor<4xi32, #b> {
      %0 = ttg.convert_layout %x : tensor<4xi32, #a> -> tensor<4xi32, #b>
      tt.return %0 : tensor<4xi32, #b>
    }""")
    ttkit.run_passes(module, PASS)
    assert conversions(module) == 1


@pytest.mark.parametrize("seed", range(20))
def test_random_programs(seed):
    with ttkit.Context():
        module = ttkit.parse(random_program(seed, 15).text)
        ttkit.run_passes(module, "convert-triton-to-tritongpu{target=cuda:80},tritongpu-coalesce")
        ttkit.check_passes(module, PASS, runs=1)
