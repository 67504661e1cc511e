// RUN: tt-opt %s --canonicalize -split-input-file | FileCheck %s
// RUN: tt-opt %s --loop-invariant-code-motion -split-input-file | FileCheck %s --check-prefix=LICM

// CHECK-LABEL: @splat_of_constant
tt.func @splat_of_constant() -> (tensor<4xf32>, tensor<2x2xi1>) {
  %x = arith.constant 1.0 : f32
  %y = arith.constant true
  // CHECK-DAG: %[[X:.*]] = arith.constant dense<1.000000e+00> : tensor<4xf32>
  // CHECK-DAG: %[[Y:.*]] = arith.constant dense<true> : tensor<2x2xi1>
  %0 = tt.splat %x : f32 -> tensor<4xf32>
  %1 = tt.splat %y : i1 -> tensor<2x2xi1>
  // CHECK: tt.return %[[X]], %[[Y]]
  tt.return %0, %1 : tensor<4xf32>, tensor<2x2xi1>
}

// -----

// Left alone: a constant tensor of one element, and its way back.
// CHECK-LABEL: @splat_left_alone
tt.func @splat_left_alone(%x: f32) -> (tensor<4xi32>, f32) {
  %a = arith.constant dense<3> : tensor<1xi32>
  // CHECK: tt.splat
  %0 = tt.splat %a : tensor<1xi32> -> tensor<4xi32>
  // CHECK: tt.splat
  %1 = tt.splat %x : f32 -> tensor<1xf32>
  // CHECK: tt.unsplat
  %2 = tt.unsplat %1 : tensor<1xf32>
  tt.return %0, %2 : tensor<4xi32>, f32
}

// -----

// CHECK-LABEL: @expand_dims_of_constant
tt.func @expand_dims_of_constant() -> (tensor<4x1xf32>, tensor<1x4xi32>) {
  %a = arith.constant dense<2.0> : tensor<4xf32>
  %b = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  // CHECK-DAG: %[[A:.*]] = arith.constant dense<2.000000e+00> : tensor<4x1xf32>
  // CHECK-DAG: %[[B:.*]] = arith.constant dense<{{\[\[}}1, 2, 3, 4]]> : tensor<1x4xi32>
  %0 = tt.expand_dims %a {axis = 1 : i32} : tensor<4xf32> -> tensor<4x1xf32>
  %1 = tt.expand_dims %b {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xi32>
  // CHECK: tt.return %[[A]], %[[B]]
  tt.return %0, %1 : tensor<4x1xf32>, tensor<1x4xi32>
}

// -----

// CHECK-LABEL: @expand_dims_of_splat
// CHECK-SAME: %[[X:.*]]: f32
tt.func @expand_dims_of_splat(%x: f32) -> tensor<1x4xf32> {
  %0 = tt.splat %x : f32 -> tensor<4xf32>
  // CHECK: %[[R:.*]] = tt.splat %[[X]] : f32 -> tensor<1x4xf32>
  %1 = tt.expand_dims %0 {axis = 0 : i32} : tensor<4xf32> -> tensor<1x4xf32>
  // CHECK-NEXT: tt.return %[[R]]
  tt.return %1 : tensor<1x4xf32>
}

// -----

// A chain of broadcasts and expand_dims becomes one of each.
// CHECK-LABEL: @expand_dims_of_broadcast
// CHECK-SAME: %[[A:.*]]: tensor<1x4xf32>
tt.func @expand_dims_of_broadcast(%a: tensor<1x4xf32>) -> tensor<8x2x4xf32> {
  %0 = tt.broadcast %a : tensor<1x4xf32> -> tensor<8x4xf32>
  // CHECK-NEXT: %[[E:.*]] = tt.expand_dims %[[A]] {axis = 1 : i32} : tensor<1x4xf32> -> tensor<1x1x4xf32>
  %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<8x4xf32> -> tensor<8x1x4xf32>
  // CHECK-NEXT: %[[B:.*]] = tt.broadcast %[[E]] : tensor<1x1x4xf32> -> tensor<8x2x4xf32>
  %2 = tt.broadcast %1 : tensor<8x1x4xf32> -> tensor<8x2x4xf32>
  // CHECK-NEXT: tt.return %[[B]]
  tt.return %2 : tensor<8x2x4xf32>
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1, 4], threadsPerWarp = [8, 1, 4], warpsPerCTA = [4, 1, 1], order = [2, 1, 0]}>
#slice = #ttg.slice<{dim = 1, parent = #blocked}>
module attributes {"ttg.num-warps" = 4 : i32} {
// CHECK-LABEL: @expand_dims_of_broadcast_layouts
tt.func @expand_dims_of_broadcast_layouts(%a: tensor<1x32xf32, #slice>) -> tensor<64x1x32xf32, #blocked> {
  %0 = tt.broadcast %a : tensor<1x32xf32, #slice> -> tensor<64x32xf32, #slice>
  // CHECK: tt.expand_dims %{{.*}} {axis = 1 : i32} : tensor<1x32xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<1x1x32xf32, #blocked>
  // CHECK: tt.broadcast %{{.*}} : tensor<1x1x32xf32, #blocked> -> tensor<64x1x32xf32, #blocked>
  %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<64x32xf32, #slice> -> tensor<64x1x32xf32, #blocked>
  tt.return %1 : tensor<64x1x32xf32, #blocked>
}
}

