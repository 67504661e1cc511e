// RUN: not tt-opt %s '--convert-triton-to-tritongpu=target=cuda:90 num-warps=8' 2>&1 | FileCheck %s --check-prefix=WARPS
// RUN: not tt-opt %s '--convert-triton-to-tritongpu=target=cuda:90 num-warps=4 threads-per-warp=64' 2>&1 | FileCheck %s --check-prefix=THREADS

// WARPS: error: {{.*}}the module is ttg for 4 warps already, not for 8: pass the same number
// THREADS: error: {{.*}}the module is ttg for 32 threads in a warp already, not for 64: pass the same number
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @f() {
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
    tt.return
  }
}
