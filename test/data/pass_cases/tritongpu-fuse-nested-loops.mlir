// Sums of rows: what the inner loop starts with comes from before the outer loop.
tt.func @row_sums(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %n: i32, %k: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %start = arith.muli %i, %k : i32
    %row = tt.addptr %p, %start : !tt.ptr<f32>, i32
    %to = tt.addptr %q, %i : !tt.ptr<f32>, i32
    %s = scf.for %j = %c0 to %k step %c1 iter_args(%acc = %zero) -> f32 : i32 {
      %o = tt.addptr %row, %j : !tt.ptr<f32>, i32
      %x = tt.load %o : !tt.ptr<f32>
      %y = arith.addf %acc, %x : f32
      scf.yield %y : f32
    }
    tt.store %to, %s : !tt.ptr<f32>
  } {tt.flatten, tt.num_stages = 4 : i32}
  tt.return
}
// -----
// What both loops carry: the inner one starts with what the prologue computes or the outer one carries.
tt.func @carried(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %n: i32, %k: i32) -> (f32, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %r:2 = scf.for %i = %c1 to %n step %c2 iter_args(%a = %one, %b = %c0) -> (f32, i32) : i32 {
    %f = arith.sitofp %i : i32 to f32
    %square = arith.muli %i, %i : i32
    %s:3 = scf.for %j = %c0 to %k step %c2 iter_args(%u = %zero, %w = %f, %d = %a) -> (f32, f32, f32) : i32 {
      %o = tt.addptr %p, %j : !tt.ptr<f32>, i32
      %x = tt.load %o : !tt.ptr<f32>
      %u1 = arith.addf %u, %x : f32
      %w1 = arith.addf %w, %one : f32
      %d1 = arith.maxnumf %d, %x : f32
      scf.yield %u1, %w1, %d1 : f32, f32, f32
    }
    %to = tt.addptr %q, %i : !tt.ptr<f32>, i32
    %v = arith.addf %s#0, %s#1 : f32
    tt.store %to, %v : !tt.ptr<f32>
    %e = arith.addi %b, %square : i32
    scf.yield %s#2, %e : f32, i32
  } {tt.flatten}
  tt.return %r#0, %r#1 : f32, i32
}
// -----
// Differs from Triton: %b is used in the inner loop, but its new value is passed on after one iteration of it.
tt.func @rotated(%p: !tt.ptr<i32>, %q: !tt.ptr<i32>, %n: i32, %k: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c5 = arith.constant 5 : i32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0, %b = %c5) -> (i32, i32) : i32 {
    %o = tt.addptr %p, %i : !tt.ptr<i32>, i32
    %m = tt.load %o : !tt.ptr<i32>
    scf.for %j = %c0 to %k step %c1 : i32 {
      %to = tt.addptr %q, %j : !tt.ptr<i32>, i32
      %old = tt.load %to : !tt.ptr<i32>
      %new = arith.addi %old, %b : i32
      tt.store %to, %new : !tt.ptr<i32>
    }
    scf.yield %m, %a : i32, i32
  } {tt.flatten}
  tt.return %r#0, %r#1 : i32, i32
}
// -----
// Bounds of different widths; the inner one's are computed in the outer loop, from what does not change.
tt.func @widths(%p: !tt.ptr<i32>, %q: !tt.ptr<i32>, %n: i64, %k: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %l0 = arith.constant 0 : i64
  %l1 = arith.constant 1 : i64
  scf.for %i = %l0 to %n step %l1 : i64 {
    %half = arith.divsi %k, %c3 : i32
    %last = arith.addi %half, %c1 : i32
    %row = arith.trunci %i : i64 to i32
    %start = arith.muli %row, %k : i32
    scf.for %j = %c0 to %last step %c1 : i32 {
      %at = arith.addi %start, %j : i32
      %to = tt.addptr %q, %at : !tt.ptr<i32>, i32
      tt.store %to, %row : !tt.ptr<i32>
    }
  } {tt.flatten, tt.disallow_acc_multi_buffer}
  tt.return
}
// -----
// Left alone: the inner loop runs ever more often.  What does not change still leaves the outer loop.
tt.func @triangle(%p: !tt.ptr<i32>, %q: !tt.ptr<i32>, %n: i32, %k: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %start = arith.muli %i, %n : i32
    %square = arith.muli %n, %n : i32
    scf.for %j = %c0 to %i step %c1 : i32 {
      %at = arith.addi %start, %j : i32
      %to = tt.addptr %q, %at : !tt.ptr<i32>, i32
      tt.store %to, %square : !tt.ptr<i32>
    }
  } {tt.flatten}
  tt.return
}
// -----
// Branches before and after the inner loop.
tt.func @branches(%p: !tt.ptr<i32>, %q: !tt.ptr<i32>, %n: i32, %k: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %rest = arith.remsi %i, %c2 : i32
    %odd = arith.cmpi eq, %rest, %c1 : i32
    %w = scf.if %odd -> i32 {
      %o = tt.addptr %p, %i : !tt.ptr<i32>, i32
      %x = tt.load %o : !tt.ptr<i32>
      scf.yield %x : i32
    } else {
      scf.yield %n : i32
    }
    %s = scf.for %j = %c0 to %k step %c1 iter_args(%acc = %w) -> i32 : i32 {
      %y = arith.addi %acc, %j : i32
      scf.yield %y : i32
    }
    scf.if %odd {
      %to = tt.addptr %q, %i : !tt.ptr<i32>, i32
      tt.store %to, %s : !tt.ptr<i32>
    }
  } {tt.flatten}
  tt.return
}
