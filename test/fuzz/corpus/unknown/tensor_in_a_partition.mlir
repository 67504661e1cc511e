// passes: tritongpu-optimize-partition-warps
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0], [0, 32]], block = []}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @memories(%arg0: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %arg1: !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, %arg2: !ttg.memdesc<1xi64, #shared1, #smem, mutable>, %arg3: !tt.tensordesc<tensor<32x64xf16, #shared>>, %arg4: i32) {
    ttg.warp_specialize(%arg0, %arg1, %arg2, %arg3, %arg4)
    default {
      ttg.warp_yield
    }
    partition0(%arg5: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %arg6: !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, %arg7: !ttg.memdesc<1xi64, #shared1, #smem, mutable>, %arg8: !tt.tensordesc<tensor<32x64xf16, #shared>>, %arg9: i32) num_warps(8) {
      %true = arith.constant true
      %result = ttng.tmem_load %arg5 : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #linear>
      %0 = "unknown.operation"(%result, %result) {fastmath = #arith.fastmath<none>} : (tensor<128x64xf32, #linear>, tensor<128x64xf32, #linear>) -> tensor<128x64xf32, #linear>
      ttng.tmem_store %0, %arg5, %true : tensor<128x64xf32, #linear> -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
      ttng.async_tma_copy_global_to_local %arg8[%arg9, %arg9] %arg6, %arg7, %true : !tt.tensordesc<tensor<32x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
      ttg.warp_return
    }
    partition1(%arg5: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %arg6: !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, %arg7: !ttg.memdesc<1xi64, #shared1, #smem, mutable>, %arg8: !tt.tensordesc<tensor<32x64xf16, #shared>>, %arg9: i32) num_warps(8) {
      %true = arith.constant true
      ttng.async_tma_copy_global_to_local %arg8[%arg9, %arg9] %arg6, %arg7, %true : !tt.tensordesc<tensor<32x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
      ttg.warp_return
    } : (!ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>, !tt.tensordesc<tensor<32x64xf16, #shared>>, i32) -> ()
    tt.return
  }
  tt.func @unspecialized() {
    tt.return
  }
}
