// RUN: tt-opt %s --allocate-shared-memory-nv=compute-capability=90 --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87" | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#w = #ttg.blocked<{sizePerThread = [2, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, 1], order = [0, 1]}>
#m = #ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [32, 1], warpsPerCTA = [1, 1], order = [1, 0]}>
#t = #ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [1, 32], warpsPerCTA = [1, 1], order = [0, 1]}>
#h = #ttg.slice<{dim = 1, parent = #m}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // Views pick registers.
  // CHECK-LABEL: llvm.func @repeat
  tt.func public @repeat(%s: i32, %x: tensor<64x1xf32, #w>) -> (tensor<64xi32, #b>, tensor<64x4xf32, #w>) {
    // CHECK: llvm.insertelement %{{.*}} : vector<2xi32>
    // CHECK: llvm.shufflevector %{{.*}} [0, 0] : vector<2xi32>
    %0 = tt.splat %s : i32 -> tensor<64xi32, #b>
    // CHECK: llvm.shufflevector %{{.*}} [0, 1, 0, 1, 0, 1, 0, 1] : vector<2xf32>
    %1 = tt.broadcast %x : tensor<64x1xf32, #w> -> tensor<64x4xf32, #w>
    tt.return %0, %1 : tensor<64xi32, #b>, tensor<64x4xf32, #w>
  }

  // Strength reduction does not look through what hides the pointer.
  // CHECK-LABEL: llvm.func @base_pointer
  tt.func public @base_pointer(%p: !tt.ptr<f16>) -> tensor<64x!tt.ptr<f16>, #b> {
    // CHECK: %[[P:.*]] = llvm.intr.launder.invariant.group %{{.*}} : !llvm.ptr<1>
    // CHECK: llvm.insertelement %[[P]]
    %0 = tt.splat %p {ttkit.base_pointer} : !tt.ptr<f16> -> tensor<64x!tt.ptr<f16>, #b>
    tt.return %0 : tensor<64x!tt.ptr<f16>, #b>
  }

  // Two tensors as one, and back: these are the same two.
  // CHECK-LABEL: llvm.func @pairs
  tt.func public @pairs(%x: tensor<64xf32, #h>, %y: tensor<64xf32, #h>) -> (tensor<64xf32, #h>, tensor<64xf32, #h>) {
    // CHECK: llvm.shufflevector %{{.*}}, %{{.*}} [0, 2, 1, 3] : vector<2xf32>
    %0 = tt.join %x, %y : tensor<64xf32, #h> -> tensor<64x2xf32, #m>
    // CHECK-NOT: llvm.shufflevector
    // CHECK: %[[BOTH:.*]] = llvm.insertvalue %arg0, %{{.*}}[0]
    // CHECK: llvm.insertvalue %arg1, %[[BOTH]][1]
    %1, %2 = tt.split %0 : tensor<64x2xf32, #m> -> tensor<64xf32, #h>
    tt.return %1, %2 : tensor<64xf32, #h>, tensor<64xf32, #h>
  }

  // Edge: a transposition whose layout is transposed too moves nothing.
  // CHECK-LABEL: llvm.func @nothing
  tt.func public @nothing(%x: tensor<64x2xf32, #m>) -> tensor<2x64xf32, #t> {
    // CHECK-NOT: shufflevector
    // CHECK: llvm.return
    %0 = tt.trans %x {order = array<i32: 1, 0>} : tensor<64x2xf32, #m> -> tensor<2x64xf32, #t>
    tt.return %0 : tensor<2x64xf32, #t>
  }
}
