"""Loops that become several, sums in another order, and scaled maxima are proved; bugs in them are not."""

import pytest

import ttkit
from ttkit.context import Context, parse_text
from ttkit.passes.manager import run_passes
from ttkit.validation.functions import OPEN, PROVED, validate
from ttkit.validation.proofs import decoded

UNROLLED = """
tt.func public @k(%p: !tt.ptr<f32>, %n: i32, %v: f32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %v) -> (f32) : i32 {
    %q = tt.addptr %p, %i : !tt.ptr<f32>, i32
    %x = tt.load %q : !tt.ptr<f32>
    %y = arith.mulf %a, %v : f32
    %z = arith.addf %y, %x : f32
    tt.store %q, %y : !tt.ptr<f32>
    scf.yield %z : f32
  } {tt.loop_unroll_factor = 4 : i32}
  tt.store %p, %s : !tt.ptr<f32>
  tt.return
}
"""
SPLIT = """
tt.func public @k(%q: tensor<16x16xf16>, %n: i32, %m: i32) -> tensor<16x16xf32> {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %low = arith.constant dense<-1.0e+06> : tensor<16x16xf32>
  %r = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
  %ms = tt.splat %m : i32 -> tensor<16xi32>
  %rows = arith.addi %ms, %r : tensor<16xi32>
  %rows2 = tt.expand_dims %rows {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %rowsb = tt.broadcast %rows2 : tensor<16x1xi32> -> tensor<16x16xi32>
  %s = scf.for %i = %c0 to %n step %c16 iter_args(%a = %zero) -> (tensor<16x16xf32>) : i32 {
    %d = tt.dot %q, %q, %zero : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
    %is = tt.splat %i : i32 -> tensor<16xi32>
    %columns = arith.addi %is, %r : tensor<16xi32>
    %columns2 = tt.expand_dims %columns {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %columnsb = tt.broadcast %columns2 : tensor<1x16xi32> -> tensor<16x16xi32>
    %mask = arith.cmpi sge, %rowsb, %columnsb : tensor<16x16xi32>
    %t = arith.select %mask, %d, %low : tensor<16x16xi1>, tensor<16x16xf32>
    %e = math.exp2 %t : tensor<16x16xf32>
    %b = arith.addf %a, %e : tensor<16x16xf32>
    scf.yield %b : tensor<16x16xf32>
  }
  tt.return %s : tensor<16x16xf32>
}
"""
ROWS = """
#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#s = #ttg.slice<{dim = 1, parent = #b}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
tt.func public @k(%p: tensor<16x32x!tt.ptr<f32>, #b>, %o: tensor<16x!tt.ptr<f32>, #s>, %n: i32, %k: f32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<16xf32, #s>
  %half = arith.constant dense<0.5> : tensor<16xf32, #s>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sums = %zero) -> (tensor<16xf32, #s>) : i32 {
    %x = tt.load %p : tensor<16x32x!tt.ptr<f32>, #b>
    %old = arith.mulf %sums, %half : tensor<16xf32, #s>
    %new = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<16x32xf32, #b>) -> tensor<16xf32, #s>
    %s = arith.addf %old, %new : tensor<16xf32, #s>
    scf.yield %s : tensor<16xf32, #s>
  }
  tt.store %o, %r : tensor<16x!tt.ptr<f32>, #s>
  tt.return
}
}
"""
MAXIMA = """
#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#s = #ttg.slice<{dim = 1, parent = #b}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
tt.func public @k(%x: tensor<16x32xf32, #b>, %k: f32, %o: tensor<16x32x!tt.ptr<f32>, #b>) {
  %ks = tt.splat %k : f32 -> tensor<16x32xf32, #b>
  %s = arith.mulf %x, %ks : tensor<16x32xf32, #b>
  %m = "tt.reduce"(%s) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.maxnumf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<16x32xf32, #b>) -> tensor<16xf32, #s>
  %e = tt.expand_dims %m {axis = 1 : i32} : tensor<16xf32, #s> -> tensor<16x1xf32, #b>
  %f = tt.broadcast %e : tensor<16x1xf32, #b> -> tensor<16x32xf32, #b>
  %d = arith.subf %s, %f : tensor<16x32xf32, #b>
  tt.store %o, %d : tensor<16x32x!tt.ptr<f32>, #b>
  tt.return
}
}
"""


