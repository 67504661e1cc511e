// RUN: tt-opt %s --split-input-file --triton-licm | FileCheck %s

// --- loads -----------------------------------------------------------------------------------------------------------

// Each load gets a mask that says whether the loop has an iteration, beside its own if it had one.
// CHECK-LABEL: @load_of_tensor
// CHECK: %[[ANY:.*]] = arith.cmpi slt, %arg3, %arg4 : i32
// CHECK: %[[SPLAT:.*]] = tt.splat %[[ANY]] : i1 -> tensor<64xi1>
// CHECK: tt.load %arg0, %[[SPLAT]] :
// CHECK: %[[SPLAT:.*]] = tt.splat %{{.*}} : i1 -> tensor<64xi1>
// CHECK: %[[MASK:.*]] = arith.andi %[[SPLAT]], %arg1 : tensor<64xi1>
// CHECK: tt.load %arg0, %[[MASK]] cacheModifier = ca {kept} :
// CHECK: %[[MASK:.*]] = arith.andi %{{.*}}, %arg1 : tensor<64xi1>
// CHECK: tt.load %arg0, %[[MASK]], %arg2 evictionPolicy = evict_last :
// CHECK: scf.for
// CHECK-NOT: tt.load
tt.func @load_of_tensor(%p: tensor<64x!tt.ptr<f32>>, %m: tensor<64xi1>, %o: tensor<64xf32>, %lb: i32, %ub: i32, %step: i32)
    -> tensor<64xf32> {
  %r = scf.for %i = %lb to %ub step %step iter_args(%acc = %o) -> (tensor<64xf32>) : i32 {
    %0 = tt.load %p : tensor<64x!tt.ptr<f32>>
    %1 = tt.load %p, %m cacheModifier = ca {kept} : tensor<64x!tt.ptr<f32>>
    %2 = tt.load %p, %m, %o evictionPolicy = evict_last : tensor<64x!tt.ptr<f32>>
    %3 = arith.addf %acc, %0 : tensor<64xf32>
    %4 = arith.addf %3, %1 : tensor<64xf32>
    %5 = arith.addf %4, %2 : tensor<64xf32>
    scf.yield %5 : tensor<64xf32>
  }
  tt.return %r : tensor<64xf32>
}

// -----

// CHECK-LABEL: @load_of_scalar
// CHECK: %[[ANY:.*]] = arith.cmpi slt, %{{.*}}, %arg2 : index
// CHECK: tt.load %arg0, %[[ANY]] : !tt.ptr<f32>
// CHECK: %[[MASK:.*]] = arith.andi %{{.*}}, %arg1 : i1
// CHECK: tt.load %arg0, %[[MASK]] : !tt.ptr<f32>
// CHECK: scf.for
tt.func @load_of_scalar(%p: !tt.ptr<f32>, %m: i1, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) {
    %0 = tt.load %p : !tt.ptr<f32>
    %1 = tt.load %p, %m : !tt.ptr<f32>
    %2 = arith.addf %0, %1 : f32
    %3 = arith.addf %acc, %2 : f32
    scf.yield %3 : f32
  }
  tt.return %r : f32
}

// -----

// What is computed from a load leaves with it; a load leaves several loops, and has a mask of each.
// CHECK-LABEL: @load_of_index_in_nest
// CHECK: %[[INDEX:.*]] = tt.load %arg1, %{{.*}} : !tt.ptr<i32>
// CHECK: %[[P:.*]] = tt.addptr %arg0, %[[INDEX]]
// CHECK: %[[INNER:.*]] = arith.cmpi slt, %arg2, %arg3 : i64
// CHECK: %[[OUTER:.*]] = arith.cmpi slt, %arg2, %arg4 : i64
// CHECK: %[[BOTH:.*]] = arith.andi %[[OUTER]], %[[INNER]] : i1
// CHECK: tt.load %[[P]], %[[BOTH]] : !tt.ptr<f32>
// CHECK: scf.for
// CHECK: scf.for
tt.func @load_of_index_in_nest(%p: !tt.ptr<f32>, %at: !tt.ptr<i32>, %lb: i64, %m: i64, %n: i64) -> f32 {
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %lb to %n step %c1 iter_args(%outer = %zero) -> (f32) : i64 {
    %index = tt.load %at : !tt.ptr<i32>
    %q = tt.addptr %p, %index : !tt.ptr<f32>, i32
    %s = scf.for %j = %lb to %m step %c1 iter_args(%acc = %outer) -> (f32) : i64 {
      %0 = tt.load %q : !tt.ptr<f32>
      %1 = arith.addf %acc, %0 : f32
      scf.yield %1 : f32
    }
    scf.yield %s : f32
  }
  tt.return %r : f32
}

