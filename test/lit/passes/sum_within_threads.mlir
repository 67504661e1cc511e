// RUN: tt-opt %s --ttkit-sum-within-threads | FileCheck %s
// The same numbers.
// RUN: tt-opt %s --check-passes --ttkit-sum-within-threads --check-arg=2=5 -o /dev/null

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 32, 16]}>
#row = #ttg.slice<{dim = 1, parent = #mma}>
#alone = #ttg.blocked<{sizePerThread = [1, 32], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
!tile = tensor<64x32xf32, #mma>
!rows = tensor<64xf32, #row>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
// Four threads share a row: columns 2 and 3 of eight are another thread's than 0 and 1.
// CHECK-LABEL: @weights
// CHECK: %[[LOOP:.*]]:2 = scf.for {{.*}} iter_args(%[[PARTS:.*]] = %{{.*}}, %{{.*}} = %{{.*}}) -> (tensor<64x4xf32, {{.*}}>, tensor<64xf32, {{.*}}>)
// CHECK: %[[OLD:.*]] = arith.mulf %[[PARTS]], %
// CHECK: tt.reshape %{{.*}} : tensor<64x32xf32, #mma> -> tensor<64x4x4x2xf32,
// CHECK: tt.trans %{{.*}} {order = array<i32: 0, 2, 1, 3>}
// CHECK: %[[APART:.*]] = tt.reshape %{{.*}} -> tensor<64x4x8xf32,
// CHECK: %[[OWN:.*]] = "tt.reduce"(%[[APART]]) <{axis = 2 : i32}>
// CHECK: arith.addf %[[OLD]], %[[OWN]] : tensor<64x4xf32,
// CHECK: scf.yield
// CHECK: %[[SUMS:.*]] = "tt.reduce"(%[[LOOP]]#0) <{axis = 1 : i32}>
// CHECK: ttg.convert_layout %[[SUMS]]
tt.func public @weights(%in: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zeros = arith.constant dense<0.0> : !rows
  %ones = arith.constant dense<1.0> : !rows
  %half = arith.constant dense<5.0e-01> : !rows
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #row>
  %j = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #mma}>>
  %i2 = tt.expand_dims %i {axis = 1 : i32} : tensor<64xi32, #row> -> tensor<64x1xi32, #mma>
  %j2 = tt.expand_dims %j {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #mma}>> -> tensor<1x32xi32, #mma>
  %width = arith.constant dense<32> : tensor<64x1xi32, #mma>
  %i3 = arith.muli %i2, %width : tensor<64x1xi32, #mma>
  %i4 = tt.broadcast %i3 : tensor<64x1xi32, #mma> -> tensor<64x32xi32, #mma>
  %j4 = tt.broadcast %j2 : tensor<1x32xi32, #mma> -> tensor<64x32xi32, #mma>
  %at = arith.addi %i4, %j4 : tensor<64x32xi32, #mma>
  %from = tt.splat %in : !tt.ptr<f32> -> tensor<64x32x!tt.ptr<f32>, #mma>
  %p = tt.addptr %from, %at : tensor<64x32x!tt.ptr<f32>, #mma>, tensor<64x32xi32, #mma>
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%sums = %zeros, %factors = %ones) -> (!rows, !rows) : i32 {
    %x = tt.load %p : tensor<64x32x!tt.ptr<f32>, #mma>
    %scaled = arith.mulf %sums, %factors : !rows
    %more = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (!tile) -> !rows
    %s = arith.addf %scaled, %more : !rows
    %f = arith.mulf %factors, %half : !rows
    scf.yield %s, %f : !rows, !rows
  }
  %to = tt.splat %out : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #row>
  %q = tt.addptr %to, %i : tensor<64x!tt.ptr<f32>, #row>, tensor<64xi32, #row>
  tt.store %q, %r#0 : tensor<64x!tt.ptr<f32>, #row>
  tt.return
}

// Sums that start at ones, or that the loop uses otherwise, and rows that a thread has alone.
// CHECK-LABEL: @left_alone
// CHECK-COUNT-3: "tt.reduce"(%{{.*}}) <{axis = 1 : i32}>
// CHECK-NOT: tt.reduce"
// CHECK: tt.return
tt.func @left_alone(%x: !tile, %y: tensor<64x32xf32, #alone>, %n: i32, %half: !rows, %half1: tensor<64xf32, #ttg.slice<{dim = 1, parent = #alone}>>)
    -> (!rows, !rows, !rows, tensor<64xf32, #ttg.slice<{dim = 1, parent = #alone}>>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zeros = arith.constant dense<0.0> : !rows
  %zeros1 = arith.constant dense<0.0> : tensor<64xf32, #ttg.slice<{dim = 1, parent = #alone}>>
  %ones = arith.constant dense<1.0> : !rows
  %r:4 = scf.for %k = %c0 to %n step %c1 iter_args(%a0 = %ones, %b0 = %zeros, %b1 = %zeros, %d0 = %zeros1)
      -> (!rows, !rows, !rows, tensor<64xf32, #ttg.slice<{dim = 1, parent = #alone}>>) : i32 {
    %a2 = arith.mulf %a0, %half : !rows
    %a3 = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (!tile) -> !rows
    %a4 = arith.addf %a2, %a3 : !rows
    %b2 = arith.mulf %b0, %half : !rows
    %b3 = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (!tile) -> !rows
    %b4 = arith.addf %b2, %b3 : !rows
    %d2 = arith.mulf %d0, %half1 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #alone}>>
    %d3 = "tt.reduce"(%y) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<64x32xf32, #alone>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #alone}>>
    %d4 = arith.addf %d2, %d3 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #alone}>>
    scf.yield %a4, %b4, %b0, %d4 : !rows, !rows, !rows, tensor<64xf32, #ttg.slice<{dim = 1, parent = #alone}>>
  }
  tt.return %r#0, %r#1, %r#2, %r#3 : !rows, !rows, !rows, tensor<64xf32, #ttg.slice<{dim = 1, parent = #alone}>>
}
}
