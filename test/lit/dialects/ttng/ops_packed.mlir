// RUN: tt-opt %s | tt-opt | FileCheck %s
// RUN: tt-opt %s --mlir-print-op-generic | tt-opt | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @packed_arith
  tt.func @packed_arith(%x: tensor<256xf32, #b>, %h: tensor<256xf16, #b>) {
    // CHECK: ttng.packed_arith add %{{.*}}, %{{.*}} : (tensor<256xf32, #blocked>, tensor<256xf32, #blocked>) -> tensor<256xf32, #blocked>
    %0 = ttng.packed_arith add %x, %x : (tensor<256xf32, #b>, tensor<256xf32, #b>) -> tensor<256xf32, #b>
    // CHECK: ttng.packed_arith fma %{{.*}}, %{{.*}}, %{{.*}} :
    %1 = ttng.packed_arith fma %0, %x, %x : (tensor<256xf32, #b>, tensor<256xf32, #b>, tensor<256xf32, #b>) -> tensor<256xf32, #b>
    // CHECK: ttng.packed_arith max %{{.*}}, %{{.*}} : (tensor<256xf16, #blocked>
    %2 = ttng.packed_arith max %h, %h : (tensor<256xf16, #b>, tensor<256xf16, #b>) -> tensor<256xf16, #b>
    tt.return
  }
}
