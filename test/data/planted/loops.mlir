// --- f32: a stale value
%r = scf.for %k = %z to %n step %o iter_args(%s = %f0) -> (f32) : i32 {
  %p = tt.addptr %x, %k : !tt.ptr<f32>, i32
  %v = tt.load %p : !tt.ptr<f32>
  %t = arith.addf %s, %v : f32
  scf.yield [[%t||%s]] : f32
}
tt.store %out, %r : !tt.ptr<f32>
// --- f32: a loop begins one later
%r = scf.for %k = [[%z||%o]] to %n step %o iter_args(%s = %f0) -> (f32) : i32 {
  %p = tt.addptr %x, %k : !tt.ptr<f32>, i32
  %v = tt.load %p : !tt.ptr<f32>
  %t = arith.addf %s, %v : f32
  scf.yield %t : f32
}
tt.store %out, %r : !tt.ptr<f32>
// --- f32: a loop ends one later
%e = arith.addi %n, [[%z||%o]] : i32
%r = scf.for %k = %z to %e step %o iter_args(%s = %f0) -> (f32) : i32 {
  %p = tt.addptr %x, %k : !tt.ptr<f32>, i32
  %v = tt.load %p : !tt.ptr<f32>
  %t = arith.addf %s, %v : f32
  scf.yield %t : f32
}
tt.store %out, %r : !tt.ptr<f32>
// --- f32: a loop without iterations runs once
%e = arith.maxsi %n, [[%z||%o]] : i32
%r = scf.for %k = %z to %e step %o iter_args(%s = %f0) -> (f32) : i32 {
  %t = arith.addf %s, %f1 : f32
  scf.yield %t : f32
}
tt.store %out, %r : !tt.ptr<f32>
// --- f32: the rest of an unrolled loop is lost
%two = arith.constant 2 : i32
%h = arith.divsi %n, %two : i32
%d = arith.muli %h, %two : i32
%r = scf.for %k = %z to [[%n||%d]] step %o iter_args(%s = %f0) -> (f32) : i32 {
  %t = arith.addf %s, %f1 : f32
  scf.yield %t : f32
}
tt.store %out, %r : !tt.ptr<f32>
// --- f32: another step
%two = arith.constant 2 : i32
%r = scf.for %k = %z to %n step [[%o||%two]] iter_args(%s = %f0) -> (f32) : i32 {
  %p = tt.addptr %x, %k : !tt.ptr<f32>, i32
  %v = tt.load %p : !tt.ptr<f32>
  %t = arith.addf %s, %v : f32
  scf.yield %t : f32
}
tt.store %out, %r : !tt.ptr<f32>
// --- f32: swapped values of a loop
%r, %q = scf.for %k = %z to %n step %o iter_args(%s = %f0, %u = %f1) -> (f32, f32) : i32 {
  %t = arith.addf %s, %u : f32
  scf.yield [[%t, %s||%s, %t]] : f32, f32
}
tt.store %out, %r : !tt.ptr<f32>
// --- f32: a load that the loop stores to moves out of it
%v0 = tt.load %x : !tt.ptr<f32>
scf.for %k = %z to %n step %o : i32 {
  %v = tt.load %x : !tt.ptr<f32>
  %w = arith.addf [[%v||%v0]], %f1 : f32
  %p = tt.addptr %out, %k : !tt.ptr<f32>, i32
  tt.store %p, %w : !tt.ptr<f32>
}
// --- f32: a load is one iteration early
%v0 = tt.load %x : !tt.ptr<f32>
%r = scf.for %k = %z to %n step %o iter_args(%s = %v0) -> (f32) : i32 {
  %p = tt.addptr %x, %k : !tt.ptr<f32>, i32
  %v = tt.load %p : !tt.ptr<f32>
  %e = arith.addi %k, %o : i32
  %g = arith.cmpi slt, %e, %n : i32
  %p2 = tt.addptr %x, %e : !tt.ptr<f32>, i32
  %v2 = tt.load %p2, %g, %f0 : !tt.ptr<f32>
  %q = tt.addptr %out, %k : !tt.ptr<f32>, i32
  tt.store %q, [[%v||%s]] : !tt.ptr<f32>
  scf.yield %v2 : f32
}
// --- f32: a value is known after the first iteration
%r = scf.for %k = %z to %n step %o iter_args(%s = %f0) -> (f32) : i32 {
  %lim = arith.constant 5 : i32
  %g = arith.cmpi eq, %k, %lim : i32
  %t = arith.addf %s, %f1 : f32
  %u = arith.select %g, [[%f0||%t]], %t : f32
  scf.yield %u : f32
}
tt.store %out, %r : !tt.ptr<f32>
// --- f32: an iteration far away
%r = scf.for %k = %z to %n step %o iter_args(%s = %f0) -> (f32) : i32 {
  %lim = arith.constant 450 : i32
  %g = arith.cmpi eq, %k, %lim : i32
  %t = arith.addf %s, %f1 : f32
  %u = arith.select %g, [[%f0||%t]], %t : f32
  scf.yield %u : f32
}
tt.store %out, %r : !tt.ptr<f32>
// --- f32: the condition of a while loop
%r = scf.while (%k = %z) : (i32) -> i32 {
  %g = arith.cmpi [[slt||sle]], %k, %n : i32
  scf.condition(%g) %k : i32
} do {
^bb0(%k: i32):
  %e = arith.addi %k, %o : i32
  scf.yield %e : i32
}
%rf = arith.sitofp %r : i32 to f32
tt.store %out, %rf : !tt.ptr<f32>
// --- f32: the index of the inner loop
%r = scf.for %k = %z to %n step %o iter_args(%s = %f0) -> (f32) : i32 {
  %q = scf.for %l = %z to %m step %o iter_args(%t = %s) -> (f32) : i32 {
    %p = tt.addptr %x, [[%l||%k]] : !tt.ptr<f32>, i32
    %v = tt.load %p : !tt.ptr<f32>
    %u = arith.addf %t, %v : f32
    scf.yield %u : f32
  }
  scf.yield %q : f32
}
tt.store %out, %r : !tt.ptr<f32>
// --- f32: a store only in the last iteration
%l = arith.subi %n, %o : i32
scf.for %k = %z to %n step %o : i32 {
  %g = arith.cmpi [[sge, %k, %z||eq, %k, %l]] : i32
  scf.if %g {
    %p = tt.addptr %out, %k : !tt.ptr<f32>, i32
    tt.store %p, %f1 : !tt.ptr<f32>
  }
}
// --- f32: a negative step bound
%a = arith.subi %z, %n : i32
%r = scf.for %k = %z to [[%n||%a]] step %o iter_args(%s = %f0) -> (f32) : i32 {
  %t = arith.addf %s, %f1 : f32
  scf.yield %t : f32
}
tt.store %out, %r : !tt.ptr<f32>
// --- f32: a loop without sign
%r = scf.for [[||unsigned ]]%k = %z to %n step %o iter_args(%s = %f0) -> (f32) : i32 {
  %hundred = arith.constant 100 : i32
  %g = arith.cmpi sge, %k, %hundred : i32
  %p = tt.addptr %x, %k : !tt.ptr<f32>, i32
  %v = tt.load %p : !tt.ptr<f32>
  %t = arith.addf %s, %v : f32
  scf.yield %t : f32
}
tt.store %out, %r : !tt.ptr<f32>
