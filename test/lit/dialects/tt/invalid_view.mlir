// RUN: tt-opt %s -split-input-file -verify-diagnostics

tt.func @splat_c1(%x: f32) {
  // expected-error @+1 {{requires the same element type for all operands and results}}
  %0 = tt.splat %x : f32 -> tensor<4xi32>
  tt.return
}

// -----

tt.func @splat_c2(%x: tensor<2xf32>) {
  // expected-error @+1 {{source must be a scalar or have one element, found 'tensor<2xf32>'}}
  %0 = tt.splat %x : tensor<2xf32> -> tensor<4xf32>
  tt.return
}

// -----

#a = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32} {
tt.func @splat_c2(%x: tensor<1xf32, #a>) {
  // expected-error @+1 {{requires the same encoding for all operands and results}}
  %0 = tt.splat %x : tensor<1xf32, #a> -> tensor<4xf32, #b>
  tt.return
}
}

// -----

tt.func @splat_result(%x: f32) {
  // expected-error @+1 {{'tt.splat' op result #0 must be ranked tensor of}}
  %0 = tt.splat %x : f32 -> f32
  tt.return
}

// -----

tt.func @splat_size(%x: f32) {
  // expected-error @+1 {{Number of elements must be power-of-two}}
  %0 = tt.splat %x : f32 -> tensor<3xf32>
  tt.return
}

// -----

tt.func @splat_size(%x: f32) {
  // expected-error @+1 {{Maximum allowed number of elements is 1048576}}
  %0 = tt.splat %x : f32 -> tensor<2097152xf32>
  tt.return
}

// -----

tt.func @splat_types(%x: f32) {
  // expected-error @+1 {{expected '->'}}
  %0 = tt.splat %x : (f32), tensor<4xf32>
  tt.return
}

// -----

tt.func @unsplat_c1(%a: tensor<2x1xf32>) {
  // expected-error @+1 {{source tensor must have exactly one element, found 'tensor<2x1xf32>'}}
  %0 = tt.unsplat %a : tensor<2x1xf32>
  tt.return
}

// -----

tt.func @unsplat_c2(%a: tensor<1xf32>) {
  // expected-error @+2 {{'tt.unsplat' op inferred type(s) 'f32' are incompatible with return type(s) of operation 'i32'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = "tt.unsplat"(%a) : (tensor<1xf32>) -> i32
  tt.return
}

// -----

tt.func @unsplat_scalar(%a: f32) {
  // expected-error @+1 {{invalid kind of type specified}}
  %0 = tt.unsplat %a : f32
  tt.return
}

// -----

tt.func @expand_dims_c1(%a: tensor<4x8xf32>) {
  // expected-error @+2 {{axis must be between 0 and the rank of the source, 2, found 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = tt.expand_dims %a {axis = 3 : i32} : tensor<4x8xf32> -> tensor<4x8x1xf32>
  tt.return
}

// -----

tt.func @expand_dims_c1(%a: tensor<4x8xf32>) {
  // expected-error @+2 {{axis must be between 0 and the rank of the source, 2, found -1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = tt.expand_dims %a {axis = -1 : i32} : tensor<4x8xf32> -> tensor<4x8x1xf32>
  tt.return
}

// -----

tt.func @expand_dims_c2(%a: tensor<4x8xf32>) {
  // expected-error @+2 {{inferred type(s) 'tensor<4x1x8xf32>' are incompatible with return type(s) of operation 'tensor<4x8x1xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = tt.expand_dims %a {axis = 1 : i32} : tensor<4x8xf32> -> tensor<4x8x1xf32>
  tt.return
}

// -----

#row = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32} {
tt.func @expand_dims_c2(%a: tensor<32xf32, #ttg.slice<{dim = 1, parent = #row}>>) {
  // expected-error @+2 {{are incompatible with return type(s) of operation 'tensor<32x1xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = tt.expand_dims %a {axis = 1 : i32} : tensor<32xf32, #ttg.slice<{dim = 1, parent = #row}>> -> tensor<32x1xf32>
  tt.return
}
}

// -----

tt.func @expand_dims_c2(%a: tensor<32xf32, "not a layout">) {
  // expected-error @+2 {{encoding "not a layout" is not a layout}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = tt.expand_dims %a {axis = 1 : i32} : tensor<32xf32, "not a layout"> -> tensor<32x1xf32>
  tt.return
}

// -----

tt.func @expand_dims_c3(%a: tensor<8xf32>) {
  // expected-error @+1 {{requires the same element type for all operands and results}}
  %0 = tt.expand_dims %a {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xi32>
  tt.return
}

// -----

tt.func @expand_dims_axis(%a: tensor<8xf32>) {
  // expected-error @+1 {{requires attribute 'axis'}}
  %0 = tt.expand_dims %a : tensor<8xf32> -> tensor<1x8xf32>
  tt.return
}

// -----

tt.func @broadcast_c1(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{rank of source must be same as rank of result, found 2 and 3}}
  %0 = tt.broadcast %a : tensor<4x8xf32> -> tensor<2x4x8xf32>
  tt.return
}

