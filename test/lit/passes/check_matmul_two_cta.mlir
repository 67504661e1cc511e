// RUN: tt-opt %s --split-input-file --verify-diagnostics --triton-nvidia-check-matmul-two-cta | FileCheck %s

// A wait for stores stays one for reads, unless the module has the attribute already, as those of Triton 3.9.
// CHECK-LABEL: @waits
module {
tt.func @waits() {
  // CHECK: ttng.async_tma_store_wait {pendings = 1 : i32, read_only}
  ttng.async_tma_store_wait {pendings = 1 : i32}
  tt.return
}
}

// -----

// CHECK-LABEL: @waits_of_newer
module attributes {"ttng.two-ctas" = false} {
tt.func @waits_of_newer() {
  // CHECK: ttng.async_tma_store_wait {pendings = 1 : i32}
  ttng.async_tma_store_wait {pendings = 1 : i32}
  tt.return
}
}

// -----

// Edge: without products.
// CHECK: module attributes {{.*}}"ttng.two-ctas" = false
module {
tt.func @nothing() {
  tt.return
}
}

// -----

#tile = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#smem = #ttg.shared_memory
// A CTA computes its products alone.
// CHECK: module attributes {{.*}}"ttng.two-ctas" = false
module attributes {"ttg.num-warps" = 4 : i32} {
tt.func @alone(%a: !ttg.memdesc<128x64xf16, #tile, #smem>, %b: !ttg.memdesc<64x64xf16, #tile, #smem>, %d: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %true: i1) {
  ttng.tc_gen5_mma %a, %b, %d, %true, %true : !ttg.memdesc<128x64xf16, #tile, #smem>, !ttg.memdesc<64x64xf16, #tile, #smem>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
  tt.return
}
}

// -----

#a = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[1, 0]]}>
#b = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16, CGALayout = [[0, 1]]}>
#b1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[0, 0]]}>
#pair = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, CTASplitM = 2, twoCTAs = true>
#one = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, CTASplitM = 2>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 2 : i32} {
tt.func @both(%a: !ttg.memdesc<256x64xf16, #a, #smem>, %b: !ttg.memdesc<64x64xf16, #b, #smem>, %b1: !ttg.memdesc<64x64xf16, #b1, #smem>, %d: !ttg.memdesc<256x64xf32, #pair, #ttng.tensor_memory, mutable>, %e: !ttg.memdesc<256x64xf32, #one, #ttng.tensor_memory, mutable>, %true: i1) {
  ttng.tc_gen5_mma %a, %b, %d, %true, %true {two_ctas} : !ttg.memdesc<256x64xf16, #a, #smem>, !ttg.memdesc<64x64xf16, #b, #smem>, !ttg.memdesc<256x64xf32, #pair, #ttng.tensor_memory, mutable>
  // expected-error @+1 {{inconsistent two_ctas setting across matmuls; expected all matmuls to enable two_ctas}}
  ttng.tc_gen5_mma %a, %b1, %e, %true, %true : !ttg.memdesc<256x64xf16, #a, #smem>, !ttg.memdesc<64x64xf16, #b1, #smem>, !ttg.memdesc<256x64xf32, #one, #ttng.tensor_memory, mutable>
  tt.return
}
}
