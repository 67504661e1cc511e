// RUN: tt-opt %s | tt-opt | FileCheck %s
// RUN: tt-opt %s --mlir-print-op-generic | tt-opt | FileCheck %s

module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32} {
  // CHECK-LABEL: @fence_async_shared
  tt.func @fence_async_shared() {
    // CHECK: ttng.fence_async_shared {bCluster = false}
    ttng.fence_async_shared {bCluster = false}
    // CHECK: ttng.fence_async_shared {bCluster = true}
    ttng.fence_async_shared {bCluster = true}
    tt.return
  }

  // CHECK-LABEL: @fence_mbarrier_init_release_cluster
  tt.func @fence_mbarrier_init_release_cluster() {
    // CHECK: ttng.fence_mbarrier_init_release_cluster
    ttng.fence_mbarrier_init_release_cluster
    tt.return
  }

  // CHECK-LABEL: @cluster_arrive
  tt.func @cluster_arrive() {
    // CHECK: ttng.cluster_arrive {relaxed = true}
    ttng.cluster_arrive {relaxed = true}
    // CHECK: ttng.cluster_arrive {relaxed = false}
    ttng.cluster_arrive {relaxed = false}
    tt.return
  }

  // CHECK-LABEL: @cluster_wait
  tt.func @cluster_wait() {
    // CHECK: ttng.cluster_wait
    ttng.cluster_wait
    tt.return
  }

  // CHECK-LABEL: @cluster_barrier
  tt.func @cluster_barrier() {
    // CHECK: ttng.cluster_barrier{{$}}
    ttng.cluster_barrier
    // CHECK: ttng.cluster_barrier {relaxed = true}
    ttng.cluster_barrier {relaxed = true}
    tt.return
  }
  // CHECK-LABEL: @named_barriers
  tt.func @named_barriers(%bar: i32) {
    %threads = arith.constant 256 : i32
    // CHECK: ttng.arrive_barrier_named %{{.*}}, %c256_i32 : i32, i32
    ttng.arrive_barrier_named %bar, %threads : i32, i32
    // CHECK: ttng.wait_barrier_named %{{.*}}, %c256_i32 : i32, i32
    ttng.wait_barrier_named %bar, %threads : i32, i32
    tt.return
  }
}
