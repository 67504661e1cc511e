// passes: convert-proton-to-protongpu
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 128 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
      proton.record end "load"
  tt.func public @loop(%p: !tt.ptr<f32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    proton.record start "all"
    scf.for %i = %c0 to %n step %c1 : i32 {
      proton.record start "load"
      %x = tt.load %p : !tt.ptr<f32>
      proton.record end "load"
      tt.store %p, %x : !tt.ptr<f32>
    }
    proton.record end "all"
    tt.return
  }
}
