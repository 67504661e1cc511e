// RUN: tt-opt %s --allocate-shared-memory-nv=compute-capability=90 --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87" | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#m = #ttg.blocked<{sizePerThread = [2, 4], threadsPerWarp = [8, 4], warpsPerCTA = [1, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // One fused operation for each step of the inner dimension, for all elements of a thread at once.
  // CHECK-LABEL: llvm.func @product
  tt.func public @product(%a: tensor<16x4xf16, #ttg.dot_op<{opIdx = 0, parent = #m}>>, %b: tensor<4x16xf16, #ttg.dot_op<{opIdx = 1, parent = #m}>>, %c: tensor<16x16xf32, #m>) -> tensor<16x16xf32, #m> {
    // CHECK: llvm.fpext
    // CHECK-COUNT-4: llvm.intr.fma(%{{.*}}) : (vector<8xf32>, vector<8xf32>, vector<8xf32>) -> vector<8xf32>
    // CHECK-NOT: llvm.intr.fma
    // CHECK: llvm.return
    %0 = tt.dot %a, %b, %c : tensor<16x4xf16, #ttg.dot_op<{opIdx = 0, parent = #m}>> * tensor<4x16xf16, #ttg.dot_op<{opIdx = 1, parent = #m}>> -> tensor<16x16xf32, #m>
    tt.return %0 : tensor<16x16xf32, #m>
  }

  // Edge: integers.
  // CHECK-LABEL: llvm.func @integers
  tt.func public @integers(%a: tensor<16x2xi8, #ttg.dot_op<{opIdx = 0, parent = #m}>>, %b: tensor<2x16xi8, #ttg.dot_op<{opIdx = 1, parent = #m}>>, %c: tensor<16x16xi32, #m>) -> tensor<16x16xi32, #m> {
    // CHECK: llvm.sext
    // CHECK: llvm.mul
    // CHECK: llvm.add
    %0 = tt.dot %a, %b, %c : tensor<16x2xi8, #ttg.dot_op<{opIdx = 0, parent = #m}>> * tensor<2x16xi8, #ttg.dot_op<{opIdx = 1, parent = #m}>> -> tensor<16x16xi32, #m>
    tt.return %0 : tensor<16x16xi32, #m>
  }
}
