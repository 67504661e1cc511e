// RUN: tt-opt %s -split-input-file -verify-diagnostics

tt.func @extern_elementwise_c1(%x: tensor<8xf32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{all non-scalar operands/results must have the same shape and base type}}
  %0 = tt.extern_elementwise %x, %y {libname = "", libpath = "", symbol = "f", pure = true} : (tensor<8xf32>, tensor<4xf32>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @extern_elementwise_c1_scalar(%x: f32) {
  // expected-error @+1 {{if a result is non-scalar, then at least one operand must be non-scalar}}
  %0 = tt.extern_elementwise %x {libname = "", libpath = "", symbol = "f", pure = true} : (f32) -> tensor<8xf32>
  tt.return
}

// -----

#a = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
tt.func @extern_elementwise_c2(%x: tensor<128xf32, #a>) {
  // expected-error @+1 {{requires the same encoding for all operands and results}}
  %0 = tt.extern_elementwise %x {libname = "", libpath = "", symbol = "f", pure = true} : (tensor<128xf32, #a>) -> tensor<128xf32, #b>
  tt.return
}
}

// -----

tt.func @extern_elementwise_pure(%x: f32) {
  // expected-error @+1 {{requires attribute 'pure'}}
  %0 = tt.extern_elementwise %x {libname = "", libpath = "", symbol = "f"} : (f32) -> f32
  tt.return
}

// -----

tt.func @elementwise_inline_asm_c1(%x: tensor<8xf32>) {
  // expected-error @+1 {{if an operand is non-scalar, then there must be at least one non-scalar result}}
  %0 = tt.elementwise_inline_asm "mov" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %x : tensor<8xf32> -> f32
  tt.return
}

// -----

#a = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
tt.func @elementwise_inline_asm_c2(%x: tensor<128xf32, #a>, %y: tensor<128xf32, #b>) {
  // expected-error @+1 {{requires the same encoding for all operands}}
  %0 = tt.elementwise_inline_asm "mov" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %x, %y : tensor<128xf32, #a>, tensor<128xf32, #b> -> tensor<128xf32, #a>
  tt.return
}
}

// -----

tt.func @elementwise_inline_asm_c3(%x: tensor<8xf32>) {
  // expected-error @+1 {{number of input elements 8 must be a multiple of the op's packed_element attribute, 3}}
  %0 = tt.elementwise_inline_asm "mov" {constraints = "=r,r", packed_element = 3 : i32, pure = true} %x : tensor<8xf32> -> tensor<8xf32>
  tt.return
}

// -----

tt.func @elementwise_inline_asm_c3_zero(%x: tensor<8xf32>) {
  // expected-error @+1 {{packed_element must be positive, found 0}}
  %0 = tt.elementwise_inline_asm "mov" {constraints = "=r,r", packed_element = 0 : i32, pure = true} %x : tensor<8xf32> -> tensor<8xf32>
  tt.return
}

// -----

tt.func @elementwise_inline_asm_c4(%x: f32) {
  // expected-error @+1 {{expected 1 or more results}}
  "tt.elementwise_inline_asm"(%x) <{asm_string = "mov", constraints = "r", packed_element = 1 : i32, pure = false}> : (f32) -> ()
  tt.return
}

// -----

tt.func @map_elementwise_c1(%x: tensor<8xf32>) {
  // expected-error @+1 {{requires the same shape for all operands and results}}
  %0 = "tt.map_elementwise"(%x) <{pack = 1 : i32}> ({
  ^bb0(%a: f32):
    tt.map_elementwise.return %a : f32
  }) : (tensor<8xf32>) -> tensor<4xf32>
  tt.return
}

// -----

tt.func @map_elementwise_c1_none() {
  // expected-error @+1 {{expected 1 or more operands, but found 0}}
  %0 = "tt.map_elementwise"() <{pack = 1 : i32}> ({
    %zero = arith.constant 0 : i32
    tt.map_elementwise.return %zero : i32
  }) : () -> tensor<4xi32>
  tt.return
}

// -----

tt.func @map_elementwise_c2(%x: tensor<8xf32>) {
  // expected-error @+1 {{Pack must be a power of 2, found 3}}
  %0 = "tt.map_elementwise"(%x) <{pack = 3 : i32}> ({
  ^bb0(%a: f32, %b: f32, %c: f32):
    tt.map_elementwise.return %a, %b, %c : f32, f32, f32
  }) : (tensor<8xf32>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @map_elementwise_c3(%x: tensor<8xf32>) {
  // expected-error @+1 {{region has wrong number of arguments: expected 2, found 1}}
  %0 = "tt.map_elementwise"(%x) <{pack = 2 : i32}> ({
  ^bb0(%a: f32):
    tt.map_elementwise.return %a, %a : f32, f32
  }) : (tensor<8xf32>) -> tensor<8xf32>
  tt.return
}

// -----

// Twice this many arguments do not fit 32 bits.
tt.func @map_elementwise_c3_many(%x: tensor<8xf32>) {
  // expected-error @+1 {{region has wrong number of arguments: expected 2147483648, found 0}}
  %0 = "tt.map_elementwise"(%x) <{pack = 0x80000000 : i32}> ({
    tt.map_elementwise.return
  }) : (tensor<8xf32>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @map_elementwise_c3_types(%x: tensor<8xf32>) {
  // expected-error @+1 {{argument types did not match}}
  %0 = "tt.map_elementwise"(%x) <{pack = 1 : i32}> ({
  ^bb0(%a: i32):
    tt.map_elementwise.return %a : i32
  }) : (tensor<8xf32>) -> tensor<8xi32>
  tt.return
}

// -----

tt.func @map_elementwise_c4(%x: tensor<8xf32>) {
  %0 = "tt.map_elementwise"(%x) <{pack = 1 : i32}> ({
  ^bb0(%a: f32):
    // expected-error @+1 {{region return does not match map_elementwise result}}
    tt.map_elementwise.return %a : f32
  }) : (tensor<8xf32>) -> tensor<8xi32>
  tt.return
}

// -----

tt.func @map_elementwise_c5(%x: tensor<8xf32>, %p: !tt.ptr<f32>) {
  %0 = "tt.map_elementwise"(%x) <{pack = 1 : i32}> ({
  ^bb0(%a: f32):
    // expected-error @+1 {{Stores are not supported inside map_elementwise}}
    tt.store %p, %a : !tt.ptr<f32>
    tt.map_elementwise.return %a : f32
  }) : (tensor<8xf32>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @map_elementwise_empty(%x: tensor<8xf32>) {
  // expected-error @+1 {{region with at least 1 blocks}}
  %0 = "tt.map_elementwise"(%x) <{pack = 1 : i32}> ({
  }) : (tensor<8xf32>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @map_elementwise_return_c1(%x: f32) {
  // expected-error @+1 {{expects parent op 'tt.map_elementwise'}}
  tt.map_elementwise.return %x : f32
}
