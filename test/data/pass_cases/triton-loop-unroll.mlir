// Differs from Triton: it runs iterations that do not exist if the lower bound is above the upper one.
tt.func @dynamic(%lb: i32, %ub: i32, %s: i32, %p: !tt.ptr<f32>) -> f32 {
  %zf = arith.constant 0.0 : f32
  %r = scf.for %i = %lb to %ub step %s iter_args(%acc = %zf) -> f32 : i32 {
    %q = tt.addptr %p, %i : !tt.ptr<f32>, i32
    %x = tt.load %q : !tt.ptr<f32>
    %y = arith.addf %acc, %x : f32
    scf.yield %y : f32
  } {tt.loop_unroll_factor = 3 : i32, tt.num_stages = 4 : i32}
  tt.return %r : f32
}

// -----

tt.func @static(%p: !tt.ptr<f32>) -> f32 {
  %zf = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  %c8 = arith.constant 8 : i32
  %r = scf.for %i = %c0 to %c7 step %c1 iter_args(%acc = %zf) -> f32 : i32 {
    %q = tt.addptr %p, %i : !tt.ptr<f32>, i32
    %x = tt.load %q : !tt.ptr<f32>
    %y = arith.addf %acc, %x : f32
    scf.yield %y : f32
  } {tt.loop_unroll_factor = 2 : i32, tt.num_stages = 4 : i32, tt.flatten}
  %r2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%acc = %r) -> f32 : i32 {
    %q = tt.addptr %p, %i : !tt.ptr<f32>, i32
    %x = tt.load %q : !tt.ptr<f32>
    %y = arith.addf %acc, %x : f32
    scf.yield %y : f32
  } {tt.loop_unroll_factor = 4 : i32, tt.num_stages = 4 : i32}
  %r3 = scf.for %i = %c0 to %c8 step %c1 iter_args(%acc = %r2) -> f32 : i32 {
    %q = tt.addptr %p, %i : !tt.ptr<f32>, i32
    %x = tt.load %q : !tt.ptr<f32>
    %y = arith.addf %acc, %x : f32
    scf.yield %y : f32
  } {tt.loop_unroll_factor = 8 : i32}
  %r4 = scf.for %i = %c0 to %c8 step %c1 iter_args(%acc = %r3) -> f32 : i32 {
    %q = tt.addptr %p, %i : !tt.ptr<f32>, i32
    %x = tt.load %q : !tt.ptr<f32>
    %y = arith.addf %acc, %x : f32
    scf.yield %y : f32
  } {tt.loop_unroll_factor = 16 : i32}
  %r5 = scf.for %i = %c0 to %c8 step %c1 iter_args(%acc = %r4) -> f32 : i32 {
    %q = tt.addptr %p, %i : !tt.ptr<f32>, i32
    %x = tt.load %q : !tt.ptr<f32>
    %y = arith.addf %acc, %x : f32
    scf.yield %y : f32
  } {tt.loop_unroll_factor = 1 : i32}
  %r6 = scf.for %i = %c0 to %c8 step %c1 iter_args(%acc = %r5) -> f32 : i32 {
    %q = tt.addptr %p, %i : !tt.ptr<f32>, i32
    %x = tt.load %q : !tt.ptr<f32>
    %y = arith.addf %acc, %x : f32
    scf.yield %y : f32
  } {tt.loop_unroll_factor = -3 : i32}
  %r7 = scf.for %i = %c1 to %c0 step %c1 iter_args(%acc = %r6) -> f32 : i32 {
    %q = tt.addptr %p, %i : !tt.ptr<f32>, i32
    %x = tt.load %q : !tt.ptr<f32>
    %y = arith.addf %acc, %x : f32
    scf.yield %y : f32
  } {tt.loop_unroll_factor = 2 : i32}
  %r8 = scf.for unsigned %i = %c1 to %c8 step %c1 iter_args(%acc = %r7) -> f32 : i32 {
    %q = tt.addptr %p, %i : !tt.ptr<f32>, i32
    %x = tt.load %q : !tt.ptr<f32>
    %y = arith.addf %acc, %x : f32
    scf.yield %y : f32
  } {tt.loop_unroll_factor = 2 : i32}
  tt.return %r8 : f32
}

// -----

// Differs from Triton: it runs iterations that do not exist if the lower bound is above the upper one.
tt.func @nested(%lb: index, %ub: index, %s: index, %p: !tt.ptr<f32>) -> f32 {
  %zf = arith.constant 0.0 : f32
  %c2 = arith.constant 2 : index
  %r = scf.for %i = %lb to %ub step %s iter_args(%acc = %zf) -> f32 {
    %r2 = scf.for %j = %c2 to %ub step %c2 iter_args(%acc2 = %acc) -> f32 {
      %k = arith.index_cast %j : index to i32
      %q = tt.addptr %p, %k : !tt.ptr<f32>, i32
      %x = tt.load %q : !tt.ptr<f32>
      %y = arith.addf %acc2, %x : f32
      scf.yield %y : f32
    } {tt.loop_unroll_factor = 2 : i32}
    scf.for %j = %c2 to %ub step %c2 {
      %k = arith.index_cast %j : index to i32
      %q = tt.addptr %p, %k : !tt.ptr<f32>, i32
      tt.store %q, %r2 : !tt.ptr<f32>
    } {tt.loop_unroll_factor = 2 : i64}
    scf.yield %r2 : f32
  } {tt.loop_unroll_factor = 2 : i32}
  tt.return %r : f32
}

// -----

tt.func @zero(%ub: i64, %p: !tt.ptr<f32>, %v: f32) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %j = %c0 to %ub step %c1 : i64 {
    %q = tt.addptr %p, %j : !tt.ptr<f32>, i64
    tt.store %q, %v : !tt.ptr<f32>
  } {tt.loop_unroll_factor = 2 : i32, tt.disallow_acc_multi_buffer}
  tt.return
}
