// RUN: tt-opt %s --tritongpu-optimize-thread-locality | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#s = #ttg.slice<{dim = 1, parent = #b}>
#b1 = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// CHECK-DAG: #[[SPLIT:.*]] = #ttg.blocked<{sizePerThread = [1, 1, 4], threadsPerWarp = [2, 16, 1], warpsPerCTA = [4, 1, 1], order = [2, 1, 0]}>
// CHECK-DAG: #[[ROWS:.*]] = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
// CHECK-DAG: #[[COLUMNS:.*]] = #ttg.blocked<{sizePerThread = [2, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {

// Each thread adds its 8 elements in the loop; 16 threads add up once, behind it.
// CHECK-LABEL: @running_sum
tt.func @running_sum(%p: tensor<32x128x!tt.ptr<f32>, #b>, %n: i32) -> tensor<32xf32, #s> {
  // CHECK: %[[INIT:.*]] = arith.constant dense<1.000000e+00> : tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
  // CHECK-NEXT: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<32x16xf32, #ttg.slice<{dim = 2, parent = #[[SPLIT]]}>>
  // CHECK-NEXT: %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[ACC:.*]] = %[[INIT]], %[[PART:.*]] = %[[ZERO]])
  // CHECK: %[[X:.*]] = tt.load
  // CHECK: %[[Y:.*]] = tt.reshape %[[X]] allow_reorder efficient_layout : {{.*}} -> tensor<32x16x8xf32, #[[SPLIT]]>
  // CHECK-NEXT: %[[S:.*]] = "tt.reduce"(%[[Y]]) <{axis = 2 : i32}>
  // CHECK: %[[T:.*]] = arith.addf %[[PART]], %[[S]]
  // CHECK: scf.yield %[[ACC]], %[[T]]
  // CHECK: %[[U:.*]] = "tt.reduce"(%[[R]]#1) <{axis = 1 : i32}>
  // CHECK: %[[V:.*]] = ttg.convert_layout %[[U]]
  // CHECK-NEXT: %[[W:.*]] = arith.addf %[[INIT]], %[[V]]
  // CHECK-NEXT: tt.return %[[W]]
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %init = arith.constant dense<1.0> : tensor<32xf32, #s>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %init) -> tensor<32xf32, #s> : i32 {
    %x = tt.load %p : tensor<32x128x!tt.ptr<f32>, #b>
    %s = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%u: f32, %v: f32):
      %w = arith.addf %u, %v : f32
      tt.reduce.return %w : f32
    }) : (tensor<32x128xf32, #b>) -> tensor<32xf32, #s>
    %t = arith.addf %acc, %s : tensor<32xf32, #s>
    scf.yield %t : tensor<32xf32, #s>
  }
  tt.return %r : tensor<32xf32, #s>
}

// Left alone: a sum of maxima, which partial sums don't give.
// CHECK-LABEL: @sum_of_maxima
tt.func @sum_of_maxima(%p: tensor<32x128x!tt.ptr<f32>, #b>, %n: i32) -> tensor<32xf32, #s> {
  // CHECK-NOT: tt.reshape
  // CHECK: tt.return
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %init = arith.constant dense<0.0> : tensor<32xf32, #s>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %init) -> tensor<32xf32, #s> : i32 {
    %x = tt.load %p : tensor<32x128x!tt.ptr<f32>, #b>
    %s = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%u: f32, %v: f32):
      %w = arith.maxnumf %u, %v : f32
      tt.reduce.return %w : f32
    }) : (tensor<32x128xf32, #b>) -> tensor<32xf32, #s>
    %t = arith.addf %acc, %s : tensor<32xf32, #s>
    scf.yield %t : tensor<32xf32, #s>
  }
  tt.return %r : tensor<32xf32, #s>
}