// -----

tt.func @broadcast_c2(%a: tensor<1x8xf32>) {
  // expected-error @+1 {{Different dimensions at index 1 between source and result.  Broadcast requires the source dimension to be 1.  Found 8 and 16}}
  %0 = tt.broadcast %a : tensor<1x8xf32> -> tensor<4x16xf32>
  tt.return
}

// -----

tt.func @broadcast_c2(%a: tensor<8xf32>) {
  // expected-error @+1 {{Different dimensions at index 0 between source and result.}}
  %0 = tt.broadcast %a : tensor<8xf32> -> tensor<1xf32>
  tt.return
}

// -----

tt.func @broadcast_c3(%a: tensor<1x8xf32>) {
  // expected-error @+1 {{requires the same element type for all operands and results}}
  %0 = tt.broadcast %a : tensor<1x8xf32> -> tensor<4x8xf16>
  tt.return
}

// -----

#row = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#column = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-warps" = 4 : i32} {
tt.func @broadcast_c3(%a: tensor<32x1xf32, #row>) {
  // expected-error @+1 {{requires the same encoding for all operands and results}}
  %0 = tt.broadcast %a : tensor<32x1xf32, #row> -> tensor<32x64xf32, #column>
  tt.return
}
}

// -----

tt.func @reshape_c1(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{number of src and dst elements of reshape must be the same, found 32 and 64}}
  %0 = tt.reshape %a allow_reorder : tensor<4x8xf32> -> tensor<64xf32>
  tt.return
}

// -----

#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32} {
tt.func @reshape_c2(%a: tensor<128xf32, #line>) {
  // expected-error @+1 {{Op requires that either (a) src and dst both have encodings, or (b) neither does.}}
  %0 = tt.reshape %a allow_reorder : tensor<128xf32, #line> -> tensor<128xf32>
  tt.return
}
}

// -----

#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#other = #ttg.linear<{register = [], lane = [[2], [1], [4], [8], [16]], warp = [[32], [64]], block = []}>
module attributes {"ttg.num-warps" = 4 : i32} {
tt.func @reshape_c3(%a: tensor<128xf32, #line>) {
  // expected-error @+1 {{Expected result encoding}}
  %0 = tt.reshape %a : tensor<128xf32, #line> -> tensor<128xf32, #other>
  tt.return
}
}

// -----

tt.func @reshape_c4(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{requires the same element type for all operands and results}}
  %0 = tt.reshape %a : tensor<4x8xf32> -> tensor<32xi32>
  tt.return
}

// -----

tt.func @reshape_words(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{expected ':'}}
  %0 = tt.reshape %a efficient_layout allow_reorder : tensor<4x8xf32> -> tensor<32xf32>
  tt.return
}

// -----

tt.func @trans_c1(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{order must have the same size as the rank of the operand and result, found 1 for rank 2}}
  %0 = tt.trans %a {order = array<i32: 0>} : tensor<4x8xf32> -> tensor<8x4xf32>
  tt.return
}

// -----

tt.func @trans_c1(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{order must be a permutation of [0, ..., rank - 1], found [0, 0]}}
  %0 = tt.trans %a {order = array<i32: 0, 0>} : tensor<4x8xf32> -> tensor<4x4xf32>
  tt.return
}

// -----

tt.func @trans_c1(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{order must be a permutation of [0, ..., rank - 1], found [1, 2]}}
  %0 = tt.trans %a {order = array<i32: 1, 2>} : tensor<4x8xf32> -> tensor<8x4xf32>
  tt.return
}

// -----

tt.func @trans_c1(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{order must be a permutation of [0, ..., rank - 1], found [-1, 0]}}
  %0 = tt.trans %a {order = array<i32: -1, 0>} : tensor<4x8xf32> -> tensor<8x4xf32>
  tt.return
}

// -----

tt.func @trans_c2(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{result shape must match the permutation of the source shape}}
  %0 = tt.trans %a {order = array<i32: 1, 0>} : tensor<4x8xf32> -> tensor<4x8xf32>
  tt.return
}

// -----

#row = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32} {
tt.func @trans_c2(%a: tensor<32x64xf32, #row>) {
  // expected-error @+2 {{are incompatible with return type(s) of operation}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = tt.trans %a {order = array<i32: 1, 0>} : tensor<32x64xf32, #row> -> tensor<64x32xf32, #row>
  tt.return
}
}

// -----

