// RUN: tt-opt %s --allocate-shared-memory-nv=compute-capability=90 --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87" | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: llvm.func @fences
  tt.func public @fences() {
    // CHECK: "fence.proxy.async.shared::cta;"
    ttng.fence_async_shared {bCluster = false}
    // CHECK: "fence.proxy.async.shared::cluster;"
    ttng.fence_async_shared {bCluster = true}
    tt.return
  }

  // The barrier of a cluster in two halves; edge: an arrival that orders nothing.
  // CHECK-LABEL: llvm.func @cluster
  tt.func public @cluster() {
    // CHECK: "barrier.cluster.arrive.aligned;"
    ttng.cluster_arrive {relaxed = false}
    // CHECK: "barrier.cluster.wait.aligned;"
    ttng.cluster_wait
    // CHECK: "barrier.cluster.arrive.relaxed.aligned;"
    ttng.cluster_arrive {relaxed = true}
    tt.return
  }
}
