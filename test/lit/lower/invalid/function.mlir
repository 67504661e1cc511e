// RUN: not tt-opt %s --convert-triton-gpu-to-llvm 2>&1 | FileCheck %s

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
// CHECK: function.mlir:5:1: error: pass 'convert-triton-gpu-to-llvm': can't lower 'tt.func': found a value of type memref<128xf32>; kernels have numbers, pointers, tensors and descriptors
tt.func public @kernel(%x: memref<128xf32>) {
  tt.return
}
}
