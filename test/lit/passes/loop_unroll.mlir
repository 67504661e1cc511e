// RUN: tt-opt %s --split-input-file --triton-loop-unroll | FileCheck %s

// Bounds that are not known: a loop over multiples of three steps, and one over the rest, which is not pipelined.  The
// unrolled loop keeps its other attributes.  If the lower bound is the larger one, there is no iteration.
// CHECK-LABEL: @dynamic
// CHECK: %[[UPPER:.*]] = arith.maxsi %arg0, %arg1 : i32
// CHECK: arith.subi %[[UPPER]], %arg0
// CHECK: scf.for {{.*}} = %arg0 to %[[MAIN:.*]] step %{{.*}} iter_args
// CHECK-COUNT-3: tt.load
// CHECK: } {tt.flatten, tt.num_stages = 4 : i32}
// CHECK: scf.for {{.*}} = %[[MAIN]] to %[[UPPER]] step %arg2 iter_args
// CHECK-COUNT-1: tt.load
// CHECK: } {tt.flatten, tt.num_stages = 1 : i32}
tt.func @dynamic(%lb: i32, %ub: i32, %s: i32, %p: !tt.ptr<f32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %lb to %ub step %s iter_args(%acc = %zero) -> f32 : i32 {
    %q = tt.addptr %p, %i : !tt.ptr<f32>, i32
    %x = tt.load %q : !tt.ptr<f32>
    %y = arith.addf %acc, %x : f32
    scf.yield %y : f32
  } {tt.loop_unroll_factor = 3 : i32, tt.num_stages = 4 : i32, tt.flatten}
  tt.return %r : f32
}

// -----

// A known number of iterations: the rest has a known beginning.
// CHECK-LABEL: @with_rest
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c6{{.*}} step %c2{{.*}} iter_args
// CHECK-COUNT-2: tt.load
// CHECK-NOT: tt.loop_unroll_factor
// CHECK-COUNT-1: tt.load
tt.func @with_rest(%p: !tt.ptr<f32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  %r = scf.for %i = %c0 to %c7 step %c1 iter_args(%acc = %zero) -> f32 : i32 {
    %q = tt.addptr %p, %i : !tt.ptr<f32>, i32
    %x = tt.load %q : !tt.ptr<f32>
    %y = arith.addf %acc, %x : f32
    scf.yield %y : f32
  } {tt.loop_unroll_factor = 2 : i32}
  tt.return %r : f32
}

// -----

// Eight iterations by four leave none; by eight, no loop either; by sixteen, only the rest.
// CHECK-LABEL: @divisible
// CHECK: scf.for {{.*}} iter_args
// CHECK-COUNT-4: tt.load
// CHECK: }
// CHECK-NOT: scf.for
// CHECK-COUNT-8: tt.load
// CHECK: scf.for {{.*}} iter_args
// CHECK-COUNT-1: tt.load
// CHECK: tt.return
tt.func @divisible(%p: !tt.ptr<f32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%acc = %zero) -> f32 {
    %x = tt.load %p : !tt.ptr<f32>
    %y = arith.addf %acc, %x : f32
    scf.yield %y : f32
  } {tt.loop_unroll_factor = 4 : i32}
  %s = scf.for %i = %c0 to %c8 step %c1 iter_args(%acc = %r) -> f32 {
    %x = tt.load %p : !tt.ptr<f32>
    %y = arith.addf %acc, %x : f32
    scf.yield %y : f32
  } {tt.loop_unroll_factor = 8 : i32}
  %t = scf.for %i = %c0 to %c8 step %c1 iter_args(%acc = %s) -> f32 {
    %x = tt.load %p : !tt.ptr<f32>
    %y = arith.addf %acc, %x : f32
    scf.yield %y : f32
  } {tt.loop_unroll_factor = 16 : i32}
  tt.return %t : f32
}

// -----

