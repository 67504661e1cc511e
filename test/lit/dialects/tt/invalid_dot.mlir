// RUN: tt-opt %s -split-input-file -verify-diagnostics

tt.func @dot_c1(%a: tensor<16xf32>) {
  // expected-error @+1 {{expected operands to be 2d or 3d, found a of rank 1}}
  %0 = tt.dot %a, %a, %a : tensor<16xf32> * tensor<16xf32> -> tensor<16xf32>
  tt.return
}

// -----

tt.func @dot_c1(%a: tensor<2x2x2x2xf32>) {
  // expected-error @+1 {{expected operands to be 2d or 3d, found a of rank 4}}
  %0 = tt.dot %a, %a, %a : tensor<2x2x2x2xf32> * tensor<2x2x2x2xf32> -> tensor<2x2x2x2xf32>
  tt.return
}

// -----

tt.func @dot_c1(%a: tensor<4x32x16xf32>, %b: tensor<16x64xf32>, %c: tensor<4x32x64xf32>) {
  // expected-error @+1 {{expected all operands to have the same rank, found 3, 2 and 3}}
  %0 = tt.dot %a, %b, %c : tensor<4x32x16xf32> * tensor<16x64xf32> -> tensor<4x32x64xf32>
  tt.return
}

// -----

tt.func @dot_c1(%a: tensor<32x16xf32>, %b: tensor<16x64xf32>, %c: tensor<64xf32>) {
  // expected-error @+1 {{expected all operands to have the same rank, found 2, 2 and 1}}
  %0 = tt.dot %a, %b, %c : tensor<32x16xf32> * tensor<16x64xf32> -> tensor<64xf32>
  tt.return
}

// -----

tt.func @dot_c2(%a: tensor<32x16xf32>, %b: tensor<32x64xf32>, %c: tensor<32x64xf32>) {
  // expected-error @+1 {{expected the last dimension of the first operand to be equal to the second-to-last dimension of the second operand, found 16 and 32}}
  %0 = tt.dot %a, %b, %c : tensor<32x16xf32> * tensor<32x64xf32> -> tensor<32x64xf32>
  tt.return
}

// -----

tt.func @dot_c3(%a: tensor<32x16xf32>, %b: tensor<16x64xf32>, %c: tensor<32x32xf32>) {
  // expected-error @+1 {{expected the output shape to be the concatenation of the last dimension of the first operand and the last dimension of the second (32x64), found 32x32}}
  %0 = tt.dot %a, %b, %c : tensor<32x16xf32> * tensor<16x64xf32> -> tensor<32x32xf32>
  tt.return
}

// -----

tt.func @dot_c3(%a: tensor<4x32x16xf32>, %b: tensor<2x16x64xf32>, %c: tensor<4x32x64xf32>) {
  // expected-error @+1 {{expected the first dimension of the first operand to be equal to the first dimension of the result, and so that of the second, found 4, 2 and 4}}
  %0 = tt.dot %a, %b, %c : tensor<4x32x16xf32> * tensor<2x16x64xf32> -> tensor<4x32x64xf32>
  tt.return
}

// -----

tt.func @dot_c4(%a: tensor<32x16xf16>, %b: tensor<16x64xf32>, %c: tensor<32x64xf32>) {
  // expected-error @+1 {{element types of operands A and B must have same bit width, found 'f16' and 'f32'}}
  %0 = tt.dot %a, %b, %c : tensor<32x16xf16> * tensor<16x64xf32> -> tensor<32x64xf32>
  tt.return
}

// -----

tt.func @dot_c5(%a: tensor<32x16xf32>, %b: tensor<16x64xf32>, %c: tensor<32x64xf32>) {
  // expected-error @+1 {{failed to verify that result's type matches accumulator's type}}
  %0 = "tt.dot"(%a, %b, %c) : (tensor<32x16xf32>, tensor<16x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf16>
  tt.return
}

// -----

#row = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32} {
tt.func @dot_c6(%a: tensor<64x16xf16>, %b: tensor<16x32xf16, #ttg.dot_op<{opIdx = 1, parent = #row}>>, %c: tensor<64x32xf32, #row>) {
  // expected-error @+1 {{mismatching encoding between A and B operands}}
  %0 = tt.dot %a, %b, %c : tensor<64x16xf16> * tensor<16x32xf16, #ttg.dot_op<{opIdx = 1, parent = #row}>> -> tensor<64x32xf32, #row>
  tt.return
}
}

