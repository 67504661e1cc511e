// RUN: tt-opt %s --split-input-file --triton-loop-aware-cse | FileCheck %s

// Two values that start equal and are changed in the same way become one, through several operations.
// CHECK-LABEL: @same_steps
// CHECK: %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[X:.*]] = %arg2, %[[V:.*]] = %arg3) -> (i32, tensor<16xf32>)
// CHECK-COUNT-1: arith.addi
// CHECK-COUNT-1: tt.splat
// CHECK-COUNT-1: arith.mulf
// CHECK: scf.yield
// CHECK: tt.return %[[R]]#0, %[[R]]#0, %[[R]]#1, %[[R]]#1
tt.func @same_steps(%n: i32, %s: i32, %init: i32, %v: tensor<16xf32>) -> (i32, i32, tensor<16xf32>, tensor<16xf32>) {
  %c0 = arith.constant 0 : i32
  %r:4 = scf.for %i = %c0 to %n step %s iter_args(%x = %init, %y = %init, %v0 = %v, %v1 = %v)
      -> (i32, i32, tensor<16xf32>, tensor<16xf32>) : i32 {
    %0 = arith.addi %x, %s : i32
    %1 = arith.addi %y, %s : i32
    %2 = tt.splat %x : i32 -> tensor<16xi32>
    %3 = tt.splat %y : i32 -> tensor<16xi32>
    %4 = arith.sitofp %2 : tensor<16xi32> to tensor<16xf32>
    %5 = arith.sitofp %3 : tensor<16xi32> to tensor<16xf32>
    %6 = arith.mulf %v0, %4 : tensor<16xf32>
    %7 = arith.mulf %v1, %5 : tensor<16xf32>
    scf.yield %0, %1, %6, %7 : i32, i32, tensor<16xf32>, tensor<16xf32>
  }
  tt.return %r#0, %r#1, %r#2, %r#3 : i32, i32, tensor<16xf32>, tensor<16xf32>
}

// -----

// The starts are the same only after CSE; the pairs trade places, so one pair is equal because the other is.
// CHECK-LABEL: @trading_places
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %arg1) -> (i32, i32)
// CHECK: scf.yield %[[B]], %[[A]] : i32, i32
tt.func @trading_places(%n: i32, %start: i32) -> (i32, i32, i32, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %i0 = arith.muli %n, %n : i32
  %i1 = arith.muli %n, %n : i32
  %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %i0, %b = %start, %c = %i1, %d = %start) -> (i32, i32, i32, i32) : i32 {
    scf.yield %b, %a, %d, %c : i32, i32, i32, i32
  }
  tt.return %r#0, %r#1, %r#2, %r#3 : i32, i32, i32, i32
}

// -----

// Three of a kind become one; a fourth that starts elsewhere stays.
// CHECK-LABEL: @three_pointers
// CHECK: iter_args(%{{.*}} = %arg1, %{{.*}} = %arg2, %{{.*}} = %{{.*}}) -> (!tt.ptr<f32>, !tt.ptr<f32>, f32)
tt.func @three_pointers(%n: i32, %p: !tt.ptr<f32>, %q: !tt.ptr<f32>) -> f32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %r:5 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %p, %b = %p, %c = %p, %d = %q, %acc = %zero)
      -> (!tt.ptr<f32>, !tt.ptr<f32>, !tt.ptr<f32>, !tt.ptr<f32>, f32) : i32 {
    %0 = tt.load %a : !tt.ptr<f32>
    %1 = tt.load %b : !tt.ptr<f32>
    %2 = tt.load %c : !tt.ptr<f32>
    %3 = tt.load %d : !tt.ptr<f32>
    %4 = arith.addf %acc, %0 : f32
    %5 = arith.addf %4, %1 : f32
    %6 = arith.addf %5, %2 : f32
    %7 = arith.addf %6, %3 : f32
    %a1 = tt.addptr %a, %c1 : !tt.ptr<f32>, i32
    %b1 = tt.addptr %b, %c1 : !tt.ptr<f32>, i32
    %c2 = tt.addptr %c, %c1 : !tt.ptr<f32>, i32
    %d1 = tt.addptr %d, %c1 : !tt.ptr<f32>, i32
    scf.yield %a1, %b1, %c2, %d1, %7 : !tt.ptr<f32>, !tt.ptr<f32>, !tt.ptr<f32>, !tt.ptr<f32>, f32
  }
  tt.return %r#4 : f32
}

