// RUN: tt-opt %s --load-pass=%S/strength_reduction.py --strength-reduction | FileCheck %s
// RUN: tt-opt %s --load-pass=%S/strength_reduction.py --strength-reduction=max-shift=3 | FileCheck %s --check-prefix=SMALL

// A power of two becomes a shift, unless it is above the limit.
// CHECK-LABEL: @by_sixteen
// SMALL-LABEL: @by_sixteen
func.func @by_sixteen(%x: i32) -> i32 {
  %c16 = arith.constant 16 : i32
  // CHECK: %[[SHIFT:.*]] = arith.constant 4 : i32
  // CHECK: arith.shli %arg0, %[[SHIFT]]
  // SMALL: arith.muli
  %0 = arith.muli %x, %c16 : i32
  return %0 : i32
}

// CHECK-LABEL: @tensor
func.func @tensor(%x: tensor<64xi32>) -> tensor<64xi32> {
  %c8 = arith.constant dense<8> : tensor<64xi32>
  // CHECK: arith.constant dense<3>
  // CHECK: arith.shli
  %0 = arith.muli %x, %c8 : tensor<64xi32>
  return %0 : tensor<64xi32>
}

// Other factors are left alone.
// CHECK-LABEL: @by_six
func.func @by_six(%x: i32, %y: i32) -> i32 {
  %c6 = arith.constant 6 : i32
  // CHECK: arith.muli
  %0 = arith.muli %x, %c6 : i32
  // CHECK: arith.muli
  %1 = arith.muli %0, %y : i32
  return %1 : i32
}