// -----

// Left alone: something in the loop writes, or the load itself is volatile.
// CHECK-LABEL: @loads_left_alone
// CHECK-NOT: tt.load
// CHECK: scf.for
// CHECK-NEXT: tt.load %arg0
// CHECK: tt.store
// CHECK: scf.for
// CHECK-NEXT: tt.load %arg0
// CHECK: tt.atomic_rmw
// CHECK: scf.for
// CHECK-NEXT: tt.load %arg0 {isVolatile = true}
tt.func @loads_left_alone(%p: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) -> f32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %true = arith.constant true
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) : i32 {
    %0 = tt.load %p : !tt.ptr<f32>
    tt.store %out, %0 : !tt.ptr<f32>
    %1 = arith.addf %acc, %0 : f32
    scf.yield %1 : f32
  }
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %r) -> (f32) : i32 {
    %0 = tt.load %p : !tt.ptr<f32>
    %old = tt.atomic_rmw fadd, relaxed, gpu, %out, %0, %true : (!tt.ptr<f32>, f32, i1) -> f32
    %1 = arith.addf %acc, %0 : f32
    scf.yield %1 : f32
  }
  %t = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %s) -> (f32) : i32 {
    %0 = tt.load %p {isVolatile = true} : !tt.ptr<f32>
    %1 = arith.addf %acc, %0 : f32
    scf.yield %1 : f32
  }
  tt.return %t : f32
}

// -----

// A store that follows in an outer loop keeps a load in that one, not in the inner one.
// CHECK-LABEL: @store_in_outer_loop
// CHECK: scf.for
// CHECK: tt.load
// CHECK: scf.for
// CHECK-NOT: tt.load
// CHECK: tt.store
tt.func @store_in_outer_loop(%p: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) : i32 {
      %0 = tt.load %p : !tt.ptr<f32>
      %1 = arith.addf %acc, %0 : f32
      scf.yield %1 : f32
    }
    tt.store %p, %s : !tt.ptr<f32>
  }
  tt.return
}

// -----

// A load in a branch stays, one beside it leaves.
// CHECK-LABEL: @load_in_branch
// CHECK: tt.load
// CHECK: scf.for
// CHECK-NOT: tt.load
// CHECK: scf.if
// CHECK: tt.load
tt.func @load_in_branch(%p: !tt.ptr<f32>, %n: i32) -> f32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) : i32 {
    %0 = tt.load %p : !tt.ptr<f32>
    %first = arith.cmpi eq, %i, %c0 : i32
    %1 = scf.if %first -> f32 {
      %2 = tt.load %p : !tt.ptr<f32>
      scf.yield %2 : f32
    } else {
      scf.yield %0 : f32
    }
    %3 = arith.addf %acc, %1 : f32
    scf.yield %3 : f32
  }
  tt.return %r : f32
}

// --- other operations, other loops -----------------------------------------------------------------------------------

// -----

