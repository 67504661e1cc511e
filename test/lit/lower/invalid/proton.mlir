// RUN: tt-opt %s --verify-diagnostics --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87"

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // expected-error @below {{found a value of type !proton_gpu.segment}}
  tt.func private @segment_of_a_caller(%s: !proton_gpu.segment<1024, #proton_gpu.global_memory, warp>, %c: i32) {
    proton_gpu.circular_store start %s, %c {scopeId = 1 : i32} : !proton_gpu.segment<1024, #proton_gpu.global_memory, warp>, i32
    tt.return
  }
}
