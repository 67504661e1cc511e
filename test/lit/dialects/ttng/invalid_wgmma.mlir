// RUN: tt-opt %s -split-input-file -verify-diagnostics

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_group_dot_c1(%a: !ttg.memdesc<64x64xf16, #nv, #smem>, %b: !ttg.memdesc<64x64xf16, #nv, #smem>,
                             %c: tensor<64x64xf32, #mma>) {
    // expected-error @+1 {{failed to verify that result's type matches accumulator's type}}
    %0 = "ttng.warp_group_dot"(%a, %b, %c)
        : (!ttg.memdesc<64x64xf16, #nv, #smem>, !ttg.memdesc<64x64xf16, #nv, #smem>, tensor<64x64xf32, #mma>)
          -> tensor<64x64xf16, #mma>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_group_dot_c2(%a: !ttg.memdesc<64x64xf16, #nv, #smem>, %b: !ttg.memdesc<64x64xf16, #nv, #smem>,
                             %c: tensor<64x64xf32, #blocked>) {
    // expected-error @+1 {{WGMMA result layout must be Hopper NVMMA}}
    %0 = ttng.warp_group_dot %a, %b, %c
        : !ttg.memdesc<64x64xf16, #nv, #smem> * !ttg.memdesc<64x64xf16, #nv, #smem> -> tensor<64x64xf32, #blocked>
    tt.return
  }
}

// -----

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_group_dot_c2_no_layout(%a: !ttg.memdesc<64x64xf16, #nv, #smem>,
                                       %b: !ttg.memdesc<64x64xf16, #nv, #smem>, %c: tensor<64x64xf32>) {
    // expected-error @+1 {{WGMMA result layout must be Hopper NVMMA}}
    %0 = ttng.warp_group_dot %a, %b, %c
        : !ttg.memdesc<64x64xf16, #nv, #smem> * !ttg.memdesc<64x64xf16, #nv, #smem> -> tensor<64x64xf32>
    tt.return
  }
}

// -----

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#mma2 = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_group_dot_c2_version(%a: !ttg.memdesc<64x64xf16, #nv, #smem>, %b: !ttg.memdesc<64x64xf16, #nv, #smem>,
                                     %c: tensor<64x64xf32, #mma2>) {
    // expected-error @+1 {{WGMMA result layout must be Hopper NVMMA}}
    %0 = ttng.warp_group_dot %a, %b, %c
        : !ttg.memdesc<64x64xf16, #nv, #smem> * !ttg.memdesc<64x64xf16, #nv, #smem> -> tensor<64x64xf32, #mma2>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_group_dot_c3_a(%a: !ttg.memdesc<64x64xf16, #shared, #smem>, %b: !ttg.memdesc<64x64xf16, #nv, #smem>,
                               %c: tensor<64x64xf32, #mma>) {
    // expected-error @+1 {{WGMMA A operand must have NVMMA shared or dot layout}}
    %0 = ttng.warp_group_dot %a, %b, %c
        : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #nv, #smem> -> tensor<64x64xf32, #mma>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_group_dot_c3_a_blocked(%a: tensor<64x64xf16, #blocked>, %b: !ttg.memdesc<64x64xf16, #nv, #smem>,
                                       %c: tensor<64x64xf32, #mma>) {
    // expected-error @+1 {{WGMMA A operand must have NVMMA shared or dot layout}}
    %0 = ttng.warp_group_dot %a, %b, %c
        : tensor<64x64xf16, #blocked> * !ttg.memdesc<64x64xf16, #nv, #smem> -> tensor<64x64xf32, #mma>
    tt.return
  }
}

// -----

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_group_dot_c3_a_no_layout(%a: tensor<64x64xf16>, %b: !ttg.memdesc<64x64xf16, #nv, #smem>,
                                         %c: tensor<64x64xf32, #mma>) {
    // expected-error @+1 {{WGMMA A operand must have NVMMA shared or dot layout}}
    %0 = ttng.warp_group_dot %a, %b, %c
        : tensor<64x64xf16> * !ttg.memdesc<64x64xf16, #nv, #smem> -> tensor<64x64xf32, #mma>
    tt.return
  }
}

