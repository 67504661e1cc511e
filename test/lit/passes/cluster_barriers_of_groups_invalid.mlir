// RUN: tt-opt %s --verify-diagnostics --ttkit-cluster-barriers-of-groups

module attributes {"ttg.num-ctas" = 3 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @three_ctas() {
    // expected-error @+1 {{warps, threads of a warp and CTAs must be powers of two, found 4, 32, 3}}
    ttg.warp_specialize()
    default {
      ttng.cluster_barrier
      ttg.warp_yield
    }
    partition0() num_warps(4) {
      ttg.warp_return
    } : () -> ()
    tt.return
  }
}
