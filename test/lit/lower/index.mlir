// RUN: tt-opt %s --allocate-shared-memory-nv=compute-capability=90 --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87" | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // The coordinate of each register: twice the lane, and one more.
  // CHECK-LABEL: llvm.func @range
  tt.func public @range() -> tensor<64xi32, #b> {
    // CHECK: %[[TID:.*]] = nvvm.read.ptx.sreg.tid.x
    // CHECK: %[[THREAD:.*]] = llvm.and %[[TID]]
    // CHECK: llvm.shl %[[THREAD]]
    // CHECK: llvm.mlir.constant(dense<[0, 1]> : vector<2xi32>)
    // CHECK: llvm.or disjoint
    // CHECK-NOT: llvm.add
    %0 = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #b>
    tt.return %0 : tensor<64xi32, #b>
  }

  // Edge: it need not start at 0.
  // CHECK-LABEL: llvm.func @later
  tt.func public @later() -> tensor<64xi32, #b> {
    // CHECK: llvm.add %{{.*}} : vector<2xi32>
    %0 = tt.make_range {start = 64 : i32, end = 128 : i32} : tensor<64xi32, #b>
    tt.return %0 : tensor<64xi32, #b>
  }
}
