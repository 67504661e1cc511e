"""Passes that take arguments to point to different tensors are proved under this condition, in loops of any length."""

from __future__ import annotations

import re

import pytest
from test_wrong_pairs import verdict

import ttkit
from ttkit.context import parse_text
from ttkit.passes.manager import run_passes
from ttkit.validation.functions import OPEN

PASS = "ttkit-start-next-product"
GRADIENTS = """
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#turned = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#left = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#down = #ttg.slice<{dim = 1, parent = #rows}>
#along = #ttg.slice<{dim = 0, parent = #rows}>
!square = !ttg.memdesc<64x64xf16, #shared, #smem>
!part = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
!turned = !ttg.memdesc<64x64xf16, #turned, #smem, mutable>
!ring = !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
!pointers = tensor<64x64x!tt.ptr<f32>, #mma>
!loads = tensor<64x64x!tt.ptr<f16>, #rows>
!sums = tensor<64x64xf32, #mma>
!mask = tensor<64x64xi1, #rows>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90",
                   "ttg.threads-per-warp" = 32 : i32} {
tt.func public @k(%keys: !tt.ptr<f16>, %tiles: !tt.ptr<f16>, %to: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) {
  %c-1 = arith.constant -1 : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %zero = arith.constant dense<0.0> : !sums
  %all = arith.constant dense<true> : tensor<64x64xi1, #mma>
  %down = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #down>
  %row = tt.expand_dims %down {axis = 1 : i32} : tensor<64xi32, #down> -> tensor<64x1xi32, #rows>
  %rows = tt.broadcast %row : tensor<64x1xi32, #rows> -> tensor<64x64xi32, #rows>
  %width = arith.constant dense<64> : tensor<64x64xi32, #rows>
  %begin = arith.muli %rows, %width : tensor<64x64xi32, #rows>
  %along = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #along>
  %column = tt.expand_dims %along {axis = 0 : i32} : tensor<64xi32, #along> -> tensor<1x64xi32, #rows>
  %columns = tt.broadcast %column : tensor<1x64xi32, #rows> -> tensor<64x64xi32, #rows>
  %offsets = arith.addi %begin, %columns : tensor<64x64xi32, #rows>
  %places = ttg.convert_layout %offsets : tensor<64x64xi32, #rows> -> tensor<64x64xi32, #mma>
  %keys0 = tt.splat %keys : !tt.ptr<f16> -> !loads
  %keys1 = tt.addptr %keys0, %offsets : !loads, tensor<64x64xi32, #rows>
  %key = tt.load %keys1 : !loads
  %k = ttg.local_alloc %key : (tensor<64x64xf16, #rows>) -> !square
  %q = ttg.local_alloc : () -> !ring
  %slot0 = ttg.memdesc_index %q[%c0] : !ring -> !part
  %from = tt.splat %tiles : !tt.ptr<f16> -> !loads
  %from0 = tt.addptr %from, %offsets : !loads, tensor<64x64xi32, #rows>
  %any = arith.cmpi sgt, %n, %c0 : i32
  %mask0 = tt.splat %any : i1 -> !mask
  %copy0 = ttg.async_copy_global_to_local %from0, %slot0 mask %mask0 : !loads -> <64x64xf16, #shared, #smem, mutable>
  %token0 = ttg.async_commit_group tokens %copy0
  %slot1 = ttg.memdesc_index %q[%c1] : !ring -> !part
  %tile1 = tt.addptr %tiles, %c1 : !tt.ptr<f16>, i32
  %from1 = tt.splat %tile1 : !tt.ptr<f16> -> !loads
  %from2 = tt.addptr %from1, %offsets : !loads, tensor<64x64xi32, #rows>
  %two = arith.cmpi sgt, %n, %c1 : i32
  %mask1 = tt.splat %two : i1 -> !mask
  %copy1 = ttg.async_copy_global_to_local %from2, %slot1 mask %mask1 : !loads -> <64x64xf16, #shared, #smem, mutable>
  %token1 = ttg.async_commit_group tokens %copy1
  %last = arith.subi %n, %c2 : i32
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %fill = %c1, %take = %c-1)
      -> (!sums, i32, i32) : i32 {
    %take1 = arith.addi %take, %c1 : i32
    %take2 = arith.cmpi sge, %take1, %c3 : i32
    %taken = arith.select %take2, %c0, %take1 : i32
    %t = ttg.async_wait {num = 1 : i32}
    %part = ttg.memdesc_index %q[%taken] : !ring -> !part
    %view = ttg.memdesc_trans %part {order = array<i32: 1, 0>} : !part -> !turned
    %s = ttng.warp_group_dot %k, %view, %zero {inputPrecision = 0 : i32, isAsync = true} : !square * !turned -> !sums
    %w = ttng.warp_group_dot_wait %s {pendings = 0 : i32} : !sums
    %p = arith.truncf %w : !sums to tensor<64x64xf16, #mma>
    %l = ttg.convert_layout %p : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #left>
    %o = ttng.warp_group_dot %l, %part, %sum {inputPrecision = 0 : i32, isAsync = true}
      : tensor<64x64xf16, #left> * !part -> !sums
    %d = ttng.warp_group_dot %l, %k, %zero {inputPrecision = 0 : i32, isAsync = true}
      : tensor<64x64xf16, #left> * !square -> !sums
    %e:3 = ttng.warp_group_dot_wait %d, %o, %k {pendings = 0 : i32} : !sums, !sums, !square
    %line = tt.addptr %to, %i : !tt.ptr<f32>, i32
    %lines = tt.splat %line : !tt.ptr<f32> -> !pointers
    %each = tt.addptr %lines, %places : !pointers, tensor<64x64xi32, #mma>
    %u = tt.atomic_rmw fadd, relaxed, gpu, %each, %e#0, %all : (!pointers, !sums, tensor<64x64xi1, #mma>) -> !sums
    %fill1 = arith.addi %fill, %c1 : i32
    %fill2 = arith.cmpi sge, %fill1, %c3 : i32
    %filled = arith.select %fill2, %c0, %fill1 : i32
    %slot = ttg.memdesc_index %q[%filled] : !ring -> !part
    %ahead = arith.addi %i, %c2 : i32
    %tile = tt.addptr %tiles, %ahead : !tt.ptr<f16>, i32
    %tilep = tt.splat %tile : !tt.ptr<f16> -> !loads
    %tileq = tt.addptr %tilep, %offsets : !loads, tensor<64x64xi32, #rows>
    %more = arith.cmpi slt, %i, %last : i32
    %mask = tt.splat %more : i1 -> !mask
    %copy = ttg.async_copy_global_to_local %tileq, %slot mask %mask : !loads -> <64x64xf16, #shared, #smem, mutable>
    %token = ttg.async_commit_group tokens %copy
    scf.yield %e#1, %filled, %taken : !sums, i32, i32
  }
  %done = ttg.async_wait {num = 0 : i32}
  %outs = tt.splat %out : !tt.ptr<f32> -> !pointers
  %outp = tt.addptr %outs, %places : !pointers, tensor<64x64xi32, #mma>
  tt.store %outp, %r#0 : !pointers
  tt.return
}
}
"""


