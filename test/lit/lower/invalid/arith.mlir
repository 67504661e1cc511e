// RUN: tt-opt %s --split-input-file --verify-diagnostics --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87"

// GPUs compute nothing with floats of 8 bits.

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
  tt.func public @sum(%x: f8E5M2) {
    // expected-error @below {{found f8E5M2, and GPUs have no arithmetic for it; extend it to f16 first}}
    %0 = arith.addf %x, %x : f8E5M2
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
  tt.func public @quotient(%x: f8E5M2) {
    // expected-error @below {{found f8E5M2, and GPUs have no arithmetic for it; extend it to f16 first}}
    %0 = arith.divf %x, %x : f8E5M2
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
  tt.func public @comparison(%x: f8E5M2) {
    // expected-error @below {{found f8E5M2, and GPUs have no arithmetic for it; extend it to f16 first}}
    %0 = arith.cmpf olt, %x, %x : f8E5M2
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
  tt.func public @fused(%x: f8E5M2) {
    // expected-error @below {{found f8E5M2, and GPUs have no arithmetic for it; extend it to f16 first}}
    %0 = math.fma %x, %x, %x : f8E5M2
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
  tt.func public @integer(%x: f8E5M2) {
    // expected-error @below {{found f8E5M2, and GPUs have no arithmetic for it; extend it to f16 first}}
    %0 = arith.fptosi %x : f8E5M2 to i32
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
  // expected-error @below {{whose elements are neither numbers nor pointers}}
  tt.func public @buffers(%x: tensor<128x4x!ttg.memdesc<64xf32, #shared, #ttg.shared_memory>, #blocked>) {
    tt.return
  }
}
