#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @f16(%arg0: tensor<64x32xf16, #blocked>, %arg1: tensor<32x64xf16, #blocked1>, %arg2: tensor<64x64xf32, #blocked1>) -> tensor<64x64xf32, #blocked1> {
    %0 = ttg.convert_layout %arg0 : tensor<64x32xf16, #blocked> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>>
    %1 = ttg.convert_layout %arg1 : tensor<32x64xf16, #blocked1> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>>
    %2 = ttg.convert_layout %arg2 : tensor<64x64xf32, #blocked1> -> tensor<64x64xf32, #blocked2>
    %3 = tt.dot %0, %1, %2 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>> * tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>> -> tensor<64x64xf32, #blocked2>
    %4 = ttg.convert_layout %3 : tensor<64x64xf32, #blocked2> -> tensor<64x64xf32, #blocked1>
    tt.return %4 : tensor<64x64xf32, #blocked1>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [8, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 2], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [1, 32], warpsPerCTA = [8, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:86", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @f16_result(%arg0: tensor<32x16xf16, #blocked>, %arg1: tensor<16x64xf16, #blocked1>, %arg2: tensor<32x64xf16, #blocked1>) -> tensor<32x64xf16, #blocked1> {
    %0 = ttg.convert_layout %arg0 : tensor<32x16xf16, #blocked> -> tensor<32x16xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>>
    %1 = ttg.convert_layout %arg1 : tensor<16x64xf16, #blocked1> -> tensor<16x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>>
    %2 = ttg.convert_layout %arg2 : tensor<32x64xf16, #blocked1> -> tensor<32x64xf16, #blocked2>
    %3 = tt.dot %0, %1, %2 : tensor<32x16xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>> * tensor<16x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>> -> tensor<32x64xf16, #blocked2>
    %4 = ttg.convert_layout %3 : tensor<32x64xf16, #blocked2> -> tensor<32x64xf16, #blocked1>
    tt.return %4 : tensor<32x64xf16, #blocked1>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [2, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [2, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @bf16_narrow(%arg0: tensor<16x16xbf16, #blocked>, %arg1: tensor<16x8xbf16, #blocked1>, %arg2: tensor<16x8xf32, #blocked1>) -> tensor<16x8xf32, #blocked1> {
    %0 = ttg.convert_layout %arg0 : tensor<16x16xbf16, #blocked> -> tensor<16x16xbf16, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>>
    %1 = ttg.convert_layout %arg1 : tensor<16x8xbf16, #blocked1> -> tensor<16x8xbf16, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>>
    %2 = tt.dot %0, %1, %arg2 : tensor<16x16xbf16, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>> * tensor<16x8xbf16, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>> -> tensor<16x8xf32, #blocked1>
    tt.return %2 : tensor<16x8xf32, #blocked1>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @tf32(%arg0: tensor<32x16xf32, #blocked>, %arg1: tensor<16x32xf32, #blocked1>, %arg2: tensor<32x32xf32, #blocked1>) -> tensor<32x32xf32, #blocked1> {
    %0 = ttg.convert_layout %arg0 : tensor<32x16xf32, #blocked> -> tensor<32x16xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>>
    %1 = ttg.convert_layout %arg1 : tensor<16x32xf32, #blocked1> -> tensor<16x32xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>>
    %2 = ttg.convert_layout %arg2 : tensor<32x32xf32, #blocked1> -> tensor<32x32xf32, #blocked2>
    %3 = tt.dot %0, %1, %2, inputPrecision = tf32 : tensor<32x16xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>> * tensor<16x32xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>> -> tensor<32x32xf32, #blocked2>
    %4 = ttg.convert_layout %3 : tensor<32x32xf32, #blocked2> -> tensor<32x32xf32, #blocked1>
    tt.return %4 : tensor<32x32xf32, #blocked1>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @full_precision(%arg0: tensor<32x16xf32, #blocked>, %arg1: tensor<16x32xf32, #blocked1>, %arg2: tensor<32x32xf32, #blocked1>) -> tensor<32x32xf32, #blocked1> {
    %0 = ttg.convert_layout %arg0 : tensor<32x16xf32, #blocked> -> tensor<32x16xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>>
    %1 = ttg.convert_layout %arg1 : tensor<16x32xf32, #blocked1> -> tensor<16x32xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>>
    %2 = ttg.convert_layout %arg2 : tensor<32x32xf32, #blocked1> -> tensor<32x32xf32, #blocked2>
    %3 = tt.dot %0, %1, %2 : tensor<32x16xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>> * tensor<16x32xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>> -> tensor<32x32xf32, #blocked2>
    %4 = ttg.convert_layout %3 : tensor<32x32xf32, #blocked2> -> tensor<32x32xf32, #blocked1>
    tt.return %4 : tensor<32x32xf32, #blocked1>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @f64(%arg0: tensor<32x16xf64, #blocked>, %arg1: tensor<16x32xf64, #blocked1>, %arg2: tensor<32x32xf64, #blocked1>) -> tensor<32x32xf64, #blocked1> {
    %0 = ttg.convert_layout %arg0 : tensor<32x16xf64, #blocked> -> tensor<32x16xf64, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>>
    %1 = ttg.convert_layout %arg1 : tensor<16x32xf64, #blocked1> -> tensor<16x32xf64, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>>
    %2 = ttg.convert_layout %arg2 : tensor<32x32xf64, #blocked1> -> tensor<32x32xf64, #blocked2>
    %3 = tt.dot %0, %1, %2 : tensor<32x16xf64, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>> * tensor<16x32xf64, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>> -> tensor<32x32xf64, #blocked2>
    %4 = ttg.convert_layout %3 : tensor<32x32xf64, #blocked2> -> tensor<32x32xf64, #blocked1>
    tt.return %4 : tensor<32x32xf64, #blocked1>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:89", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @f64_without(%arg0: tensor<32x16xf64, #blocked>, %arg1: tensor<16x32xf64, #blocked1>, %arg2: tensor<32x32xf64, #blocked1>) -> tensor<32x32xf64, #blocked1> {
    %0 = ttg.convert_layout %arg0 : tensor<32x16xf64, #blocked> -> tensor<32x16xf64, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>>
    %1 = ttg.convert_layout %arg1 : tensor<16x32xf64, #blocked1> -> tensor<16x32xf64, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>>
    %2 = ttg.convert_layout %arg2 : tensor<32x32xf64, #blocked1> -> tensor<32x32xf64, #blocked2>
    %3 = tt.dot %0, %1, %2 : tensor<32x16xf64, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>> * tensor<16x32xf64, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>> -> tensor<32x32xf64, #blocked2>
    %4 = ttg.convert_layout %3 : tensor<32x32xf64, #blocked2> -> tensor<32x32xf64, #blocked1>
    tt.return %4 : tensor<32x32xf64, #blocked1>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @i8(%arg0: tensor<32x32xi8, #blocked>, %arg1: tensor<32x32xi8, #blocked>, %arg2: tensor<32x32xi32, #blocked>) -> tensor<32x32xi32, #blocked> {
    %0 = ttg.convert_layout %arg0 : tensor<32x32xi8, #blocked> -> tensor<32x32xi8, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>>
    %1 = ttg.convert_layout %arg1 : tensor<32x32xi8, #blocked> -> tensor<32x32xi8, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>>
    %2 = ttg.convert_layout %arg2 : tensor<32x32xi32, #blocked> -> tensor<32x32xi32, #blocked1>
    %3 = tt.dot %0, %1, %2 : tensor<32x32xi8, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>> * tensor<32x32xi8, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>> -> tensor<32x32xi32, #blocked1>
    %4 = ttg.convert_layout %3 : tensor<32x32xi32, #blocked1> -> tensor<32x32xi32, #blocked>
    tt.return %4 : tensor<32x32xi32, #blocked>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @fp8_becomes_f16(%arg0: tensor<32x32xf8E5M2, #blocked>, %arg1: tensor<32x32xf8E5M2, #blocked>, %arg2: tensor<32x32xf32, #blocked>) -> tensor<32x32xf32, #blocked> {
    %0 = ttg.convert_layout %arg0 : tensor<32x32xf8E5M2, #blocked> -> tensor<32x32xf8E5M2, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>>
    %1 = ttg.convert_layout %arg1 : tensor<32x32xf8E5M2, #blocked> -> tensor<32x32xf8E5M2, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>>
    %2 = ttg.convert_layout %arg2 : tensor<32x32xf32, #blocked> -> tensor<32x32xf32, #blocked1>
    %3 = tt.dot %0, %1, %2 : tensor<32x32xf8E5M2, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>> * tensor<32x32xf8E5M2, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>> -> tensor<32x32xf32, #blocked1>
    %4 = ttg.convert_layout %3 : tensor<32x32xf32, #blocked1> -> tensor<32x32xf32, #blocked>
    tt.return %4 : tensor<32x32xf32, #blocked>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:89", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @fp8(%arg0: tensor<32x32xf8E5M2, #blocked>, %arg1: tensor<32x32xf8E4M3FN, #blocked>, %arg2: tensor<32x32xf32, #blocked>) -> tensor<32x32xf32, #blocked> {
    %0 = ttg.convert_layout %arg0 : tensor<32x32xf8E5M2, #blocked> -> tensor<32x32xf8E5M2, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>>
    %1 = ttg.convert_layout %arg1 : tensor<32x32xf8E4M3FN, #blocked> -> tensor<32x32xf8E4M3FN, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>>
    %2 = ttg.convert_layout %arg2 : tensor<32x32xf32, #blocked> -> tensor<32x32xf32, #blocked1>
    %3 = tt.dot %0, %1, %2 : tensor<32x32xf8E5M2, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>> * tensor<32x32xf8E4M3FN, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>> -> tensor<32x32xf32, #blocked1>
    %4 = ttg.convert_layout %3 : tensor<32x32xf32, #blocked1> -> tensor<32x32xf32, #blocked>
    tt.return %4 : tensor<32x32xf32, #blocked>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1, 1], threadsPerWarp = [1, 2, 16], warpsPerCTA = [1, 4, 1], order = [2, 1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 2, 2], threadsPerWarp = [1, 4, 8], warpsPerCTA = [2, 2, 1], order = [2, 1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @batched(%arg0: tensor<2x16x16xf16, #blocked>, %arg1: tensor<2x16x16xf16, #blocked>, %arg2: tensor<2x16x16xf32, #blocked>) -> tensor<2x16x16xf32, #blocked> {
    %0 = ttg.convert_layout %arg0 : tensor<2x16x16xf16, #blocked> -> tensor<2x16x16xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>>
    %1 = ttg.convert_layout %arg1 : tensor<2x16x16xf16, #blocked> -> tensor<2x16x16xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>>
    %2 = ttg.convert_layout %arg2 : tensor<2x16x16xf32, #blocked> -> tensor<2x16x16xf32, #blocked1>
    %3 = tt.dot %0, %1, %2 : tensor<2x16x16xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>> * tensor<2x16x16xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>> -> tensor<2x16x16xf32, #blocked1>
    %4 = ttg.convert_layout %3 : tensor<2x16x16xf32, #blocked1> -> tensor<2x16x16xf32, #blocked>
    tt.return %4 : tensor<2x16x16xf32, #blocked>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:75", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @turing(%arg0: tensor<32x16xf16, #blocked>, %arg1: tensor<16x32xf16, #blocked1>, %arg2: tensor<32x32xf32, #blocked1>) -> tensor<32x32xf32, #blocked1> {
    %0 = ttg.convert_layout %arg0 : tensor<32x16xf16, #blocked> -> tensor<32x16xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>>
    %1 = ttg.convert_layout %arg1 : tensor<16x32xf16, #blocked1> -> tensor<16x32xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>>
    %2 = ttg.convert_layout %arg2 : tensor<32x32xf32, #blocked1> -> tensor<32x32xf32, #blocked2>
    %3 = tt.dot %0, %1, %2 : tensor<32x16xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>> * tensor<16x32xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>> -> tensor<32x32xf32, #blocked2>
    %4 = ttg.convert_layout %3 : tensor<32x32xf32, #blocked2> -> tensor<32x32xf32, #blocked1>
    tt.return %4 : tensor<32x32xf32, #blocked1>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @wgmma(%arg0: tensor<64x32xf16, #blocked>, %arg1: tensor<32x64xf16, #blocked1>, %arg2: tensor<64x64xf32, #blocked1>) -> tensor<64x64xf32, #blocked1> {
    %0 = ttg.convert_layout %arg0 : tensor<64x32xf16, #blocked> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>>
    %1 = ttg.convert_layout %arg1 : tensor<32x64xf16, #blocked1> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>>
    %2 = ttg.convert_layout %arg2 : tensor<64x64xf32, #blocked1> -> tensor<64x64xf32, #blocked2>
    %3 = tt.dot %0, %1, %2 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>> * tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>> -> tensor<64x64xf32, #blocked2>
    %4 = ttg.convert_layout %3 : tensor<64x64xf32, #blocked2> -> tensor<64x64xf32, #blocked1>
    tt.return %4 : tensor<64x64xf32, #blocked1>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [8, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 4], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 32], warpsPerCTA = [8, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @wgmma_wide(%arg0: tensor<64x16xbf16, #blocked>, %arg1: tensor<16x128xbf16, #blocked1>, %arg2: tensor<64x128xf32, #blocked1>) -> tensor<64x128xf32, #blocked1> {
    %0 = ttg.convert_layout %arg0 : tensor<64x16xbf16, #blocked> -> tensor<64x16xbf16, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>>
    %1 = ttg.convert_layout %arg1 : tensor<16x128xbf16, #blocked1> -> tensor<16x128xbf16, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>>
    %2 = ttg.convert_layout %arg2 : tensor<64x128xf32, #blocked1> -> tensor<64x128xf32, #blocked2>
    %3 = tt.dot %0, %1, %2 : tensor<64x16xbf16, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>> * tensor<16x128xbf16, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>> -> tensor<64x128xf32, #blocked2>
    %4 = ttg.convert_layout %3 : tensor<64x128xf32, #blocked2> -> tensor<64x128xf32, #blocked1>
    tt.return %4 : tensor<64x128xf32, #blocked1>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @wgmma_tf32(%arg0: tensor<64x16xf32, #blocked>, %arg1: tensor<16x32xf32, #blocked1>, %arg2: tensor<64x32xf32, #blocked1>) -> tensor<64x32xf32, #blocked1> {
    %0 = ttg.convert_layout %arg0 : tensor<64x16xf32, #blocked> -> tensor<64x16xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>>
    %1 = ttg.convert_layout %arg1 : tensor<16x32xf32, #blocked1> -> tensor<16x32xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>>
    %2 = ttg.convert_layout %arg2 : tensor<64x32xf32, #blocked1> -> tensor<64x32xf32, #blocked2>
    %3 = tt.dot %0, %1, %2, inputPrecision = tf32 : tensor<64x16xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>> * tensor<16x32xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>> -> tensor<64x32xf32, #blocked2>
    %4 = ttg.convert_layout %3 : tensor<64x32xf32, #blocked2> -> tensor<64x32xf32, #blocked1>
    tt.return %4 : tensor<64x32xf32, #blocked1>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @wgmma_i8(%arg0: tensor<64x32xi8, #blocked>, %arg1: tensor<32x32xi8, #blocked>, %arg2: tensor<64x32xi32, #blocked>) -> tensor<64x32xi32, #blocked> {
    %0 = ttg.convert_layout %arg0 : tensor<64x32xi8, #blocked> -> tensor<64x32xi8, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>>
    %1 = ttg.convert_layout %arg1 : tensor<32x32xi8, #blocked> -> tensor<32x32xi8, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>>
    %2 = ttg.convert_layout %arg2 : tensor<64x32xi32, #blocked> -> tensor<64x32xi32, #blocked1>
    %3 = tt.dot %0, %1, %2 : tensor<64x32xi8, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>> * tensor<32x32xi8, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>> -> tensor<64x32xi32, #blocked1>
    %4 = ttg.convert_layout %3 : tensor<64x32xi32, #blocked1> -> tensor<64x32xi32, #blocked>
    tt.return %4 : tensor<64x32xi32, #blocked>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @wgmma_fp8(%arg0: tensor<64x64xf8E5M2, #blocked>, %arg1: tensor<64x32xf8E5M2, #blocked1>, %arg2: tensor<64x32xf32, #blocked1>) -> tensor<64x32xf32, #blocked1> {
    %0 = ttg.convert_layout %arg0 : tensor<64x64xf8E5M2, #blocked> -> tensor<64x64xf8E5M2, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>>
    %1 = ttg.convert_layout %arg1 : tensor<64x32xf8E5M2, #blocked1> -> tensor<64x32xf8E5M2, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>>
    %2 = ttg.convert_layout %arg2 : tensor<64x32xf32, #blocked1> -> tensor<64x32xf32, #blocked2>
    %3 = tt.dot %0, %1, %2 {maxNumImpreciseAcc = 64 : i32} : tensor<64x64xf8E5M2, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>> * tensor<64x32xf8E5M2, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>> -> tensor<64x32xf32, #blocked2>
    %4 = ttg.convert_layout %3 : tensor<64x32xf32, #blocked2> -> tensor<64x32xf32, #blocked1>
    tt.return %4 : tensor<64x32xf32, #blocked1>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @wgmma_fp8_precise(%arg0: tensor<64x64xf8E5M2, #blocked>, %arg1: tensor<64x32xf8E5M2, #blocked1>, %arg2: tensor<64x32xf32, #blocked1>) -> tensor<64x32xf32, #blocked1> {
    %0 = ttg.convert_layout %arg0 : tensor<64x64xf8E5M2, #blocked> -> tensor<64x64xf8E5M2, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>>
    %1 = ttg.convert_layout %arg1 : tensor<64x32xf8E5M2, #blocked1> -> tensor<64x32xf8E5M2, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>>
    %2 = ttg.convert_layout %arg2 : tensor<64x32xf32, #blocked1> -> tensor<64x32xf32, #blocked2>
    %3 = tt.dot %0, %1, %2 : tensor<64x64xf8E5M2, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>> * tensor<64x32xf8E5M2, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>> -> tensor<64x32xf32, #blocked2>
    %4 = ttg.convert_layout %3 : tensor<64x32xf32, #blocked2> -> tensor<64x32xf32, #blocked1>
    tt.return %4 : tensor<64x32xf32, #blocked1>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @wgmma_eight_columns(%arg0: tensor<64x32xf16, #blocked>, %arg1: tensor<32x8xf16, #blocked1>, %arg2: tensor<64x8xf32, #blocked1>) -> tensor<64x8xf32, #blocked1> {
    %0 = ttg.convert_layout %arg0 : tensor<64x32xf16, #blocked> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>>
    %1 = ttg.convert_layout %arg1 : tensor<32x8xf16, #blocked1> -> tensor<32x8xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>>
    %2 = ttg.convert_layout %arg2 : tensor<64x8xf32, #blocked1> -> tensor<64x8xf32, #blocked2>
    %3 = tt.dot %0, %1, %2 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>> * tensor<32x8xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>> -> tensor<64x8xf32, #blocked2>
    %4 = ttg.convert_layout %3 : tensor<64x8xf32, #blocked2> -> tensor<64x8xf32, #blocked1>
    tt.return %4 : tensor<64x8xf32, #blocked1>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [4, 8], warpsPerCTA = [2, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @wgmma_two_warps(%arg0: tensor<64x32xf16, #blocked>, %arg1: tensor<32x32xf16, #blocked>, %arg2: tensor<64x32xf32, #blocked>) -> tensor<64x32xf32, #blocked> {
    %0 = ttg.convert_layout %arg0 : tensor<64x32xf16, #blocked> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>>
    %1 = ttg.convert_layout %arg1 : tensor<32x32xf16, #blocked> -> tensor<32x32xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>>
    %2 = ttg.convert_layout %arg2 : tensor<64x32xf32, #blocked> -> tensor<64x32xf32, #blocked1>
    %3 = tt.dot %0, %1, %2 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>> * tensor<32x32xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>> -> tensor<64x32xf32, #blocked1>
    %4 = ttg.convert_layout %3 : tensor<64x32xf32, #blocked1> -> tensor<64x32xf32, #blocked>
    tt.return %4 : tensor<64x32xf32, #blocked>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @wgmma_computed(%arg0: tensor<64x32xf16, #blocked>, %arg1: tensor<32x32xf16, #blocked>, %arg2: tensor<64x32xf32, #blocked>) -> tensor<64x32xf32, #blocked> {
    %0 = arith.addf %arg0, %arg0 : tensor<64x32xf16, #blocked>
    %1 = ttg.convert_layout %0 : tensor<64x32xf16, #blocked> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>>
    %2 = ttg.convert_layout %arg1 : tensor<32x32xf16, #blocked> -> tensor<32x32xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>>
    %3 = ttg.convert_layout %arg2 : tensor<64x32xf32, #blocked> -> tensor<64x32xf32, #blocked1>
    %4 = tt.dot %1, %2, %3 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>> * tensor<32x32xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>> -> tensor<64x32xf32, #blocked1>
    %5 = ttg.convert_layout %4 : tensor<64x32xf32, #blocked1> -> tensor<64x32xf32, #blocked>
    tt.return %5 : tensor<64x32xf32, #blocked>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @tcgen05(%arg0: tensor<64x32xf16, #blocked>, %arg1: tensor<32x64xf16, #blocked1>, %arg2: tensor<64x64xf32, #blocked1>) -> tensor<64x64xf32, #blocked1> {
    %0 = ttg.convert_layout %arg0 : tensor<64x32xf16, #blocked> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>>
    %1 = ttg.convert_layout %arg1 : tensor<32x64xf16, #blocked1> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>>
    %2 = ttg.convert_layout %arg2 : tensor<64x64xf32, #blocked1> -> tensor<64x64xf32, #blocked2>
    %3 = tt.dot %0, %1, %2 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>> * tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>> -> tensor<64x64xf32, #blocked2>
    %4 = ttg.convert_layout %3 : tensor<64x64xf32, #blocked2> -> tensor<64x64xf32, #blocked1>
    tt.return %4 : tensor<64x64xf32, #blocked1>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [8, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [8, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [4, 8], warpsPerCTA = [8, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:103", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @tcgen05_wide(%arg0: tensor<128x16xbf16, #blocked>, %arg1: tensor<16x32xbf16, #blocked1>, %arg2: tensor<128x32xf32, #blocked1>) -> tensor<128x32xf32, #blocked1> {
    %0 = ttg.convert_layout %arg0 : tensor<128x16xbf16, #blocked> -> tensor<128x16xbf16, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>>
    %1 = ttg.convert_layout %arg1 : tensor<16x32xbf16, #blocked1> -> tensor<16x32xbf16, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>>
    %2 = ttg.convert_layout %arg2 : tensor<128x32xf32, #blocked1> -> tensor<128x32xf32, #blocked2>
    %3 = tt.dot %0, %1, %2 : tensor<128x16xbf16, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>> * tensor<16x32xbf16, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>> -> tensor<128x32xf32, #blocked2>
    %4 = ttg.convert_layout %3 : tensor<128x32xf32, #blocked2> -> tensor<128x32xf32, #blocked1>
    tt.return %4 : tensor<128x32xf32, #blocked1>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @tcgen05_i8(%arg0: tensor<64x32xi8, #blocked>, %arg1: tensor<32x32xi8, #blocked>, %arg2: tensor<64x32xi32, #blocked>) -> tensor<64x32xi32, #blocked> {
    %0 = ttg.convert_layout %arg0 : tensor<64x32xi8, #blocked> -> tensor<64x32xi8, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>>
    %1 = ttg.convert_layout %arg1 : tensor<32x32xi8, #blocked> -> tensor<32x32xi8, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>>
    %2 = ttg.convert_layout %arg2 : tensor<64x32xi32, #blocked> -> tensor<64x32xi32, #blocked1>
    %3 = tt.dot %0, %1, %2 : tensor<64x32xi8, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>> * tensor<32x32xi8, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>> -> tensor<64x32xi32, #blocked1>
    %4 = ttg.convert_layout %3 : tensor<64x32xi32, #blocked1> -> tensor<64x32xi32, #blocked>
    tt.return %4 : tensor<64x32xi32, #blocked>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:120", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @sm120(%arg0: tensor<32x32xf8E4M3FN, #blocked>, %arg1: tensor<32x32xf8E4M3FN, #blocked>, %arg2: tensor<32x32xf32, #blocked>) -> tensor<32x32xf32, #blocked> {
    %0 = ttg.convert_layout %arg0 : tensor<32x32xf8E4M3FN, #blocked> -> tensor<32x32xf8E4M3FN, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>>
    %1 = ttg.convert_layout %arg1 : tensor<32x32xf8E4M3FN, #blocked> -> tensor<32x32xf8E4M3FN, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>>
    %2 = ttg.convert_layout %arg2 : tensor<32x32xf32, #blocked> -> tensor<32x32xf32, #blocked1>
    %3 = tt.dot %0, %1, %2 : tensor<32x32xf8E4M3FN, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>> * tensor<32x32xf8E4M3FN, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>> -> tensor<32x32xf32, #blocked1>
    %4 = ttg.convert_layout %3 : tensor<32x32xf32, #blocked1> -> tensor<32x32xf32, #blocked>
    tt.return %4 : tensor<32x32xf32, #blocked>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked3 = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @chained(%arg0: tensor<64x32xf16, #blocked>, %arg1: tensor<32x64xf16, #blocked1>, %arg2: tensor<64x64xf32, #blocked1>, %arg3: tensor<64x32xf16, #blocked>, %arg4: tensor<64x32xf32, #blocked>) -> tensor<64x32xf32, #blocked> {
    %0 = ttg.convert_layout %arg0 : tensor<64x32xf16, #blocked> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>>
    %1 = ttg.convert_layout %arg1 : tensor<32x64xf16, #blocked1> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>>
    %2 = ttg.convert_layout %arg2 : tensor<64x64xf32, #blocked1> -> tensor<64x64xf32, #blocked2>
    %3 = tt.dot %0, %1, %2 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>> * tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>> -> tensor<64x64xf32, #blocked2>
    %4 = arith.truncf %3 : tensor<64x64xf32, #blocked2> to tensor<64x64xf16, #blocked2>
    %5 = ttg.convert_layout %4 : tensor<64x64xf16, #blocked2> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked3}>>
    %6 = ttg.convert_layout %arg3 : tensor<64x32xf16, #blocked> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked3}>>
    %7 = ttg.convert_layout %arg4 : tensor<64x32xf32, #blocked> -> tensor<64x32xf32, #blocked3>
    %8 = tt.dot %5, %6, %7 : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked3}>> * tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked3}>> -> tensor<64x32xf32, #blocked3>
    %9 = ttg.convert_layout %8 : tensor<64x32xf32, #blocked3> -> tensor<64x32xf32, #blocked>
    tt.return %9 : tensor<64x32xf32, #blocked>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [8, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 2], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 16], warpsPerCTA = [8, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @in_loop(%arg0: tensor<64x32xf16, #blocked>, %arg1: tensor<32x64xf16, #blocked1>, %arg2: tensor<64x64xf32, #blocked1>) -> tensor<64x64xf32, #blocked1> {
    %c2_i32 = arith.constant 2 : i32
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %0 = ttg.convert_layout %arg2 : tensor<64x64xf32, #blocked1> -> tensor<64x64xf32, #blocked2>
    %1 = scf.for %arg3 = %c0_i32 to %c2_i32 step %c1_i32 iter_args(%arg4 = %0) -> (tensor<64x64xf32, #blocked2>)  : i32 {
      %3 = ttg.convert_layout %arg0 : tensor<64x32xf16, #blocked> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>>
      %4 = ttg.convert_layout %arg1 : tensor<32x64xf16, #blocked1> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>>
      %5 = tt.dot %3, %4, %arg4 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>> * tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>> -> tensor<64x64xf32, #blocked2>
      scf.yield %5 : tensor<64x64xf32, #blocked2>
    }
    %2 = ttg.convert_layout %1 : tensor<64x64xf32, #blocked2> -> tensor<64x64xf32, #blocked1>
    tt.return %2 : tensor<64x64xf32, #blocked1>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked3 = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @wgmma_chained(%arg0: tensor<64x32xf16, #blocked>, %arg1: tensor<32x64xf16, #blocked1>, %arg2: tensor<64x64xf32, #blocked1>, %arg3: tensor<64x32xf16, #blocked>, %arg4: tensor<64x32xf32, #blocked>) -> tensor<64x32xf32, #blocked> {
    %0 = ttg.convert_layout %arg0 : tensor<64x32xf16, #blocked> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>>
    %1 = ttg.convert_layout %arg1 : tensor<32x64xf16, #blocked1> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>>
    %2 = ttg.convert_layout %arg2 : tensor<64x64xf32, #blocked1> -> tensor<64x64xf32, #blocked2>
    %3 = tt.dot %0, %1, %2 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>> * tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>> -> tensor<64x64xf32, #blocked2>
    %4 = arith.truncf %3 : tensor<64x64xf32, #blocked2> to tensor<64x64xf16, #blocked2>
    %5 = ttg.convert_layout %4 : tensor<64x64xf16, #blocked2> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked3}>>
    %6 = ttg.convert_layout %arg3 : tensor<64x32xf16, #blocked> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked3}>>
    %7 = ttg.convert_layout %arg4 : tensor<64x32xf32, #blocked> -> tensor<64x32xf32, #blocked3>
    %8 = tt.dot %5, %6, %7 : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked3}>> * tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked3}>> -> tensor<64x32xf32, #blocked3>
    %9 = ttg.convert_layout %8 : tensor<64x32xf32, #blocked3> -> tensor<64x32xf32, #blocked>
    tt.return %9 : tensor<64x32xf32, #blocked>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [8, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 2], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 16], warpsPerCTA = [8, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @wgmma_in_loop(%arg0: tensor<64x32xf16, #blocked>, %arg1: tensor<32x64xf16, #blocked1>, %arg2: tensor<64x64xf32, #blocked1>) -> tensor<64x64xf32, #blocked1> {
    %c2_i32 = arith.constant 2 : i32
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %0 = ttg.convert_layout %arg2 : tensor<64x64xf32, #blocked1> -> tensor<64x64xf32, #blocked2>
    %1 = scf.for %arg3 = %c0_i32 to %c2_i32 step %c1_i32 iter_args(%arg4 = %0) -> (tensor<64x64xf32, #blocked2>)  : i32 {
      %3 = ttg.convert_layout %arg0 : tensor<64x32xf16, #blocked> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>>
      %4 = ttg.convert_layout %arg1 : tensor<32x64xf16, #blocked1> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>>
      %5 = tt.dot %3, %4, %arg4 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>> * tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>> -> tensor<64x64xf32, #blocked2>
      scf.yield %5 : tensor<64x64xf32, #blocked2>
    }
    %2 = ttg.convert_layout %1 : tensor<64x64xf32, #blocked2> -> tensor<64x64xf32, #blocked1>
    tt.return %2 : tensor<64x64xf32, #blocked1>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @widened_80(%arg0: tensor<64x32xf8E5M2, #blocked>, %arg1: tensor<32x64xf16, #blocked1>, %arg2: tensor<64x64xf32, #blocked1>) -> tensor<64x64xf32, #blocked1> {
    %0 = tt.fp_to_fp %arg0 : tensor<64x32xf8E5M2, #blocked> -> tensor<64x32xf16, #blocked>
    %1 = ttg.convert_layout %0 : tensor<64x32xf16, #blocked> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>>
    %2 = ttg.convert_layout %arg1 : tensor<32x64xf16, #blocked1> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>>
    %3 = ttg.convert_layout %arg2 : tensor<64x64xf32, #blocked1> -> tensor<64x64xf32, #blocked2>
    %4 = tt.dot %1, %2, %3 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>> * tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>> -> tensor<64x64xf32, #blocked2>
    %5 = ttg.convert_layout %4 : tensor<64x64xf32, #blocked2> -> tensor<64x64xf32, #blocked1>
    tt.return %5 : tensor<64x64xf32, #blocked1>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @widened_90(%arg0: tensor<64x32xf8E5M2, #blocked>, %arg1: tensor<32x64xf16, #blocked1>, %arg2: tensor<64x64xf32, #blocked1>) -> tensor<64x64xf32, #blocked1> {
    %0 = tt.fp_to_fp %arg0 : tensor<64x32xf8E5M2, #blocked> -> tensor<64x32xf16, #blocked>
    %1 = ttg.convert_layout %0 : tensor<64x32xf16, #blocked> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>>
    %2 = ttg.convert_layout %arg1 : tensor<32x64xf16, #blocked1> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>>
    %3 = ttg.convert_layout %arg2 : tensor<64x64xf32, #blocked1> -> tensor<64x64xf32, #blocked2>
    %4 = tt.dot %1, %2, %3 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>> * tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>> -> tensor<64x64xf32, #blocked2>
    %5 = ttg.convert_layout %4 : tensor<64x64xf32, #blocked2> -> tensor<64x64xf32, #blocked1>
    tt.return %5 : tensor<64x64xf32, #blocked1>
  }
}
