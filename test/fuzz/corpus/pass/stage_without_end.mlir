// passes: tritongpu-pipeline
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @f(%n: i32, %p: !tt.ptr<i32>) {
    %z = arith.constant 0 : i32
    %o = arith.constant 1 : i32
    scf.for %i = %z to %n step %o : i32 {
      %q = tt.addptr %p, %i {loop.stage = 0 : i32, loop.cluster = 0 : i32} : !tt.ptr<i32>, i32
      %v = tt.load %q {loop.stage = 0 : i32, loop.cluster = 0 : i32} : !tt.ptr<i32>
      tt.store %q, %v {loop.stage = 1000000000 : i32, loop.cluster = 1 : i32} : !tt.ptr<i32>
    } {tt.scheduled_max_stage = 2000000000 : i32}
    tt.return
  }
}
