// RUN: tt-opt %s -split-input-file -verify-diagnostics

tt.func @make_range_c1() {
  // expected-error @+1 {{start must be less than end, found [0, 0)}}
  %0 = tt.make_range {end = 0 : i32, start = 0 : i32} : tensor<1xi32>
  tt.return
}

// -----

tt.func @make_range_c1() {
  // expected-error @+1 {{start must be less than end, found [8, 8)}}
  %0 = tt.make_range {end = 8 : i32, start = 8 : i32} : tensor<0xi32>
  tt.return
}

// -----

// In 32 bits end - start would be 1.
tt.func @make_range_c1() {
  // expected-error @+1 {{start must be less than end, found [2147483647, -2147483648)}}
  %0 = tt.make_range {end = -2147483648 : i32, start = 2147483647 : i32} : tensor<1xi32>
  tt.return
}

// -----

tt.func @make_range_c2() {
  // expected-error @+1 {{return type must be a 1D tensor, found 'tensor<2x2xi32>'}}
  %0 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<2x2xi32>
  tt.return
}

// -----

tt.func @make_range_c2() {
  // expected-error @+1 {{return type must be a 1D tensor}}
  %0 = tt.make_range {end = 1 : i32, start = 0 : i32} : tensor<i32>
  tt.return
}

// -----

tt.func @make_range_c3() {
  // expected-error @+1 {{number of elements in returned tensor, 4, must match size of range [0, 2), which has 2 elements}}
  %0 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<4xi32>
  tt.return
}

// -----

// In 32 bits end - start would overflow to 0.
tt.func @make_range_c3() {
  // expected-error @+1 {{must match size of range [-2147483648, 2147483647), which has 4294967295 elements}}
  %0 = tt.make_range {end = 2147483647 : i32, start = -2147483648 : i32} : tensor<1xi32>
  tt.return
}

// -----

tt.func @make_range_c4() {
  // expected-error @+1 {{returned tensor must have i32 elements, found 'i64'}}
  %0 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi64>
  tt.return
}

// -----

tt.func @make_range_size() {
  // expected-error @+1 {{Number of elements must be power-of-two}}
  %0 = tt.make_range {end = 3 : i32, start = 0 : i32} : tensor<3xi32>
  tt.return
}

// -----

tt.func @make_range_attributes() {
  // expected-error @+1 {{attribute 'start' failed to satisfy constraint: 32-bit signless integer attribute}}
  %0 = tt.make_range {end = 2 : i32, start = 0 : i64} : tensor<2xi32>
  tt.return
}

// -----

tt.func @make_range_attributes() {
  // expected-error @+1 {{requires attribute 'end'}}
  %0 = tt.make_range {start = 0 : i32} : tensor<2xi32>
  tt.return
}

// -----

tt.func @gather_c1(%a: tensor<8x8xf32>, %i: tensor<4x8xi32>) {
  // expected-error @+1 {{indices and output shapes must match}}
  %0 = tt.gather %a[%i] {axis = 0 : i32} : (tensor<8x8xf32>, tensor<4x8xi32>) -> tensor<8x8xf32>
  tt.return
}

// -----

#row = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#column = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-warps" = 4 : i32} {
tt.func @gather_c2(%a: tensor<32x64xf32, #row>, %i: tensor<32x64xi32, #column>) {
  // expected-error @+1 {{indices and output encodings must match}}
  %0 = tt.gather %a[%i] {axis = 0 : i32} : (tensor<32x64xf32, #row>, tensor<32x64xi32, #column>) -> tensor<32x64xf32, #row>
  tt.return
}
}

// -----

tt.func @gather_c3(%a: tensor<8x8xf32>, %i: tensor<4x8xi32>) {
  // expected-error @+1 {{input and output element types must match, found 'f32' and 'f16'}}
  %0 = tt.gather %a[%i] {axis = 0 : i32} : (tensor<8x8xf32>, tensor<4x8xi32>) -> tensor<4x8xf16>
  tt.return
}

// -----

tt.func @gather_c4(%a: tensor<8x8xf32>, %i: tensor<8xi32>) {
  // expected-error @+1 {{input and indices ranks must match, found 2 and 1}}
  %0 = tt.gather %a[%i] {axis = 0 : i32} : (tensor<8x8xf32>, tensor<8xi32>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @gather_c5(%a: tensor<8x8xf32>, %i: tensor<8x8xi32>) {
  // expected-error @+1 {{gather dimension must be less than the input rank and not negative, found 2 for rank 2}}
  %0 = tt.gather %a[%i] {axis = 2 : i32} : (tensor<8x8xf32>, tensor<8x8xi32>) -> tensor<8x8xf32>
  tt.return
}

// -----

tt.func @gather_c5(%a: tensor<8x8xf32>, %i: tensor<8x8xi32>) {
  // expected-error @+1 {{gather dimension must be less than the input rank and not negative, found -1 for rank 2}}
  %0 = tt.gather %a[%i] {axis = -1 : i32} : (tensor<8x8xf32>, tensor<8x8xi32>) -> tensor<8x8xf32>
  tt.return
}

// -----

tt.func @gather_c6(%a: tensor<8x8xf32>, %i: tensor<4x8xi32>) {
  // expected-error @+1 {{indices dimension 0 must match the corresponding input dimension, found 4 and 8}}
  %0 = tt.gather %a[%i] {axis = 1 : i32} : (tensor<8x8xf32>, tensor<4x8xi32>) -> tensor<4x8xf32>
  tt.return
}

// -----

tt.func @gather_indices(%a: tensor<8xf32>, %i: tensor<8xf32>) {
  // expected-error @+1 {{operand #1 must be ranked tensor of integer values, but got 'tensor<8xf32>'}}
  %0 = tt.gather %a[%i] {axis = 0 : i32} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @histogram_c1(%a: tensor<8xi32>, %m: tensor<4xi1>) {
  // expected-error @+1 {{failed to verify that mask type matches src type}}
  %0 = "tt.histogram"(%a, %m) : (tensor<8xi32>, tensor<4xi1>) -> tensor<8xi32>
  tt.return
}

// -----

tt.func @histogram_c1(%a: tensor<8xi32>, %m: tensor<8xi32>) {
  // expected-error @+1 {{operand #1 must be}}
  %0 = "tt.histogram"(%a, %m) : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
  tt.return
}

// -----

tt.func @histogram_types(%a: tensor<8xf32>) {
  // expected-error @+1 {{'src' must be ranked tensor of integer values, but got 'tensor<8xf32>'}}
  %0 = tt.histogram %a : tensor<8xf32> -> tensor<8xi32>
  tt.return
}
