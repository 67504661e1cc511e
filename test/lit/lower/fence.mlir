// RUN: tt-opt %s --allocate-shared-memory-nv=compute-capability=90 --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87" | FileCheck %s

// What is printed with locations can be read again, barriers too.
// RUN: tt-opt %s --allocate-shared-memory-nv=compute-capability=90 --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87" --mlir-print-debuginfo | tt-opt | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: llvm.func @fences
  tt.func public @fences() {
    // CHECK: "fence.proxy.async.shared::cta;"
    ttng.fence_async_shared {bCluster = false}
    // CHECK: "fence.proxy.async.shared::cluster;"
    ttng.fence_async_shared {bCluster = true}
    tt.return
  }

  // Edge: one for the barriers of a cluster.
  // CHECK-LABEL: llvm.func @barriers
  tt.func public @barriers() {
    // CHECK: "fence.mbarrier_init.release.cluster;"
    ttng.fence_mbarrier_init_release_cluster
    tt.return
  }

  // By number: one comes and goes on, the other waits.
  // CHECK-LABEL: llvm.func @named_barriers
  tt.func public @named_barriers() {
    // CHECK-DAG: %[[BAR:.*]] = llvm.mlir.constant(15 : i32)
    // CHECK-DAG: %[[THREADS:.*]] = llvm.mlir.constant(64 : i32)
    %bar = arith.constant 15 : i32
    %threads = arith.constant 64 : i32
    // CHECK: llvm.call_intrinsic "llvm.nvvm.barrier.cta.arrive.aligned.count"(%[[BAR]], %[[THREADS]])
    ttng.arrive_barrier_named %bar, %threads : i32, i32
    // CHECK: llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.aligned.count"(%[[BAR]], %[[THREADS]])
    ttng.wait_barrier_named %bar, %threads : i32, i32
    tt.return
  }
}
