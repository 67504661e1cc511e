// --- an unrolled loop of a negative number of iterations has a rest
tt.func public @k(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %z = arith.constant 0.0 : f32
  [[%r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> (f32) : i32 {
    %p = tt.addptr %x, %i : !tt.ptr<f32>, i32
    %v = tt.load %p : !tt.ptr<f32>
    %b = arith.addf %a, %v : f32
    scf.yield %b : f32
  }||%e = arith.remsi %n, %c2 : i32
  %m = arith.subi %n, %e : i32
  %h = scf.for %i = %c0 to %m step %c2 iter_args(%a = %z) -> (f32) : i32 {
    %p = tt.addptr %x, %i : !tt.ptr<f32>, i32
    %v = tt.load %p : !tt.ptr<f32>
    %b = arith.addf %a, %v : f32
    %q = tt.addptr %p, %c1 : !tt.ptr<f32>, i32
    %w = tt.load %q : !tt.ptr<f32>
    %c = arith.addf %b, %w : f32
    scf.yield %c : f32
  }
  %odd = arith.cmpi ne, %e, %c0 : i32
  %r = scf.if %odd -> (f32) {
    %p = tt.addptr %x, %m : !tt.ptr<f32>, i32
    %v = tt.load %p : !tt.ptr<f32>
    %b = arith.addf %h, %v : f32
    scf.yield %b : f32
  } else {
    scf.yield %h : f32
  }]]
  tt.store %out, %r : !tt.ptr<f32>
  tt.return
}
// --- a loop counts in 32 bits what it counted in 64
tt.func public @k(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i64) {
  %c0 = arith.constant [[0 : i64||0 : i32]]
  %c1 = arith.constant [[1 : i64||1 : i32]]
  %z = arith.constant 0.0 : f32
  [[||%m = arith.trunci %n : i64 to i32]]
  %r = scf.for %i = %c0 to [[%n||%m]] step %c1 iter_args(%a = %z) -> (f32) : [[i64||i32]] {
    %p = tt.addptr %x, %i : !tt.ptr<f32>, [[i64||i32]]
    %v = tt.load %p : !tt.ptr<f32>
    %b = arith.addf %a, %v : f32
    scf.yield %b : f32
  }
  tt.store %out, %r : !tt.ptr<f32>
  tt.return
}
// --- a loop whose bound is loaded reads its bound once
tt.func public @k(%x: !tt.ptr<i32>, %out: !tt.ptr<i32>, %n: i32) {
  %c1 = arith.constant 1 : i32
  %c0 = arith.constant 0 : i32
  [[||%m = tt.load %x : !tt.ptr<i32>]]
  %r = scf.while (%i = %c0) : (i32) -> i32 {
    [[%m = tt.load %x : !tt.ptr<i32>||]]
    %g = arith.cmpi slt, %i, %m : i32
    scf.condition(%g) %i : i32
  } do {
  ^bb0(%i: i32):
    %p = tt.addptr %out, %i : !tt.ptr<i32>, i32
    tt.store %p, %i : !tt.ptr<i32>
    %j = arith.addi %i, %c1 : i32
    scf.yield %j : i32
  }
  tt.return
}
// --- a triangular loop takes the index of its own iteration
tt.func public @k(%out: !tt.ptr<i32>, %n: i32) {
  %c1 = arith.constant 1 : i32
  %c0 = arith.constant 0 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0) -> (i32) : i32 {
    %s = scf.for %j = %c0 to %i step %c1 iter_args(%b = %a) -> (i32) : i32 {
      %t = arith.xori %b, %j : i32
      %u = arith.muli %t, [[%i||%j]] : i32
      scf.yield %u : i32
    }
    scf.yield %s : i32
  }
  tt.store %out, %r : !tt.ptr<i32>
  tt.return
}
// --- a rotated loop reads ahead once too often
tt.func public @k(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %z = arith.constant 0.0 : f32
  [[%r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> (f32) : i32 {
    %p = tt.addptr %x, %i : !tt.ptr<f32>, i32
    %v = tt.load %p : !tt.ptr<f32>
    %b = arith.addf %a, %v : f32
    scf.yield %b : f32
  }||%f = arith.cmpi sgt, %n, %c0 : i32
  %v0 = tt.load %x, %f : !tt.ptr<f32>
  %r, %last = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z, %v = %v0) -> (f32, f32) : i32 {
    %j = arith.addi %i, %c1 : i32
    %g = arith.cmpi sle, %j, %n : i32
    %p = tt.addptr %x, %j : !tt.ptr<f32>, i32
    %w = tt.load %p, %g : !tt.ptr<f32>
    %b = arith.addf %a, %v : f32
    scf.yield %b, %w : f32, f32
  }]]
  tt.store %out, %r : !tt.ptr<f32>
  tt.return
}
// --- a rounding in two steps
tt.func public @k(%x: !tt.ptr<f64>, %out: !tt.ptr<f16>) {
  %v = tt.load %x : !tt.ptr<f64>
  [[%w = arith.truncf %v : f64 to f16||%u = arith.truncf %v : f64 to f32
  %w = arith.truncf %u : f32 to f16]]
  tt.store %out, %w : !tt.ptr<f16>
  tt.return
}
// --- an integer is rounded in two steps
tt.func public @k(%x: !tt.ptr<i64>, %out: !tt.ptr<f32>) {
  %v = tt.load %x : !tt.ptr<i64>
  [[%w = arith.sitofp %v : i64 to f32||%u = arith.sitofp %v : i64 to f64
  %w = arith.truncf %u : f64 to f32]]
  tt.store %out, %w : !tt.ptr<f32>
  tt.return
}
// --- a float becomes a byte at once
tt.func public @k(%x: !tt.ptr<f32>, %out: !tt.ptr<i8>) {
  %v = tt.load %x : !tt.ptr<f32>
  [[%u = arith.fptosi %v : f32 to i32
  %w = arith.trunci %u : i32 to i8||%w = arith.fptosi %v : f32 to i8]]
  tt.store %out, %w : !tt.ptr<i8>
  tt.return
}
// --- the sign bit is set and not turned
tt.func public @k(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>) {
  %s = arith.constant 0x80000000 : i32
  %v = tt.load %x : !tt.ptr<f32>
  [[%w = arith.negf %v : f32||%b = arith.bitcast %v : f32 to i32
  %c = arith.ori %b, %s : i32
  %w = arith.bitcast %c : i32 to f32]]
  tt.store %out, %w : !tt.ptr<f32>
  tt.return
}
// --- the carry of a wide sum is lost
tt.func public @k(%x: !tt.ptr<i32>, %out: !tt.ptr<i64>, %n: i32) {
  %c32 = arith.constant 32 : i64
  %v = tt.load %x : !tt.ptr<i32>
  [[%s, %c = arith.addui_extended %v, %n : i32, i1||%s = arith.addi %v, %n : i32
  %c = arith.constant false]]
  %a = arith.extui %s : i32 to i64
  %b = arith.extui %c : i1 to i64
  %d = arith.shli %b, %c32 : i64
  %e = arith.ori %a, %d : i64
  tt.store %out, %e : !tt.ptr<i64>
  tt.return
}
// --- zeros are counted from the other end
tt.func public @k(%x: !tt.ptr<i32>, %out: !tt.ptr<i32>) {
  %v = tt.load %x : !tt.ptr<i32>
  %w = [[math.ctlz||math.cttz]] %v : i32
  tt.store %out, %w : !tt.ptr<i32>
  tt.return
}
// --- the old value of an update is taken for the new one
tt.func public @k(%x: !tt.ptr<i32>, %out: !tt.ptr<i32>, %n: i32) {
  %t = arith.constant true
  %old = tt.atomic_rmw add, relaxed, gpu, %x, %n, %t : (!tt.ptr<i32>, i32, i1) -> i32
  [[||%new = arith.addi %old, %n : i32]]
  tt.store %out, [[%old||%new]] : !tt.ptr<i32>
  tt.return
}
// --- updates of a loop are one update of their sum
tt.func public @k(%x: !tt.ptr<i32>, %n: i32, %m: i32) {
  %t = arith.constant true
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  [[scf.for %i = %c0 to %m step %c1 : i32 {
    %old = tt.atomic_rmw add, relaxed, gpu, %x, %n, %t : (!tt.ptr<i32>, i32, i1) -> i32
  }||%nm = arith.muli %n, %m : i32
  %old = tt.atomic_rmw add, relaxed, gpu, %x, %nm, %t : (!tt.ptr<i32>, i32, i1) -> i32]]
  tt.return
}
// --- two stores with masks that overlap change places
tt.func public @k(%x: !tt.ptr<i32>, %n: i32, %m: i32) {
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %px = tt.splat %x : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  %p = tt.addptr %px, %r : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
  %ns = tt.splat %n : i32 -> tensor<64xi32>
  %ms = tt.splat %m : i32 -> tensor<64xi32>
  %a = arith.cmpi slt, %r, %ns : tensor<64xi32>
  %b = arith.cmpi sge, %r, %ms : tensor<64xi32>
  [[tt.store %p, %ns, %a : tensor<64x!tt.ptr<i32>>||]]
  tt.store %p, %r, %b : tensor<64x!tt.ptr<i32>>
  [[||tt.store %p, %ns, %a : tensor<64x!tt.ptr<i32>>]]
  tt.return
}
// --- two stores are one under either mask
tt.func public @k(%x: !tt.ptr<i32>, %n: i32, %m: i32) {
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %px = tt.splat %x : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  %p = tt.addptr %px, %r : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
  %ns = tt.splat %n : i32 -> tensor<64xi32>
  %ms = tt.splat %m : i32 -> tensor<64xi32>
  %a = arith.cmpi slt, %r, %ns : tensor<64xi32>
  %b = arith.cmpi sge, %r, %ms : tensor<64xi32>
  [[tt.store %p, %ns, %a : tensor<64x!tt.ptr<i32>>
  tt.store %p, %r, %b : tensor<64x!tt.ptr<i32>>||%v = arith.select %a, %ns, %r : tensor<64xi1>, tensor<64xi32>
  %c = arith.ori %a, %b : tensor<64xi1>
  tt.store %p, %v, %c : tensor<64x!tt.ptr<i32>>]]
  tt.return
}
// --- a cyclic order of three dimensions is its inverse
tt.func public @k(%x: !tt.ptr<i32>, %out: !tt.ptr<i32>) {
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %px = tt.splat %x : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  %p = tt.addptr %px, %r : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
  %po = tt.splat %out : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  %o = tt.addptr %po, %r : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
  %v = tt.load %p : tensor<64x!tt.ptr<i32>>
  %a = tt.reshape %v : tensor<64xi32> -> tensor<4x4x4xi32>
  %b = tt.trans %a {order = array<i32: [[1, 2, 0||2, 0, 1]]>} : tensor<4x4x4xi32> -> tensor<4x4x4xi32>
  %c = tt.reshape %b : tensor<4x4x4xi32> -> tensor<64xi32>
  tt.store %o, %c : tensor<64x!tt.ptr<i32>>
  tt.return
}
// --- a sum along another axis of as many elements
tt.func public @k(%x: !tt.ptr<i32>, %out: !tt.ptr<i32>) {
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %q = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %px = tt.splat %x : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  %p = tt.addptr %px, %r : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
  %po = tt.splat %out : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
  %o = tt.addptr %po, %q : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
  %v = tt.load %p : tensor<64x!tt.ptr<i32>>
  %a = tt.reshape %v : tensor<64xi32> -> tensor<4x4x4xi32>
  %b = "tt.reduce"(%a) <{axis = [[0||1]] : i32}> ({
  ^bb0(%l: i32, %m: i32):
    %s = arith.addi %l, %m : i32
    tt.reduce.return %s : i32
  }) : (tensor<4x4x4xi32>) -> tensor<4x4xi32>
  %c = tt.reshape %b : tensor<4x4xi32> -> tensor<16xi32>
  tt.store %o, %c : tensor<16x!tt.ptr<i32>>
  tt.return
}
// --- results of a reduction of two tensors change places in its region
tt.func public @k(%x: !tt.ptr<i32>, %out: !tt.ptr<i32>) {
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %px = tt.splat %x : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  %p = tt.addptr %px, %r : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
  %v = tt.load %p : tensor<64x!tt.ptr<i32>>
  %b:2 = "tt.reduce"(%v, %v) <{axis = 0 : i32}> ({
  ^bb0(%l: i32, %l2: i32, %m: i32, %m2: i32):
    %s = arith.addi %l, %m : i32
    %t = arith.maxsi %l2, %m2 : i32
    tt.reduce.return [[%s, %t||%t, %s]] : i32, i32
  }) : (tensor<64xi32>, tensor<64xi32>) -> (i32, i32)
  tt.store %out, %b#0 : !tt.ptr<i32>
  tt.return
}
// --- a reduction by or is one by exclusive or
tt.func public @k(%x: !tt.ptr<i32>, %out: !tt.ptr<i32>) {
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %px = tt.splat %x : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  %p = tt.addptr %px, %r : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
  %v = tt.load %p : tensor<64x!tt.ptr<i32>>
  %b = "tt.reduce"(%v) <{axis = 0 : i32}> ({
  ^bb0(%l: i32, %m: i32):
    %s = [[arith.ori||arith.xori]] %l, %m : i32
    tt.reduce.return %s : i32
  }) : (tensor<64xi32>) -> i32
  tt.store %out, %b : !tt.ptr<i32>
  tt.return
}
// --- elements that are mapped in twos change places
tt.func public @k(%x: !tt.ptr<i32>, %out: !tt.ptr<i32>) {
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %px = tt.splat %x : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  %p = tt.addptr %px, %r : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
  %po = tt.splat %out : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  %o = tt.addptr %po, %r : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
  %v = tt.load %p : tensor<64x!tt.ptr<i32>>
  %b = "tt.map_elementwise"(%v) <{pack = 2 : i32}> ({
  ^bb0(%l: i32, %m: i32):
    %s = arith.subi %l, %m : i32
    "tt.map_elementwise.return"([[%s, %l||%l, %s]]) : (i32, i32) -> ()
  }) : (tensor<64xi32>) -> tensor<64xi32>
  tt.store %o, %b : tensor<64x!tt.ptr<i32>>
  tt.return
}
// --- poison where a value was
tt.func public @k(%x: !tt.ptr<i32>, %out: !tt.ptr<i32>, %c: i1) {
  %v = tt.load %x : !tt.ptr<i32>
  %u = ub.poison : i32
  %w = arith.select %c, [[%v, %v||%v, %u]] : i32
  tt.store %out, %w : !tt.ptr<i32>
  tt.return
}
// --- arguments of a call of one type change places
module {
tt.func public @k(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>) {
  tt.call @f([[%x, %out||%out, %x]]) : (!tt.ptr<f32>, !tt.ptr<f32>) -> ()
  tt.return
}
tt.func private @f(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>) {
  %v = tt.load %x : !tt.ptr<f32>
  tt.store %out, %v : !tt.ptr<f32>
  tt.return
}
}
// --- a peeled iteration is the last but one
tt.func public @k(%x: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  [[scf.for %i = %c0 to %n step %c3 : i32 {
    %p = tt.addptr %x, %i : !tt.ptr<i32>, i32
    tt.store %p, %i : !tt.ptr<i32>
  }||%m = arith.subi %n, %c3 : i32
  scf.for %i = %c0 to %m step %c3 : i32 {
    %p = tt.addptr %x, %i : !tt.ptr<i32>, i32
    tt.store %p, %i : !tt.ptr<i32>
  }
  %g = arith.cmpi sgt, %n, %c0 : i32
  scf.if %g {
    %p = tt.addptr %x, %m : !tt.ptr<i32>, i32
    tt.store %p, %m : !tt.ptr<i32>
  }]]
  tt.return
}
// --- a value that a loop carries through a branch is kept where it was set
tt.func public @k(%x: !tt.ptr<i32>, %out: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0) -> (i32) : i32 {
    %p = tt.addptr %x, %i : !tt.ptr<i32>, i32
    %v = tt.load %p : !tt.ptr<i32>
    %c = arith.cmpi sgt, %v, %c0 : i32
    %b = scf.if %c -> (i32) {
      scf.yield %i : i32
    } else {
      scf.yield [[%a||%c0]] : i32
    }
    scf.yield %b : i32
  }
  tt.store %out, %r : !tt.ptr<i32>
  tt.return
}
// --- an index that is searched from the other end
tt.func public @k(%x: !tt.ptr<i32>, %out: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %cm1 = arith.constant -1 : i32
  %last = arith.subi %n, %c1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %cm1) -> (i32) : i32 {
    [[||%j = arith.subi %last, %i : i32]]
    %p = tt.addptr %x, [[%i||%j]] : !tt.ptr<i32>, i32
    %v = tt.load %p : !tt.ptr<i32>
    %c = arith.cmpi eq, %v, %c0 : i32
    %b = arith.select %c, [[%i||%j]], %a : i32
    scf.yield %b : i32
  }
  tt.store %out, %r : !tt.ptr<i32>
  tt.return
}
// --- a sum that overflows to infinity in half
tt.func public @k(%x: !tt.ptr<f16>, %out: !tt.ptr<f16>, %n: i32) {
  %a = tt.load %x : !tt.ptr<f16>
  %two = arith.constant 2.0 : [[f32||f16]]
  %half = arith.constant 0.5 : [[f32||f16]]
  [[%w = arith.extf %a : f16 to f32
  %b = arith.mulf %w, %two : f32
  %c = arith.mulf %b, %half : f32
  %d = arith.truncf %c : f32 to f16||%b = arith.mulf %a, %two : f16
  %d = arith.mulf %b, %half : f16]]
  tt.store %out, %d : !tt.ptr<f16>
  tt.return
}
// --- a mask that was of the iteration is of the loop
tt.func public @k(%x: !tt.ptr<i32>, %out: !tt.ptr<i32>, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %g0 = arith.cmpi slt, %c0, %m : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %g = arith.cmpi slt, %i, %m : i32
    %p = tt.addptr %out, %i : !tt.ptr<i32>, i32
    tt.store %p, %i, [[%g||%g0]] : !tt.ptr<i32>
  }
  tt.return
}
// --- an accumulator is reset in the wrong iteration
tt.func public @k(%x: !tt.ptr<i32>, %out: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c3 = arith.constant 3 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0) -> (i32) : i32 {
    %k = arith.remsi %i, %c4 : i32
    %g = arith.cmpi eq, %k, [[%c0||%c3]] : i32
    %b = arith.select %g, %c0, %a : i32
    %p = tt.addptr %x, %i : !tt.ptr<i32>, i32
    %v = tt.load %p : !tt.ptr<i32>
    %s = arith.addi %b, %v : i32
    scf.yield %s : i32
  }
  tt.store %out, %r : !tt.ptr<i32>
  tt.return
}
