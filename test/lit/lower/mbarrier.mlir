// RUN: tt-opt %s --allocate-shared-memory-nv=compute-capability=90 --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87" | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // One thread sets a barrier up and announces bytes; all wait.
  // CHECK-LABEL: llvm.func @phase
  tt.func public @phase(%pred: i1, %phase: i32) {
    %bar = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #s, #smem, mutable>
    // CHECK: %[[FIRST:.*]] = llvm.icmp "eq"
    // CHECK: "@$0 mbarrier.init.shared::cta.b64 [$1], 1;", "b,r" %[[FIRST]]
    ttng.init_barrier %bar, 1 : !ttg.memdesc<1xi64, #s, #smem, mutable>
    // CHECK: llvm.and %[[FIRST]]
    // CHECK: "@$0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [$1], 512;", "b,r"
    ttng.barrier_expect %bar, 512, %pred : !ttg.memdesc<1xi64, #s, #smem, mutable>
    // CHECK: mbarrier.try_wait.parity.shared::cta.b64 complete, [$0], $1;
    ttng.wait_barrier %bar, %phase : !ttg.memdesc<1xi64, #s, #smem, mutable>
    // CHECK: "@$0 mbarrier.inval.shared::cta.b64 [$1];", "b,r" %[[FIRST]]
    ttng.inval_barrier %bar : !ttg.memdesc<1xi64, #s, #smem, mutable>
    tt.return
  }

  // Edge: under a condition; and copies that arrive by themselves.
  // CHECK-LABEL: llvm.func @conditional
  tt.func public @conditional(%bar: !ttg.memdesc<1xi64, #s, #smem, mutable>, %pred: i1, %phase: i32) {
    // CHECK: "@$0 mbarrier.arrive.shared::cta.b64 _, [$1], 2;", "b,r"
    ttng.arrive_barrier %bar, 2, %pred : !ttg.memdesc<1xi64, #s, #smem, mutable>
    // CHECK: cp.async.mbarrier.arrive.noinc.shared::cta.b64 [$0];
    ttng.async_copy_mbarrier_arrive %bar {noIncrement} : !ttg.memdesc<1xi64, #s, #smem, mutable>
    // CHECK: @!$2 bra.uni skipWait;
    ttng.wait_barrier %bar, %phase, %pred : !ttg.memdesc<1xi64, #s, #smem, mutable>
    tt.return
  }
}