// A loop without values, of i64.
// CHECK-LABEL: @no_values
// CHECK: scf.for
// CHECK-COUNT-2: tt.store
// CHECK: } {tt.disallow_acc_multi_buffer}
// CHECK: scf.for
// CHECK-COUNT-1: tt.store
// CHECK: } {tt.disallow_acc_multi_buffer, tt.num_stages = 1 : i32}
tt.func @no_values(%ub: i64, %p: !tt.ptr<f32>, %v: f32) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %i = %c0 to %ub step %c1 : i64 {
    %q = tt.addptr %p, %i : !tt.ptr<f32>, i64
    tt.store %q, %v : !tt.ptr<f32>
  } {tt.loop_unroll_factor = 2 : i32, tt.disallow_acc_multi_buffer}
  tt.return
}

// -----

// Both loops of a nest: the outer one holds copies of what the inner one became.
// CHECK-LABEL: @nested
// CHECK-COUNT-9: tt.store
// CHECK-NOT: tt.store
tt.func @nested(%n: i32, %p: !tt.ptr<f32>, %v: f32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    scf.for %j = %c0 to %n step %c1 : i32 {
      %q = tt.addptr %p, %j : !tt.ptr<f32>, i32
      tt.store %q, %v : !tt.ptr<f32>
    } {tt.loop_unroll_factor = 2 : i32}
  } {tt.loop_unroll_factor = 2 : i32}
  tt.return
}

// -----

// Left alone: no factor, or one of less than two.
// CHECK-LABEL: @left_alone
// CHECK: scf.for %{{.*}} = %arg0 to %arg1 step %arg2
// CHECK-COUNT-1: tt.store
// CHECK: scf.for %{{.*}} = %arg0 to %arg1 step %arg2
// CHECK: } {tt.loop_unroll_factor = 1 : i32}
// CHECK: scf.for %{{.*}} = %arg0 to %arg1 step %arg2
// CHECK: } {tt.loop_unroll_factor = -2 : i32}
tt.func @left_alone(%lb: i32, %ub: i32, %s: i32, %p: !tt.ptr<i32>) {
  scf.for %i = %lb to %ub step %s : i32 {
    tt.store %p, %i : !tt.ptr<i32>
  }
  scf.for %i = %lb to %ub step %s : i32 {
    tt.store %p, %i : !tt.ptr<i32>
  } {tt.loop_unroll_factor = 1 : i32}
  scf.for %i = %lb to %ub step %s : i32 {
    tt.store %p, %i : !tt.ptr<i32>
  } {tt.loop_unroll_factor = -2 : i32}
  tt.return
}

// -----

// MLIR asserts a constant lower bound where it knows how often a loop runs.
// CHECK-LABEL: @count_is_known
// CHECK: %[[END:.*]] = arith.addi %arg0, %c4_i32 overflow<nsw>
// CHECK-NEXT: arith.subi %[[END]], %arg0
// CHECK: scf.for
// CHECK-COUNT-2: tt.store
// CHECK: scf.for
// CHECK-COUNT-1: tt.store
tt.func @count_is_known(%n: i32, %p: !tt.ptr<f32>, %v: f32) {
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %end = arith.addi %n, %c4 overflow<nsw> : i32
  scf.for %i = %n to %end step %c1 : i32 {
    tt.store %p, %v : !tt.ptr<f32>
  } {tt.loop_unroll_factor = 2 : i32}
  tt.return
}

// -----

// A loop that never runs stays.
// CHECK-LABEL: @never
// CHECK: scf.for
// CHECK-COUNT-1: tt.store
// CHECK-NOT: scf.for
tt.func @never(%n: i32, %p: !tt.ptr<f32>, %v: f32) {
  %c1 = arith.constant 1 : i32
  scf.for %i = %n to %n step %c1 : i32 {
    tt.store %p, %v : !tt.ptr<f32>
  } {tt.loop_unroll_factor = 2 : i32}
  tt.return
}
