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

// -----

tt.func @arrive_barrier_named_c1() {
  %bar = arith.constant 16 : i32
  %threads = arith.constant 256 : i32
  // expected-error @+1 {{bar must be in [0, 16), found 16}}
  ttng.arrive_barrier_named %bar, %threads : i32, i32
  tt.return
}

// -----

tt.func @arrive_barrier_named_c2() {
  %bar = arith.constant 15 : i32
  %threads = arith.constant 100 : i32
  // expected-error @+1 {{numThreads must be a positive multiple of 32, found 100}}
  ttng.arrive_barrier_named %bar, %threads : i32, i32
  tt.return
}

// -----

tt.func @wait_barrier_named_c1() {
  %bar = arith.constant -1 : i32
  %threads = arith.constant 256 : i32
  // expected-error @+1 {{bar must be in [0, 16), found -1}}
  ttng.wait_barrier_named %bar, %threads : i32, i32
  tt.return
}

// -----

tt.func @wait_barrier_named_c2() {
  %bar = arith.constant 15 : i32
  %threads = arith.constant 0 : i32
  // expected-error @+1 {{numThreads must be a positive multiple of 32, found 0}}
  ttng.wait_barrier_named %bar, %threads : i32, i32
  tt.return
}
