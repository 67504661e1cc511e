// RUN: tt-opt %s --allocate-shared-memory-nv=compute-capability=90 --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87" | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // What a warp looks for it has itself: shuffles.
  // CHECK-LABEL: llvm.func @lanes
  tt.func public @lanes(%x: tensor<64xf32, #b>, %i: tensor<64xi32, #b>) -> tensor<64xf32, #b> {
    // Each of two registers may come from each of two.
    // CHECK-COUNT-4: nvvm.shfl.sync  idx
    // CHECK-NOT: nvvm.barrier0
    // CHECK: llvm.return
    %0 = tt.gather %x[%i] {axis = 0 : i32} : (tensor<64xf32, #b>, tensor<64xi32, #b>) -> tensor<64xf32, #b>
    tt.return %0 : tensor<64xf32, #b>
  }

  // Edge: copies in other lanes: the source is not as long as the indices are many.
  // CHECK-LABEL: llvm.func @short
  tt.func public @short(%x: tensor<16xf32, #b>, %i: tensor<64xi32, #b>) -> tensor<64xf32, #b> {
    // CHECK: nvvm.shfl.sync  idx
    %0 = tt.gather %x[%i] {axis = 0 : i32} : (tensor<16xf32, #b>, tensor<64xi32, #b>) -> tensor<64xf32, #b>
    tt.return %0 : tensor<64xf32, #b>
  }
}
