// RUN: tt-opt %s --canonicalize -split-input-file | FileCheck %s

// CHECK-LABEL: @fp_to_fp_identity
// CHECK-SAME: %[[X:.*]]: f32, %[[A:.*]]: tensor<4x8xf32>
tt.func @fp_to_fp_identity(%x: f32, %a: tensor<4x8xf32>) -> (f32, tensor<4x8xf32>) {
  %0 = tt.fp_to_fp %x : f32 -> f32
  %1 = tt.fp_to_fp %a, rounding = rtz : tensor<4x8xf32> -> tensor<4x8xf32>
  // CHECK-NEXT: tt.return %[[X]], %[[A]]
  tt.return %0, %1 : f32, tensor<4x8xf32>
}

// -----

// CHECK-LABEL: @fp_to_fp_zero
tt.func @fp_to_fp_zero() -> (f16, tensor<4xf8E5M2>, f32, tensor<4xf8E4M3FNUZ>) {
  %x = arith.constant 0.0 : f32
  %y = arith.constant -0.0 : f8E4M3FN
  %a = arith.constant dense<-0.0> : tensor<4xf32>
  // CHECK-DAG: %[[P:.*]] = arith.constant 0.000000e+00 : f16
  %0 = tt.fp_to_fp %x, rounding = rtne : f32 -> f16
  // CHECK-DAG: %[[Q:.*]] = arith.constant dense<-0.000000e+00> : tensor<4xf8E5M2>
  %1 = tt.fp_to_fp %a, rounding = rtz : tensor<4xf32> -> tensor<4xf8E5M2>
  // CHECK-DAG: %[[R:.*]] = arith.constant -0.000000e+00 : f32
  %2 = tt.fp_to_fp %y : f8E4M3FN -> f32
  // This type has only one zero.
  // CHECK-DAG: %[[S:.*]] = arith.constant dense<0.000000e+00> : tensor<4xf8E4M3FNUZ>
  %3 = tt.fp_to_fp %a, rounding = rtne : tensor<4xf32> -> tensor<4xf8E4M3FNUZ>
  // CHECK: tt.return %[[P]], %[[Q]], %[[R]], %[[S]]
  tt.return %0, %1, %2, %3 : f16, tensor<4xf8E5M2>, f32, tensor<4xf8E4M3FNUZ>
}

// -----

// CHECK-LABEL: @fp_to_fp_left_alone
tt.func @fp_to_fp_left_alone(%x: f16) -> (f16, f16) {
  %one = arith.constant 1.0 : f32
  // CHECK: tt.fp_to_fp %{{.*}}, rounding = rtne : f32 -> f16
  %0 = tt.fp_to_fp %one, rounding = rtne : f32 -> f16
  // CHECK: tt.fp_to_fp %{{.*}} : f16 -> f32
  %1 = tt.fp_to_fp %x : f16 -> f32
  // CHECK: tt.fp_to_fp %{{.*}}, rounding = rtne : f32 -> f16
  %2 = tt.fp_to_fp %1, rounding = rtne : f32 -> f16
  tt.return %0, %2 : f16, f16
}

// -----

// The others have no folds.
// CHECK-LABEL: @left_alone
tt.func @left_alone() -> (f32, i32, f32, f32, f32) {
  %x = arith.constant 4.0 : f32
  %i = arith.constant 0 : i32
  // CHECK: tt.bitcast
  %0 = tt.bitcast %x : f32 -> f32
  // CHECK: tt.mulhiui
  %1 = tt.mulhiui %i, %i : i32
  // CHECK: tt.clampf
  %2 = tt.clampf %x, %x, %x, propagateNan = none : f32
  // CHECK: tt.precise_sqrt
  %3 = tt.precise_sqrt %x : f32
  // CHECK: tt.precise_divf
  %4 = tt.precise_divf %x, %x : f32
  tt.return %0, %1, %2, %3, %4 : f32, i32, f32, f32, f32
}