// -----

// CHECK-LABEL: @broadcast_of_splat
// CHECK-SAME: %[[X:.*]]: !tt.ptr<f32>
tt.func @broadcast_of_splat(%x: !tt.ptr<f32>) -> tensor<4x8x!tt.ptr<f32>> {
  %0 = tt.splat %x : !tt.ptr<f32> -> tensor<4x1x!tt.ptr<f32>>
  // CHECK: %[[R:.*]] = tt.splat %[[X]] : !tt.ptr<f32> -> tensor<4x8x!tt.ptr<f32>>
  %1 = tt.broadcast %0 : tensor<4x1x!tt.ptr<f32>> -> tensor<4x8x!tt.ptr<f32>>
  // CHECK-NEXT: tt.return %[[R]]
  tt.return %1 : tensor<4x8x!tt.ptr<f32>>
}

// -----

// CHECK-LABEL: @broadcast_of_broadcast
// CHECK-SAME: %[[A:.*]]: tensor<4x1x1xf32>
tt.func @broadcast_of_broadcast(%a: tensor<4x1x1xf32>) -> tensor<4x8x2xf32> {
  %0 = tt.broadcast %a : tensor<4x1x1xf32> -> tensor<4x8x1xf32>
  // CHECK-NEXT: %[[R:.*]] = tt.broadcast %[[A]] : tensor<4x1x1xf32> -> tensor<4x8x2xf32>
  %1 = tt.broadcast %0 : tensor<4x8x1xf32> -> tensor<4x8x2xf32>
  // CHECK-NEXT: tt.return %[[R]]
  tt.return %1 : tensor<4x8x2xf32>
}

// -----

