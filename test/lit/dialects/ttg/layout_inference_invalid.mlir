// RUN: tt-opt %s -split-input-file -verify-diagnostics

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [2, 2], order = [1, 0]}>
#other = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [8, 4], warpsPerCTA = [2, 2], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32} {
tt.func @trans_layout(%a: tensor<32x32xf32, #blocked>) {
  // expected-error @+2 {{sizePerThread = [4, 1], threadsPerWarp = [4, 8], warpsPerCTA = [2, 2], order = [0, 1]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = tt.trans %a {order = array<i32: 1, 0>} : tensor<32x32xf32, #blocked> -> tensor<32x32xf32, #other>
  tt.return
}
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [2, 2], order = [1, 0]}>
#flat = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32} {
tt.func @reshape_layout(%a: tensor<32x32xf32, #blocked>) {
  // expected-error @+1 {{Expected result encoding #ttg.linear<}}
  %0 = tt.reshape %a : tensor<32x32xf32, #blocked> -> tensor<1024xf32, #flat>
  tt.return
}
}

// -----

module attributes {"ttg.num-warps" = 4 : i32} {
tt.func @warps(%s: f32) {
  // expected-error @+1 {{Layout has 8 warps per CTA, but the context requires 4 warps per CTA.}}
  %1 = tt.splat %s : f32 -> tensor<32x32xf32, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 2], order = [1, 0]}>>
  tt.return
}
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 64 : i32} {
tt.func @threads(%s: f32) {
  // expected-error @+1 {{Layout has 32 threads per warp, but the module specifies 64 threads per warp.}}
  %0 = tt.splat %s : f32 -> tensor<128xf32, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
  tt.return
}
}

// -----

module attributes {"ttg.num-warps" = 4 : i32} {
tt.func @ctas(%s: f32) {
  // expected-error @+1 {{Layout has 2 CTAs per CGA, but the context requires 1 CTAs per CGA.}}
  %0 = tt.splat %s : f32 -> tensor<256xf32, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[1]]}>>
  tt.return
}
}

// -----

module {
tt.func @no_warps(%s: f32) {
  // expected-error @+1 {{Could not determine the number of warps per CTA. Operation is not in a context with `ttg.num-warps`.}}
  %0 = tt.splat %s : f32 -> tensor<128xf32, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
  tt.return
}
}

// -----

module attributes {"ttg.num-warps" = 4 : i32} {
tt.func @rank(%s: f32) {
  // expected-error @+1 {{Layout has rank 1, but the tensor it's attached to has rank 2.}}
  %0 = tt.splat %s : f32 -> tensor<8x16xf32, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
  tt.return
}
}

// -----

module attributes {"ttg.num-warps" = 4 : i32} {
tt.func @shared(%s: f32) {
  // expected-error @+1 {{Non-distributed layout is not allowed in tensor type.}}
  %0 = tt.splat %s : f32 -> tensor<8x16xf32, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>>
  tt.return
}
}

// -----

module attributes {"ttg.num-warps" = 4 : i32} {
tt.func @expand_dims(%a: tensor<128xf32, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>) {
  // expected-error @+2 {{ExpandDimsOp operand encoding must be SliceEncodingAttr}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = tt.expand_dims %a {axis = 0 : i32} : tensor<128xf32, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>> -> tensor<1x128xf32, #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>>
  tt.return
}
}
