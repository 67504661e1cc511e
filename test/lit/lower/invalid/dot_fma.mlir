// RUN: tt-opt %s --split-input-file --verify-diagnostics --convert-triton-gpu-to-llvm="compute-capability=80 ptx-version=87"

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [8, 4], warpsPerCTA = [2, 2], order = [1, 0]}>
#left = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#right = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:80"} {
  tt.func public @narrow_result(%a: tensor<16x16xf64, #left>, %b: tensor<16x16xf64, #right>, %c: tensor<16x16xf32, #blocked>) {
    // expected-error @below {{found f64 times f64 into f32, and the result is narrower than the operands; convert the operands, or the result}}
    %0 = tt.dot %a, %b, %c : tensor<16x16xf64, #left> * tensor<16x16xf64, #right> -> tensor<16x16xf32, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [8, 4], warpsPerCTA = [2, 2], order = [1, 0]}>
#left = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#right = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:80"} {
  tt.func public @sum_in_fp8(%a: tensor<16x16xf8E5M2, #left>, %b: tensor<16x16xf8E5M2, #right>, %c: tensor<16x16xf8E5M2, #blocked>) {
    // expected-error @below {{found f8E5M2 times f8E5M2 into f8E5M2, and sums have 16 bits or more}}
    %0 = tt.dot %a, %b, %c : tensor<16x16xf8E5M2, #left> * tensor<16x16xf8E5M2, #right> -> tensor<16x16xf8E5M2, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [8, 4], warpsPerCTA = [2, 2], order = [1, 0]}>
#left = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#right = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:80"} {
  tt.func public @integers_into_floats(%a: tensor<16x16xi16, #left>, %b: tensor<16x16xi16, #right>, %c: tensor<16x16xf32, #blocked>) {
    // expected-error @below {{found i16 times i16 into f32, and integers and floats don't mix}}
    %0 = tt.dot %a, %b, %c : tensor<16x16xi16, #left> * tensor<16x16xi16, #right> -> tensor<16x16xf32, #blocked>
    tt.return
  }
}
