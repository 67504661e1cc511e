// RUN: tt-opt %s --load-dialect=%S/../roll/dialect.py --split-input-file --check-passes --ttkit-llir=capability=90 | FileCheck %s

// --check-passes runs the kernels before and after the lowering: rotated across registers, lanes and warps.
#b = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.target" = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: llvm.func @along_lanes
  // CHECK: nvvm.shfl.sync
  // CHECK-NOT: nvvm.barrier
  // CHECK: llvm.return
  tt.func public @along_lanes(%from: !tt.ptr<f32>, %to: !tt.ptr<f32>) {
    %i = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #b}>>
    %j = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #b}>>
    %i1 = tt.expand_dims %i {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x32xi32, #b>
    %j1 = tt.expand_dims %j {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #b}>> -> tensor<16x1xi32, #b>
    %c32 = arith.constant dense<32> : tensor<16x1xi32, #b>
    %row = arith.muli %j1, %c32 : tensor<16x1xi32, #b>
    %rows = tt.broadcast %row : tensor<16x1xi32, #b> -> tensor<16x32xi32, #b>
    %columns = tt.broadcast %i1 : tensor<1x32xi32, #b> -> tensor<16x32xi32, #b>
    %place = arith.addi %rows, %columns : tensor<16x32xi32, #b>
    %0 = tt.splat %from : !tt.ptr<f32> -> tensor<16x32x!tt.ptr<f32>, #b>
    %1 = tt.addptr %0, %place : tensor<16x32x!tt.ptr<f32>, #b>, tensor<16x32xi32, #b>
    %x = tt.load %1 : tensor<16x32x!tt.ptr<f32>, #b>
    %y = roll.rotate %x {axis = 1 : i32, shift = 5 : i32} : (tensor<16x32xf32, #b>) -> tensor<16x32xf32, #b>
    %2 = tt.splat %to : !tt.ptr<f32> -> tensor<16x32x!tt.ptr<f32>, #b>
    %3 = tt.addptr %2, %place : tensor<16x32x!tt.ptr<f32>, #b>, tensor<16x32xi32, #b>
    tt.store %3, %y : tensor<16x32x!tt.ptr<f32>, #b>
    tt.return
  }
}

// -----

#b = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.target" = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: llvm.func @along_warps
  // CHECK: nvvm.barrier
  // CHECK: llvm.return
  tt.func public @along_warps(%from: !tt.ptr<f32>, %to: !tt.ptr<f32>) {
    %i = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #b}>>
    %j = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #b}>>
    %i1 = tt.expand_dims %i {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x32xi32, #b>
    %j1 = tt.expand_dims %j {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #b}>> -> tensor<16x1xi32, #b>
    %c32 = arith.constant dense<32> : tensor<16x1xi32, #b>
    %row = arith.muli %j1, %c32 : tensor<16x1xi32, #b>
    %rows = tt.broadcast %row : tensor<16x1xi32, #b> -> tensor<16x32xi32, #b>
    %columns = tt.broadcast %i1 : tensor<1x32xi32, #b> -> tensor<16x32xi32, #b>
    %place = arith.addi %rows, %columns : tensor<16x32xi32, #b>
    %0 = tt.splat %from : !tt.ptr<f32> -> tensor<16x32x!tt.ptr<f32>, #b>
    %1 = tt.addptr %0, %place : tensor<16x32x!tt.ptr<f32>, #b>, tensor<16x32xi32, #b>
    %x = tt.load %1 : tensor<16x32x!tt.ptr<f32>, #b>
    %y = roll.rotate %x {axis = 0 : i32, shift = 3 : i32} : (tensor<16x32xf32, #b>) -> tensor<16x32xf32, #b>
    %2 = tt.splat %to : !tt.ptr<f32> -> tensor<16x32x!tt.ptr<f32>, #b>
    %3 = tt.addptr %2, %place : tensor<16x32x!tt.ptr<f32>, #b>, tensor<16x32xi32, #b>
    tt.store %3, %y : tensor<16x32x!tt.ptr<f32>, #b>
    tt.return
  }
}
