// passes: triton-nvidia-mma-lowering

#tile = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#bytes = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8}>
#narrow = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 8}>
#packed = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 8}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#wide = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32} {
tt.func @waits(%a: !ttg.memdesc<128x64xf16, #tile, #smem>, %b: !ttg.memdesc<64x64xf16, #tile, #smem>, %d: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %pred: i1) {
  %true = arith.constant true
  ttng.tc_gen5_mma %a, %b, %d, %true, %pred : !ttg.memdesc<128x64xf16, #tile, #smem>, !ttg.memdesc<64x64xf16, #tile, #smem>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
  tt.return
}
tt.func @commit(%a: !ttg.memdesc<128x64xf16, #tile, #smem>, %b: !ttg.memdesc<64x64xf16, #tile, #smem>, %d: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %pred: i1, %bars: !ttg.memdesc<2x1xi64, #bar, #smem, mutable>, %i: i32) {
  %true = arith.constant true
  ttng.tc_gen5_mma %a, %b, %d, %true, %pred {is_async} : !ttg.memdesc<128x64xf16, #tile, #smem>, !ttg.memdesc<64x64xf16, #tile, #smem>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
  %bar = ttg.memdesc_index %bars[%i] : !ttg.memdesc<2x1xi64, #bar, #smem, mutable> -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
  ttng.tc_gen5_commit %bar, %pred : !ttg.memdesc<1xi64, #bar, #smem, mutable>
  tt.return
}
tt.func @other_condition(%a: !ttg.memdesc<128x64xf16, #tile, #smem>, %b: !ttg.memdesc<64x64xf16, #tile, #smem>, %d: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %pred: i1, %bar: !ttg.memdesc<1xi64, #bar, #smem, mutable>, %other: i1) {
  %true = arith.constant true
  ttng.tc_gen5_mma %a, %b, %d, %true, %pred {is_async} : !ttg.memdesc<128x64xf16, #tile, #smem>, !ttg.memdesc<64x64xf16, #tile, #smem>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
  ttng.tc_gen5_commit %bar, %other : !ttg.memdesc<1xi64, #bar, #smem, mutable>
  tt.return
}
tt.func @scales(%a: !ttg.memdesc<128x128xf8E4M3FN, #bytes, #smem>, %b: !ttg.memdesc<128x128xf8E4M3FN, #bytes, #smem>, %d: !ttg.memdesc<128x128xf32, #wide, #ttng.tensor_memory, mutable>, %s: !ttg.memdesc<128x4xi8, #packed, #smem>, %bar: !ttg.memdesc<1xi64, #bar, #smem, mutable>) {
  %true = arith.constant true
  ttng.tc_gen5_mma_scaled %a, %b, %d, %s, %s, %true, %true lhs = e4m3 rhs = e4m3, %bar[%true] {is_async} : !ttg.memdesc<128x128xf8E4M3FN, #bytes, #smem>, !ttg.memdesc<128x128xf8E4M3FN, #bytes, #smem>, !ttg.memdesc<128x128xf32, #wide, #ttng.tensor_memory, mutable>, !ttg.memdesc<128x4xi8, #packed, #smem>, !ttg.memdesc<128x4xi8, #packed, #smem>, !ttg.memdesc<1xi64, #bar, #smem, mutable>
  tt.return
}
}
