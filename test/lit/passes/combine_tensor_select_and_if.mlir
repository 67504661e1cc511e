// RUN: tt-opt %s --split-input-file --tritongpu-combine-tensor-select-and-if | FileCheck %s

// Selects become results of the if; without an else it gets one.
// CHECK-LABEL: @combine
tt.func public @combine(%c: i1, %p: tensor<4x!tt.ptr<f32>>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK-NEXT: %[[R:.*]]:2 = scf.if %arg0 -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK-NEXT:   tt.store %arg1, %arg2
  // CHECK-NEXT:   scf.yield %arg2, %arg3
  // CHECK-NEXT: } else {
  // CHECK-NEXT:   scf.yield %arg3, %arg2
  // CHECK-NEXT: }
  // CHECK-NEXT: tt.return %[[R]]#0, %[[R]]#1
  %s = arith.select %c, %x, %y : tensor<4xf32>
  %t = arith.select %c, %y, %x : tensor<4xf32>
  scf.if %c {
    tt.store %p, %x : tensor<4x!tt.ptr<f32>>
  }
  tt.return %s, %t : tensor<4xf32>, tensor<4xf32>
}

// Results that the if has come first; of several ifs the first takes the select.
// CHECK-LABEL: @first
tt.func public @first(%c: i1, %p: tensor<4x!tt.ptr<f32>>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK: scf.if %arg0 -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK-NEXT: scf.yield %arg3, %arg2
  // CHECK: scf.yield %arg2, %arg3
  // CHECK: scf.if %arg0 {
  %s = arith.select %c, %x, %y : tensor<4xf32>
  %r = scf.if %c -> tensor<4xf32> {
    scf.yield %y : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  scf.if %c {
    tt.store %p, %r : tensor<4x!tt.ptr<f32>>
  }
  tt.return %s, %r : tensor<4xf32>, tensor<4xf32>
}

// Inside of an if of the same condition a select is known, also one of scalars.
// CHECK-LABEL: @inside
tt.func public @inside(%c: i1, %p: !tt.ptr<f32>, %x: f32, %y: f32) -> f32 {
  // CHECK-NEXT: %[[S:.*]] = arith.select %arg0, %arg2, %arg3 : f32
  // CHECK-NEXT: scf.if %arg0 {
  // CHECK-NEXT:   tt.store %arg1, %arg2
  // CHECK-NEXT: } else {
  // CHECK-NEXT:   tt.store %arg1, %arg3
  // CHECK-NEXT: }
  // CHECK-NEXT: tt.return %[[S]]
  %s = arith.select %c, %x, %y : f32
  scf.if %c {
    tt.store %p, %s : !tt.ptr<f32>
  } else {
    tt.store %p, %s : !tt.ptr<f32>
  }
  tt.return %s : f32
}

// Left alone: a use in front of the if, a select behind it, a condition for each element.
// CHECK-LABEL: @left_alone
tt.func public @left_alone(%c: i1, %d: tensor<4xi1>, %p: tensor<4x!tt.ptr<f32>>, %x: tensor<4xf32>, %y: tensor<4xf32>) {
  // CHECK-NEXT: arith.select %arg0
  // CHECK-NEXT: arith.select %arg1
  // CHECK-NEXT: arith.addf
  // CHECK-NEXT: scf.if %arg0 {
  // CHECK: arith.select %arg0
  %s = arith.select %c, %x, %y : tensor<4xf32>
  %e = arith.select %d, %x, %y : tensor<4xi1>, tensor<4xf32>
  %u = arith.addf %s, %e : tensor<4xf32>
  scf.if %c {
    tt.store %p, %u : tensor<4x!tt.ptr<f32>>
  }
  %t = arith.select %c, %x, %y : tensor<4xf32>
  tt.store %p, %s : tensor<4x!tt.ptr<f32>>
  tt.store %p, %t : tensor<4x!tt.ptr<f32>>
  tt.return
}

// Edge: uses in another block are behind the if; a select that is used by another one in front of the if stays.
// CHECK-LABEL: @blocks
tt.func public @blocks(%c: i1, %p: tensor<4x!tt.ptr<f32>>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: %[[S:.*]] = arith.select %arg0
  // CHECK-NEXT: %[[R:.*]] = scf.if %arg0 -> (tensor<4xf32>) {
  // CHECK: scf.yield %[[S]]
  // CHECK: scf.yield %arg3
  // CHECK: tt.return %[[R]]
  %s = arith.select %c, %x, %y : tensor<4xf32>
  %t = arith.select %c, %s, %y : tensor<4xf32>
  scf.if %c {
    tt.store %p, %x : tensor<4x!tt.ptr<f32>>
  }
  cf.br ^bb1
^bb1:
  tt.return %t : tensor<4xf32>
}
