// RUN: tt-opt %s --gluon-inline | FileCheck %s

// CHECK-LABEL: tt.func public @kernel
// CHECK-NEXT: %[[SUM:.*]] = arith.addf
// CHECK-NEXT: arith.constant 0
// CHECK-NEXT: arith.constant 1
// CHECK-NEXT: scf.for
// CHECK-NEXT: tt.store %arg0, %[[SUM]]
// CHECK-NEXT: }
// CHECK-NEXT: tt.call @kept
// CHECK-NEXT: tt.return
tt.func public @kernel(%p: !tt.ptr<f32>, %x: f32) {
  %0 = tt.call @twice(%x) : (f32) -> f32
  %one = arith.constant 1.0 : f32
  %1 = arith.mulf %0, %one : f32
  %from = arith.constant 0 : i32
  %to = arith.constant 1 : i32
  scf.for %i = %from to %to step %to : i32 {
    tt.store %p, %1 : !tt.ptr<f32>
  }
  tt.call @kept(%p) : (!tt.ptr<f32>) -> ()
  tt.return
}

// CHECK-NOT: @twice
tt.func private @twice(%x: f32) -> f32 {
  %0 = arith.addf %x, %x : f32
  tt.return %0 : f32
}

// CHECK: tt.func private @kept
tt.func private @kept(%p: !tt.ptr<f32>) attributes {noinline = true} {
  tt.return
}

// What nothing reaches goes first, so that one block is left, which a loop can hold.
// CHECK-LABEL: tt.func public @early_return
// CHECK-NOT: cf.br
// CHECK: scf.for
// CHECK-NEXT: arith.muli
// CHECK-NEXT: tt.store
tt.func public @early_return(%p: !tt.ptr<i32>, %n: i32) {
  %one = arith.constant 1 : i32
  scf.for %i = %one to %n step %one : i32 {
    %0 = tt.call @square(%i) : (i32) -> i32
    tt.store %p, %0 : !tt.ptr<i32>
  }
  tt.return
}

tt.func private @square(%x: i32) -> i32 {
  %0 = arith.muli %x, %x : i32
  tt.return %0 : i32
^bb1:
  %1 = ub.poison : i32
  tt.return %1 : i32
}
