// RUN: tt-opt %s --canonicalize --cse -split-input-file | FileCheck %s

// Left alone, as in Triton: reductions of one element, and of constants.
// CHECK-LABEL: @reduce_left_alone
tt.func @reduce_left_alone(%a: tensor<4x1xf32>) -> (tensor<4xf32>, f32) {
  // CHECK: "tt.reduce"
  %0 = "tt.reduce"(%a) <{axis = 1 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    %sum = arith.addf %x, %y : f32
    tt.reduce.return %sum : f32
  }) : (tensor<4x1xf32>) -> tensor<4xf32>
  %ones = arith.constant dense<1.0> : tensor<4xf32>
  // CHECK: "tt.reduce"
  %1 = "tt.reduce"(%ones) <{axis = 0 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    %sum = arith.addf %x, %y : f32
    tt.reduce.return %sum : f32
  }) : (tensor<4xf32>) -> f32
  tt.return %0, %1 : tensor<4xf32>, f32
}

// -----

// The region itself is simplified; equal reductions and scans become one, unused ones none.
// CHECK-LABEL: @reduce_simplified
tt.func @reduce_simplified(%a: tensor<8xi32>) -> (i32, i32, tensor<8xi32>) {
  %zero = arith.constant 0 : i32
  // CHECK:      %[[R:.*]] = "tt.reduce"(%{{.*}}) <{axis = 0 : i32}> ({
  // CHECK-NEXT: ^bb0(%[[X:.*]]: i32, %[[Y:.*]]: i32):
  // CHECK-NEXT:   %[[SUM:.*]] = arith.addi %[[X]], %[[Y]] : i32
  // CHECK-NEXT:   tt.reduce.return %[[SUM]] : i32
  %0 = "tt.reduce"(%a) <{axis = 0 : i32}> ({
  ^bb0(%x: i32, %y: i32):
    %sum = arith.addi %x, %y : i32
    %same = arith.addi %sum, %zero : i32
    tt.reduce.return %same : i32
  }) : (tensor<8xi32>) -> i32
  // CHECK-NOT: "tt.reduce"
  %1 = "tt.reduce"(%a) <{axis = 0 : i32}> ({
  ^bb0(%x: i32, %y: i32):
    %sum = arith.addi %x, %y : i32
    tt.reduce.return %sum : i32
  }) : (tensor<8xi32>) -> i32
  // CHECK: %[[S:.*]] = "tt.scan"(%{{.*}}) <{axis = 0 : i32, reverse = true}>
  %2 = "tt.scan"(%a) <{axis = 0 : i32, reverse = true}> ({
  ^bb0(%x: i32, %y: i32):
    tt.scan.return %y : i32
  }) : (tensor<8xi32>) -> tensor<8xi32>
  // CHECK-NOT: "tt.scan"
  %3 = "tt.scan"(%a) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%x: i32, %y: i32):
    tt.scan.return %y : i32
  }) : (tensor<8xi32>) -> tensor<8xi32>
  // CHECK: tt.return %[[R]], %[[R]], %[[S]]
  tt.return %0, %1, %2 : i32, i32, tensor<8xi32>
}