// -----

// A loop in a loop: the inner one is merged; its results are not compared for the outer one.
// CHECK-LABEL: @nested
// CHECK: scf.for {{.*}} -> (i32)
// CHECK: scf.for {{.*}} -> (i32)
// CHECK: arith.muli
// CHECK-NOT: arith.muli
// CHECK: tt.return %[[R:.*]], %[[R]]
tt.func @nested(%n: i32, %init: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %init, %b = %init) -> (i32, i32) : i32 {
    %s:2 = scf.for %j = %c0 to %n step %c1 iter_args(%c = %a, %d = %a) -> (i32, i32) : i32 {
      %0 = arith.muli %c, %j : i32
      %1 = arith.muli %d, %j : i32
      scf.yield %0, %1 : i32, i32
    }
    scf.yield %s#0, %s#1 : i32, i32
  }
  tt.return %r#0, %r#1 : i32, i32
}

// -----

// Left alone: different steps, different starts, the induction variable against another value, operands in another
// order, loads, which may differ between two times.
// CHECK-LABEL: @left_alone
// CHECK: scf.for {{.*}} -> (i32, i32, i32, i32, i32, i32, i32)
// CHECK: scf.for {{.*}} -> (f32, f32)
tt.func @left_alone(%n: i32, %init: i32, %other: i32, %p: !tt.ptr<f32>, %out: !tt.ptr<f32>)
    -> (i32, i32, i32, i32, i32, i32, i32, f32, f32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %zero = arith.constant 0.0 : f32
  %r:7 = scf.for %i = %c0 to %n step %c1
      iter_args(%a = %init, %b = %init, %c = %other, %d = %init, %e = %init, %f = %init, %g = %init)
      -> (i32, i32, i32, i32, i32, i32, i32) : i32 {
    %0 = arith.addi %a, %c1 : i32
    %1 = arith.addi %b, %c2 : i32
    %2 = arith.addi %c, %c1 : i32
    %3 = arith.addi %d, %i : i32
    %4 = arith.addi %e, %a : i32
    %5 = arith.subi %f, %n : i32
    %6 = arith.subi %n, %g : i32
    scf.yield %0, %1, %2, %3, %4, %5, %6 : i32, i32, i32, i32, i32, i32, i32
  }
  %s:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %zero, %y = %zero) -> (f32, f32) : i32 {
    %0 = tt.load %p : !tt.ptr<f32>
    tt.store %out, %0 : !tt.ptr<f32>
    %1 = tt.load %p : !tt.ptr<f32>
    %2 = arith.addf %x, %0 : f32
    %3 = arith.addf %y, %1 : f32
    scf.yield %2, %3 : f32, f32
  }
  tt.return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6, %s#0, %s#1 : i32, i32, i32, i32, i32, i32, i32, f32, f32
}

// -----

// A while loop is left alone.
// CHECK-LABEL: @while_loop
// CHECK: scf.while ({{.*}}, {{.*}}) : (i32, i32)
tt.func @while_loop(%n: i32) -> (i32, i32) {
  %c1 = arith.constant 1 : i32
  %r:2 = scf.while (%a = %n, %b = %n) : (i32, i32) -> (i32, i32) {
    %more = arith.cmpi slt, %a, %b : i32
    scf.condition(%more) %a, %b : i32, i32
  } do {
  ^bb0(%a: i32, %b: i32):
    %0 = arith.addi %a, %c1 : i32
    %1 = arith.addi %b, %c1 : i32
    scf.yield %0, %1 : i32, i32
  }
  tt.return %r#0, %r#1 : i32, i32
}

