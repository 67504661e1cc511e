// RUN: tt-opt %s -split-input-file -verify-diagnostics

tt.func @bitcast_c1(%a: tensor<4xf32>) {
  // expected-error @+1 {{all non-scalar operands/results must have the same shape and base type}}
  %0 = tt.bitcast %a : tensor<4xf32> -> tensor<8xi32>
  tt.return
}

// -----

tt.func @bitcast_c1(%a: tensor<4xf32>) {
  // expected-error @+1 {{if an operand is non-scalar, then there must be at least one non-scalar result}}
  %0 = tt.bitcast %a : tensor<4xf32> -> f32
  tt.return
}

// -----

#a = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32} {
tt.func @bitcast_c1(%a: tensor<128xf32, #a>) {
  // expected-error @+1 {{requires the same encoding for all operands and results}}
  %0 = tt.bitcast %a : tensor<128xf32, #a> -> tensor<128xi32, #b>
  tt.return
}
}

// -----

tt.func @bitcast_c2(%a: tensor<4xf32>) {
  // expected-error @+1 {{Cannot bitcast data-type of size 32 to data-type of size 16}}
  %0 = tt.bitcast %a : tensor<4xf32> -> tensor<4xi16>
  tt.return
}

// -----

tt.func @bitcast_c3(%p: tensor<4x!tt.ptr<f32>>) {
  // expected-error @+1 {{Cannot bitcast pointer to non-pointer type}}
  %0 = tt.bitcast %p : tensor<4x!tt.ptr<f32>> -> tensor<4xi64>
  tt.return
}

// -----

tt.func @bitcast_c3(%p: i64) {
  // expected-error @+1 {{Cannot bitcast pointer to non-pointer type}}
  %0 = tt.bitcast %p : i64 -> !tt.ptr<f32>
  tt.return
}

// -----

tt.func @bitcast_c4(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{Cannot bitcast pointer between different address spaces: 1 to 3}}
  %0 = tt.bitcast %p : !tt.ptr<f32> -> !tt.ptr<f32, 3>
  tt.return
}

// -----

tt.func @fp_to_fp_c1(%a: tensor<4xf32>) {
  // expected-error @+1 {{all non-scalar operands/results must have the same shape and base type}}
  %0 = tt.fp_to_fp %a : tensor<4xf32> -> tensor<8xf64>
  tt.return
}

// -----

tt.func @fp_to_fp_c2(%a: tensor<4xf32>) {
  // expected-error @+1 {{Rounding mode is required for FP downcast, here from 'tensor<4xf32>' to 'tensor<4xf16>'}}
  %0 = tt.fp_to_fp %a : tensor<4xf32> -> tensor<4xf16>
  tt.return
}

// -----

tt.func @fp_to_fp_types(%a: tensor<4xi32>) {
  // expected-error @+1 {{operand #0 must be floating-point or ranked tensor of floating-point values, but got 'tensor<4xi32>'}}
  %0 = tt.fp_to_fp %a, rounding = rtz : tensor<4xi32> -> tensor<4xf16>
  tt.return
}

// -----

tt.func @fp_to_fp_rounding(%a: f32) {
  // expected-error @+1 {{expected string or keyword containing one of the following enum values for attribute 'rounding' [rtz, rtne]}}
  %0 = tt.fp_to_fp %a, rounding = up : f32 -> f16
  tt.return
}

// -----

tt.func @clampf_c1(%a: tensor<4xf16>, %b: tensor<4xf32>) {
  // expected-error @+1 {{requires the same type for all operands and results}}
  %0 = "tt.clampf"(%a, %b, %a) <{propagateNan = 0 : i32}> : (tensor<4xf16>, tensor<4xf32>, tensor<4xf16>) -> tensor<4xf16>
  tt.return
}

// -----

tt.func @clampf_nan(%a: f32) {
  // expected-error @+1 {{propagateNan}}
  %0 = tt.clampf %a, %a, %a, propagateNan = some : f32
  tt.return
}

// -----

tt.func @clampf_nan(%a: f32) {
  // expected-error @+1 {{propagateNan}}
  %0 = "tt.clampf"(%a, %a, %a) <{propagateNan = 1 : i32}> : (f32, f32, f32) -> f32
  tt.return
}

// -----

tt.func @precise_sqrt_c1(%a: f32) {
  // expected-error @+1 {{requires the same type for all operands and results}}
  %0 = "tt.precise_sqrt"(%a) : (f32) -> f64
  tt.return
}

// -----

tt.func @precise_divf_c1(%a: f32, %b: f64) {
  // expected-error @+1 {{requires the same type for all operands and results}}
  %0 = "tt.precise_divf"(%a, %b) : (f32, f64) -> f32
  tt.return
}

// -----

tt.func @approx_divf_c1(%a: f32, %b: f64) {
  // expected-error @+1 {{requires the same type for all operands and results}}
  %0 = "tt.approx_divf"(%a, %b) : (f32, f64) -> f32
  tt.return
}

// -----

tt.func @mulhiui_c1(%a: i32, %b: i64) {
  // expected-error @+1 {{requires the same type for all operands and results}}
  %0 = "tt.mulhiui"(%a, %b) : (i32, i64) -> i32
  tt.return
}

// -----

tt.func @mulhiui_types(%a: f32) {
  // expected-error @+1 {{operand #0 must be integer or ranked tensor of integer values, but got 'f32'}}
  %0 = tt.mulhiui %a, %a : f32
  tt.return
}