// -----

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#smem = #ttg.shared_memory
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_group_dot_c3_a_space(%a: !ttg.memdesc<128x64xf16, #tmem, #tm>, %b: !ttg.memdesc<64x64xf16, #nv, #smem>,
                                     %c: tensor<128x64xf32, #mma>) {
    // expected-error @+1 {{WGMMA A operand must have NVMMA shared or dot layout}}
    %0 = ttng.warp_group_dot %a, %b, %c
        : !ttg.memdesc<128x64xf16, #tmem, #tm> * !ttg.memdesc<64x64xf16, #nv, #smem> -> tensor<128x64xf32, #mma>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_group_dot_c3_b(%a: !ttg.memdesc<64x64xf16, #nv, #smem>, %b: !ttg.memdesc<64x64xf16, #shared, #smem>,
                               %c: tensor<64x64xf32, #mma>) {
    // expected-error @+1 {{WGMMA B operand must have NVMMA shared layout}}
    %0 = ttng.warp_group_dot %a, %b, %c
        : !ttg.memdesc<64x64xf16, #nv, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    tt.return
  }
}

// -----

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#dot = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_group_dot_c3_b_registers(%a: !ttg.memdesc<64x64xf16, #nv, #smem>, %b: tensor<64x64xf16, #dot>,
                                         %c: tensor<64x64xf32, #mma>) {
    // expected-error @+1 {{operand #1 must be memory descriptor}}
    %0 = "ttng.warp_group_dot"(%a, %b, %c)
        : (!ttg.memdesc<64x64xf16, #nv, #smem>, tensor<64x64xf16, #dot>, tensor<64x64xf32, #mma>)
          -> tensor<64x64xf32, #mma>
    tt.return
  }
}

// -----

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_group_dot_c4(%a: !ttg.memdesc<64x64xf16, #nv, #smem>, %b: !ttg.memdesc<64x64xf16, #nv, #smem>,
                             %c: tensor<64x64xf32, #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [2, 1], instrShape = [16, 64, 16]}>>) {
    // expected-error @+1 {{WGMMA requires num_warps to be divisible by 4}}
    %0 = ttng.warp_group_dot %a, %b, %c
        : !ttg.memdesc<64x64xf16, #nv, #smem> * !ttg.memdesc<64x64xf16, #nv, #smem>
          -> tensor<64x64xf32, #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [2, 1], instrShape = [16, 64, 16]}>>
    tt.return
  }
}

// -----

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_group_dot_c5_rows(%a: !ttg.memdesc<32x64xf16, #nv, #smem>, %b: !ttg.memdesc<64x64xf16, #nv, #smem>,
                                  %c: tensor<32x64xf32, #mma>) {
    // expected-error @+1 {{WGMMA result M dimension must be divisible by 64}}
    %0 = ttng.warp_group_dot %a, %b, %c
        : !ttg.memdesc<32x64xf16, #nv, #smem> * !ttg.memdesc<64x64xf16, #nv, #smem> -> tensor<32x64xf32, #mma>
    tt.return
  }
}

// -----

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_group_dot_c5_columns(%a: !ttg.memdesc<64x64xf16, #nv, #smem>, %b: !ttg.memdesc<64x4xf16, #nv, #smem>,
                                     %c: tensor<64x4xf32, #mma>) {
    // expected-error @+1 {{WGMMA result N dimension must be divisible by 8}}
    %0 = ttng.warp_group_dot %a, %b, %c
        : !ttg.memdesc<64x64xf16, #nv, #smem> * !ttg.memdesc<64x4xf16, #nv, #smem> -> tensor<64x4xf32, #mma>
    tt.return
  }
}

// -----

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_group_dot_c6(%a: !ttg.memdesc<64x64xi16, #nv, #smem>, %b: !ttg.memdesc<64x64xi16, #nv, #smem>,
                             %c: tensor<64x64xi32, #mma>) {
    // expected-error @+1 {{unsupported MMA version for the given operands}}
    %0 = ttng.warp_group_dot %a, %b, %c
        : !ttg.memdesc<64x64xi16, #nv, #smem> * !ttg.memdesc<64x64xi16, #nv, #smem> -> tensor<64x64xi32, #mma>
    tt.return
  }
}