// CHECK-LABEL: @broadcast_folds
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>
tt.func @broadcast_folds(%a: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  // CHECK: %[[C:.*]] = arith.constant dense<2.000000e+00> : tensor<4x8xf32>
  %c = arith.constant dense<2.0> : tensor<4x1xf32>
  %0 = tt.broadcast %a : tensor<4x8xf32> -> tensor<4x8xf32>
  %1 = tt.broadcast %c : tensor<4x1xf32> -> tensor<4x8xf32>
  // CHECK-NEXT: tt.return %[[A]], %[[C]]
  tt.return %0, %1 : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// Left alone: a constant with different elements.
// CHECK-LABEL: @broadcast_left_alone
tt.func @broadcast_left_alone() -> tensor<2x8xf32> {
  %c = arith.constant dense<[[2.0], [3.0]]> : tensor<2x1xf32>
  // CHECK: tt.broadcast
  %0 = tt.broadcast %c : tensor<2x1xf32> -> tensor<2x8xf32>
  tt.return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: @reshape_of_reshape
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>
tt.func @reshape_of_reshape(%a: tensor<4x8xf32>) -> (tensor<2x16xf32>, tensor<2x16xf32>, tensor<2x16xf32>, tensor<4x8xf32>) {
  %0 = tt.reshape %a : tensor<4x8xf32> -> tensor<32xf32>
  %1 = tt.reshape %a allow_reorder : tensor<4x8xf32> -> tensor<32xf32>
  %2 = tt.reshape %a efficient_layout : tensor<4x8xf32> -> tensor<32xf32>
  // CHECK-DAG: %[[P:.*]] = tt.reshape %[[A]] : tensor<4x8xf32> -> tensor<2x16xf32>
  %3 = tt.reshape %0 : tensor<32xf32> -> tensor<2x16xf32>
  // CHECK-DAG: %[[Q:.*]] = tt.reshape %[[A]] allow_reorder : tensor<4x8xf32> -> tensor<2x16xf32>
  %4 = tt.reshape %1 : tensor<32xf32> -> tensor<2x16xf32>
  // CHECK-DAG: %[[R:.*]] = tt.reshape %[[A]] : tensor<4x8xf32> -> tensor<2x16xf32>
  %5 = tt.reshape %2 : tensor<32xf32> -> tensor<2x16xf32>
  %6 = tt.reshape %0 : tensor<32xf32> -> tensor<4x8xf32>
  // CHECK: tt.return %{{.*}}, %[[Q]], %{{.*}}, %[[A]]
  tt.return %3, %4, %5, %6 : tensor<2x16xf32>, tensor<2x16xf32>, tensor<2x16xf32>, tensor<4x8xf32>
}

// -----

// CHECK-LABEL: @reshape_of_splat
// CHECK-SAME: %[[X:.*]]: f32
tt.func @reshape_of_splat(%x: f32) -> tensor<32xf32> {
  %0 = tt.splat %x : f32 -> tensor<4x8xf32>
  // CHECK: %[[R:.*]] = tt.splat %[[X]] : f32 -> tensor<32xf32>
  %1 = tt.reshape %0 allow_reorder : tensor<4x8xf32> -> tensor<32xf32>
  // CHECK-NEXT: tt.return %[[R]]
  tt.return %1 : tensor<32xf32>
}

// -----

// CHECK-LABEL: @reshape_folds
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>
tt.func @reshape_folds(%a: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<8xf32>, tensor<4xi32>) {
  // CHECK-DAG: %[[C:.*]] = arith.constant dense<1.000000e+00> : tensor<8xf32>
  %c = arith.constant dense<1.0> : tensor<2x4xf32>
  // CHECK-DAG: %[[D:.*]] = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %d = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %0 = tt.reshape %a : tensor<4x8xf32> -> tensor<4x8xf32>
  %1 = tt.reshape %c efficient_layout : tensor<2x4xf32> -> tensor<8xf32>
  %2 = tt.reshape %d allow_reorder : tensor<2x2xi32> -> tensor<4xi32>
  // CHECK: tt.return %[[A]], %[[C]], %[[D]]
  tt.return %0, %1, %2 : tensor<4x8xf32>, tensor<8xf32>, tensor<4xi32>
}

// -----

// Left alone: what may reorder is no identity, and a chosen layout is kept.
// CHECK-LABEL: @reshape_left_alone
tt.func @reshape_left_alone(%a: tensor<4x8xf32>, %x: f32) -> (tensor<4x8xf32>, tensor<2x16xf32>, tensor<32xf32>) {
  // CHECK: tt.reshape %{{.*}} allow_reorder : tensor<4x8xf32> -> tensor<4x8xf32>
  %0 = tt.reshape %a allow_reorder : tensor<4x8xf32> -> tensor<4x8xf32>
  // CHECK: tt.reshape %{{.*}} : tensor<4x8xf32> -> tensor<32xf32>
  %1 = tt.reshape %a : tensor<4x8xf32> -> tensor<32xf32>
  // CHECK: tt.reshape %{{.*}} efficient_layout : tensor<32xf32> -> tensor<2x16xf32>
  %2 = tt.reshape %1 efficient_layout : tensor<32xf32> -> tensor<2x16xf32>
  %3 = tt.splat %x : f32 -> tensor<4x8xf32>
  // CHECK: tt.reshape %{{.*}} efficient_layout : tensor<4x8xf32> -> tensor<32xf32>
  %4 = tt.reshape %3 efficient_layout : tensor<4x8xf32> -> tensor<32xf32>
  tt.return %0, %2, %4 : tensor<4x8xf32>, tensor<2x16xf32>, tensor<32xf32>
}

// -----

// CHECK-LABEL: @trans_of_trans
// CHECK-SAME: %[[A:.*]]: tensor<2x4x8xf32>
tt.func @trans_of_trans(%a: tensor<2x4x8xf32>) -> (tensor<8x4x2xf32>, tensor<2x4x8xf32>) {
  %0 = tt.trans %a {order = array<i32: 2, 0, 1>} : tensor<2x4x8xf32> -> tensor<8x2x4xf32>
  // CHECK-NEXT: %[[R:.*]] = tt.trans %[[A]] {order = array<i32: 2, 1, 0>} : tensor<2x4x8xf32> -> tensor<8x4x2xf32>
  %1 = tt.trans %0 {order = array<i32: 0, 2, 1>} : tensor<8x2x4xf32> -> tensor<8x4x2xf32>
  // The inverse.
  %2 = tt.trans %0 {order = array<i32: 1, 2, 0>} : tensor<8x2x4xf32> -> tensor<2x4x8xf32>
  // CHECK-NEXT: tt.return %[[R]], %[[A]]
  tt.return %1, %2 : tensor<8x4x2xf32>, tensor<2x4x8xf32>
}

// -----

// CHECK-LABEL: @trans_folds
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>
tt.func @trans_folds(%a: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x2xf32>) {
  // CHECK: %[[C:.*]] = arith.constant dense<1.000000e+00> : tensor<4x2xf32>
  %c = arith.constant dense<1.0> : tensor<2x4xf32>
  %0 = tt.trans %a {order = array<i32: 0, 1>} : tensor<4x8xf32> -> tensor<4x8xf32>
  %1 = tt.trans %c {order = array<i32: 1, 0>} : tensor<2x4xf32> -> tensor<4x2xf32>
  // CHECK-NEXT: tt.return %[[A]], %[[C]]
  tt.return %0, %1 : tensor<4x8xf32>, tensor<4x2xf32>
}

// -----

// Left alone: a constant with different elements, and a splat.
// CHECK-LABEL: @trans_left_alone
tt.func @trans_left_alone(%x: f32) -> (tensor<2x2xi32>, tensor<8x4xf32>) {
  %c = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  // CHECK: tt.trans
  %0 = tt.trans %c {order = array<i32: 1, 0>} : tensor<2x2xi32> -> tensor<2x2xi32>
  %1 = tt.splat %x : f32 -> tensor<4x8xf32>
  // CHECK: tt.trans
  %2 = tt.trans %1 {order = array<i32: 1, 0>} : tensor<4x8xf32> -> tensor<8x4xf32>
  tt.return %0, %2 : tensor<2x2xi32>, tensor<8x4xf32>
}

// -----

#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#linear = #ttg.linear<{register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]], block = []}>
module attributes {"ttg.num-warps" = 4 : i32} {
// A transposition that keeps the order may still spell the layout in another way; ttg makes a conversion of it.
// CHECK-LABEL: @trans_to_equivalent_layout
tt.func @trans_to_equivalent_layout(%a: tensor<128xf32, #line>) -> tensor<128xf32, #linear> {
  // CHECK-NEXT: ttg.convert_layout %{{.*}} : tensor<128xf32, #{{.*}}> -> tensor<128xf32, #linear>
  %0 = tt.trans %a {order = array<i32: 0>} : tensor<128xf32, #line> -> tensor<128xf32, #linear>
  tt.return %0 : tensor<128xf32, #linear>
}
}

// -----

// Left alone: join, split and cat.
// CHECK-LABEL: @join_left_alone
tt.func @join_left_alone(%a: tensor<8xf32>, %x: f32) -> (tensor<8xf32>, tensor<16xf32>) {
  // CHECK: tt.join
  %0 = tt.join %a, %a : tensor<8xf32> -> tensor<8x2xf32>
  // CHECK: tt.split
  %1, %2 = tt.split %0 : tensor<8x2xf32> -> tensor<8xf32>
  %3 = tt.splat %x : f32 -> tensor<8xf32>
  // CHECK: tt.cat
  %4 = tt.cat %3, %3 : tensor<8xf32> -> tensor<16xf32>
  tt.return %2, %4 : tensor<8xf32>, tensor<16xf32>
}

// -----

// What nobody uses is gone, cat and join too.
// CHECK-LABEL: @dead
tt.func @dead(%a: tensor<8xf32>, %one: tensor<1xf32>) {
  // CHECK-NEXT: tt.return
  %0 = tt.join %a, %a : tensor<8xf32> -> tensor<8x2xf32>
  %1, %2 = tt.split %0 : tensor<8x2xf32> -> tensor<8xf32>
  %3 = tt.cat %1, %2 : tensor<8xf32> -> tensor<16xf32>
  %4 = tt.unsplat %one : tensor<1xf32>
  %5 = tt.splat %4 : f32 -> tensor<8xf32>
  tt.return
}

// -----

// Views that are pure leave a loop; cat stays, as in Triton.
// LICM-LABEL: @loop
tt.func @loop(%lo: i32, %hi: i32, %step: i32, %a: tensor<8xf32>, %x: f32) {
  // LICM-NEXT: tt.splat
  // LICM-NEXT: tt.expand_dims
  // LICM-NEXT: tt.broadcast
  // LICM-NEXT: tt.reshape
  // LICM-NEXT: tt.trans
  // LICM-NEXT: tt.join
  // LICM-NEXT: tt.split
  // LICM-NEXT: scf.for
  scf.for %i = %lo to %hi step %step : i32 {
    %0 = tt.splat %x : f32 -> tensor<8xf32>
    %1 = tt.expand_dims %0 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %2 = tt.broadcast %1 : tensor<1x8xf32> -> tensor<4x8xf32>
    %3 = tt.reshape %2 : tensor<4x8xf32> -> tensor<2x16xf32>
    %4 = tt.trans %3 {order = array<i32: 1, 0>} : tensor<2x16xf32> -> tensor<16x2xf32>
    // LICM-NEXT: tt.cat
    %5 = tt.join %a, %a : tensor<8xf32> -> tensor<8x2xf32>
    %6, %7 = tt.split %5 : tensor<8x2xf32> -> tensor<8xf32>
    %8 = tt.cat %a, %a : tensor<8xf32> -> tensor<16xf32>
  } {tt.num_stages = 2 : i32}
  tt.return
}

// -----

// A module's body is a graph: its operations may be their own sources, and rewriting them ends.
// CHECK-LABEL: module @cycles
module @cycles {
  // CHECK: tt.trans
  %0 = tt.trans %1 {order = array<i32: 1, 0>} : tensor<4x4xf32> -> tensor<4x4xf32>
  %1 = tt.trans %0 {order = array<i32: 1, 0>} : tensor<4x4xf32> -> tensor<4x4xf32>
  // CHECK: tt.reshape
  %2 = tt.reshape %3 : tensor<2x8xf32> -> tensor<4x4xf32>
  %3 = tt.reshape %2 : tensor<4x4xf32> -> tensor<2x8xf32>
  // CHECK: tt.broadcast
  %4 = tt.broadcast %4 : tensor<4x4xf32> -> tensor<4x4xf32>
  // CHECK: tt.fp_to_fp
  %5 = tt.fp_to_fp %5 : tensor<4x4xf32> -> tensor<4x4xf32>
  tt.print "" {hex = false, isSigned = array<i32: 0, 0, 0, 0>} : %0, %2, %4, %5 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}
