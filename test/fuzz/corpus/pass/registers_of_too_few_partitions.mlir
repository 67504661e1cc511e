// passes: tritongpu-allocate-warp-groups
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @f() {
    ttg.warp_specialize() attributes {requestedRegisters = array<i32: 24>}
    default {
      ttg.warp_yield
    }
    partition0() num_warps(2) {
      ttg.warp_return
    }
    partition1() num_warps(2) {
      ttg.warp_return
    } : () -> ()
    tt.return
  }
}
