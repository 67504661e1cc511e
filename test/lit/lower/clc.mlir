// RUN: tt-opt %s --split-input-file --allocate-shared-memory-nv=compute-capability=100 --convert-triton-gpu-to-llvm="compute-capability=100 ptx-version=87" | FileCheck %s

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: llvm.func @ask
  tt.func public @ask(%p: !tt.ptr<i32>, %phase: i32) {
    %answer = ttg.local_alloc : () -> !ttg.memdesc<2xi64, #shared, #smem, mutable>
    %bar = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.init_barrier %bar, 1 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    // CHECK: nvvm.elect.sync
    // CHECK: "@$0 clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [$1], [$2];", "b,r,r"
    ttng.clc_try_cancel %answer, %bar : !ttg.memdesc<2xi64, #shared, #smem, mutable>, !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.wait_barrier %bar, %phase : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    // CHECK: %[[ANSWER:.*]] = llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> i128
    %0 = ttng.clc_load_result %answer : !ttg.memdesc<2xi64, #shared, #smem, mutable> -> i128
    // CHECK: llvm.call_intrinsic "llvm.nvvm.clusterlaunchcontrol.query_cancel.is_canceled"(%[[ANSWER]]) : (i128) -> i1
    %1 = ttng.clc_is_canceled %0 : i128 -> i1
    // CHECK: llvm.call_intrinsic "llvm.nvvm.clusterlaunchcontrol.query_cancel.get_first_ctaid.y"(%[[ANSWER]]) : (i128) -> i32
    %2 = ttng.clc_get_program_id %0, y : i128 -> i32
    %3 = arith.select %1, %2, %phase : i32
    tt.store %p, %3 : !tt.ptr<i32>
    tt.return
  }
}

// -----

// Edge: one CTA asks for all of a cluster; a program is a cluster.
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[0]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: llvm.func @ask_for_both
  tt.func public @ask_for_both(%answer: !ttg.memdesc<2xi64, #shared, #smem, mutable>, %bar: !ttg.memdesc<1xi64, #shared, #smem, mutable>, %p: !tt.ptr<i32>) {
    // CHECK: nvg.cluster_id
    // CHECK: complete_tx::bytes.multicast::cluster::all.b128 [$1], [$2];"
    ttng.clc_try_cancel %answer, %bar : !ttg.memdesc<2xi64, #shared, #smem, mutable>, !ttg.memdesc<1xi64, #shared, #smem, mutable>
    %0 = ttng.clc_load_result %answer : !ttg.memdesc<2xi64, #shared, #smem, mutable> -> i128
    // CHECK: %[[CTA:.*]] = llvm.call_intrinsic "llvm.nvvm.clusterlaunchcontrol.query_cancel.get_first_ctaid.x"
    // CHECK: llvm.lshr %[[CTA]]
    %1 = ttng.clc_get_program_id %0, x : i128 -> i32
    tt.store %p, %1 : !tt.ptr<i32>
    tt.return
  }
}
