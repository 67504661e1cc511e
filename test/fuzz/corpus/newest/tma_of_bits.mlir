// passes: 90 4 1
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @load(%arg0: !tt.tensordesc<tensor<64x128xi1, #shared>>, %arg1: i32, %arg2: i32, %arg3: !ttg.memdesc<1xi64, #shared1, #smem, mutable>, %arg4: !ttg.memdesc<64x128xi1, #shared, #smem, mutable>, %arg5: i1) {
    ttng.async_tma_copy_global_to_local %arg0[%arg1, %arg2] %arg4, %arg3, %arg5 : !tt.tensordesc<tensor<64x128xi1, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<64x128xi1, #shared, #smem, mutable>
    tt.return
  }
}