// -----

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_group_dot_c7(%a: !ttg.memdesc<64x64xf8E4M3FN, #nv, #smem>,
                             %b: !ttg.memdesc<64x64xf8E4M3FN, #nv, #smem>, %c: tensor<64x64xf32, #mma>) {
    // expected-error @+1 {{Cannot use F32 as the accumulator element type when the max_num_imprecise_acc is less than 32}}
    %0 = ttng.warp_group_dot %a, %b, %c
        : !ttg.memdesc<64x64xf8E4M3FN, #nv, #smem> * !ttg.memdesc<64x64xf8E4M3FN, #nv, #smem>
          -> tensor<64x64xf32, #mma>
    tt.return
  }
}

// -----

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_group_dot_c8(%a: tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>>,
                             %b: !ttg.memdesc<64x64xf16, #nv, #smem>, %c: tensor<64x64xf32, #mma>) {
    // expected-error @+1 {{in-register LHS operand must have a kWidth of 2 but got 4}}
    %0 = ttng.warp_group_dot %a, %b, %c
        : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>>
          * !ttg.memdesc<64x64xf16, #nv, #smem> -> tensor<64x64xf32, #mma>
    tt.return
  }
}

// -----

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_group_dot_c9_k(%a: !ttg.memdesc<64x32xf16, #nv, #smem>, %b: !ttg.memdesc<64x64xf16, #nv, #smem>,
                               %c: tensor<64x64xf32, #mma>) {
    // expected-error @+1 {{expected the last dimension of the first operand to be equal to the second-to-last dimension of the second operand}}
    %0 = ttng.warp_group_dot %a, %b, %c
        : !ttg.memdesc<64x32xf16, #nv, #smem> * !ttg.memdesc<64x64xf16, #nv, #smem> -> tensor<64x64xf32, #mma>
    tt.return
  }
}

// -----

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_group_dot_c9_m(%a: !ttg.memdesc<128x64xf16, #nv, #smem>, %b: !ttg.memdesc<64x64xf16, #nv, #smem>,
                               %c: tensor<64x64xf32, #mma>) {
    // expected-error @+1 {{expected the output shape to be the concatenation of the last dimension of the first operand and the last dimension of the second (128x64)}}
    %0 = ttng.warp_group_dot %a, %b, %c
        : !ttg.memdesc<128x64xf16, #nv, #smem> * !ttg.memdesc<64x64xf16, #nv, #smem> -> tensor<64x64xf32, #mma>
    tt.return
  }
}

// -----

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_group_dot_c9_n(%a: !ttg.memdesc<64x64xf16, #nv, #smem>, %b: !ttg.memdesc<64x128xf16, #nv, #smem>,
                               %c: tensor<64x64xf32, #mma>) {
    // expected-error @+1 {{expected the output shape to be the concatenation of the last dimension of the first operand and the last dimension of the second (64x128)}}
    %0 = ttng.warp_group_dot %a, %b, %c
        : !ttg.memdesc<64x64xf16, #nv, #smem> * !ttg.memdesc<64x128xf16, #nv, #smem> -> tensor<64x64xf32, #mma>
    tt.return
  }
}

// -----

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_group_dot_c9_rank(%a: !ttg.memdesc<1x64x64xf16, #nv, #smem>, %b: !ttg.memdesc<64x64xf16, #nv, #smem>,
                                  %c: tensor<64x64xf32, #mma>) {
    // expected-error @+1 {{expected all operands to have the same rank}}
    %0 = ttng.warp_group_dot %a, %b, %c
        : !ttg.memdesc<1x64x64xf16, #nv, #smem> * !ttg.memdesc<64x64xf16, #nv, #smem> -> tensor<64x64xf32, #mma>
    tt.return
  }
}

// -----

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#mma2 = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_group_dot_c10(%a: tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma2, kWidth = 2}>>,
                              %b: !ttg.memdesc<64x64xf16, #nv, #smem>, %c: tensor<64x64xf32, #mma>) {
    // expected-error @+1 {{unexpected operand layout for NvidiaMmaEncodingAttr v3}}
    %0 = ttng.warp_group_dot %a, %b, %c
        : tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma2, kWidth = 2}>>
          * !ttg.memdesc<64x64xf16, #nv, #smem> -> tensor<64x64xf32, #mma>
    tt.return
  }
}

