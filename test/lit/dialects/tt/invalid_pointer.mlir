// RUN: tt-opt %s -split-input-file -verify-diagnostics

tt.func @int_to_ptr_c1(%x: tensor<8xi64>) {
  // expected-error @+1 {{all non-scalar operands/results must have the same shape and base type}}
  %0 = tt.int_to_ptr %x : tensor<8xi64> -> tensor<4x!tt.ptr<f32>>
  tt.return
}

// -----

#a = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
tt.func @int_to_ptr_c2(%x: tensor<128xi64, #a>) {
  // expected-error @+1 {{requires the same encoding for all operands and results}}
  %0 = tt.int_to_ptr %x : tensor<128xi64, #a> -> tensor<128x!tt.ptr<f32>, #b>
  tt.return
}
}

// -----

tt.func @int_to_ptr_type(%x: i32) {
  // expected-error @+1 {{operand #0 must be 64-bit signless integer}}
  %0 = tt.int_to_ptr %x : i32 -> !tt.ptr<f32>
  tt.return
}

// -----

tt.func @ptr_to_int_c1(%x: tensor<8x!tt.ptr<f32>>) {
  // expected-error @+1 {{if an operand is non-scalar, then there must be at least one non-scalar result}}
  %0 = tt.ptr_to_int %x : tensor<8x!tt.ptr<f32>> -> i64
  tt.return
}

// -----

#a = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
tt.func @ptr_to_int_c2(%x: tensor<128x!tt.ptr<f32>, #a>) {
  // expected-error @+1 {{requires the same encoding for all operands and results}}
  %0 = tt.ptr_to_int %x : tensor<128x!tt.ptr<f32>, #a> -> tensor<128xi64, #b>
  tt.return
}
}

// -----

// A block pointer is no pointer.
tt.func @ptr_to_int_block(%x: !tt.ptr<tensor<8xf32>>) {
  // expected-error @+1 {{operand #0 must be ptr or ranked tensor of ptr values, but got '!tt.ptr<tensor<8xf32>>'}}
  %0 = tt.ptr_to_int %x : !tt.ptr<tensor<8xf32>> -> i64
  tt.return
}

// -----

tt.func @addptr_c1(%p: tensor<8x!tt.ptr<f32>>, %i: i32) {
  // expected-error @+1 {{requires the same shape for all operands and results}}
  %0 = tt.addptr %p, %i : tensor<8x!tt.ptr<f32>>, i32
  tt.return
}

// -----

#a = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
tt.func @addptr_c2(%p: tensor<128x!tt.ptr<f32>, #a>, %i: tensor<128xi32, #b>) {
  // expected-error @+1 {{requires the same encoding for all operands}}
  %0 = tt.addptr %p, %i : tensor<128x!tt.ptr<f32>, #a>, tensor<128xi32, #b>
  tt.return
}
}

// -----

tt.func @addptr_c3(%p: !tt.ptr<f32>, %i: i32) {
  // expected-error @+1 {{failed to verify that result type matches ptr type}}
  %0 = "tt.addptr"(%p, %i) : (!tt.ptr<f32>, i32) -> !tt.ptr<f16>
  tt.return
}

// -----

tt.func @addptr_offset(%p: !tt.ptr<f32>, %i: index) {
  // expected-error @+1 {{operand #1 must be integer or ranked tensor of integer values, but got 'index'}}
  %0 = tt.addptr %p, %i : !tt.ptr<f32>, index
  tt.return
}

// -----

tt.func @addptr_block(%p: !tt.ptr<tensor<8xf32>>, %i: i32) {
  // expected-error @+1 {{must be ptr or ranked tensor of ptr values}}
  %0 = tt.addptr %p, %i : !tt.ptr<tensor<8xf32>>, i32
  tt.return
}

// -----

tt.func @power_of_two(%p: tensor<3x!tt.ptr<f32>>, %i: tensor<3xi32>) {
  // expected-error @+1 {{Number of elements must be power-of-two, but operand 0 has 3}}
  %0 = tt.addptr %p, %i : tensor<3x!tt.ptr<f32>>, tensor<3xi32>
  tt.return
}

