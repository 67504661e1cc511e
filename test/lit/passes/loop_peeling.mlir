// RUN: tt-opt %s --split-input-file --triton-test-loop-peeling | FileCheck %s
// RUN: tt-opt %s --split-input-file --triton-test-loop-peeling --check-passes 2>&1 | FileCheck %s --check-prefix=CHECKED
// CHECKED-NOT: error:

// The last iteration runs after the loop, from its results, if there is any.
// CHECK-LABEL: @sum
// CHECK: %[[SHORTER:.*]] = arith.subi %arg1, %arg2 : i32
// CHECK: %[[SUM:.*]] = scf.for %{{.*}} = %arg0 to %[[SHORTER]] step %arg2 iter_args(%{{.*}} = %cst)
// CHECK: } {__test_peel_epilogue}
// CHECK: %[[ALL:.*]] = arith.subi %arg1, %arg0 : i32
// CHECK: %[[BELOW:.*]] = arith.subi %[[ALL]], %c1_i32 : i32
// CHECK: %[[STEPS:.*]] = arith.divsi %[[BELOW]], %arg2 : i32
// CHECK: %[[WHOLE:.*]] = arith.muli %[[STEPS]], %arg2 : i32
// CHECK: %[[LAST:.*]] = arith.addi %[[WHOLE]], %arg0 : i32
// CHECK: %[[ANY:.*]] = arith.cmpi slt, %arg0, %arg1 : i32
// CHECK: %[[R:.*]] = scf.if %[[ANY]] -> (f32) {
// CHECK: tt.addptr %arg3, %[[LAST]]
// CHECK: arith.addf %[[SUM]],
// CHECK: } else {
// CHECK: scf.yield %[[SUM]] : f32
// CHECK: tt.return %[[R]]
tt.func @sum(%lb: i32, %ub: i32, %s: i32, %p: !tt.ptr<f32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %lb to %ub step %s iter_args(%acc = %zero) -> f32 : i32 {
    %q = tt.addptr %p, %i : !tt.ptr<f32>, i32
    %x = tt.load %q : !tt.ptr<f32>
    %y = arith.addf %acc, %x : f32
    scf.yield %y : f32
  } {__test_peel_epilogue}
  tt.return %r : f32
}

// -----

// From 0 with step 1, the last value is the bound less one.  A branch in the body is copied whole.
// CHECK-LABEL: @no_values
// CHECK: scf.for
// CHECK: %[[LAST:.*]] = arith.subi %arg0, %c1{{.*}} : i64
// CHECK: scf.if
// CHECK: arith.cmpi eq, %[[LAST]],
// CHECK: scf.if
// CHECK: tt.addptr %arg1, %[[LAST]]
// CHECK: tt.store
tt.func @no_values(%n: i64, %p: !tt.ptr<i64>) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %i = %c0 to %n step %c1 : i64 {
    %first = arith.cmpi eq, %i, %c0 : i64
    scf.if %first {
      %q = tt.addptr %p, %i : !tt.ptr<i64>, i64
      tt.store %q, %i : !tt.ptr<i64>
    }
  } {__test_peel_epilogue}
  tt.return
}

// -----

// Both loops of a nest: the outer one's last iteration has a peeled inner loop too.
// CHECK-LABEL: @nested
// CHECK: scf.for
// CHECK: scf.for
// CHECK: scf.if
// CHECK: scf.if
// CHECK: scf.for
// CHECK: scf.if
tt.func @nested(%n: i32, %p: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c5 = arith.constant 5 : i32
  %few = arith.minsi %n, %c5 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    scf.for %j = %c0 to %few step %c1 : i32 {
      %q = tt.addptr %p, %j : !tt.ptr<i32>, i32
      tt.store %q, %i : !tt.ptr<i32>
    } {__test_peel_epilogue}
  } {__test_peel_epilogue}
  tt.return
}

// -----

// Left alone: nothing asks for it.
// CHECK-LABEL: @left_alone
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %arg0
// CHECK-NOT: scf.if
tt.func @left_alone(%n: i32, %p: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    tt.store %p, %i : !tt.ptr<i32>
  }
  tt.return
}
