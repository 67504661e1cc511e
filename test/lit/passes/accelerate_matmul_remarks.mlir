// RUN: tt-opt %s --split-input-file --tritongpu-accelerate-matmul -verify-diagnostics -o /dev/null

#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // wgmma reads tf32 along K alone; threads hold rows of b.
  tt.func public @other_order(%x: tensor<64x16xf32, #blocked>, %y: tensor<16x32xf32, #blocked>, %c: tensor<64x32xf32, #blocked>) -> tensor<64x32xf32, #blocked> {
    %0 = ttg.convert_layout %x : tensor<64x16xf32, #blocked> -> tensor<64x16xf32, #a>
    %1 = ttg.convert_layout %y : tensor<16x32xf32, #blocked> -> tensor<16x32xf32, #b>
    // expected-warning @below {{Warning: Forcing a different order [0, 1] on SMEM than the register order for the operand 1. Registers will be transposed before SMEM store}}
    %2 = tt.dot %0, %1, %c, inputPrecision = tf32 : tensor<64x16xf32, #a> * tensor<16x32xf32, #b> -> tensor<64x32xf32, #blocked>
    tt.return %2 : tensor<64x32xf32, #blocked>
  }

  // Sums of fp8 in full precision are not wgmma's.
  tt.func public @no_wgmma(%x: tensor<64x64xf8E5M2, #blocked>, %y: tensor<64x32xf8E5M2, #blocked>, %c: tensor<64x32xf32, #blocked>) -> tensor<64x32xf32, #blocked> {
    %0 = ttg.convert_layout %x : tensor<64x64xf8E5M2, #blocked> -> tensor<64x64xf8E5M2, #a>
    %1 = ttg.convert_layout %y : tensor<64x32xf8E5M2, #blocked> -> tensor<64x32xf8E5M2, #b>
    // expected-remark @+2 {{MMA version 3 acceleration not applied due to unsupported shapes or data types.}}
    // expected-note @+1 {{Target compute capability (90) supports MMA v3.}}
    %2 = tt.dot %0, %1, %c : tensor<64x64xf8E5M2, #a> * tensor<64x32xf8E5M2, #b> -> tensor<64x32xf32, #blocked>
    tt.return %2 : tensor<64x32xf32, #blocked>
  }
}

// -----

// With tcgen05 it is the precision that keeps f32 from tensor cores: nothing is said.
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @full_precision(%x: tensor<128x64xf32, #a>, %y: tensor<64x128xf32, #b>, %c: tensor<128x128xf32, #blocked>) -> tensor<128x128xf32, #blocked> {
    %0 = tt.dot %x, %y, %c, inputPrecision = ieee : tensor<128x64xf32, #a> * tensor<64x128xf32, #b> -> tensor<128x128xf32, #blocked>
    tt.return %0 : tensor<128x128xf32, #blocked>
  }
}
