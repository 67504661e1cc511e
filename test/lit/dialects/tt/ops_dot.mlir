// RUN: tt-opt %s | tt-opt | FileCheck %s
// RUN: tt-opt %s --mlir-print-op-generic | tt-opt | FileCheck %s

#row = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {

// CHECK-LABEL: tt.func @dot(
tt.func @dot(%a: tensor<32x16xf32>, %b: tensor<16x64xf32>, %c: tensor<32x64xf32>) {
  // The default precision is not printed.
  // CHECK: tt.dot %{{.*}}, %{{.*}}, %{{.*}} : tensor<32x16xf32> * tensor<16x64xf32> -> tensor<32x64xf32>
  %0 = tt.dot %a, %b, %c : tensor<32x16xf32> * tensor<16x64xf32> -> tensor<32x64xf32>
  // CHECK: tt.dot %{{.*}}, %{{.*}}, %{{.*}} : tensor<32x16xf32>
  %1 = tt.dot %a, %b, %c, inputPrecision = ieee : tensor<32x16xf32> * tensor<16x64xf32> -> tensor<32x64xf32>
  // CHECK: inputPrecision = tf32 :
  %2 = tt.dot %a, %b, %c, inputPrecision = tf32 : tensor<32x16xf32> * tensor<16x64xf32> -> tensor<32x64xf32>
  // CHECK: inputPrecision = tf32x3 {maxNumImpreciseAcc = 32 : i32} :
  %3 = tt.dot %a, %b, %c, inputPrecision = tf32x3 {maxNumImpreciseAcc = 32 : i32} : tensor<32x16xf32> * tensor<16x64xf32> -> tensor<32x64xf32>
  // CHECK: inputPrecision = bf16x3 :
  %4 = tt.dot %a, %b, %c, inputPrecision = bf16x3 {maxNumImpreciseAcc = 0 : i32} : tensor<32x16xf32> * tensor<16x64xf32> -> tensor<32x64xf32>
  // CHECK: inputPrecision = bf16x6 :
  %5 = tt.dot %a, %b, %c, inputPrecision = bf16x6 : tensor<32x16xf32> * tensor<16x64xf32> -> tensor<32x64xf32>
  // CHECK: tt.dot %{{.*}} {tt.latency = 2 : i32} : tensor<32x16xf32>
  %6 = tt.dot %a, %b, %c {tt.latency = 2 : i32} : tensor<32x16xf32> * tensor<16x64xf32> -> tensor<32x64xf32>
  tt.return
}

// CHECK-LABEL: tt.func @dot_types(
tt.func @dot_types(%a: tensor<1x1xi8>, %b: tensor<1x1xi8>, %c: tensor<1x1xi32>, %d: tensor<4x32x16xf16>,
                   %e: tensor<4x16x64xbf16>, %f: tensor<4x32x64xf32>, %g: tensor<32x32xf8E4M3FN>,
                   %h: tensor<32x32xf8E5M2>, %i: tensor<32x32xf16>) {
  // CHECK: tensor<1x1xi8> * tensor<1x1xi8> -> tensor<1x1xi32>
  %0 = tt.dot %a, %b, %c : tensor<1x1xi8> * tensor<1x1xi8> -> tensor<1x1xi32>
  // CHECK: tensor<4x32x16xf16> * tensor<4x16x64xbf16> -> tensor<4x32x64xf32>
  %1 = tt.dot %d, %e, %f : tensor<4x32x16xf16> * tensor<4x16x64xbf16> -> tensor<4x32x64xf32>
  // CHECK: tensor<32x32xf8E4M3FN> * tensor<32x32xf8E5M2> -> tensor<32x32xf16>
  %2 = tt.dot %g, %h, %i : tensor<32x32xf8E4M3FN> * tensor<32x32xf8E5M2> -> tensor<32x32xf16>
  tt.return
}

// CHECK-LABEL: tt.func @dot_layouts(
tt.func @dot_layouts(%a: tensor<64x16xf16, #ttg.dot_op<{opIdx = 0, parent = #row}>>,
                     %b: tensor<16x32xf16, #ttg.dot_op<{opIdx = 1, parent = #row}>>, %c: tensor<64x32xf32, #row>,
                     %d: tensor<64x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>,
                     %e: tensor<16x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>,
                     %f: tensor<64x32xf32, #mma>, %g: tensor<64x16xf16>, %h: tensor<16x32xf16>) {
  // CHECK: tt.dot %{{.*}} : tensor<64x16xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>> * tensor<16x32xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>> -> tensor<64x32xf32, #blocked>
  %0 = tt.dot %a, %b, %c : tensor<64x16xf16, #ttg.dot_op<{opIdx = 0, parent = #row}>> * tensor<16x32xf16, #ttg.dot_op<{opIdx = 1, parent = #row}>> -> tensor<64x32xf32, #row>
  // CHECK: tt.dot %{{.*}} : tensor<64x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<16x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x32xf32, #mma>
  %1 = tt.dot %d, %e, %f : tensor<64x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<16x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x32xf32, #mma>
  // Only the accumulator has a layout.
  // CHECK: tt.dot %{{.*}} : tensor<64x16xf16> * tensor<16x32xf16> -> tensor<64x32xf32, #mma>
  %2 = tt.dot %g, %h, %f : tensor<64x16xf16> * tensor<16x32xf16> -> tensor<64x32xf32, #mma>
  tt.return
}

