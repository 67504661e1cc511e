// RUN: tt-opt %s --convert-triton-gpu-to-llvm="compute-capability=100 ptx-version=87" | FileCheck %s
// RUN: tt-opt %s --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87" | FileCheck %s --check-prefix=OLD

#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#one = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: llvm.func @pairs
  // OLD-LABEL: llvm.func @pairs
  tt.func public @pairs(%x: tensor<256xf32, #b>, %h: tensor<256xf16, #b>) -> (tensor<256xf32, #b>, tensor<256xf16, #b>) {
    // CHECK: "fma.rn.f32x2 $0, $1, $2, $3;", "=l,l,l,l"
    // OLD: llvm.intr.fma
    %0 = ttng.packed_arith fma %x, %x, %x : (tensor<256xf32, #b>, tensor<256xf32, #b>, tensor<256xf32, #b>) -> tensor<256xf32, #b>
    // CHECK: "sub.rn.f32x2 $0, $1, $2;", "=l,l,l"
    // OLD: llvm.fsub {{.*}} : vector<2xf32>
    %1 = ttng.packed_arith sub %0, %x : (tensor<256xf32, #b>, tensor<256xf32, #b>) -> tensor<256xf32, #b>
    // CHECK: llvm.intr.minnum({{.*}}) : (vector<2xf16>, vector<2xf16>) -> vector<2xf16>
    %2 = ttng.packed_arith min %h, %h : (tensor<256xf16, #b>, tensor<256xf16, #b>) -> tensor<256xf16, #b>
    tt.return %1, %2 : tensor<256xf32, #b>, tensor<256xf16, #b>
  }

  // Edge: a thread with one element has no pair.
  // CHECK-LABEL: llvm.func @single
  tt.func public @single(%x: tensor<128xf32, #one>) -> tensor<128xf32, #one> {
    // CHECK: llvm.fmul {{.*}} : vector<1xf32>
    %0 = ttng.packed_arith mul %x, %x : (tensor<128xf32, #one>, tensor<128xf32, #one>) -> tensor<128xf32, #one>
    tt.return %0 : tensor<128xf32, #one>
  }
}