// Left alone: a running result that the loop looks at.
// CHECK-LABEL: @watched
tt.func @watched(%p: tensor<32x128x!tt.ptr<f32>, #b>, %q: tensor<32x!tt.ptr<f32>, #s>, %n: i32) -> tensor<32xf32, #s> {
  // CHECK-NOT: tt.reshape
  // CHECK: tt.return
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %init = arith.constant dense<0xFF800000> : tensor<32xf32, #s>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %init) -> tensor<32xf32, #s> : i32 {
    %x = tt.load %p : tensor<32x128x!tt.ptr<f32>, #b>
    tt.store %q, %acc : tensor<32x!tt.ptr<f32>, #s>
    %s = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%u: f32, %v: f32):
      %w = arith.maxnumf %u, %v : f32
      tt.reduce.return %w : f32
    }) : (tensor<32x128xf32, #b>) -> tensor<32xf32, #s>
    %t = arith.maxnumf %acc, %s : tensor<32xf32, #s>
    scf.yield %t : tensor<32xf32, #s>
  }
  tt.return %r : tensor<32xf32, #s>
}

// A reshape that may reorder gives each thread whole rows.
// CHECK-LABEL: @reshape
tt.func @reshape(%a: tensor<4096xf32, #b1>) -> tensor<128xf32, #s> {
  // CHECK-NEXT: %[[X:.*]] = tt.reshape %arg0 allow_reorder efficient_layout : {{.*}} -> tensor<128x32xf32, #[[ROWS]]>
  // CHECK-NEXT: %[[Y:.*]] = ttg.convert_layout %[[X]]
  // CHECK-NEXT: "tt.reduce"(%[[Y]])
  %0 = tt.reshape %a allow_reorder : tensor<4096xf32, #b1> -> tensor<128x32xf32, #b>
  %1 = "tt.reduce"(%0) <{axis = 1 : i32}> ({
    ^bb0(%u: f32, %v: f32):
      %w = arith.addf %u, %v : f32
      tt.reduce.return %w : f32
    }) : (tensor<128x32xf32, #b>) -> tensor<128xf32, #s>
  tt.return %1 : tensor<128xf32, #s>
}

// A gather along columns finds each index in its warp.
// CHECK-LABEL: @gather
tt.func @gather(%a: tensor<64x64xf32, #b>, %i: tensor<16x64xi32, #b>) -> tensor<16x64xf32, #b> {
  // CHECK-NEXT: %[[A:.*]] = ttg.convert_layout %arg0 : {{.*}} -> tensor<64x64xf32, #[[COLUMNS]]>
  // CHECK-NEXT: %[[I:.*]] = ttg.convert_layout %arg1 : {{.*}} -> tensor<16x64xi32, #[[COLUMNS]]>
  // CHECK-NEXT: %[[G:.*]] = tt.gather %[[A]][%[[I]]] {axis = 0 : i32, efficient_layout}
  // CHECK-NEXT: ttg.convert_layout %[[G]]
  %0 = tt.gather %a[%i] {axis = 0 : i32} : (tensor<64x64xf32, #b>, tensor<16x64xi32, #b>) -> tensor<16x64xf32, #b>
  tt.return %0 : tensor<16x64xf32, #b>
}

// Edge: of a vector there are no columns; what is said to be efficient stays.
// CHECK-LABEL: @gathers_left_alone
tt.func @gathers_left_alone(%a: tensor<512xf32, #b1>, %i: tensor<512xi32, #b1>, %m: tensor<64x64xf32, #b>, %j: tensor<64x64xi32, #b>) {
  // CHECK-NEXT: tt.gather %arg0[%arg1]
  // CHECK-NEXT: tt.gather %arg2[%arg3]
  // CHECK-NEXT: tt.print
  %0 = tt.gather %a[%i] {axis = 0 : i32} : (tensor<512xf32, #b1>, tensor<512xi32, #b1>) -> tensor<512xf32, #b1>
  %1 = tt.gather %m[%j] {axis = 0 : i32, efficient_layout} : (tensor<64x64xf32, #b>, tensor<64x64xi32, #b>) -> tensor<64x64xf32, #b>
  tt.print ": " {hex = false, isSigned = array<i32: 0, 0>} : %0, %1 : tensor<512xf32, #b1>, tensor<64x64xf32, #b>
  tt.return
}
}
