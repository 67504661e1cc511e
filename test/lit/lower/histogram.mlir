// RUN: tt-opt %s --allocate-shared-memory-nv=compute-capability=90 --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87" | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // Counts start at 0; each element adds 1 to its bin; all wait before and after.
  // CHECK-LABEL: llvm.func @counts
  tt.func public @counts(%x: tensor<64xi32, #b>) -> tensor<64xi32, #b> {
    // CHECK-COUNT-2: llvm.store %{{.*}} : vector<1xi32>, !llvm.ptr<3>
    // CHECK: nvvm.barrier0
    // CHECK-COUNT-2: "@$1 red.shared.add.u32 [ $0 + 0 ], 1;"
    // CHECK: nvvm.barrier0
    // CHECK-COUNT-2: llvm.load %{{.*}} : !llvm.ptr<3> -> i32
    %0 = tt.histogram %x : tensor<64xi32, #b> -> tensor<64xi32, #b>
    tt.return %0 : tensor<64xi32, #b>
  }

  // Edge: with a mask.
  // CHECK-LABEL: llvm.func @masked
  tt.func public @masked(%x: tensor<64xi32, #b>, %m: tensor<64xi1, #b>) -> tensor<64xi32, #b> {
    // CHECK: llvm.icmp "ult"
    // CHECK: llvm.and %{{.*}} : i1
    %0 = tt.histogram %x, %m : tensor<64xi32, #b> -> tensor<64xi32, #b>
    tt.return %0 : tensor<64xi32, #b>
  }

  // Edge: i64 is compared before it is cut: as i32, 1 << 32 would be 0.
  // CHECK-LABEL: llvm.func @wide
  tt.func public @wide(%x: tensor<64xi64, #b>) -> tensor<64xi32, #b> {
    // CHECK: llvm.trunc %{{.*}} : vector<2xi64> to vector<2xi32>
    // CHECK: llvm.icmp "ult" %{{.*}}, %{{.*}} : i64
    %0 = tt.histogram %x : tensor<64xi64, #b> -> tensor<64xi32, #b>
    tt.return %0 : tensor<64xi32, #b>
  }
}
