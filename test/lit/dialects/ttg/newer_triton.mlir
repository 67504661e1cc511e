// RUN: tt-opt %s | tt-opt | FileCheck %s
// RUN: tt-opt %s --allocate-shared-memory-nv --convert-triton-gpu-to-llvm=compute-capability=90 -o /dev/null
// What Triton 3.7 to 3.9 leave and Triton 3.6 refuses.

#blocked = #ttg.blocked<{sizePerThread = [1, 1, 1], threadsPerWarp = [1, 1, 32], warpsPerCTA = [1, 4, 1], order = [2, 1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1, 8], threadsPerWarp = [1, 8, 4], warpsPerCTA = [1, 4, 1], order = [2, 1, 0]}>
#crossed = #ttg.generic_linear<{register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 4]], warp = [[16, 8], [0, 8]], block = []}>
#permutation = #ttg.generic_linear<{register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 4]], warp = [[16, 0], [0, 8]], block = []}>
// CHECK-DAG: #generic_linear = #ttg.generic_linear<{{.*}}warp = {{\[\[16, 8\], \[0, 8\]\]}}
// CHECK-DAG: #linear = #ttg.linear<{{.*}}warp = {{\[\[16, 0\], \[0, 8\]\]}}
#row = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
  // Two layouts that place the elements of a small tensor alike.
  // CHECK-LABEL: @broadcast
  // CHECK: tt.broadcast %{{.*}} : tensor<2x1x1xi32, #blocked> -> tensor<2x32x1xi32, #blocked1>
  tt.func public @broadcast(%x: tensor<2x1x1xi32, #blocked>) {
    %0 = tt.broadcast %x : tensor<2x1x1xi32, #blocked> -> tensor<2x32x1xi32, #blocked1>
    tt.return
  }

  // A dimension of size one added by a reshape: registers that repeat others don't count.
  // CHECK-LABEL: @reshape
  // CHECK: tt.reshape %{{.*}} : tensor<128xi64, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<128x1xi64, #blocked2>
  tt.func public @reshape(%x: tensor<128xi64, #ttg.slice<{dim = 1, parent = #row}>>) {
    %0 = tt.reshape %x : tensor<128xi64, #ttg.slice<{dim = 1, parent = #row}>> -> tensor<128x1xi64, #row>
    tt.return
  }

  // Warps that move in two dimensions at once; what 3.6 calls linear is printed so.
  // CHECK-LABEL: @crossed
  // CHECK-SAME: tensor<32x16x!tt.ptr<f32>, #generic_linear>
  // CHECK-SAME: tensor<32x16xf32, #linear>
  tt.func public @crossed(%p: tensor<32x16x!tt.ptr<f32>, #crossed>, %x: tensor<32x16xf32, #permutation>) {
    %0 = ttg.convert_layout %x : tensor<32x16xf32, #permutation> -> tensor<32x16xf32, #crossed>
    tt.store %p, %0 : tensor<32x16x!tt.ptr<f32>, #crossed>
    tt.return
  }

  // CHECK-LABEL: @print_nothing
  // CHECK: tt.print " x" {hex = false, isSigned = array<i32: 1>}
  tt.func public @print_nothing() {
    tt.print " x" {hex = false, isSigned = array<i32: 1>}
    tt.return
  }
}
