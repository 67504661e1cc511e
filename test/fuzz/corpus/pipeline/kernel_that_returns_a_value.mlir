// passes: 75 4 1
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @several_results(%a: i32, %b: f32) -> (i32, f32) {
    tt.return %a, %b : i32, f32
  }
}
