// RUN: tt-opt %s "--tritongpu-coalesce=by-stride=true" | FileCheck %s
// RUN: tt-opt %s --tritongpu-coalesce | FileCheck %s --check-prefix=ALONE

#blocked = #ttg.blocked<{sizePerThread = [1, 1, 1], threadsPerWarp = [1, 1, 32], warpsPerCTA = [1, 1, 4], order = [2, 1, 0]}>
#outer = #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #blocked}>}>
#outer1 = #ttg.slice<{dim = 2, parent = #blocked}>
#middle = #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 2, parent = #blocked}>}>
#inner = #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 1, parent = #blocked}>}>
#inner1 = #ttg.slice<{dim = 1, parent = #blocked}>
// The first two dimensions have contiguity 1, and strides of 1024 and 64.
// CHECK-DAG: #[[BY_STRIDE:.*]] = #ttg.blocked<{sizePerThread = [1, 1, 4], threadsPerWarp = [1, 2, 16], warpsPerCTA = [1, 4, 1], order = [2, 1, 0]}>
// CHECK-DAG: #[[BY_PLACE:.*]] = #ttg.blocked<{sizePerThread = [1, 1, 4], threadsPerWarp = [2, 1, 16], warpsPerCTA = [4, 1, 1], order = [2, 0, 1]}>
// ALONE: order = [2, 0, 1]
// ALONE-NOT: sizePerThread = [1, 1, 4], {{.*}} order = [2, 1, 0]
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @known
  tt.func public @known(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %row = arith.constant dense<64> : tensor<1x16x1xi32, #blocked>
    %slab = arith.constant dense<1024> : tensor<8x1x1xi32, #blocked>
    %next = arith.constant dense<8192> : tensor<8x16x64xi32, #blocked>
    %0 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32, #outer>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<8xi32, #outer> -> tensor<8x1xi32, #outer1>
    %2 = tt.expand_dims %1 {axis = 2 : i32} : tensor<8x1xi32, #outer1> -> tensor<8x1x1xi32, #blocked>
    %3 = arith.muli %2, %slab : tensor<8x1x1xi32, #blocked>
    %4 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #middle>
    %5 = tt.expand_dims %4 {axis = 0 : i32} : tensor<16xi32, #middle> -> tensor<1x16xi32, #outer1>
    %6 = tt.expand_dims %5 {axis = 2 : i32} : tensor<1x16xi32, #outer1> -> tensor<1x16x1xi32, #blocked>
    %7 = arith.muli %6, %row : tensor<1x16x1xi32, #blocked>
    %8 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #inner>
    %9 = tt.expand_dims %8 {axis = 0 : i32} : tensor<64xi32, #inner> -> tensor<1x64xi32, #inner1>
    %10 = tt.expand_dims %9 {axis = 1 : i32} : tensor<1x64xi32, #inner1> -> tensor<1x1x64xi32, #blocked>
    %11 = tt.broadcast %3 : tensor<8x1x1xi32, #blocked> -> tensor<8x16x1xi32, #blocked>
    %12 = tt.broadcast %7 : tensor<1x16x1xi32, #blocked> -> tensor<8x16x1xi32, #blocked>
    %13 = arith.addi %11, %12 : tensor<8x16x1xi32, #blocked>
    %14 = tt.broadcast %13 : tensor<8x16x1xi32, #blocked> -> tensor<8x16x64xi32, #blocked>
    %15 = tt.broadcast %10 : tensor<1x1x64xi32, #blocked> -> tensor<8x16x64xi32, #blocked>
    %16 = arith.addi %14, %15 : tensor<8x16x64xi32, #blocked>
    %17 = tt.splat %x : !tt.ptr<f32> -> tensor<8x16x64x!tt.ptr<f32>, #blocked>
    %18 = tt.addptr %17, %16 : tensor<8x16x64x!tt.ptr<f32>, #blocked>, tensor<8x16x64xi32, #blocked>
    // A pointer that a loop carries has the strides that it begins with.
    %19 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %18) -> (tensor<8x16x64x!tt.ptr<f32>, #blocked>) : i32 {
      // CHECK: tt.load %{{.*}} : tensor<8x16x64x!tt.ptr<f32>, #[[BY_STRIDE]]>
      %20 = tt.load %p : tensor<8x16x64x!tt.ptr<f32>, #blocked>
      tt.store %p, %20 : tensor<8x16x64x!tt.ptr<f32>, #blocked>
      %21 = tt.addptr %p, %next : tensor<8x16x64x!tt.ptr<f32>, #blocked>, tensor<8x16x64xi32, #blocked>
      scf.yield %21 : tensor<8x16x64x!tt.ptr<f32>, #blocked>
    }
    tt.return
  }

  // One stride is a parameter, so the order is that of the dimensions.
  // CHECK-LABEL: @unknown
  tt.func public @unknown(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}) {
    %row = arith.constant dense<64> : tensor<1x16x1xi32, #blocked>
    %slab = tt.splat %n : i32 -> tensor<8x1x1xi32, #blocked>
    %0 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32, #outer>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<8xi32, #outer> -> tensor<8x1xi32, #outer1>
    %2 = tt.expand_dims %1 {axis = 2 : i32} : tensor<8x1xi32, #outer1> -> tensor<8x1x1xi32, #blocked>
    %3 = arith.muli %2, %slab : tensor<8x1x1xi32, #blocked>
    %4 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #middle>
    %5 = tt.expand_dims %4 {axis = 0 : i32} : tensor<16xi32, #middle> -> tensor<1x16xi32, #outer1>
    %6 = tt.expand_dims %5 {axis = 2 : i32} : tensor<1x16xi32, #outer1> -> tensor<1x16x1xi32, #blocked>
    %7 = arith.muli %6, %row : tensor<1x16x1xi32, #blocked>
    %8 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #inner>
    %9 = tt.expand_dims %8 {axis = 0 : i32} : tensor<64xi32, #inner> -> tensor<1x64xi32, #inner1>
    %10 = tt.expand_dims %9 {axis = 1 : i32} : tensor<1x64xi32, #inner1> -> tensor<1x1x64xi32, #blocked>
    %11 = tt.broadcast %3 : tensor<8x1x1xi32, #blocked> -> tensor<8x16x1xi32, #blocked>
    %12 = tt.broadcast %7 : tensor<1x16x1xi32, #blocked> -> tensor<8x16x1xi32, #blocked>
    %13 = arith.addi %11, %12 : tensor<8x16x1xi32, #blocked>
    %14 = tt.broadcast %13 : tensor<8x16x1xi32, #blocked> -> tensor<8x16x64xi32, #blocked>
    %15 = tt.broadcast %10 : tensor<1x1x64xi32, #blocked> -> tensor<8x16x64xi32, #blocked>
    %16 = arith.addi %14, %15 : tensor<8x16x64xi32, #blocked>
    %17 = tt.splat %x : !tt.ptr<f32> -> tensor<8x16x64x!tt.ptr<f32>, #blocked>
    %18 = tt.addptr %17, %16 : tensor<8x16x64x!tt.ptr<f32>, #blocked>, tensor<8x16x64xi32, #blocked>
    // CHECK: tt.load %{{.*}} : tensor<8x16x64x!tt.ptr<f32>, #[[BY_PLACE]]>
    %19 = tt.load %18 : tensor<8x16x64x!tt.ptr<f32>, #blocked>
    tt.store %18, %19 : tensor<8x16x64x!tt.ptr<f32>, #blocked>
    tt.return
  }
}
