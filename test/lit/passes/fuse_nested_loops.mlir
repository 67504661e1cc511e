// RUN: tt-opt %s --split-input-file --tritongpu-fuse-nested-loops --canonicalize | FileCheck %s

// One loop, whose iterations are those of the inner loop.  The sum starts anew in the epilogue; the address that only
// the epilogue needs is computed there.
// CHECK-LABEL: @row_sums
// CHECK: %[[EMPTY:.*]] = arith.cmpi sle, %arg3, %c0_i32
// CHECK: scf.if %[[EMPTY]] {
// CHECK-NEXT: scf.for %[[I:.*]] = %c0_i32 to %arg2 step %c1_i32
// CHECK-NEXT: %[[TO:.*]] = tt.addptr %arg1, %[[I]]
// CHECK-NEXT: tt.store %[[TO]], %cst
// CHECK: } {tt.flatten, tt.num_stages = 4 : i32}
// CHECK: } else {
// CHECK: %[[MANY:.*]] = arith.maxsi %arg3, %c1_i32
// CHECK: %[[TOTAL:.*]] = arith.muli %arg2, %[[MANY]]
// CHECK: scf.for %{{.*}} = %c0_i32 to %[[TOTAL]] step %c1_i32 iter_args(%[[T:.*]] = %c0_i32, %[[I:.*]] = %c-1_i32, %{{.*}} = %c0_i32, %[[SUM:.*]] = %cst,
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[T]], %c0_i32
// CHECK: scf.if %[[FIRST]]
// CHECK: tt.addptr %arg0,
// CHECK: %[[NEW:.*]] = arith.addf %[[SUM]],
// CHECK: %[[AT_END:.*]] = arith.cmpi eq, %[[T]],
// CHECK: arith.select %[[AT_END]], %cst, %[[NEW]]
// CHECK: scf.if %[[AT_END]] {
// CHECK: tt.addptr %arg1,
// CHECK: tt.store %{{.*}}, %[[NEW]]
// CHECK: } {tt.num_stages = 4 : i32}
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

// Values that the inner loop swaps, and one that the outer loop does: the new %b comes at the end of the inner loop.
// CHECK-LABEL: @swapped
// CHECK: else
// CHECK: scf.for {{.*}} iter_args(%[[T:.*]] = %c0_i32, %{{.*}} = %c-1_i32, %[[A:.*]] = %c0_i32, %[[B:.*]] = %c1_i32, %{{.*}} = %c0_i32,
// CHECK: tt.load
// CHECK: %[[AT_END:.*]] = arith.cmpi eq, %[[T]], %{{.*}}
// CHECK: arith.select %[[AT_END]], %{{.*}}, %[[A]]
// CHECK: arith.select %[[AT_END]], %[[A]], %[[B]]
// CHECK: scf.if %[[AT_END]]
tt.func @swapped(%p: !tt.ptr<i32>, %q: !tt.ptr<i32>, %n: i32, %k: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0, %b = %c1) -> (i32, i32) : i32 {
    %o = tt.addptr %p, %i : !tt.ptr<i32>, i32
    %m = tt.load %o : !tt.ptr<i32>
    %s:2 = scf.for %j = %c0 to %k step %c1 iter_args(%x = %c0, %y = %b) -> (i32, i32) : i32 {
      %new = arith.addi %y, %b : i32
      scf.yield %new, %x : i32, i32
    }
    %to = tt.addptr %q, %i : !tt.ptr<i32>, i32
    %v = arith.addi %s#0, %s#1 : i32
    tt.store %to, %v : !tt.ptr<i32>
    scf.yield %m, %a : i32, i32
  } {tt.flatten}
  tt.return
}

// -----

// Left alone: nothing asks for it; two inner loops; three levels; bounds that change.
// CHECK-LABEL: @left_alone
// CHECK-NOT: arith.maxsi
tt.func @left_alone(%q: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    scf.for %j = %c0 to %n step %c1 : i32 {
      tt.store %q, %j : !tt.ptr<i32>
    }
  }
  scf.for %i = %c0 to %n step %c1 : i32 {
    scf.for %j = %c0 to %n step %c1 : i32 {
      tt.store %q, %j : !tt.ptr<i32>
    }
    scf.for %j = %c0 to %n step %c1 : i32 {
      tt.store %q, %i : !tt.ptr<i32>
    }
  } {tt.flatten}
  scf.for %h = %c0 to %n step %c1 : i32 {
    scf.for %i = %c0 to %n step %c1 : i32 {
      scf.for %j = %c0 to %n step %c1 : i32 {
        tt.store %q, %j : !tt.ptr<i32>
      }
    } {tt.flatten}
  } {tt.flatten}
  scf.for %i = %c0 to %n step %c1 : i32 {
    scf.for %j = %c0 to %i step %c1 : i32 {
      tt.store %q, %j : !tt.ptr<i32>
    }
  } {tt.flatten}
  tt.return
}

// -----

// Both loops ask for it: the inner one goes with the outer one.
// CHECK-LABEL: tt.func @both_ask
// CHECK: scf.if
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK: } else {
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK: tt.return
tt.func @both_ask(%q: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    scf.for %j = %c0 to %n step %c1 : i32 {
      tt.store %q, %j : !tt.ptr<i32>
    } {tt.flatten}
    tt.store %q, %i : !tt.ptr<i32>
  } {tt.flatten}
  tt.return
}

// -----

// All loops of a nest, which the attribute says run at least once: what leads to a loop runs when it starts.
// CHECK-LABEL: @all_loops
tt.func @all_loops(%p: !tt.ptr<i32>, %n: i32, %m: i32, %k: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // Two loops that run one after the other take max(1, m) + max(1, k) - 1 iterations.
  // CHECK-DAG: %[[M:.*]] = arith.maxsi %arg2,
  // CHECK-DAG: %[[K:.*]] = arith.maxsi %arg3,
  // CHECK: %[[BOTH:.*]] = arith.addi %[[M]], %[[K]]
  // CHECK: %[[EACH:.*]] = arith.subi %[[BOTH]]
  // CHECK: %[[ALL:.*]] = arith.muli %arg1, %[[EACH]]
  // CHECK: scf.for {{.*}} to %[[ALL]] step {{.*}} iter_args(%[[NOW:[a-z0-9]+]] =
  // CHECK: %[[START:.*]] = arith.cmpi eq, %[[NOW]],
  // CHECK: scf.if %[[START]]
  // CHECK: arith.muli
  // CHECK: tt.load
  // CHECK: scf.if
  // CHECK: tt.store
  // CHECK-NOT: scf.for
  // CHECK: tt.return
  scf.for %i = %c0 to %n step %c1 : i32 {
    %row = arith.muli %i, %m : i32
    scf.for %j = %c0 to %m step %c1 : i32 {
      %at = arith.addi %row, %j : i32
      %q = tt.addptr %p, %at : !tt.ptr<i32>, i32
      %x = tt.load %q : !tt.ptr<i32>
      tt.store %q, %x : !tt.ptr<i32>
    }
    scf.for %j = %c0 to %k step %c1 : i32 {
      %q = tt.addptr %p, %j : !tt.ptr<i32>, i32
      tt.store %q, %row : !tt.ptr<i32>
    }
  } {"ttg.always-fuse"}
  tt.return
}
