// passes: triton-loop-unroll
tt.func @nested(%n: i32, %p: !tt.ptr<f32>, %v: f32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    scf.for %j = %n to %n step %c1 : i32 {
      %q = tt.addptr %p, %j : !tt.ptr<f32>, i32
      tt.store %q, %v : !tt.ptr<f32>
    } {tt.loop_unroll_factor = 2 : i32}
  } {tt.loop_unroll_factor = 2 : i32}
  tt.return
}

