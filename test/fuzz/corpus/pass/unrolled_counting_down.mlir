// passes: triton-loop-unroll


tt.func @no_values(%ub: i64, %p: !tt.ptr<f32>, %v: f32) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant -1 : i64
  scf.for %i = %c0 to %ub step %c1 : i64 {
    %q = tt.addptr %p, %i : !tt.ptr<f32>, i64
    tt.store %q, %v : !tt.ptr<f32>
  } {tt.loop_unroll_factor = 2 : i32, tt.disallow_acc_multi_buffer}
  tt.return
}

