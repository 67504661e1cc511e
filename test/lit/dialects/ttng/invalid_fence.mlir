// RUN: tt-opt %s -split-input-file -verify-diagnostics

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @cluster_arrive_relaxed() {
    // expected-error @+1 {{attribute 'relaxed' failed to satisfy constraint: bool attribute}}
    ttng.cluster_arrive {relaxed = 1 : i32}
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @fence_async_shared_cluster() {
    // expected-error @+1 {{requires attribute 'bCluster'}}
    ttng.fence_async_shared
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @fence_mbarrier_init_release_cluster_c1() {
    // expected-error @+1 {{requires ttg.num-ctas > 1}}
    ttng.fence_mbarrier_init_release_cluster
    tt.return
  }
}
