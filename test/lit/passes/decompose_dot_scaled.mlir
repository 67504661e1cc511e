// RUN: tt-opt %s --ttkit-decompose-dot-scaled --split-input-file --verify-diagnostics | FileCheck %s

// A scale is a power of two, or NaN; each is for 32 elements.
// CHECK-LABEL: tt.func @scaled
tt.func @scaled(%a: tensor<16x64xf8E5M2>, %s: tensor<16x2xi8>, %b: tensor<64x32xbf16>, %c: tensor<16x32xf32>) -> tensor<16x32xf32> {
  // CHECK-DAG: %[[X:.*]] = tt.fp_to_fp %arg0 : tensor<16x64xf8E5M2> -> tensor<16x64xbf16>
  // CHECK-DAG: %[[EXPONENT:.*]] = arith.extui %arg1
  // CHECK: %[[BITS:.*]] = arith.shli %[[EXPONENT]]
  // CHECK: arith.select {{.*}}, %[[BITS]]
  // CHECK: arith.cmpi eq, %[[EXPONENT]]
  // CHECK: arith.select
  // CHECK: tt.bitcast {{.*}} -> tensor<16x2xbf16>
  // CHECK-NEXT: tt.expand_dims
  // CHECK-NEXT: tt.broadcast {{.*}} -> tensor<16x2x32xbf16>
  // CHECK-NEXT: %[[SCALE:.*]] = tt.reshape {{.*}} -> tensor<16x64xbf16>
  // CHECK-NEXT: %[[Y:.*]] = arith.mulf %[[X]], %[[SCALE]]
  // CHECK-NEXT: tt.dot %[[Y]], %arg2, %arg3 : tensor<16x64xbf16> * tensor<64x32xbf16> -> tensor<16x32xf32>
  %0 = tt.dot_scaled %a scale %s, %b, %c lhs = e5m2 rhs = bf16 {fastMath = false} : tensor<16x64xf8E5M2>, tensor<16x2xi8> * tensor<64x32xbf16> -> tensor<16x32xf32>
  tt.return %0 : tensor<16x32xf32>
}

// Pairs of fp4 lie side by side along N; with fast math no scale is NaN; those of b are turned.  tf32 has
// all numbers of f16 and bf16.
// CHECK-LABEL: tt.func @packed
tt.func @packed(%a: tensor<16x64xf16>, %b: tensor<64x16xi8>, %s: tensor<32x2xi8>, %c: tensor<16x32xf32>) -> tensor<16x32xf32> {
  // CHECK: tt.join {{.*}} -> tensor<64x16x2xbf16>
  // CHECK-NEXT: tt.reshape {{.*}} -> tensor<64x32xbf16>
  // CHECK-COUNT-1: arith.select
  // CHECK-NOT: arith.select
  // CHECK: tt.trans {{.*}} tensor<32x64xf32> -> tensor<64x32xf32>
  // CHECK: tt.dot {{.*}}, inputPrecision = tf32 : tensor<16x64xf32> * tensor<64x32xf32> -> tensor<16x32xf32>
  %0 = tt.dot_scaled %a, %b scale %s, %c lhs = fp16 rhs = e2m1 {fastMath = true, rhs_k_pack = false} : tensor<16x64xf16> * tensor<64x16xi8>, tensor<32x2xi8> -> tensor<16x32xf32>
  tt.return %0 : tensor<16x32xf32>
}

// Edge: f16 with a scale is exact in tf32.
// CHECK-LABEL: tt.func @wide
tt.func @wide(%a: tensor<16x64xf16>, %s: tensor<16x2xi8>, %b: tensor<64x32xf8E4M3FN>, %c: tensor<16x32xf32>) -> tensor<16x32xf32> {
  // CHECK: arith.mulf {{.*}} : tensor<16x64xf32>
  // CHECK: tt.dot {{.*}}, inputPrecision = tf32 : tensor<16x64xf32> * tensor<64x32xf32> -> tensor<16x32xf32>
  %0 = tt.dot_scaled %a scale %s, %b, %c lhs = fp16 rhs = e4m3 {fastMath = false} : tensor<16x64xf16>, tensor<16x2xi8> * tensor<64x32xf8E4M3FN> -> tensor<16x32xf32>
  tt.return %0 : tensor<16x32xf32>
}

// Left alone: other products.
// CHECK-LABEL: tt.func @plain
tt.func @plain(%a: tensor<16x64xf16>, %b: tensor<64x32xf16>, %c: tensor<16x32xf32>) -> tensor<16x32xf32> {
  // CHECK-NEXT: tt.dot %arg0, %arg1, %arg2
  %0 = tt.dot %a, %b, %c : tensor<16x64xf16> * tensor<64x32xf16> -> tensor<16x32xf32>
  tt.return %0 : tensor<16x32xf32>
}

// -----

// Edge: refused behind convert-triton-to-tritongpu, where the operands of a product have layouts of their own.
#b = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @layouts(%a: tensor<16x64xf8E5M2, #b>, %s: tensor<16x2xi8, #b>, %b: tensor<64x32xbf16, #b>, %c: tensor<16x32xf32, #b>) -> tensor<16x32xf32, #b> {
    // expected-error @below {{found tensors with layouts; run this before convert-triton-to-tritongpu}}
    %0 = tt.dot_scaled %a scale %s, %b, %c lhs = e5m2 rhs = bf16 {fastMath = false} : tensor<16x64xf8E5M2, #b>, tensor<16x2xi8, #b> * tensor<64x32xbf16, #b> -> tensor<16x32xf32, #b>
    tt.return %0 : tensor<16x32xf32, #b>
  }
}
