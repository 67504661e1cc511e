// RUN: tt-opt %s --split-input-file --verify-diagnostics --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87"

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, "ttg.total-num-warps" = 8 : i32} {
  // expected-error @below {{no shared memory is allocated to tell them their tasks; run allocate-shared-memory-nv}}
  tt.func public @unallocated() {
    ttg.warp_specialize() attributes {warpGroupStartIds = array<i32: 4>}
    default {
      ttg.warp_yield
    }
    partition0() num_warps(4) {
      ttg.warp_return
    } : () -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, "ttg.total-num-warps" = 8 : i32} {
  tt.func private @helper() attributes {noinline = true} {
    tt.return
  }
  tt.func public @calls() attributes {allocation.offset = 0 : i32} {
    ttg.warp_specialize() attributes {warpGroupStartIds = array<i32: 4>}
    default {
      ttg.warp_yield
    }
    partition0() num_warps(4) {
      // expected-error @below {{found a call by a partition of specialized warps}}
      tt.call @helper() : () -> ()
      ttg.warp_return
    } : () -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, "ttg.total-num-warps" = 8 : i32, ttg.shared = 16 : i32} {
  tt.func public @registers_of_other_partitions() attributes {allocation.offset = 0 : i32} {
    // expected-error @below {{found 1 partitions, 1 of warpGroupStartIds and 0 of actualRegisters after the first; run tritongpu-allocate-warp-groups again}}
    ttg.warp_specialize() attributes {actualRegisters = array<i32: 24>, warpGroupStartIds = array<i32: 4>}
    default {
      ttg.warp_yield
    }
    partition0() num_warps(4) {
      ttg.warp_return
    } : () -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, "ttg.total-num-warps" = 8 : i32, ttg.shared = 16 : i32} {
  tt.func public @arrives_in_a_group() attributes {allocation.offset = 0 : i32} {
    ttg.warp_specialize() attributes {warpGroupStartIds = array<i32: 4>}
    default {
      ttg.warp_yield
    }
    partition0() num_warps(4) {
      // expected-error @below {{some would wait forever; write ttng.cluster_barrier (hopper.cluster.barrier), which each group has of its own}}
      ttng.cluster_arrive {relaxed = false}
      ttg.warp_return
    } : () -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, "ttg.total-num-warps" = 8 : i32, ttg.shared = 16 : i32} {
  tt.func public @waits_in_a_group() attributes {allocation.offset = 0 : i32} {
    ttng.cluster_arrive {relaxed = false}
    ttg.warp_specialize() attributes {warpGroupStartIds = array<i32: 4>}
    default {
      ttg.warp_yield
    }
    partition0() num_warps(4) {
      // expected-error @below {{some would wait forever; write ttng.cluster_barrier}}
      ttng.cluster_wait
      ttg.warp_return
    } : () -> ()
    tt.return
  }
}