// CHECK-LABEL: tt.func @dot_scaled(
tt.func @dot_scaled(%a: tensor<32x64xf8E4M3FN>, %b: tensor<64x16xf8E5M2>, %c: tensor<32x16xf32>, %sa: tensor<32x2xi8>,
                    %sb: tensor<16x2xi8>) {
  // CHECK: tt.dot_scaled %{{.*}} scale %{{.*}}, %{{.*}} scale %{{.*}}, %{{.*}} lhs = e4m3 rhs = e5m2 {fastMath = false} : tensor<32x64xf8E4M3FN>, tensor<32x2xi8> * tensor<64x16xf8E5M2>, tensor<16x2xi8> -> tensor<32x16xf32>
  %0 = tt.dot_scaled %a scale %sa, %b scale %sb, %c lhs = e4m3 rhs = e5m2 {fastMath = false} : tensor<32x64xf8E4M3FN>, tensor<32x2xi8> * tensor<64x16xf8E5M2>, tensor<16x2xi8> -> tensor<32x16xf32>
  // CHECK: tt.dot_scaled %{{.*}} scale %{{.*}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} lhs = e4m3 rhs = e5m2 {fastMath = true} : tensor<32x64xf8E4M3FN>, tensor<32x2xi8> * tensor<64x16xf8E5M2> -> tensor<32x16xf32>
  %1 = tt.dot_scaled %a scale %sa, %b, %c lhs = e4m3 rhs = e5m2 {fastMath = true} : tensor<32x64xf8E4M3FN>, tensor<32x2xi8> * tensor<64x16xf8E5M2> -> tensor<32x16xf32>
  // CHECK: tt.dot_scaled %{{[a-z0-9]+}}, %{{[a-z0-9]+}} scale %{{.*}}, %{{.*}} : tensor<32x64xf8E4M3FN> * tensor<64x16xf8E5M2>, tensor<16x2xi8> -> tensor<32x16xf32>
  %2 = tt.dot_scaled %a, %b scale %sb, %c lhs = e4m3 rhs = e5m2 {fastMath = false} : tensor<32x64xf8E4M3FN> * tensor<64x16xf8E5M2>, tensor<16x2xi8> -> tensor<32x16xf32>
  // CHECK: tt.dot_scaled %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} lhs
  %3 = tt.dot_scaled %a, %b, %c lhs = e4m3 rhs = e5m2 {fastMath = false} : tensor<32x64xf8E4M3FN> * tensor<64x16xf8E5M2> -> tensor<32x16xf32>
  tt.return
}

// CHECK-LABEL: tt.func @dot_scaled_packed(
tt.func @dot_scaled_packed(%a: tensor<32x32xi8>, %b: tensor<64x16xbf16>, %c: tensor<32x16xf32>, %s: tensor<32x2xi8>,
                           %d: tensor<16x64xi8>, %e: tensor<64x8xi8>, %f: tensor<4x32x32xi8>, %g: tensor<4x64x16xf16>,
                           %h: tensor<4x32x16xf32>, %t: tensor<4x32x2xi8>, %u: tensor<32x4xf8E4M3FN>) {
  // Along K.
  // CHECK: lhs = e2m1 rhs = bf16 {fastMath = false} : tensor<32x32xi8>, tensor<32x2xi8> * tensor<64x16xbf16>
  %0 = tt.dot_scaled %a scale %s, %b, %c lhs = e2m1 rhs = bf16 {fastMath = false, lhs_k_pack = true} : tensor<32x32xi8>, tensor<32x2xi8> * tensor<64x16xbf16> -> tensor<32x16xf32>
  // Along M and N.
  // CHECK: lhs = e2m1 rhs = e2m1 {fastMath = false, lhs_k_pack = false, rhs_k_pack = false} : tensor<16x64xi8>, tensor<32x2xi8> * tensor<64x8xi8>
  %1 = tt.dot_scaled %d scale %s, %e, %c lhs = e2m1 rhs = e2m1 {fastMath = false, lhs_k_pack = false, rhs_k_pack = false} : tensor<16x64xi8>, tensor<32x2xi8> * tensor<64x8xi8> -> tensor<32x16xf32>
  // Batched.
  // CHECK: lhs = e2m1 rhs = fp16 {fastMath = false} : tensor<4x32x32xi8>, tensor<4x32x2xi8> * tensor<4x64x16xf16> -> tensor<4x32x16xf32>
  %2 = tt.dot_scaled %f scale %t, %g, %h lhs = e2m1 rhs = fp16 {fastMath = false} : tensor<4x32x32xi8>, tensor<4x32x2xi8> * tensor<4x64x16xf16> -> tensor<4x32x16xf32>
  // A float8 scale is for 16 elements.
  // CHECK: tensor<32x32xi8>, tensor<32x4xf8E4M3FN> * tensor<64x16xbf16>
  %3 = tt.dot_scaled %a scale %u, %b, %c lhs = e2m1 rhs = bf16 {fastMath = false} : tensor<32x32xi8>, tensor<32x4xf8E4M3FN> * tensor<64x16xbf16> -> tensor<32x16xf32>
  tt.return
}

// The formats in words: six bits have no type of their own.
// CHECK-LABEL: tt.func @dot_scaled_formats(
tt.func @dot_scaled_formats(%a: tensor<32x64xi8>, %b: tensor<64x16xi8>, %c: tensor<32x16xf32>) {
  // CHECK: lhs = e2m3 rhs = e3m2
  %0 = tt.dot_scaled %a, %b, %c lhs = e2m3 rhs = e3m2 {fastMath = false} : tensor<32x64xi8> * tensor<64x16xi8> -> tensor<32x16xf32>
  tt.return
}

}
