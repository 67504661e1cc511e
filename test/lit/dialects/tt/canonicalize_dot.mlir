// RUN: tt-opt %s --canonicalize --cse -split-input-file | FileCheck %s

// Adding to the result of a dot with a zero accumulator is for triton-combine; canonicalize leaves it alone.
// CHECK-LABEL: @dot_left_alone
tt.func @dot_left_alone(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  // CHECK: %[[D:.*]] = tt.dot %{{.*}}, %{{.*}}, %{{.*}}, inputPrecision = tf32 :
  %0 = tt.dot %a, %b, %zero, inputPrecision = tf32 : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  // CHECK: %[[S:.*]] = arith.addf %[[D]]
  %1 = arith.addf %0, %a : tensor<16x16xf32>
  // CHECK: tt.dot
  %2 = tt.dot %zero, %b, %1 : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  tt.return %1, %2 : tensor<16x16xf32>, tensor<16x16xf32>
}

// -----

// Pure: equal ones are one, unused ones none; another precision makes another dot.
// CHECK-LABEL: @dot_cse
tt.func @dot_cse(%a: tensor<16x16xf32>, %b: tensor<16x16xbf16>) ->
    (tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>) {
  // CHECK: %[[D:.*]] = tt.dot
  %0 = tt.dot %a, %a, %a : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  %1 = tt.dot %a, %a, %a : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  // CHECK-NEXT: %[[E:.*]] = tt.dot
  %2 = tt.dot %a, %a, %a, inputPrecision = tf32 : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  %3 = tt.dot_scaled %b, %b, %a lhs = bf16 rhs = bf16 {fastMath = false} : tensor<16x16xbf16> * tensor<16x16xbf16> -> tensor<16x16xf32>
  // CHECK-NEXT: tt.return %[[D]], %[[D]], %[[E]]
  tt.return %0, %1, %2 : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>
}