// A division leaves only if it can't be by zero; assembly only if it is pure.
// CHECK-LABEL: @speculation
// CHECK: arith.divsi %arg0, %c3_i32
// CHECK: math.exp
// CHECK: scf.for
// CHECK: arith.divsi %arg0, %arg1
tt.func @speculation(%a: i32, %b: i32, %x: tensor<16xf32>, %p: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  scf.for %i = %c0 to %a step %c1 : i32 {
    %0 = arith.divsi %a, %c3 : i32
    %1 = arith.divsi %a, %b : i32
    %2 = math.exp %x : tensor<16xf32>
    %3 = "tt.reduce"(%2) <{axis = 0 : i32}> ({
    ^bb0(%l: f32, %r: f32):
      %sum = arith.addf %l, %r : f32
      tt.reduce.return %sum : f32
    }) : (tensor<16xf32>) -> f32
    %4 = arith.fptosi %3 : f32 to i32
    %5 = arith.addi %0, %1 : i32
    %6 = arith.addi %5, %4 : i32
    tt.store %p, %6 : !tt.ptr<i32>
  }
  tt.return
}

// -----

// Out of a while loop only what has no effects leaves: nothing says whether its body would run.
// CHECK-LABEL: @while_loop
// CHECK: %[[LIMIT:.*]] = arith.muli %arg1, %arg1
// CHECK: scf.while
// CHECK: arith.cmpi slt, %{{.*}}, %[[LIMIT]]
// CHECK: do
// CHECK: tt.load
tt.func @while_loop(%p: !tt.ptr<f32>, %n: i32) -> f32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %r:2 = scf.while (%i = %c0, %acc = %zero) : (i32, f32) -> (i32, f32) {
    %limit = arith.muli %n, %n : i32
    %more = arith.cmpi slt, %i, %limit : i32
    scf.condition(%more) %i, %acc : i32, f32
  } do {
  ^bb0(%i: i32, %acc: f32):
    %0 = tt.load %p : !tt.ptr<f32>
    %1 = arith.addf %acc, %0 : f32
    %2 = arith.addi %i, %c1 : i32
    scf.yield %2, %1 : i32, f32
  }
  tt.return %r#1 : f32
}

// -----

// Nothing changes between the iterations but the sum.
// CHECK-LABEL: @left_alone
// CHECK-NEXT: constant
// CHECK-NEXT: scf.for
// CHECK-NEXT: tt.addptr
// CHECK-NEXT: tt.load
// CHECK-NEXT: arith.addf
tt.func @left_alone(%p: !tt.ptr<f32>, %lb: i32, %ub: i32, %s: i32) -> f32 {
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %lb to %ub step %s iter_args(%acc = %zero) -> (f32) : i32 {
    %q = tt.addptr %p, %i : !tt.ptr<f32>, i32
    %0 = tt.load %q : !tt.ptr<f32>
    %1 = arith.addf %acc, %0 : f32
    scf.yield %1 : f32
  }
  tt.return %r : f32
}

// -----

// Differs from Triton: it gives the load a mask, which is not valid.
// Left alone: a load from a block pointer can't have a mask.
// CHECK-LABEL: @load_of_block
// CHECK: scf.for
// CHECK-NEXT: tt.load
tt.func @load_of_block(%p: !tt.ptr<tensor<64xf32>>, %n: i32, %zero: tensor<64xf32>) -> tensor<64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<64xf32> : i32 {
    %0 = tt.load %p {boundaryCheck = array<i32: 0>, padding = 1 : i32} : !tt.ptr<tensor<64xf32>>
    %1 = arith.addf %acc, %0 : tensor<64xf32>
    scf.yield %1 : tensor<64xf32>
  }
  tt.return %r : tensor<64xf32>
}

// -----

// Differs from Triton: it compares unsigned bounds as signed ones.
// CHECK-LABEL: @unsigned_loop
// CHECK: %[[ANY:.*]] = arith.cmpi ult, %arg1, %arg2 : i32
// CHECK: tt.load %arg0, %[[ANY]]
// CHECK: scf.for unsigned
tt.func @unsigned_loop(%p: !tt.ptr<f32>, %lb: i32, %ub: i32, %zero: f32) -> f32 {
  %c1 = arith.constant 1 : i32
  %r = scf.for unsigned %i = %lb to %ub step %c1 iter_args(%acc = %zero) -> f32 : i32 {
    %0 = tt.load %p : !tt.ptr<f32>
    %1 = arith.addf %acc, %0 : f32
    scf.yield %1 : f32
  }
  tt.return %r : f32
}
