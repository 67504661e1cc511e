// RUN: tt-opt %s -split-input-file --allocate-shared-memory-nv=compute-capability=90 --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87" | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#m = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [32, 1], warpsPerCTA = [1, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // Registers, then lanes: five shuffles.
  // CHECK-LABEL: llvm.func @warp
  tt.func public @warp(%x: tensor<64xf32, #b>) -> f32 {
    // CHECK: llvm.fadd %{{.*}} : vector<1xf32>
    // CHECK-COUNT-5: nvvm.shfl.sync  bfly
    // CHECK-NOT: nvvm.shfl.sync
    // CHECK-NOT: nvvm.barrier0
    // CHECK: llvm.return
    %0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %c: f32):
      %s = arith.addf %a, %c : f32
      tt.reduce.return %s : f32
    }) : (tensor<64xf32, #b>) -> f32
    tt.return %0 : f32
  }

  // Edge: an axis in the registers of a thread takes no shuffle.
  // CHECK-LABEL: llvm.func @thread
  tt.func public @thread(%x: tensor<32x4xi32, #m>) -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #m}>> {
    // CHECK-NOT: nvvm.shfl.sync
    // CHECK-COUNT-3: llvm.intr.smax(%{{.*}}, %{{.*}}) : (vector<1xi32>, vector<1xi32>)
    %0 = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: i32, %c: i32):
      %s = arith.maxsi %a, %c : i32
      tt.reduce.return %s : i32
    }) : (tensor<32x4xi32, #m>) -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #m}>>
    tt.return %0 : tensor<32xi32, #ttg.slice<{dim = 1, parent = #m}>>
  }
}

// -----

#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [16], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 16 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // Many warps: after one barrier each lane loads what one warp has found, and four shuffles combine the sixteen.
  // CHECK-LABEL: llvm.func @warps
  tt.func public @warps(%x: tensor<1024xf32, #b>) -> f32 {
    // CHECK-COUNT-5: nvvm.shfl.sync  bfly
    // CHECK: st.shared
    // CHECK: nvvm.barrier0
    // CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> f32
    // CHECK-NOT: llvm.load
    // CHECK-COUNT-4: nvvm.shfl.sync  bfly
    // CHECK-NOT: nvvm.shfl.sync
    // CHECK-NOT: nvvm.barrier0
    // CHECK: llvm.return
    %0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %c: f32):
      %s = arith.addf %a, %c : f32
      tt.reduce.return %s : f32
    }) : (tensor<1024xf32, #b>) -> f32
    tt.return %0 : f32
  }
}
