// RUN: tt-opt %s --split-input-file --verify-diagnostics --allocate-shared-memory-nv=compute-capability=90 --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87"

// Each CTA computes half the rows of the result, for which it needs all columns of the second operand.
#m = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], CGALayout = [[1, 0]], instrShape = [16, 64, 16]}>
#a = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16, CGALayout = [[1, 0]]}>
#b = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[0, 1]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
  tt.func public @columns_of_another_cta(%c: tensor<128x128xf32, #m>) -> tensor<128x128xf32, #m> {
    %a = ttg.local_alloc : () -> !ttg.memdesc<128x16xf16, #a, #smem, mutable>
    %b = ttg.local_alloc : () -> !ttg.memdesc<16x128xf16, #b, #smem, mutable>
    // expected-error @below {{found an operand divided among CTAs, and tensor cores read their own CTA's part only; choose num_ctas=1, or load it as the product divides it}}
    %d = ttng.warp_group_dot %a, %b, %c : !ttg.memdesc<128x16xf16, #a, #smem, mutable> * !ttg.memdesc<16x128xf16, #b, #smem, mutable> -> tensor<128x128xf32, #m>
    tt.return %d : tensor<128x128xf32, #m>
  }
}

// -----

#m = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 32]}>
#a = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 8}>
#b = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 8}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
  tt.func public @bytes_into_halves(%c: tensor<64x64xf16, #m>) -> tensor<64x64xf16, #m> {
    %a = ttg.local_alloc : () -> !ttg.memdesc<64x32xi8, #a, #smem, mutable>
    %b = ttg.local_alloc : () -> !ttg.memdesc<32x64xi8, #b, #smem, mutable>
    // expected-error @below {{found i8 times i8 into f16}}
    %d = ttng.warp_group_dot %a, %b, %c : !ttg.memdesc<64x32xi8, #a, #smem, mutable> * !ttg.memdesc<32x64xi8, #b, #smem, mutable> -> tensor<64x64xf16, #m>
    tt.return %d : tensor<64x64xf16, #m>
  }
}

// -----

#m = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#a = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16}>
#b = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
  tt.func public @two_kinds_of_halves(%c: tensor<64x64xf32, #m>) -> tensor<64x64xf32, #m> {
    %a = ttg.local_alloc : () -> !ttg.memdesc<64x16xf16, #a, #smem, mutable>
    %b = ttg.local_alloc : () -> !ttg.memdesc<16x64xbf16, #b, #smem, mutable>
    // expected-error @below {{found f16 times bf16 into f32}}
    %d = ttng.warp_group_dot %a, %b, %c : !ttg.memdesc<64x16xf16, #a, #smem, mutable> * !ttg.memdesc<16x64xbf16, #b, #smem, mutable> -> tensor<64x64xf32, #m>
    tt.return %d : tensor<64x64xf32, #m>
  }
}
