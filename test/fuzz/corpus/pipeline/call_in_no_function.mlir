// passes: 100 1 1
module attributes {"ttg.num-warps" = 4 : i32} {
    proton.record end "a"
    proton.record start "a"
    tt.call @called() : () -> ()
  tt.func public @kernel() {
    tt.return
  }
  tt.func private @called() attributes {noinline = true} {
    proton.record start "b"
    proton.record end "b"
    tt.return
  }
}
