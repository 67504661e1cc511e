// passes: 80 1 1
module attributes {allocation.offset = 0 : i32} {
  tt.func private @helper() attributes {noinline = true} {
    tt.return
  }
  tt.func public @calls() attributes {allocation.offset = 0 : i32} {
    ttg.warp_specialize() attributes {warpGroupStartIds = array<i32: 4>}
    default {
      ttg.warp_yield
    }
    partition0() num_warps(4) {
      tt.call @helper() : () -> ()
      ttg.warp_return
    } : () -> ()
    tt.return
  }
}