def sides(text: str, name: str) -> tuple[str, str]:
    """A module before and after a pass."""
    with ttkit.Context() as context:
        module = parse_text(text, context)
        before = str(module)
        run_passes(module, name)
        assert str(module) != before
        return before, str(module)


def verdict(before: str, after: str, name: str):
    """The verdict, without a search."""
    context = Context()
    return validate(decoded(before, context), decoded(after, context), "k", name, searches=False)


CASES = {
    "triton-loop-unroll": (UNROLLED, ()),
    "ttkit-split-masked-loops": (SPLIT, ()),
    "ttkit-sum-within-threads": (ROWS, ("another order of sums",)),
    "ttkit-scale-maxima": (MAXIMA, ("maxima of products with one factor",)),
}
BUGS = [
    ("triton-loop-unroll", "arith.remsi %3, %c4_i32", "arith.addi %3, %c4_i32"),
    ("triton-loop-unroll", "arith.mulf %14, %arg2", "arith.mulf %arg2, %arg2"),
    ("triton-loop-unroll", "%c2_i32 = arith.constant 2 : i32", "%c2_i32 = arith.constant 1 : i32"),
    (
        "triton-loop-unroll",
        "to %arg1 step %c1_i32 iter_args(%arg4 = %9)",
        "to %arg1 step %c1_i32 iter_args(%arg4 = %arg2)",
    ),
    ("triton-loop-unroll", "scf.for %arg3 = %7", "scf.for %arg3 = %4"),
    ("ttkit-split-masked-loops", "arith.constant -15 : i64", "arith.constant -14 : i64"),
    ("ttkit-split-masked-loops", "arith.minsi %18, %19", "arith.maxsi %18, %19"),
    ("ttkit-split-masked-loops", "iter_args(%arg4 = %24)", "iter_args(%arg4 = %cst)"),
    ("ttkit-split-masked-loops", "math.exp2 %32", "math.exp2 %26"),
    ("ttkit-sum-within-threads", "arith.addf %7, %11", "arith.addf %arg5, %11"),
    ("ttkit-sum-within-threads", "%cst_0 = arith.constant dense<0.0", "%cst_0 = arith.constant dense<1.0"),
    ("ttkit-sum-within-threads", "arith.addf %arg4, %arg5", "arith.maxnumf %arg4, %arg5"),
    ("ttkit-sum-within-threads", "arith.mulf %arg5, %6", "arith.addf %arg5, %6"),
    ("ttkit-scale-maxima", "arith.minnumf", "arith.maxnumf"),
    ("ttkit-scale-maxima", "cmpf ogt", "cmpf olt"),
    ("ttkit-scale-maxima", "arith.subf %1, %5", "arith.subf %arg0, %5"),
]


@pytest.mark.parametrize("name", CASES)
def test_the_pass_is_proved_for_all_trip_counts(name):
    text, kinds = CASES[name]
    found = verdict(*sides(text, name), name)
    assert (found.outcome, found.trips, found.rounding) == (PROVED, (), kinds), found


@pytest.mark.parametrize(("name", "old", "new"), BUGS)
def test_a_bug_in_what_the_pass_left_is_not_proved(name, old, new):
    before, after = sides(CASES[name][0], name)
    assert after.count(old) == 1
    found = verdict(before, after.replace(old, new), name)
    assert found.outcome == OPEN
    assert "can't be read" not in found.reason
    assert "failed" not in found.reason
