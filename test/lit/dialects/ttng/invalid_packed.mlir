// RUN: tt-opt %s -split-input-file -verify-diagnostics

#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @packed_arith_c1(%x0: tensor<256xf32, #b>, %x1: tensor<256xf32, #b>) {
    // expected-error @+1 {{requires the same type for all operands and results}}
    %0 = ttng.packed_arith add %x0, %x1 : (tensor<256xf32, #b>, tensor<256xf32, #b>) -> tensor<256xf16, #b>
    tt.return
  }
}

// -----

#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @packed_arith_c2(%x0: tensor<256xf64, #b>, %x1: tensor<256xf64, #b>) {
    // expected-error @+1 {{needs elements of f16, bf16 or f32, found 'f64'}}
    %0 = ttng.packed_arith add %x0, %x1 : (tensor<256xf64, #b>, tensor<256xf64, #b>) -> tensor<256xf64, #b>
    tt.return
  }
}

// -----

#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @packed_arith_c2_extreme(%x0: tensor<256xf32, #b>, %x1: tensor<256xf32, #b>) {
    // expected-error @+1 {{needs elements of f16 or bf16, found 'f32'}}
    %0 = ttng.packed_arith max %x0, %x1 : (tensor<256xf32, #b>, tensor<256xf32, #b>) -> tensor<256xf32, #b>
    tt.return
  }
}

// -----

#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @packed_arith_c3(%x0: tensor<256xf32, #b>, %x1: tensor<256xf32, #b>) {
    // expected-error @+1 {{fma needs 3 operands, found 2}}
    %0 = ttng.packed_arith fma %x0, %x1 : (tensor<256xf32, #b>, tensor<256xf32, #b>) -> tensor<256xf32, #b>
    tt.return
  }
}