def after_the_pass(before: str) -> str:
    """The kernel after the pass."""
    with ttkit.Context() as context:
        module = parse_text(before, context)
        run_passes(module, PASS)
        return str(module)


def test_updates_may_come_after_loads_of_other_tensors():
    after = after_the_pass(GRADIENTS)
    assert re.search(r"pendings = 1.*\n.*tt.atomic_rmw.*\n.*scf.yield", after)
    assert str(verdict(GRADIENTS, after, PASS)) == "proved, if arguments point to different tensors"
    assert verdict(GRADIENTS, after).outcome == OPEN


BUGS = {
    "the last wgmma is not waited for": ("pendings = 1", "pendings = 2"),
    "the tile is not waited for": (r"(?s)(scf\.for.*?ttg\.async_wait \{num = )1", r"\g<1>2"),
    "the tile of another slot": (r"(memdesc_index %13\[)%73", r"\1%45"),
    "the first tile is not waited for": (r"(ttg\.async_wait \{num = )1(.*\n(.*\n){1,4}?.*scf\.for)", r"\g<1>2\2"),
    "the update is of the tiles": (r"tt\.addptr %arg2, %arg5 : !tt\.ptr<f32>", "tt.addptr %arg3, %arg5 : !tt.ptr<f32>"),
    "the update orders other accesses": ("fadd, relaxed", "fadd, acq_rel"),
    "one tile twice": (r"(scf\.yield %\d+#1, %\d+, )%45", r"\g<1>%73"),
}


@pytest.mark.parametrize("bug", BUGS)
def test_bugs_in_what_the_pass_makes_are_open(bug):
    after = after_the_pass(GRADIENTS)
    wrong = re.sub(*BUGS[bug], after, count=1)
    assert wrong != after
    assert verdict(GRADIENTS, wrong, PASS).outcome == OPEN


def test_loads_stay_after_updates_that_acquire():
    before = GRADIENTS.replace("fadd, relaxed", "fadd, acq_rel")
    assert verdict(before, after_the_pass(before), PASS).outcome == OPEN


def test_loads_of_the_tensor_that_is_updated_stay():
    before = GRADIENTS.replace("%line = tt.addptr %to, %i : !tt.ptr<f32>, i32", (
        "%same = tt.bitcast %tiles : !tt.ptr<f16> -> !tt.ptr<f32>\n%line = tt.addptr %same, %i : !tt.ptr<f32>, i32"
    ))  # fmt: skip
    moved = after_the_pass(GRADIENTS).replace(
        "tt.addptr %arg2, %arg5 : !tt.ptr<f32>", "tt.addptr %same, %arg5 : !tt.ptr<f32>"
    )
    head, loop = moved.split("= scf.for", 1)
    start = head.rindex("\n")
    moved = f"{head[:start]}\n%same = tt.bitcast %arg1 : !tt.ptr<f16> -> !tt.ptr<f32>{head[start:]}= scf.for{loop}"
    assert verdict(before, moved, PASS).outcome == OPEN
