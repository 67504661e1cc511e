// RUN: tt-opt %s --split-input-file --allocate-shared-memory-nv=compute-capability=80 --convert-triton-gpu-to-llvm="compute-capability=80 ptx-version=87" | FileCheck %s

#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:80"} {
  // Before sm_90 an arrival has no count, and waiting threads do not sleep.
  // CHECK-LABEL: llvm.func @one_arrival
  tt.func public @one_arrival(%bar: !ttg.memdesc<1xi64, #s, #smem, mutable>, %pred: i1, %phase: i32) {
    // CHECK: "@$0 mbarrier.arrive.shared::cta.b64 _, [$1];", "b,r"
    ttng.arrive_barrier %bar, 1, %pred : !ttg.memdesc<1xi64, #s, #smem, mutable>
    // CHECK: mbarrier.test_wait.parity.shared::cta.b64 complete, [$0], $1;
    ttng.wait_barrier %bar, %phase : !ttg.memdesc<1xi64, #s, #smem, mutable>
    tt.return
  }
}
