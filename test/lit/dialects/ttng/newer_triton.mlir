// RUN: tt-opt %s --mlir-print-local-scope | tt-opt --mlir-print-local-scope | FileCheck %s
// Layouts of tensor memory as Triton 3.8 and later write them.

#rows = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, CGALayout = [[1, 0]]>
#both = #ttng.tensor_memory_encoding<blockM = 64, blockN = 32, colStride = 1, CGALayout = [[1, 0], [0, 1]]>
#other = #ttng.tensor_memory_encoding<blockM = 64, blockN = 32, colStride = 1, CGALayout = [[0, 1], [1, 0]]>
#copies = #ttng.tensor_memory_encoding<CGALayout = [[0, 0]], blockM = 128, blockN = 64, colStride = 1>
#scales = #ttng.tensor_memory_scales_encoding<CGALayout = [[1, 0]]>
#same = #ttng.tensor_memory_scales_encoding<CGALayout = [[0, 0]]>
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 4 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // As CTASplitM and CTASplitN where these tell the same.
  // CHECK-LABEL: @split
  tt.func @split() {
    // CHECK: #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, CTASplitM = 2>
    %0 = ttng.tmem_alloc : () -> !ttg.memdesc<256x64xf32, #rows, #tm, mutable>
    // CHECK: #ttng.tensor_memory_encoding<blockM = 64, blockN = 32, colStride = 1, CTASplitM = 2, CTASplitN = 2>
    %1 = ttng.tmem_alloc : () -> !ttg.memdesc<128x64xf32, #both, #tm, mutable>
    // CHECK: #ttng.tensor_memory_scales_encoding<CTASplitM = 2>
    %2 = ttng.tmem_alloc : () -> !ttg.memdesc<128x4xi8, #scales, #tm, mutable>
    tt.return
  }

  // CHECK-LABEL: @counted_otherwise
  tt.func @counted_otherwise() {
    // CHECK: #ttng.tensor_memory_encoding<blockM = 64, blockN = 32, colStride = 1, CGALayout = {{\[\[}}0, 1], [1, 0]]>
    %0 = ttng.tmem_alloc : () -> !ttg.memdesc<128x64xf32, #other, #tm, mutable>
    tt.return
  }

  // All of the memory of each CTA.
  // CHECK-LABEL: @copies
  tt.func @copies() {
    // CHECK: #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, CGALayout = {{\[\[}}0, 0]]>
    %0 = ttng.tmem_alloc : () -> !ttg.memdesc<128x512xf32, #copies, #tm, mutable>
    // CHECK: #ttng.tensor_memory_scales_encoding<CGALayout = {{\[\[}}0, 0]]>
    %1 = ttng.tmem_alloc : () -> !ttg.memdesc<128x4xi8, #same, #tm, mutable>
    tt.return
  }
}
