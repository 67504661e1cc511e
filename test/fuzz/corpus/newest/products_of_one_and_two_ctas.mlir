// passes: 100 1 1
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[1, 0]]}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16, CGALayout = [[0, 1]]}>
#shared2 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[0, 0]]}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, CTASplitM = 2, twoCTAs = true>
#tmem1 = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, CTASplitM = 2>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 8 : i32} {
  tt.func @both(%arg0: !ttg.memdesc<256x64xf16, #shared, #smem>, %arg1: !ttg.memdesc<64x64xf16, #shared1, #smem>, %arg2: !ttg.memdesc<64x64xf16, #shared2, #smem>, %arg3: !ttg.memdesc<256x64xf32, #tmem, #ttng.tensor_memory, mutable>, %arg4: !ttg.memdesc<256x64xf32, #tmem1, #ttng.tensor_memory, mutable>, %arg5: i1) {
    ttng.tc_gen5_mma %arg0, %arg1, %arg3, %arg5, %arg5 {two_ctas} : !ttg.memdesc<256x64xf16, #shared, #smem>, !ttg.memdesc<64x64xf16, #shared1, #smem>, !ttg.memdesc<256x64xf32, #tmem, #ttng.tensor_memory, mutable>
    ttng.tc_gen5_mma %arg0, %arg2, %arg4, %arg5, %arg5 : !ttg.memdesc<256x64xf16, #shared, #smem>, !ttg.memdesc<64x64xf16, #shared2, #smem>, !ttg.memdesc<256x64xf32, #tmem1, #ttng.tensor_memory, mutable>
    tt.return
  }
}
