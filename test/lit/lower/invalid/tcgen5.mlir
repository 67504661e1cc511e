// RUN: tt-opt %s --verify-diagnostics --allocate-shared-memory-nv=compute-capability=100 --convert-triton-gpu-to-llvm="compute-capability=100 ptx-version=87"

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:100"} {
  tt.func public @alone_and_in_pairs(%barrier: !ttg.memdesc<1xi64, #shared, #smem, mutable>) {
    ttng.tc_gen5_commit %barrier : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    // expected-error @below {{it is issued by pairs of CTAs, and others before it by single CTAs; use two_ctas for all operations on tensor memory of a function, or for none}}
    ttng.tc_gen5_commit %barrier {two_ctas} : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    tt.return
  }
}
