// RUN: tt-opt %s --verify-diagnostics --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87"

// Each CTA holds all elements, of which it has the pointers of half.
#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0], CGALayout = [[1]]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[0]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @half(%p: tensor<128x!tt.ptr<f32>, #b>, %d: !ttg.memdesc<128xf32, #s, #smem, mutable>) {
    // expected-error @below {{found a buffer divided among other CTAs than the pointers; convert the pointers to its division}}
    %0 = ttg.async_copy_global_to_local %p, %d : tensor<128x!tt.ptr<f32>, #b> -> <128xf32, #s, #smem, mutable>
    tt.return
  }
}
