// passes: 100 1 1
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 8}>
#shared2 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @scales(%arg0: !ttg.memdesc<256x256xf8E4M3FN, #shared, #smem>, %arg1: !ttg.memdesc<256x256xf8E4M3FN, #shared, #smem>, %arg2: !ttg.memdesc<256x256xf32, #tmem, #ttng.tensor_memory, mutable>, %arg3: !ttg.memdesc<256x4xi8, #shared1, #smem>, %arg4: !ttg.memdesc<1xi64, #shared2, #smem, mutable>) {
    %true = arith.constant true
    ttng.tc_gen5_mma_scaled %arg0, %arg1, %arg2, %arg3, %arg3, %true, %true lhs = e4m3 rhs = e4m3, %arg4[%true] {is_async} : !ttg.memdesc<256x256xf8E4M3FN, #shared, #smem>, !ttg.memdesc<256x256xf8E4M3FN, #shared, #smem>, !ttg.memdesc<256x256xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<256x4xi8, #shared1, #smem>, !ttg.memdesc<256x4xi8, #shared1, #smem>, !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    tt.return
  }
}
