// --- f32: a dropped mask of a store
%v = tt.load %xp, %mask, %zero : tensor<64x!tt.ptr<f32>>
tt.store %outp, %v[[, %mask||]] : tensor<64x!tt.ptr<f32>>
// --- f32: a dropped mask of a load
%v = tt.load %xp[[, %mask, %zero||]] : tensor<64x!tt.ptr<f32>>
tt.store %outp, %v : tensor<64x!tt.ptr<f32>>
// --- f32: another value where the mask is false
%v = tt.load %xp, %mask, [[%zero||%one]] : tensor<64x!tt.ptr<f32>>
tt.store %outp, %v : tensor<64x!tt.ptr<f32>>
// --- f32: no value where the mask is false
%v = tt.load %xp, %mask[[, %one||]] : tensor<64x!tt.ptr<f32>>
tt.store %outp, %v : tensor<64x!tt.ptr<f32>>
// --- f32: a mask that includes its bound
%k = arith.cmpi [[slt||sle]], %i, %ns : tensor<64xi32>
%v = tt.load %xp, %k, %zero : tensor<64x!tt.ptr<f32>>
tt.store %outp, %v : tensor<64x!tt.ptr<f32>>
// --- f32: a mask without sign
%k = arith.cmpi [[slt||ult]], %i, %ns : tensor<64xi32>
tt.store %outp, %one, %k : tensor<64x!tt.ptr<f32>>
// --- f32: sizes are taken for multiples of the tile
%s = arith.constant 6 : i32
%q = arith.shrsi %n, %s : i32
%r = arith.shli %q, %s : i32
%rs = tt.splat [[%n||%r]] : i32 -> tensor<64xi32>
%k = arith.cmpi slt, %i, %rs : tensor<64xi32>
tt.store %outp, %one, %k : tensor<64x!tt.ptr<f32>>
// --- f32: an index is one more
%j = arith.addi %i, [[%zeros||%ones]] : tensor<64xi32>
%p = tt.addptr %xs, %j : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
%v = tt.load %p : tensor<64x!tt.ptr<f32>>
tt.store %outp, %v : tensor<64x!tt.ptr<f32>>
// --- f32: an index out of the tile
%j = arith.addi %i, %ns : tensor<64xi32>
%k = arith.cmpi slt, %j, [[%ms||%ns]] : tensor<64xi32>
%p = tt.addptr %xs, %j : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
%v = tt.load %p, %k, %zero : tensor<64x!tt.ptr<f32>>
tt.store %outp, %v : tensor<64x!tt.ptr<f32>>
// --- f32: another stride
%pid = tt.get_program_id x : i32
%base = arith.muli %pid, [[%n||%m]] : i32
%p = tt.addptr %x, %base : !tt.ptr<f32>, i32
%v = tt.load %p : !tt.ptr<f32>
%q = tt.addptr %out, %pid : !tt.ptr<f32>, i32
tt.store %q, %v : !tt.ptr<f32>
// --- f32: another axis of the grid
%pid = tt.get_program_id [[x||y]] : i32
%q = tt.addptr %out, %pid : !tt.ptr<f32>, i32
%f = arith.constant 1.0 : f32
tt.store %q, %f : !tt.ptr<f32>
// --- f32: the last program is another one
%pid = tt.get_program_id x : i32
%count = tt.get_num_programs x : i32
%k = arith.constant [[1||2]] : i32
%last = arith.subi %count, %k : i32
%t = arith.cmpi eq, %pid, %last : i32
scf.if %t {
  tt.store %outp, %one : tensor<64x!tt.ptr<f32>>
}
// --- f32: a program far away
%pid = tt.get_program_id x : i32
%k = arith.constant 20 : i32
%t = arith.cmpi sgt, %pid, %k : i32
%f = arith.constant 1.0 : f32
%g = arith.constant 0.0 : f32
%h = arith.select %t, [[%g||%f]], %f : f32
%q = tt.addptr %out, %pid : !tt.ptr<f32>, i32
tt.store %q, %h : !tt.ptr<f32>
// --- f32: a value read before a store that may be to its place
%v = tt.load %xp : tensor<64x!tt.ptr<f32>>
tt.store %outp, %one : tensor<64x!tt.ptr<f32>>
%w = tt.load %xp : tensor<64x!tt.ptr<f32>>
%s = arith.addf %v, [[%w||%v]] : tensor<64xf32>
tt.store %outp, %s : tensor<64x!tt.ptr<f32>>
// --- f32: two stores change places
[[tt.store %xp, %one : tensor<64x!tt.ptr<f32>>
tt.store %outp, %zero : tensor<64x!tt.ptr<f32>>||tt.store %outp, %zero : tensor<64x!tt.ptr<f32>>
tt.store %xp, %one : tensor<64x!tt.ptr<f32>>]]
// --- f32: a store that looks dead is read
[[tt.store %outp, %one : tensor<64x!tt.ptr<f32>>||]]
%v = tt.load %xp : tensor<64x!tt.ptr<f32>>
tt.store %outp, %zero : tensor<64x!tt.ptr<f32>>
tt.store %yp, %v : tensor<64x!tt.ptr<f32>>
// --- f32: a load moves before a store of a neighbour
%j = arith.addi %i, %ones : tensor<64xi32>
%p = tt.addptr %outs, %j : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
%u = tt.load %xp : tensor<64x!tt.ptr<f32>>
tt.store %p, %one : tensor<64x!tt.ptr<f32>>
%v = tt.load %xp : tensor<64x!tt.ptr<f32>>
tt.store %yp, [[%v||%u]] : tensor<64x!tt.ptr<f32>>
// --- f32: a copy that overlaps itself
%q = tt.addptr %out, %n : !tt.ptr<f32>, i32
%z = arith.constant 0.0 : f32
%u = tt.load %x : !tt.ptr<f32>
tt.store %q, %z : !tt.ptr<f32>
%v = tt.load %x : !tt.ptr<f32>
tt.store %out, [[%v||%u]] : !tt.ptr<f32>
// --- f32: a lost store
tt.store %outp, %one : tensor<64x!tt.ptr<f32>>
[[tt.store %xp, %one, %mask : tensor<64x!tt.ptr<f32>>||]]
// --- f32: another pointer
%v = tt.load [[%xp||%yp]] : tensor<64x!tt.ptr<f32>>
tt.store %outp, %v : tensor<64x!tt.ptr<f32>>
// --- i32: an atomic addition becomes a maximum
%v = tt.load %xp : tensor<64x!tt.ptr<i32>>
%o = tt.atomic_rmw [[add||max]], acq_rel, gpu, %outp, %v, %mask : (tensor<64x!tt.ptr<i32>>, tensor<64xi32>, tensor<64xi1>) -> tensor<64xi32>
// --- i32: an atomic maximum without sign
%v = tt.load %xp : tensor<64x!tt.ptr<i32>>
%o = tt.atomic_rmw [[max||umax]], acq_rel, gpu, %outp, %v : (tensor<64x!tt.ptr<i32>>, tensor<64xi32>) -> tensor<64xi32>
// --- i32: a dropped mask of an update
%o = tt.atomic_rmw add, acq_rel, gpu, %outp, %one, [[%mask||%all]] : (tensor<64x!tt.ptr<i32>>, tensor<64xi32>, tensor<64xi1>) -> tensor<64xi32>
// --- i32: an addition that is not atomic
%k = arith.constant 1 : i32
[[%o = tt.atomic_rmw add, acq_rel, gpu, %out, %k : (!tt.ptr<i32>, i32) -> i32||%o = tt.load %out : !tt.ptr<i32>
%s = arith.addi %o, %k : i32
tt.store %out, %s : !tt.ptr<i32>]]
%pid = tt.get_program_id x : i32
%q = tt.addptr %x, %pid : !tt.ptr<i32>, i32
tt.store %q, %o : !tt.ptr<i32>
// --- i32: the old value of an update is taken to be zero
%k = arith.constant 1 : i32
%z = arith.constant 0 : i32
%o = tt.atomic_rmw add, acq_rel, gpu, %out, %k : (!tt.ptr<i32>, i32) -> i32
%pid = tt.get_program_id x : i32
%q = tt.addptr %x, %pid : !tt.ptr<i32>, i32
tt.store %q, [[%o||%z]] : !tt.ptr<i32>
// --- i32: swapped values of a compare and swap
%k = arith.constant 1 : i32
%z = arith.constant 0 : i32
tt.store %out, %z : !tt.ptr<i32>
%o = tt.atomic_cas acq_rel, gpu, %out, [[%z, %k||%k, %z]] : (!tt.ptr<i32>, i32, i32) -> i32
// --- i32: a compare and swap of a constant is lost
%k = arith.constant 424242 : i32
%z = arith.constant 0 : i32
[[%o = tt.atomic_cas acq_rel, gpu, %x, %k, %z : (!tt.ptr<i32>, i32, i32) -> i32||]]
tt.store %outp, %one : tensor<64x!tt.ptr<i32>>
// --- i32: several elements update one place
%v = tt.load %xp : tensor<64x!tt.ptr<i32>>
%zs = arith.andi %i, [[%ones||%zeros]] : tensor<64xi32>
%p = tt.addptr %outs, %zs : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
%o = tt.atomic_rmw add, acq_rel, gpu, %p, %v : (tensor<64x!tt.ptr<i32>>, tensor<64xi32>) -> tensor<64xi32>
// --- i32: an exchange is an addition
%k = arith.constant 3 : i32
%o = tt.atomic_rmw [[exch||add]], acq_rel, gpu, %out, %k : (!tt.ptr<i32>, i32) -> i32
// --- i32: an update happens twice
%k = arith.constant 1 : i32
%o = tt.atomic_rmw add, acq_rel, gpu, %out, %k : (!tt.ptr<i32>, i32) -> i32
[[||%o2 = tt.atomic_rmw add, acq_rel, gpu, %out, %k : (!tt.ptr<i32>, i32) -> i32]]
// --- i32: a gather by data takes the next element
%v = tt.load %xp : tensor<64x!tt.ptr<i32>>
%k = arith.constant dense<63> : tensor<64xi32>
%w = arith.andi %v, %k : tensor<64xi32>
%u = arith.[[addi %w, %zeros||xori %w, %ones]] : tensor<64xi32>
%p = tt.addptr %ys, %u : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
%e = tt.load %p : tensor<64x!tt.ptr<i32>>
tt.store %outp, %e : tensor<64x!tt.ptr<i32>>
// --- i32: a branch on data is lost
%f = tt.load %x : !tt.ptr<i32>
%k = arith.constant 31337 : i32
%t = arith.cmpi eq, %f, %k : i32
[[scf.if %t {
  tt.store %outp, %one : tensor<64x!tt.ptr<i32>>
}||]]
tt.store %yp, %one : tensor<64x!tt.ptr<i32>>
