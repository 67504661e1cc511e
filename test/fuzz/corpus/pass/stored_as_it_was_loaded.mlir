// passes: tritongpu-optimize-partition-warps


#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#barrier = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0], [0, 32]], block = []}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @memories(%sum: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %room: !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, %full: !ttg.memdesc<1xi64, #barrier, #smem, mutable>, %matrix: !tt.tensordesc<tensor<32x64xf16, #shared>>, %i: i32) {
    ttg.warp_specialize(%sum, %room, %full, %matrix, %i)
    default { ttg.warp_yield }
    partition0(%a: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %b: !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, %c: !ttg.memdesc<1xi64, #barrier, #smem, mutable>, %d: !tt.tensordesc<tensor<32x64xf16, #shared>>, %j: i32) num_warps(8) {
      %true = arith.constant true
      %x = ttng.tmem_load %a : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #linear>
      %y = arith.maxnumf %x, %x : tensor<128x64xf32, #linear>
      ttng.tmem_store %y, %a, %true : tensor<128x64xf32, #linear> -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
      ttng.async_tma_copy_global_to_local %d[%j, %j] %b, %c, %true : !tt.tensordesc<tensor<32x64xf16, #shared>>, !ttg.memdesc<1xi64, #barrier, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
      ttg.warp_return
    }
    partition1(%a: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %b: !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, %c: !ttg.memdesc<1xi64, #barrier, #smem, mutable>, %d: !tt.tensordesc<tensor<32x64xf16, #shared>>, %j: i32) num_warps(8) {
      %true = arith.constant true
      ttng.async_tma_copy_global_to_local %d[%j, %j] %b, %c, %true : !tt.tensordesc<tensor<32x64xf16, #shared>>, !ttg.memdesc<1xi64, #barrier, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
      ttg.warp_return
    } : (!ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, !ttg.memdesc<1xi64, #barrier, #smem, mutable>, !tt.tensordesc<tensor<32x64xf16, #shared>>, i32) -> ()
    tt.return
  }
  tt.func @unspecialized() {
    tt.return
  }
}