// -----

// A chain of products whose two halves double with each step is compared once a step.
// CHECK-LABEL: @shared_operands
// CHECK: scf.for {{.*}} -> (i32)
// CHECK-COUNT-12: arith.muli
// CHECK-NOT: arith.muli
tt.func @shared_operands(%n: i32, %init: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x0 = %init, %y0 = %init) -> (i32, i32) : i32 {
    %x1 = arith.muli %x0, %x0 : i32
    %y1 = arith.muli %y0, %y0 : i32
    %x2 = arith.muli %x1, %x1 : i32
    %y2 = arith.muli %y1, %y1 : i32
    %x3 = arith.muli %x2, %x2 : i32
    %y3 = arith.muli %y2, %y2 : i32
    %x4 = arith.muli %x3, %x3 : i32
    %y4 = arith.muli %y3, %y3 : i32
    %x5 = arith.muli %x4, %x4 : i32
    %y5 = arith.muli %y4, %y4 : i32
    %x6 = arith.muli %x5, %x5 : i32
    %y6 = arith.muli %y5, %y5 : i32
    %x7 = arith.muli %x6, %x6 : i32
    %y7 = arith.muli %y6, %y6 : i32
    %x8 = arith.muli %x7, %x7 : i32
    %y8 = arith.muli %y7, %y7 : i32
    %x9 = arith.muli %x8, %x8 : i32
    %y9 = arith.muli %y8, %y8 : i32
    %x10 = arith.muli %x9, %x9 : i32
    %y10 = arith.muli %y9, %y9 : i32
    %x11 = arith.muli %x10, %x10 : i32
    %y11 = arith.muli %y10, %y10 : i32
    %x12 = arith.muli %x11, %x11 : i32
    %y12 = arith.muli %y11, %y11 : i32
    scf.yield %x12, %y12 : i32, i32
  }
  tt.return %r#0, %r#1 : i32, i32
}

// -----

// A loop that begins with the results of another: they are one value once that is merged.
// CHECK-LABEL: @one_after_the_other
// CHECK: %[[FIRST:.*]] = scf.for {{.*}} -> (i32)
// CHECK: %[[SECOND:.*]] = scf.for {{.*}} = %[[FIRST]]) -> (i32)
// CHECK: tt.return %[[SECOND]], %[[SECOND]]
tt.func @one_after_the_other(%n: i32, %init: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %init, %y = %init) -> (i32, i32) : i32 {
    %a = arith.addi %x, %n : i32
    %b = arith.addi %y, %n : i32
    scf.yield %a, %b : i32, i32
  }
  %s:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %r#0, %y = %r#1) -> (i32, i32) : i32 {
    %a = arith.muli %x, %n : i32
    %b = arith.muli %y, %n : i32
    scf.yield %a, %b : i32, i32
  }
  tt.return %s#0, %s#1 : i32, i32
}

// -----

// Edge case: both values come from one operation with several results, which is no loop.
// CHECK-LABEL: @results_of_one_operation
// CHECK: scf.for {{.*}} -> (tensor<16xf32>, tensor<16xf32>)
tt.func @results_of_one_operation(%n: i32, %x: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x) -> (tensor<16xf32>, tensor<16xf32>) : i32 {
    %pair = tt.join %a, %b : tensor<16xf32> -> tensor<16x2xf32>
    %0, %1 = tt.split %pair : tensor<16x2xf32> -> tensor<16xf32>
    scf.yield %0, %1 : tensor<16xf32>, tensor<16xf32>
  }
  tt.return %r#0, %r#1 : tensor<16xf32>, tensor<16xf32>
}