tt.func @trans_c3(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{requires the same element type for all operands and results}}
  %0 = tt.trans %a {order = array<i32: 1, 0>} : tensor<4x8xf32> -> tensor<8x4xf16>
  tt.return
}

// -----

tt.func @trans_order(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{requires attribute 'order'}}
  %0 = tt.trans %a : tensor<4x8xf32> -> tensor<8x4xf32>
  tt.return
}

// -----

tt.func @join_c1(%a: tensor<4xf32>, %b: tensor<4xf16>) {
  // expected-error @+1 {{requires all operands to have the same type}}
  %0 = "tt.join"(%a, %b) : (tensor<4xf32>, tensor<4xf16>) -> tensor<4x2xf32>
  tt.return
}

// -----

tt.func @join_c2(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{result shape must be (4, 8, 2), but got 4, 16}}
  %0 = tt.join %a, %a : tensor<4x8xf32> -> tensor<4x16xf32>
  tt.return
}

// -----

tt.func @join_c2(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{result element type must match the input element type, found 'i32' and 'f32'}}
  %0 = tt.join %a, %a : tensor<4x8xf32> -> tensor<4x8x2xi32>
  tt.return
}

// -----

#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32} {
tt.func @join_c3(%a: tensor<128xf32, #line>) {
  // expected-error @+1 {{result encoding must be specified}}
  %0 = tt.join %a, %a : tensor<128xf32, #line> -> tensor<128x2xf32>
  tt.return
}
}

// -----

#pairs = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32} {
tt.func @join_c3(%a: tensor<128xf32>) {
  // expected-error @+1 {{incompatible join layout}}
  %0 = tt.join %a, %a : tensor<128xf32> -> tensor<128x2xf32, #pairs>
  tt.return
}
}

// -----

#pairs = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#other = #ttg.linear<{register = [], lane = [[2], [1], [4], [8], [16]], warp = [[32], [64]], block = []}>
module attributes {"ttg.num-warps" = 4 : i32} {
tt.func @join_c3(%a: tensor<128xf32, #other>) {
  // expected-error @+1 {{incompatible join layout}}
  %0 = tt.join %a, %a : tensor<128xf32, #other> -> tensor<128x2xf32, #pairs>
  tt.return
}
}

// -----

tt.func @split_c1(%a: tensor<4x8xf32>) {
  // expected-error @+2 {{last dimension of input tensor must be 2, found 'tensor<4x8xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0, %1 = tt.split %a : tensor<4x8xf32> -> tensor<4xf32>
  tt.return
}

// -----

tt.func @split_c1(%a: tensor<f32>) {
  // expected-error @+2 {{last dimension of input tensor must be 2, found 'tensor<f32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0, %1 = tt.split %a : tensor<f32> -> tensor<f32>
  tt.return
}

// -----

tt.func @split_c2(%a: tensor<4x2xf32>) {
  // expected-error @+2 {{inferred type(s) 'tensor<4xf32>', 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<8xf32>', 'tensor<8xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0, %1 = tt.split %a : tensor<4x2xf32> -> tensor<8xf32>
  tt.return
}

// -----

#pairs = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#other = #ttg.linear<{register = [], lane = [[2], [1], [4], [8], [16]], warp = [[32], [64]], block = []}>
module attributes {"ttg.num-warps" = 4 : i32} {
tt.func @split_c2(%a: tensor<128x2xf32, #pairs>) {
  // expected-error @+2 {{are incompatible with return type(s) of operation}}
  // expected-error @+1 {{failed to infer returned types}}
  %0, %1 = tt.split %a : tensor<128x2xf32, #pairs> -> tensor<128xf32, #other>
  tt.return
}
}

// -----

tt.func @split_c3(%a: tensor<4x2xf32>) {
  // expected-error @+1 {{failed to verify that outLHS and outRHS types match}}
  %0, %1 = "tt.split"(%a) : (tensor<4x2xf32>) -> (tensor<4xf32>, tensor<8xf32>)
  tt.return
}

// -----

tt.func @cat_c1(%a: tensor<4xf32>, %b: tensor<8xf32>) {
  // expected-error @+1 {{requires all operands to have the same type}}
  %0 = "tt.cat"(%a, %b) : (tensor<4xf32>, tensor<8xf32>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @cat_c2(%a: tensor<4xf32>) {
  // expected-error @+1 {{requires the same element type for all operands and results}}
  %0 = tt.cat %a, %a : tensor<4xf32> -> tensor<8xf16>
  tt.return
}

// -----

tt.func @cat_c3(%a: tensor<4xf32>) {
  // expected-error @+1 {{result element count must equal the sum of the operand element counts, expected 8 but got 4}}
  %0 = tt.cat %a, %a : tensor<4xf32> -> tensor<4xf32>
  tt.return
}