// -----

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_group_dot_a_scalar(%a: i32, %b: !ttg.memdesc<64x64xf16, #nv, #smem>, %c: tensor<64x64xf32, #mma>) {
    // expected-error @+1 {{operand #0 must be TensorOrMemDesc instance}}
    %0 = "ttng.warp_group_dot"(%a, %b, %c)
        : (i32, !ttg.memdesc<64x64xf16, #nv, #smem>, tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma>
    tt.return
  }
}

// -----

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_group_dot_c_scalar(%a: i32, %b: !ttg.memdesc<64x64xf16, #nv, #smem>) {
    // expected-error @+1 {{operand #2 must be ranked tensor of floating-point or integer values}}
    %0 = "ttng.warp_group_dot"(%b, %b, %a)
        : (!ttg.memdesc<64x64xf16, #nv, #smem>, !ttg.memdesc<64x64xf16, #nv, #smem>, i32) -> i32
    tt.return
  }
}

// -----

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_group_dot_no_c(%a: i32, %b: !ttg.memdesc<64x64xf16, #nv, #smem>) {
    // expected-error @+1 {{expected 3 or more operands, but}}
    %0 = "ttng.warp_group_dot"(%b, %b)
        : (!ttg.memdesc<64x64xf16, #nv, #smem>, !ttg.memdesc<64x64xf16, #nv, #smem>) -> i32
    tt.return
  }
}

// -----

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_group_dot_use_c(%a: !ttg.memdesc<64x64xf16, #nv, #smem>, %b: !ttg.memdesc<64x64xf16, #nv, #smem>,
                                // expected-note @+1 {{prior use here}}
                                %c: tensor<64x64xf32, #mma>, %u: i32) {
    // expected-error @+1 {{use of value '%u' expects different type than prior uses}}
    %0 = ttng.warp_group_dot %a, %b, %c, %u
        : !ttg.memdesc<64x64xf16, #nv, #smem> * !ttg.memdesc<64x64xf16, #nv, #smem> -> tensor<64x64xf32, #mma>
    tt.return
  }
}

// -----

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_group_dot_precision(%a: !ttg.memdesc<64x64xf16, #nv, #smem>, %b: !ttg.memdesc<64x64xf16, #nv, #smem>,
                                    %c: tensor<64x64xf32, #mma>) {
    // expected-error @+1 {{attribute 'inputPrecision' failed to satisfy constraint: allowed 32-bit signless integer cases: 0, 1, 2, 3, 4}}
    %0 = ttng.warp_group_dot %a, %b, %c {inputPrecision = 9 : i32}
        : !ttg.memdesc<64x64xf16, #nv, #smem> * !ttg.memdesc<64x64xf16, #nv, #smem> -> tensor<64x64xf32, #mma>
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_group_dot_wait_c1() {
    // expected-error @+1 {{expected to be waiting on at least one dependency}}
    "ttng.warp_group_dot_wait"() <{pendings = 0 : i32}> : () -> ()
    tt.return
  }
}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_group_dot_wait_c2_count(%c: tensor<64x64xf32, #mma>) {
    // expected-error @+1 {{failed to verify that all of}}
    %0:2 = "ttng.warp_group_dot_wait"(%c) <{pendings = 0 : i32}>
        : (tensor<64x64xf32, #mma>) -> (tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>)
    tt.return
  }
}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_group_dot_wait_c2_type(%c: tensor<64x64xf32, #mma>) {
    // expected-error @+1 {{failed to verify that all of}}
    %0 = "ttng.warp_group_dot_wait"(%c) <{pendings = 0 : i32}>
        : (tensor<64x64xf32, #mma>) -> (tensor<64x32xf32, #mma>)
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_group_dot_wait_scalar(%c: i32) {
    // expected-error @+1 {{operand #0 must be variadic of TensorOrMemDesc instance}}
    %0 = "ttng.warp_group_dot_wait"(%c) <{pendings = 0 : i32}> : (i32) -> i32
    tt.return
  }
}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_group_dot_wait_pendings(%c: tensor<64x64xf32, #mma>) {
    // expected-error @+1 {{requires attribute 'pendings'}}
    %0 = ttng.warp_group_dot_wait %c : tensor<64x64xf32, #mma>
    tt.return
  }
}
