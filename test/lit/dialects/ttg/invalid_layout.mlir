// RUN: tt-opt %s -split-input-file -verify-diagnostics

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @convert_layout_c1(%x: tensor<64x64xf16, #blocked>) {
    // expected-error @+1 {{requires the same shape for all operands and results}}
    %0 = ttg.convert_layout %x : tensor<64x64xf16, #blocked> -> tensor<64x32xf16, #blocked1>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @convert_layout_c2(%x: tensor<64x64xf16, #blocked>) {
    // expected-error @+1 {{requires the same element type for all operands and results}}
    %0 = ttg.convert_layout %x : tensor<64x64xf16, #blocked> -> tensor<64x64xf32, #blocked1>
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @convert_layout_scalar(%x: i32) {
    // expected-error @+1 {{operand #0 must be ranked tensor of floating-point or integer or ptr values}}
    %0 = "ttg.convert_layout"(%x) : (i32) -> i32
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#wide = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @fp4_to_fp_c1(%x: tensor<64x32xi8, #blocked>) {
    // expected-error @+1 {{only bf16 or f16 is supported for now, got 'f32'}}
    %0 = ttg.fp4_to_fp %x {axis = 1 : i32} : tensor<64x32xi8, #blocked> -> tensor<64x64xf32, #wide>
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @fp4_to_fp_c2_rank(%x: tensor<64xi8>) {
    // expected-error @+1 {{source rank 1 != result rank 2}}
    %0 = ttg.fp4_to_fp %x {axis = 0 : i32} : tensor<64xi8> -> tensor<64x64xf16>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#wide = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @fp4_to_fp_c2_axis(%x: tensor<64x32xi8, #blocked>) {
    // expected-error @+1 {{axis 2 out of range for rank 2}}
    %0 = ttg.fp4_to_fp %x {axis = 2 : i32} : tensor<64x32xi8, #blocked> -> tensor<64x64xf16, #wide>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#wide = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @fp4_to_fp_c2_negative(%x: tensor<64x32xi8, #blocked>) {
    // expected-error @+1 {{axis -1 out of range for rank 2}}
    %0 = ttg.fp4_to_fp %x {axis = -1 : i32} : tensor<64x32xi8, #blocked> -> tensor<64x64xf16, #wide>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#wide = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @fp4_to_fp_c3_axis(%x: tensor<64x32xi8, #blocked>) {
    // expected-error @+1 {{axis 1 dimension must be 2x source dimension (src=32, dst=32)}}
    %0 = ttg.fp4_to_fp %x {axis = 1 : i32} : tensor<64x32xi8, #blocked> -> tensor<64x32xf16, #wide>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#wide = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @fp4_to_fp_c3_other(%x: tensor<64x32xi8, #blocked>) {
    // expected-error @+1 {{dimension 0 mismatch (src=64, dst=32, axis=1)}}
    %0 = ttg.fp4_to_fp %x {axis = 1 : i32} : tensor<64x32xi8, #blocked> -> tensor<32x64xf16, #wide>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @fp4_to_fp_c4(%x: tensor<64x32xi8, #blocked>) {
    // expected-error @+1 {{source and result must both have an encoding, or neither}}
    %0 = ttg.fp4_to_fp %x {axis = 1 : i32} : tensor<64x32xi8, #blocked> -> tensor<64x64xf16>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @fp4_to_fp_c5(%x: tensor<64x32xi8, #blocked>) {
    // expected-error @+1 {{failed to infer encoding of the source}}
    %0 = ttg.fp4_to_fp %x {axis = 1 : i32} : tensor<64x32xi8, #blocked> -> tensor<64x64xf16, #blocked1>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @fp4_to_fp_c5_other_axis(%x: tensor<64x32xi8, #blocked>) {
    // expected-error @+1 {{failed to infer encoding of the source}}
    %0 = ttg.fp4_to_fp %x {axis = 0 : i32} : tensor<64x32xi8, #blocked> -> tensor<128x32xf16, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#wide = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @fp4_to_fp_source(%x: tensor<64x32xi16, #blocked>) {
    // expected-error @+1 {{operand #0 must be ranked tensor of 8-bit signless integer values}}
    %0 = "ttg.fp4_to_fp"(%x) {axis = 1 : i32} : (tensor<64x32xi16, #blocked>) -> tensor<64x64xf16, #wide>
    tt.return
  }
}
