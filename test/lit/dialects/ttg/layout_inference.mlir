// RUN: tt-opt %s | tt-opt | FileCheck %s

// Result layouts that tt's operations must have.  A wrong one would not parse: see layout_inference_invalid.mlir.

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [2, 2], order = [1, 0]}>
#blocked_t = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [4, 8], warpsPerCTA = [2, 2], order = [0, 1]}>
#blocked_join = #ttg.blocked<{sizePerThread = [1, 4, 2], threadsPerWarp = [8, 4, 1], warpsPerCTA = [2, 2, 1], order = [2, 1, 0]}>
#flat = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#square = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#mma_t = #ttg.linear<{register = [[1, 0], [0, 8], [16, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[8, 0], [0, 16]], block = []}>
#mma_flat = #ttg.linear<{register = [[1], [256], [16]], lane = [[2], [4], [32], [64], [128]], warp = [[8], [512]], block = []}>

// CHECK-DAG: #[[BLOCKED:blocked[0-9]*]] = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [2, 2], order = [1, 0]}>
// CHECK-DAG: #[[BLOCKED_T:blocked[0-9]*]] = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [4, 8], warpsPerCTA = [2, 2], order = [0, 1]}>
// CHECK-DAG: #[[JOINED:blocked[0-9]*]] = #ttg.blocked<{sizePerThread = [1, 4, 2],
// CHECK-DAG: #[[LINEAR:linear[0-9]*]] = #ttg.linear<{register = {{\[\[1, 0\]}}
// CHECK-DAG: #[[FLAT:linear[0-9]*]] = #ttg.linear<{register = {{\[\[1\]}}
module attributes {"ttg.num-warps" = 4 : i32} {

// CHECK-LABEL: @trans
tt.func @trans(%a: tensor<32x32xf32, #blocked>, %b: tensor<32x32xf32, #mma>) {
  // CHECK: -> tensor<32x32xf32, #[[BLOCKED_T]]>
  %0 = tt.trans %a {order = array<i32: 1, 0>} : tensor<32x32xf32, #blocked> -> tensor<32x32xf32, #blocked_t>
  // A layout of matrix instructions has no transpose of its kind.
  // CHECK: -> tensor<32x32xf32, #[[LINEAR]]>
  %1 = tt.trans %b {order = array<i32: 1, 0>} : tensor<32x32xf32, #mma> -> tensor<32x32xf32, #mma_t>
  tt.return
}

// CHECK-LABEL: @reshape
tt.func @reshape(%a: tensor<512xf32, #flat>, %b: tensor<32x32xf32, #mma>) {
  // Blocked stays blocked where nothing moves...
  %0 = tt.reshape %a : tensor<512xf32, #flat> -> tensor<16x32xf32, #square>
  // ...and everything else becomes linear.
  // CHECK: -> tensor<1024xf32, #[[FLAT]]>
  %1 = tt.reshape %b : tensor<32x32xf32, #mma> -> tensor<1024xf32, #mma_flat>
  tt.return
}

// CHECK-LABEL: @expand_dims
tt.func @expand_dims(%a: tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked}>>) {
  // CHECK: -> tensor<32x1xf32, #[[BLOCKED]]>
  %0 = tt.expand_dims %a {axis = 1 : i32} : tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xf32, #blocked>
  tt.return
}

// CHECK-LABEL: @join_split
tt.func @join_split(%a: tensor<32x32xf32, #blocked>) {
  // CHECK: -> tensor<32x32x2xf32, #[[JOINED]]>
  %0 = tt.join %a, %a : tensor<32x32xf32, #blocked> -> tensor<32x32x2xf32, #blocked_join>
  // CHECK: -> tensor<32x32xf32, #[[BLOCKED]]>
  %1, %2 = tt.split %0 : tensor<32x32x2xf32, #blocked_join> -> tensor<32x32xf32, #blocked>
  tt.return
}

}
