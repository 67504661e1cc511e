// passes: tritongpu-allocate-warp-groups
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @groups(%x: i32) {
    ttg.warp_specialize(%x) attributes {requestedRegisters = array<i32: 24, -2147483648>}
    default {
      ttg.warp_yield
    }
    partition0(%a: i32) num_warps(1) {
      ttg.warp_return
    }
    partition1(%a: i32) num_warps(4) {
      ttg.warp_return
    } : (i32) -> ()
    tt.return
  }
}

