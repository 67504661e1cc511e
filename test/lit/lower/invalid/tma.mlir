// RUN: tt-opt %s --split-input-file --verify-diagnostics --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87"

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [1, 0]}>
#rows = #ttg.slice<{dim = 0, parent = #blocked}>
#tile = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @rows(%desc: !tt.tensordesc<tensor<1x64xf16, #tile>>, %x: tensor<32xi32, #rows>, %y: i32, %from: !ttg.memdesc<32x64xf16, #tile, #smem, mutable>) {
    // expected-error @below {{copies of chosen rows by the tensor memory accelerator need sm_100, found sm_90}}
    ttng.async_tma_scatter %desc[%x, %y] %from : !tt.tensordesc<tensor<1x64xf16, #tile>>, tensor<32xi32, #rows>, i32, !ttg.memdesc<32x64xf16, #tile, #smem, mutable>
    tt.return
  }
}

// -----

#tile = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @transposed(%desc: !tt.tensordesc<tensor<64x64xf16, #tile>>, %y: i32, %from: !ttg.memdesc<64x64xf16, #tile, #smem, mutable>) {
    // expected-error @below {{found a transposed buffer; a message has the dimensions in the order of the tensor}}
    ttng.async_tma_copy_local_to_global %desc[%y, %y] %from : !tt.tensordesc<tensor<64x64xf16, #tile>>, !ttg.memdesc<64x64xf16, #tile, #smem, mutable>
    tt.return
  }
}
