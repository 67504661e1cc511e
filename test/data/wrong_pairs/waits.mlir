// --- a wait for writes becomes one for reads
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 32}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @k(%d: !tt.tensordesc<tensor<16x16xf32, #shared>>, %x: !tt.ptr<f32>, %y: !tt.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %v = arith.constant dense<1.0> : tensor<16x16xf32, #blocked>
  %b = ttg.local_alloc %v : (tensor<16x16xf32, #blocked>) -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  ttng.fence_async_shared {bCluster = false}
  ttng.async_tma_copy_local_to_global %d[%c0, %c0] %b : !tt.tensordesc<tensor<16x16xf32, #shared>>, !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  ttng.async_tma_store_wait {pendings = 0 : i32, read_only = [[false||true]]}
  %l = tt.load %x : !tt.ptr<f32>
  tt.store %y, %l : !tt.ptr<f32>
  tt.return
}
}
// --- a wait for writes, by the module, becomes one for reads
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 32}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = false} {
tt.func public @k(%d: !tt.tensordesc<tensor<16x16xf32, #shared>>, %x: !tt.ptr<f32>, %y: !tt.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %v = arith.constant dense<1.0> : tensor<16x16xf32, #blocked>
  %b = ttg.local_alloc %v : (tensor<16x16xf32, #blocked>) -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  ttng.fence_async_shared {bCluster = false}
  ttng.async_tma_copy_local_to_global %d[%c0, %c0] %b : !tt.tensordesc<tensor<16x16xf32, #shared>>, !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  ttng.async_tma_store_wait {pendings = 0 : i32 [[||, read_only]]}
  %l = tt.load %x : !tt.ptr<f32>
  tt.store %y, %l : !tt.ptr<f32>
  tt.return
}
}
// --- a load moves before a wait for writes
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 32}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @k(%d: !tt.tensordesc<tensor<16x16xf32, #shared>>, %x: !tt.ptr<f32>, %y: !tt.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %v = arith.constant dense<1.0> : tensor<16x16xf32, #blocked>
  %b = ttg.local_alloc %v : (tensor<16x16xf32, #blocked>) -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  ttng.fence_async_shared {bCluster = false}
  ttng.async_tma_copy_local_to_global %d[%c0, %c0] %b : !tt.tensordesc<tensor<16x16xf32, #shared>>, !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  [[||%l = tt.load %x : !tt.ptr<f32>]]
  ttng.async_tma_store_wait {pendings = 0 : i32, read_only = false}
  [[%l = tt.load %x : !tt.ptr<f32>||]]
  tt.store %y, %l : !tt.ptr<f32>
  tt.return
}
}
