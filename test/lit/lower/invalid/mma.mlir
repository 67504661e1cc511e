// RUN: tt-opt %s --split-input-file --verify-diagnostics --convert-triton-gpu-to-llvm="compute-capability=80 ptx-version=87"

#m = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 1], instrShape = [16, 8]}>
#left = #ttg.dot_op<{opIdx = 0, parent = #m, kWidth = 4}>
#right = #ttg.dot_op<{opIdx = 1, parent = #m, kWidth = 4}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @fp8(%a: tensor<16x32xf8E5M2, #left>, %b: tensor<32x8xf8E5M2, #right>, %c: tensor<16x8xf32, #m>) {
    // expected-error @below {{mma.sync of sm_80 has no product of f8E5M2 and f8E5M2 with a result in f32; convert the operands}}
    %0 = tt.dot %a, %b, %c : tensor<16x32xf8E5M2, #left> * tensor<32x8xf8E5M2, #right> -> tensor<16x8xf32, #m>
    tt.return
  }
}

// -----

#m = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 1], instrShape = [16, 8]}>
#left = #ttg.dot_op<{opIdx = 0, parent = #m, kWidth = 1}>
#right = #ttg.dot_op<{opIdx = 1, parent = #m, kWidth = 1}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @narrow(%a: tensor<16x16xf16, #left>, %b: tensor<16x8xf16, #right>, %c: tensor<16x8xf32, #m>) {
    // expected-error @below {{a thread has less than 32 bits that follow each other along k; convert the operand to the dot_op layout of the result}}
    %0 = tt.dot %a, %b, %c : tensor<16x16xf16, #left> * tensor<16x8xf16, #right> -> tensor<16x8xf32, #m>
    tt.return
  }
}