// -----

tt.func @too_many_elements(%p: tensor<2048x1024x!tt.ptr<f32>>, %i: tensor<2048x1024xi32>) {
  // expected-error @+1 {{Maximum allowed number of elements is 1048576, but operand 0 has more}}
  %0 = tt.addptr %p, %i : tensor<2048x1024x!tt.ptr<f32>>, tensor<2048x1024xi32>
  tt.return
}

// -----

// The product of the sizes does not fit 64 bits.
tt.func @overflow(%p: tensor<4294967296x4294967296x!tt.ptr<f32>>) {
  // expected-error @+1 {{Maximum allowed number of elements is 1048576}}
  %0 = tt.ptr_to_int %p : tensor<4294967296x4294967296x!tt.ptr<f32>> -> tensor<4294967296x4294967296xi64>
  tt.return
}

// -----

tt.func @dynamic_shape(%p: tensor<?x!tt.ptr<f32>>) {
  // expected-error @+1 {{Operand 0 must have a static shape}}
  %0 = tt.ptr_to_int %p : tensor<?x!tt.ptr<f32>> -> tensor<?xi64>
  tt.return
}

// -----

tt.func @make_tensor_ptr_c1(%p: !tt.ptr<f32>, %l: i64, %i: i32) {
  // expected-error @+1 {{failed to verify that infer pointer type from the result type}}
  %0 = "tt.make_tensor_ptr"(%p, %l, %l, %i) <{order = array<i32: 0>}> : (!tt.ptr<f32>, i64, i64, i32) -> !tt.ptr<tensor<8xf16>>
  tt.return
}

// -----

tt.func @make_tensor_ptr_c2(%p: !tt.ptr<f16>, %l: i64, %i: i32) {
  // expected-error @+1 {{needs one shape, stride and offset for each of the block's 2 dimensions, found 1}}
  %0 = tt.make_tensor_ptr %p, [%l], [%l], [%i] {order = array<i32: 1, 0>} : <tensor<8x8xf16>>
  tt.return
}

// -----

tt.func @make_tensor_ptr_c2_sizes(%p: !tt.ptr<f16>, %l: i64, %i: i32) {
  // expected-error @+1 {{operand #3 must be variadic of 32-bit signless integer, but got 'i64'}}
  %0 = tt.make_tensor_ptr %p, [%l], [%l, %l], [%i, %i] {order = array<i32: 1, 0>} : <tensor<8x8xf16>>
  tt.return
}

// -----

tt.func @make_tensor_ptr_order(%p: !tt.ptr<f16>, %l: i64, %i: i32) {
  // expected-error @+1 {{requires attribute 'order'}}
  %0 = tt.make_tensor_ptr %p, [%l, %l], [%l, %l], [%i, %i] : <tensor<8x8xf16>>
  tt.return
}

// -----

tt.func @advance_c1(%p: !tt.ptr<tensor<8xf16>>, %i: i32) {
  // expected-error @+1 {{failed to verify that result type matches ptr type}}
  %0 = "tt.advance"(%p, %i) : (!tt.ptr<tensor<8xf16>>, i32) -> !tt.ptr<tensor<8xf32>>
  tt.return
}

// -----

tt.func @advance_c2(%p: !tt.ptr<tensor<8x8xf16>>, %i: i32) {
  // expected-error @+1 {{needs one offset for each of the block's 2 dimensions, found 1}}
  %0 = tt.advance %p, [%i] : <tensor<8x8xf16>>
  tt.return
}

// -----

tt.func @advance_scalar(%p: !tt.ptr<f16>, %i: i32) {
  // expected-error @+1 {{must be ptr, but got '!tt.ptr<f16>'}}
  %0 = "tt.advance"(%p, %i) : (!tt.ptr<f16>, i32) -> !tt.ptr<f16>
  tt.return
}
