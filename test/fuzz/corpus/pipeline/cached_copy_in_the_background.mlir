// passes: 80 1 2
#smem = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#blocked = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @async_copy_global_to_local(%arg0: tensor<64x64x!tt.ptr<f16>, #smem>, %arg1: tensor<64x64xi1, #smem>, %arg2: tensor<64x64xf16, #smem>, %arg3: !ttg.memdesc<64x64xf16, #shared, #blocked, mutable>) {
    %0 = ttg.async_copy_global_to_local %arg0, %arg3 : tensor<64x64x!tt.ptr<f16>, #smem> -> <64x64xf16, #shared, #blocked, mutable>
    %1 = ttg.async_copy_global_to_local %arg0, %arg3 mask %arg1 : tensor<64x64x!tt.ptr<f16>, #smem> -> <64x64xf16, #shared, #blocked, mutable>
    %2 = ttg.async_copy_global_to_local %arg0, %arg3 other %arg2 : tensor<64x64x!tt.ptr<f16>, #smem> -> <64x64xf16, #shared, #blocked, mutable>
    %3 = ttg.async_copy_global_to_local %arg0, %arg3 mask %arg1 other %arg2 cacheModifier = cg evictionPolicy = evict_first {contiguity = 8 : i32, isVolatile = false} : tensor<64x64x!tt.ptr<f16>, #smem> -> <64x64xf16, #shared, #blocked, mutable>
    tt.return
  }
}
