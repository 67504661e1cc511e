// RUN: tt-opt %s --load-dialect=%S/../roll/dialect.py --load-pass=%S/../roll/merge_rotate.py --merge-rotate | FileCheck %s

// CHECK-LABEL: @same_axis
tt.func @same_axis(%x: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: roll.rotate %arg0 {axis = 0 : i32, shift = 3 : i32}
  // CHECK-NEXT: tt.return
  %0 = roll.rotate %x {axis = 0 : i32, shift = 1 : i32} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = roll.rotate %0 {axis = 0 : i32, shift = 2 : i32} : (tensor<8xf32>) -> tensor<8xf32>
  tt.return %1 : tensor<8xf32>
}

// All the way round.
// CHECK-LABEL: @nothing
tt.func @nothing(%x: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: tt.return %arg0
  %0 = roll.rotate %x {axis = 0 : i32, shift = 3 : i32} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = roll.rotate %0 {axis = 0 : i32, shift = 5 : i32} : (tensor<8xf32>) -> tensor<8xf32>
  tt.return %1 : tensor<8xf32>
}

// CHECK-LABEL: @other_axis_left_alone
tt.func @other_axis_left_alone(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK-COUNT-2: roll.rotate
  %0 = roll.rotate %x {axis = 0 : i32, shift = 1 : i32} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = roll.rotate %0 {axis = 1 : i32, shift = 2 : i32} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  tt.return %1 : tensor<8x8xf32>
}
