// RUN: tt-opt %s --gluon-inline | FileCheck %s

// CHECK-LABEL: tt.func public @kernel
// CHECK-NEXT: arith.addf
// CHECK-NEXT: tt.store
// CHECK-NEXT: tt.call @kept
// CHECK-NEXT: tt.return
tt.func public @kernel(%p: !tt.ptr<f32>, %x: f32) {
  %0 = tt.call @twice(%x) : (f32) -> f32
  tt.store %p, %0 : !tt.ptr<f32>
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