// -----

#row = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32} {
tt.func @dot_c6(%a: tensor<64x16xf16, #ttg.dot_op<{opIdx = 0, parent = #row}>>, %b: tensor<16x32xf16, #ttg.dot_op<{opIdx = 1, parent = #row}>>, %c: tensor<64x32xf32>) {
  // expected-error @+1 {{miss encoding of C operand}}
  %0 = tt.dot %a, %b, %c : tensor<64x16xf16, #ttg.dot_op<{opIdx = 0, parent = #row}>> * tensor<16x32xf16, #ttg.dot_op<{opIdx = 1, parent = #row}>> -> tensor<64x32xf32>
  tt.return
}
}

// -----

tt.func @dot_c6(%a: tensor<16x16xf16, "not a layout">) {
  // expected-error @+1 {{encoding "not a layout" of C operand is not a layout}}
  %0 = tt.dot %a, %a, %a : tensor<16x16xf16, "not a layout"> * tensor<16x16xf16, "not a layout"> -> tensor<16x16xf16, "not a layout">
  tt.return
}

// -----

tt.func @dot_types(%a: tensor<16x16x!tt.ptr<f32>>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of floating-point or integer values}}
  %0 = tt.dot %a, %a, %c : tensor<16x16x!tt.ptr<f32>> * tensor<16x16x!tt.ptr<f32>> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @dot_precision(%a: tensor<16x16xf32>) {
  // expected-error @+1 {{expected string or keyword containing one of the following enum values for attribute 'inputPrecision' [tf32, tf32x3, ieee, bf16x3, bf16x6]}}
  %0 = tt.dot %a, %a, %a, inputPrecision = exact : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @dot_scaled_c1(%a: tensor<64xf8E4M3FN>, %c: tensor<64xf32>) {
  // expected-error @+1 {{expected operands to be 2d or 3d, found a of rank 1}}
  %0 = tt.dot_scaled %a, %a, %c lhs = e4m3 rhs = e4m3 {fastMath = false} : tensor<64xf8E4M3FN> * tensor<64xf8E4M3FN> -> tensor<64xf32>
  tt.return
}

// -----

tt.func @dot_scaled_c1(%a: tensor<4x32x64xf8E4M3FN>, %b: tensor<64x16xf8E4M3FN>, %c: tensor<4x32x16xf32>) {
  // expected-error @+1 {{expected all operands to have the same rank, found 3, 2 and 3}}
  %0 = tt.dot_scaled %a, %b, %c lhs = e4m3 rhs = e4m3 {fastMath = false} : tensor<4x32x64xf8E4M3FN> * tensor<64x16xf8E4M3FN> -> tensor<4x32x16xf32>
  tt.return
}

// -----

// The 32 bytes of a row hold 64 elements.
tt.func @dot_scaled_c2(%a: tensor<32x32xi8>, %b: tensor<32x16xf8E4M3FN>, %c: tensor<32x16xf32>) {
  // expected-error @+1 {{expected the last dimension of the first operand to be equal to the second-to-last dimension of the second operand, found 64 and 32}}
  %0 = tt.dot_scaled %a, %b, %c lhs = e2m1 rhs = e4m3 {fastMath = false} : tensor<32x32xi8> * tensor<32x16xf8E4M3FN> -> tensor<32x16xf32>
  tt.return
}

// -----

// Packed along M.
tt.func @dot_scaled_c3(%a: tensor<32x64xi8>, %b: tensor<64x16xf8E4M3FN>, %c: tensor<32x16xf32>) {
  // expected-error @+1 {{expected the output shape to be the concatenation of the last dimension of the first operand and the last dimension of the second (64x16), found 32x16}}
  %0 = tt.dot_scaled %a, %b, %c lhs = e2m1 rhs = e4m3 {fastMath = false, lhs_k_pack = false} : tensor<32x64xi8> * tensor<64x16xf8E4M3FN> -> tensor<32x16xf32>
  tt.return
}

// -----

tt.func @dot_scaled_c4(%a: tensor<32x64xf8E4M3FN>, %b: tensor<64x16xf8E4M3FN>, %c: tensor<32x16xf32>, %s: tensor<16x2xi8>) {
  // expected-error @+1 {{scales M dimension must match the operand M dimension, found 16 and 32}}
  %0 = tt.dot_scaled %a scale %s, %b, %c lhs = e4m3 rhs = e4m3 {fastMath = false} : tensor<32x64xf8E4M3FN>, tensor<16x2xi8> * tensor<64x16xf8E4M3FN> -> tensor<32x16xf32>
  tt.return
}

// -----

tt.func @dot_scaled_c4(%a: tensor<32x64xf8E4M3FN>, %b: tensor<64x16xf8E4M3FN>, %c: tensor<32x16xf32>, %s: tensor<32x2xi8>) {
  // expected-error @+1 {{scales N dimension must match the operand N dimension, found 32 and 16}}
  %0 = tt.dot_scaled %a, %b scale %s, %c lhs = e4m3 rhs = e4m3 {fastMath = false} : tensor<32x64xf8E4M3FN> * tensor<64x16xf8E4M3FN>, tensor<32x2xi8> -> tensor<32x16xf32>
  tt.return
}

// -----

tt.func @dot_scaled_c4(%a: tensor<32x64xf8E4M3FN>, %b: tensor<64x16xf8E4M3FN>, %c: tensor<32x16xf32>, %s: tensor<32x4xi8>) {
  // expected-error @+1 {{scales K dimension must match the operand K divided by the scale factor, found 4 for K of 64 and a scale factor of 32}}
  %0 = tt.dot_scaled %a scale %s, %b, %c lhs = e4m3 rhs = e4m3 {fastMath = false} : tensor<32x64xf8E4M3FN>, tensor<32x4xi8> * tensor<64x16xf8E4M3FN> -> tensor<32x16xf32>
  tt.return
}

// -----

tt.func @dot_scaled_c4(%a: tensor<32x32xi8>, %b: tensor<64x16xf8E4M3FN>, %c: tensor<32x16xf32>, %s: tensor<32x2xf8E4M3FN>) {
  // expected-error @+1 {{scales K dimension must match the operand K divided by the scale factor, found 2 for K of 64 and a scale factor of 16}}
  %0 = tt.dot_scaled %a scale %s, %b, %c lhs = e2m1 rhs = e4m3 {fastMath = false} : tensor<32x32xi8>, tensor<32x2xf8E4M3FN> * tensor<64x16xf8E4M3FN> -> tensor<32x16xf32>
  tt.return
}

// -----

tt.func @dot_scaled_c4(%a: tensor<32x64xf8E4M3FN>, %b: tensor<64x16xf8E4M3FN>, %c: tensor<32x16xf32>, %s: tensor<64xi8>) {
  // expected-error @+1 {{scales M dimension must match the operand M dimension, but the scales have rank 1 and the operand has rank 2}}
  %0 = tt.dot_scaled %a scale %s, %b, %c lhs = e4m3 rhs = e4m3 {fastMath = false} : tensor<32x64xf8E4M3FN>, tensor<64xi8> * tensor<64x16xf8E4M3FN> -> tensor<32x16xf32>
  tt.return
}

// -----

tt.func @dot_scaled_c4(%a: tensor<4x32x64xf8E4M3FN>, %b: tensor<4x64x16xf8E4M3FN>, %c: tensor<4x32x16xf32>, %s: tensor<2x32x2xi8>) {
  // expected-error @+1 {{scales batch dimension must match the operand batch dimension, found 2 and 4}}
  %0 = tt.dot_scaled %a scale %s, %b, %c lhs = e4m3 rhs = e4m3 {fastMath = false} : tensor<4x32x64xf8E4M3FN>, tensor<2x32x2xi8> * tensor<4x64x16xf8E4M3FN> -> tensor<4x32x16xf32>
  tt.return
}

// -----

tt.func @dot_scaled_c5(%a: tensor<32x64xf16>, %b: tensor<64x16xf8E4M3FN>, %c: tensor<32x16xf32>) {
  // expected-error @+1 {{operand a of format e4m3 must have 8-bit elements, found 'f16'}}
  %0 = tt.dot_scaled %a, %b, %c lhs = e4m3 rhs = e4m3 {fastMath = false} : tensor<32x64xf16> * tensor<64x16xf8E4M3FN> -> tensor<32x16xf32>
  tt.return
}

// -----

tt.func @dot_scaled_c5(%a: tensor<32x64xf8E4M3FN>, %b: tensor<64x16xi8>, %c: tensor<32x16xf32>) {
  // expected-error @+1 {{operand b of format bf16 must have 16-bit elements, found 'i8'}}
  %0 = tt.dot_scaled %a, %b, %c lhs = e4m3 rhs = bf16 {fastMath = false} : tensor<32x64xf8E4M3FN> * tensor<64x16xi8> -> tensor<32x16xf32>
  tt.return
}

// -----

tt.func @dot_scaled_c6(%a: tensor<32x64xf8E4M3FN>, %b: tensor<64x16xf8E4M3FN>, %c: tensor<32x16xf32>) {
  // expected-error @+1 {{failed to verify that result's type matches accumulator's type}}
  %0 = "tt.dot_scaled"(%a, %b, %c) <{a_elem_type = 0 : i32, b_elem_type = 0 : i32, fastMath = false, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}>
    : (tensor<32x64xf8E4M3FN>, tensor<64x16xf8E4M3FN>, tensor<32x16xf32>) -> tensor<32x16xf16>
  tt.return
}

// -----

tt.func @dot_scaled_attributes(%a: tensor<32x64xf8E4M3FN>, %b: tensor<64x16xf8E4M3FN>, %c: tensor<32x16xf32>) {
  // expected-error @+1 {{requires attribute 'fastMath'}}
  %0 = tt.dot_scaled %a, %b, %c lhs = e4m3 rhs = e4m3 : tensor<32x64xf8E4M3FN> * tensor<64x16xf8E4M3FN> -> tensor<32x16xf32>
  tt.return
}

// -----

tt.func @dot_scaled_attributes(%a: tensor<32x64xf8E4M3FN>, %b: tensor<64x16xf8E4M3FN>, %c: tensor<32x16xf32>) {
  // expected-error @+1 {{operand count (3) does not match with the total size (4) specified in attribute 'operandSegmentSizes'}}
  %0 = "tt.dot_scaled"(%a, %b, %c) <{a_elem_type = 0 : i32, b_elem_type = 0 : i32, fastMath = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}>
    : (tensor<32x64xf8E4M3FN>, tensor<64x16xf8E4M3FN>, tensor<32x16xf32>) -> tensor<32x16xf32>
  tt.return
}

// -----

tt.func @dot_scaled_operands(%a: tensor<32x64xf8E4M3FN>, %c: tensor<32x16xf32>) {
  // expected-error @+1 {{operandSegmentSizes has 4 for operand group 1, which is one value}}
  %0 = "tt.dot_scaled"(%a, %a, %a, %a, %c) <{a_elem_type = 0 : i32, b_elem_type = 0 : i32, fastMath = false, lhs_k_pack = true,
    operandSegmentSizes = array<i32: 1, 4, 0, 0, 0>, rhs_k_pack = true}>
    : (tensor<32x64xf8E4M3FN>, tensor<32x64xf8E4M3FN>, tensor<32x64xf8E4M3FN>, tensor<32x64xf8E4M3FN>, tensor<32x16xf32>) -> tensor<32x16xf32>
  tt.return
}
