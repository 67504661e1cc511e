// RUN: tt-opt %s --split-input-file --triton-reorder-broadcast | FileCheck %s

// Elementwise on splats is scalar arithmetic and one splat; constants of equal elements count as splats.
// CHECK-LABEL: @splat
tt.func public @splat(%a: f32, %b: f32) -> tensor<64xf32> {
  %c3 = arith.constant dense<3.0> : tensor<64xf32>
  // CHECK: %[[C3:.*]] = arith.constant 3.000000e+00 : f32
  // CHECK: %[[SUM:.*]] = arith.addf %arg0, %arg1 fastmath<fast> : f32
  // CHECK: %[[PRODUCT:.*]] = arith.mulf %[[SUM]], %[[C3]] : f32
  // CHECK: tt.splat %[[PRODUCT]] : f32 -> tensor<64xf32>
  %0 = tt.splat %a : f32 -> tensor<64xf32>
  %1 = tt.splat %b : f32 -> tensor<64xf32>
  %2 = arith.addf %0, %1 fastmath<fast> : tensor<64xf32>
  %3 = arith.mulf %2, %c3 : tensor<64xf32>
  tt.return %3 : tensor<64xf32>
}

// -----

// Pointer arithmetic is elementwise too.
// CHECK-LABEL: @pointers
tt.func public @pointers(%p: !tt.ptr<f32>, %i: i32) -> tensor<64x!tt.ptr<f32>> {
  // CHECK-NEXT: %[[P:.*]] = tt.addptr %arg0, %arg1 : !tt.ptr<f32>, i32
  // CHECK-NEXT: tt.splat %[[P]]
  %0 = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %1 = tt.splat %i : i32 -> tensor<64xi32>
  %2 = tt.addptr %0, %1 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  tt.return %2 : tensor<64x!tt.ptr<f32>>
}

// -----

// A broadcast moves behind what is done to its elements; splats and constants shrink to its shape.
// CHECK-LABEL: @broadcast
tt.func public @broadcast(%x: tensor<64x1xf32>, %a: f32) -> tensor<64x32xf32> {
  %c2 = arith.constant dense<2.0> : tensor<64x32xf32>
  // CHECK: %[[C2:.*]] = arith.constant dense<2.000000e+00> : tensor<64x1xf32>
  // CHECK: %[[EXP:.*]] = math.exp %arg0 : tensor<64x1xf32>
  // CHECK: %[[MUL:.*]] = arith.mulf %[[EXP]], %[[C2]] : tensor<64x1xf32>
  // CHECK: %[[A:.*]] = tt.splat %arg1 : f32 -> tensor<64x1xf32>
  // CHECK: %[[ADD:.*]] = arith.addf %[[MUL]], %[[A]] : tensor<64x1xf32>
  // CHECK: tt.broadcast %[[ADD]] : tensor<64x1xf32> -> tensor<64x32xf32>
  %0 = tt.broadcast %x : tensor<64x1xf32> -> tensor<64x32xf32>
  %1 = math.exp %0 : tensor<64x32xf32>
  %2 = arith.mulf %1, %c2 : tensor<64x32xf32>
  %3 = tt.splat %a : f32 -> tensor<64x32xf32>
  %4 = arith.addf %2, %3 : tensor<64x32xf32>
  tt.return %4 : tensor<64x32xf32>
}

// -----

// A result of another element type keeps it.
// CHECK-LABEL: @compare
tt.func public @compare(%x: tensor<64x1xf32>, %y: tensor<64x1xf32>) -> tensor<64x32xi1> {
  // CHECK-NEXT: %[[CMP:.*]] = arith.cmpf ogt, %arg0, %arg1 : tensor<64x1xf32>
  // CHECK-NEXT: tt.broadcast %[[CMP]] : tensor<64x1xi1> -> tensor<64x32xi1>
  %0 = tt.broadcast %x : tensor<64x1xf32> -> tensor<64x32xf32>
  %1 = tt.broadcast %y : tensor<64x1xf32> -> tensor<64x32xf32>
  %2 = arith.cmpf ogt, %0, %1 : tensor<64x32xf32>
  tt.return %2 : tensor<64x32xi1>
}

// -----

// expand_dims moves in front of splat and broadcast, so that the patterns see them.
// CHECK-LABEL: @expand_dims
tt.func public @expand_dims(%a: f32, %x: tensor<64x1xf32>) -> tensor<64x32xf32> {
  // CHECK-NEXT: %[[A:.*]] = tt.splat %arg0 : f32 -> tensor<64x1xf32>
  // CHECK-NEXT: %[[ADD:.*]] = arith.addf %[[A]], %arg1 : tensor<64x1xf32>
  // CHECK-NEXT: tt.broadcast %[[ADD]]
  %0 = tt.splat %a : f32 -> tensor<64xf32>
  %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
  %2 = tt.broadcast %1 : tensor<64x1xf32> -> tensor<64x32xf32>
  %3 = tt.broadcast %x : tensor<64x1xf32> -> tensor<64x32xf32>
  %4 = arith.addf %2, %3 : tensor<64x32xf32>
  tt.return %4 : tensor<64x32xf32>
}

// -----

// Differs from Triton: it gives one element to assembly that packs two.
// Left alone: broadcasts of two shapes, an operand that is neither, memory effects, assembly that packs elements.
// CHECK-LABEL: @left_alone
tt.func public @left_alone(%x: tensor<64x1xf32>, %y: tensor<1x32xf32>, %t: tensor<64x32xf32>, %i: i32)
    -> (tensor<64x32xf32>, tensor<64x32xf32>, tensor<64xi32>, tensor<64xi32>) {
  // CHECK: arith.mulf {{.*}} : tensor<64x32xf32>
  %0 = tt.broadcast %x : tensor<64x1xf32> -> tensor<64x32xf32>
  %1 = tt.broadcast %y : tensor<1x32xf32> -> tensor<64x32xf32>
  %2 = arith.mulf %0, %1 : tensor<64x32xf32>
  // CHECK: arith.addf {{.*}} : tensor<64x32xf32>
  %3 = arith.addf %0, %t : tensor<64x32xf32>
  // CHECK: tt.elementwise_inline_asm {{.*}} : tensor<64xi32> -> tensor<64xi32>
  // CHECK: tt.elementwise_inline_asm {{.*}} : tensor<64xi32> -> tensor<64xi32>
  %4 = tt.splat %i : i32 -> tensor<64xi32>
  %5 = tt.elementwise_inline_asm "st $0, $1;" {constraints = "=r,r", packed_element = 1 : i32, pure = false} %4 : tensor<64xi32> -> tensor<64xi32>
  %6 = tt.elementwise_inline_asm "v $0, $1;" {constraints = "=r,r", packed_element = 2 : i32, pure = true} %4 : tensor<64xi32> -> tensor<64xi32>
  tt.return %2, %3, %5, %6 : tensor<64x32xf32>, tensor<64x32xf32>, tensor<64xi32>, tensor<64xi32>
}
