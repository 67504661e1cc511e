// RUN: tt-opt %s --canonicalize -split-input-file | FileCheck %s

// Adding zero, in any form.
// CHECK-LABEL: tt.func @addptr_zero(
// CHECK-SAME: %[[P:.*]]: !tt.ptr<f32>, %[[T:.*]]: tensor<8x!tt.ptr<f32>>)
// CHECK-NEXT: tt.return %[[P]], %[[T]], %[[T]] :
tt.func @addptr_zero(%p: !tt.ptr<f32>, %t: tensor<8x!tt.ptr<f32>>) -> (!tt.ptr<f32>, tensor<8x!tt.ptr<f32>>, tensor<8x!tt.ptr<f32>>) {
  %zero = arith.constant 0 : i32
  %zeros = arith.constant dense<0> : tensor<8xi64>
  %splat = tt.splat %zero : i32 -> tensor<8xi32>
  %0 = tt.addptr %p, %zero : !tt.ptr<f32>, i32
  %1 = tt.addptr %t, %zeros : tensor<8x!tt.ptr<f32>>, tensor<8xi64>
  %2 = tt.addptr %t, %splat : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  tt.return %0, %1, %2 : !tt.ptr<f32>, tensor<8x!tt.ptr<f32>>, tensor<8x!tt.ptr<f32>>
}

// -----

// Left alone: other constants, some zeros, and chains (triton-combine merges those).
// CHECK-LABEL: tt.func @addptr_left_alone
// CHECK-COUNT-3: tt.addptr
tt.func @addptr_left_alone(%t: tensor<2x!tt.ptr<f32>>) -> tensor<2x!tt.ptr<f32>> {
  %ones = arith.constant dense<1> : tensor<2xi32>
  %some = arith.constant dense<[0, 1]> : tensor<2xi32>
  %0 = tt.addptr %t, %ones : tensor<2x!tt.ptr<f32>>, tensor<2xi32>
  %1 = tt.addptr %0, %some : tensor<2x!tt.ptr<f32>>, tensor<2xi32>
  %2 = tt.addptr %1, %ones : tensor<2x!tt.ptr<f32>>, tensor<2xi32>
  tt.return %2 : tensor<2x!tt.ptr<f32>>
}

// -----

// CHECK-LABEL: tt.func @advance_zero(
// CHECK-SAME: %[[P:.*]]: !tt.ptr<tensor<8x8xf32>>)
// CHECK-NEXT: tt.return %[[P]]
tt.func @advance_zero(%p: !tt.ptr<tensor<8x8xf32>>) -> !tt.ptr<tensor<8x8xf32>> {
  %zero = arith.constant 0 : i32
  %0 = tt.advance %p, [%zero, %zero] : <tensor<8x8xf32>>
  tt.return %0 : !tt.ptr<tensor<8x8xf32>>
}

// -----

// CHECK-LABEL: tt.func @advance_left_alone
// CHECK-COUNT-2: tt.advance
tt.func @advance_left_alone(%p: !tt.ptr<tensor<8x8xf32>>, %i: i32) -> !tt.ptr<tensor<8x8xf32>> {
  %zero = arith.constant 0 : i32
  %0 = tt.advance %p, [%zero, %i] : <tensor<8x8xf32>>
  %1 = tt.advance %0, [%i, %zero] : <tensor<8x8xf32>>
  tt.return %1 : !tt.ptr<tensor<8x8xf32>>
}

// -----

// No fold of casts; unused ones go.
// CHECK-LABEL: tt.func @casts
// CHECK-NEXT: %[[I:.*]] = tt.ptr_to_int
// CHECK-NEXT: %[[P:.*]] = tt.int_to_ptr %[[I]]
// CHECK-NEXT: tt.return %[[P]]
tt.func @casts(%p: !tt.ptr<f32>, %i: i32, %l: i64) -> !tt.ptr<f16> {
  %0 = tt.ptr_to_int %p : !tt.ptr<f32> -> i64
  %1 = tt.int_to_ptr %0 : i64 -> !tt.ptr<f16>
  %2 = tt.int_to_ptr %0 : i64 -> !tt.ptr<f32>
  %3 = tt.make_tensor_ptr %p, [%l], [%l], [%i] {order = array<i32: 0>} : <tensor<8xf32>>
  %4 = tt.make_tensor_descriptor %p, [%i], [%l] : <f32>, <tensor<8xf32>>
  %5 = tt.get_program_id x : i32
  %6 = tt.get_num_programs x : i32
  tt.return %1 : !tt.ptr<f16>
}
