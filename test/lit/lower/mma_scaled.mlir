// RUN: tt-opt %s --convert-triton-gpu-to-llvm="compute-capability=120 ptx-version=87" | FileCheck %s

#m = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 1], instrShape = [16, 8]}>
#left = #ttg.dot_op<{opIdx = 0, parent = #m, kWidth = 4}>
#right = #ttg.dot_op<{opIdx = 1, parent = #m, kWidth = 4}>
#sa = #ttg.linear<{register = [[0, 1]], lane = [[8, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = [], block = []}>
#sb = #ttg.linear<{register = [[0, 1]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = [], block = []}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // Two steps of k, each with the next byte of the same words of scales.
  // CHECK-LABEL: llvm.func @fp8
  tt.func public @fp8(%a: tensor<16x64xf8E4M3FN, #left>, %s: tensor<16x2xi8, #sa>, %b: tensor<64x8xf8E5M2, #right>, %t: tensor<8x2xi8, #sb>, %c: tensor<16x8xf32, #m>) -> tensor<16x8xf32, #m> {
    // CHECK-DAG: %[[ZERO:.*]] = llvm.mlir.constant(0 : i16)
    // CHECK-DAG: %[[ONE:.*]] = llvm.mlir.constant(1 : i16)
    // CHECK: llvm.call_intrinsic "llvm.nvvm.mma.block.scale.m16n8k32.row.col.mxf8f6f4.scale.1x.f32.e4m3.e5m2.f32.ue8m0"({{.*}}, %[[S:[0-9]+]], %[[ZERO]], %[[ZERO]], %[[T:[0-9]+]], %[[ZERO]], %[[ZERO]])
    // CHECK: llvm.nvvm.mma.block.scale.{{.*}}, %[[S]], %[[ONE]], %[[ZERO]], %[[T]], %[[ONE]], %[[ZERO]])
    %0 = tt.dot_scaled %a scale %s, %b scale %t, %c lhs = e4m3 rhs = e5m2 {fastMath = false} : tensor<16x64xf8E4M3FN, #left>, tensor<16x2xi8, #sa> * tensor<64x8xf8E5M2, #right>, tensor<8x2xi8, #sb> -> tensor<16x8xf32, #m>
    tt.return %0 : tensor<16x8xf32, #m>
  }

  // Two scales of one instruction.
  // CHECK-LABEL: llvm.func @fp4
  tt.func public @fp4(%a: tensor<16x32xi8, #left>, %s: tensor<16x2xi8, #sa>, %b: tensor<32x8xi8, #right>, %t: tensor<8x2xi8, #sb>, %c: tensor<16x8xf32, #m>) -> tensor<16x8xf32, #m> {
    // CHECK-COUNT-1: llvm.nvvm.mma.block.scale.m16n8k64.row.col.mxf4nvf4.scale.2x.f32.e2m1.e2m1.f32.ue8m0
    // CHECK-NOT: llvm.nvvm.mma
    // CHECK: llvm.return
    %0 = tt.dot_scaled %a scale %s, %b scale %t, %c lhs = e2m1 rhs = e2m1 {fastMath = false} : tensor<16x32xi8, #left>, tensor<16x2xi8, #sa> * tensor<32x8xi8, #right>, tensor<8x2xi8, #sb> -> tensor<16x8xf32, #m>
    tt.return %0 : tensor<16x8xf32, #m>
  }

  // Edge: an operand without scales has ones.
  // CHECK-LABEL: llvm.func @one_scale
  tt.func public @one_scale(%a: tensor<16x32xf8E4M3FN, #left>, %b: tensor<32x8xf8E5M2, #right>, %t: tensor<8x1xi8, #ttg.linear<{register = [], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = [], block = []}>>, %c: tensor<16x8xf32, #m>) -> tensor<16x8xf32, #m> {
    // CHECK: llvm.mlir.constant(2139062143 : i32)
    // CHECK: llvm.nvvm.mma.block.scale
    %0 = tt.dot_scaled %a, %b scale %t, %c lhs = e4m3 rhs = e5m2 {fastMath = false} : tensor<16x32xf8E4M3FN, #left> * tensor<32x8xf8E5M2, #right>, tensor<8x1xi8, #ttg.linear<{register = [], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = [], block = []}>> -> tensor<16x8xf32, #m>
    tt.return %0 : tensor<16x8xf32, #m>
  }
}
