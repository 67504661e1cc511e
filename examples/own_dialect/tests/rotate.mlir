// RUN: tt-opt %s --load-dialect=%S/../roll/dialect.py | tt-opt --load-dialect=%S/../roll/dialect.py | FileCheck %s

// CHECK-LABEL: @rotate
tt.func @rotate(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  // CHECK: roll.rotate %{{.*}} {axis = 1 : i32, shift = 3 : i32} : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %0 = roll.rotate %x {axis = 1 : i32, shift = 3 : i32} : (tensor<8x4xf32>) -> tensor<8x4xf32>
  tt.return %0 : tensor<8x4xf32>
}
