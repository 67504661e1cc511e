// RUN: tt-opt %s -split-input-file -verify-diagnostics

tt.func @load_c1(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{failed to verify that result matches ptr type}}
  %0 = "tt.load"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!tt.ptr<f32>) -> f16
  tt.return
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
tt.func @load_c1_layout(%p: tensor<128x!tt.ptr<f32>, #blocked>) {
  // expected-error @+1 {{failed to verify that result matches ptr type}}
  %0 = "tt.load"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<128x!tt.ptr<f32>, #blocked>) -> tensor<128xf32>
  tt.return
}
}

// -----

tt.func @load_pointer(%p: tensor<8xf32>) {
  // expected-error @+1 {{'ptr' must be ptr or ranked tensor of ptr values}}
  %0 = tt.load %p : tensor<8xf32>
  tt.return
}

// -----

tt.func @load_c2(%p: tensor<8x!tt.ptr<f32>>, %mask: tensor<4xi1>) {
  // expected-error @+1 {{failed to verify that mask type matches ptr type}}
  %0 = "tt.load"(%p, %mask) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<8x!tt.ptr<f32>>, tensor<4xi1>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @load_c2_scalar(%p: tensor<8x!tt.ptr<f32>>, %mask: i1) {
  // expected-note @-1 {{prior use here}}
  // expected-error @+1 {{expects different type than prior uses: 'tensor<8xi1>' vs 'i1'}}
  %0 = tt.load %p, %mask : tensor<8x!tt.ptr<f32>>
  tt.return
}

// -----

tt.func @load_c3(%p: tensor<8x!tt.ptr<f32>>, %mask: tensor<8xi1>, %other: f32) {
  // expected-error @+1 {{failed to verify that other matches ptr type}}
  %0 = "tt.load"(%p, %mask, %other) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<8x!tt.ptr<f32>>, tensor<8xi1>, f32) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @load_c3_no_mask(%p: tensor<8x!tt.ptr<f32>>, %other: tensor<8xf32>) {
  // expected-error @+1 {{failed to verify that mask type matches ptr type}}
  %0 = "tt.load"(%p, %other) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (tensor<8x!tt.ptr<f32>>, tensor<8xf32>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @load_c4(%p: !tt.ptr<tensor<8x8xf16>>) {
  // expected-error @+1 {{boundaryCheck dimension 2 is out of range for a block of rank 2}}
  %0 = tt.load %p {boundaryCheck = array<i32: 0, 2>} : !tt.ptr<tensor<8x8xf16>>
  tt.return
}

// -----

tt.func @load_c4_negative(%p: !tt.ptr<tensor<8x8xf16>>) {
  // expected-error @+1 {{boundaryCheck dimension -1 is out of range for a block of rank 2}}
  %0 = tt.load %p {boundaryCheck = array<i32: -1>} : !tt.ptr<tensor<8x8xf16>>
  tt.return
}

// -----

tt.func @load_c4_twice(%p: !tt.ptr<tensor<8x8xf16>>) {
  // expected-error @+1 {{boundaryCheck has dimension 1 twice}}
  %0 = tt.load %p {boundaryCheck = array<i32: 1, 1>} : !tt.ptr<tensor<8x8xf16>>
  tt.return
}

// -----

tt.func @load_c5(%p: !tt.ptr<tensor<8x8xf16>>, %mask: tensor<8x8xi1>) {
  // expected-error @+1 {{takes no mask with a block pointer}}
  %0 = tt.load %p, %mask : !tt.ptr<tensor<8x8xf16>>
  tt.return
}

// -----

tt.func @load_c6(%p: !tt.ptr<tensor<8x8xi32>>) {
  // expected-error @+1 {{NaN padding needs a floating-point element type}}
  %0 = tt.load %p {boundaryCheck = array<i32: 0>, padding = 2 : i32} : !tt.ptr<tensor<8x8xi32>>
  tt.return
}

// -----

tt.func @load_cache(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{one of the following enum values for attribute 'cache' [none, ca, cg, wb, cs, wt, cv]}}
  %0 = tt.load %p cacheModifier = l2 : !tt.ptr<f32>
  tt.return
}

// -----

tt.func @load_cache_number(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{allowed 32-bit signless integer cases: 1, 2, 3, 4, 5, 6, 7}}
  %0 = tt.load %p {cache = 17 : i32} : !tt.ptr<f32>
  tt.return
}

// -----

tt.func @load_segments(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{operand count (1) does not match with the total size (2)}}
  %0 = "tt.load"(%p) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (!tt.ptr<f32>) -> f32
  tt.return
}

// -----

tt.func @load_no_operand() {
  // expected-error @+1 {{expected 1 or more operands, but found 0}}
  %0 = "tt.load"() <{operandSegmentSizes = array<i32: 0, 0, 0>}> : () -> f32
  tt.return
}

// -----

tt.func @store_c1(%p: !tt.ptr<f32>, %v: f16) {
  // expected-error @+1 {{failed to verify that value type matches ptr type}}
  "tt.store"(%p, %v) : (!tt.ptr<f32>, f16) -> ()
  tt.return
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
tt.func @store_c1_layout(%p: tensor<128x!tt.ptr<f32>, #blocked>, %v: tensor<128xf32>) {
  // expected-error @+1 {{failed to verify that value type matches ptr type}}
  "tt.store"(%p, %v) : (tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xf32>) -> ()
  tt.return
}
}

// -----

tt.func @store_c2(%p: tensor<8x!tt.ptr<f32>>, %v: tensor<8xf32>, %mask: i1) {
  // expected-error @+1 {{failed to verify that mask type matches ptr type}}
  "tt.store"(%p, %v, %mask) : (tensor<8x!tt.ptr<f32>>, tensor<8xf32>, i1) -> ()
  tt.return
}

// -----

tt.func @store_c3(%p: !tt.ptr<tensor<8x8xf16>>, %v: tensor<8x8xf16>) {
  // expected-error @+1 {{boundaryCheck dimension 2 is out of range for a block of rank 2}}
  tt.store %p, %v {boundaryCheck = array<i32: 2>} : !tt.ptr<tensor<8x8xf16>>
  tt.return
}

// -----

tt.func @store_c4(%p: !tt.ptr<tensor<8x8xf16>>, %v: tensor<8x8xf16>, %mask: tensor<8x8xi1>) {
  // expected-error @+1 {{takes no mask with a block pointer}}
  tt.store %p, %v, %mask : !tt.ptr<tensor<8x8xf16>>
  tt.return
}

// -----

tt.func @store_operands(%p: !tt.ptr<f16>, %v: f16, %mask: i1) {
  // expected-error @+1 {{operand group starting at #2 requires 0 or 1 element, but found 2}}
  "tt.store"(%p, %v, %mask, %mask) : (!tt.ptr<f16>, f16, i1, i1) -> ()
  tt.return
}

// -----

tt.func @load_operands(%p: !tt.ptr<f16>) {
  // expected-error @+1 {{operandSegmentSizes has 0 for operand group 0, which is one value}}
  %0 = "tt.load"(%p) <{boundaryCheck = array<i32>, operandSegmentSizes = array<i32: 0, 0, 1>}> : (!tt.ptr<f16>) -> f16
  tt.return
}
