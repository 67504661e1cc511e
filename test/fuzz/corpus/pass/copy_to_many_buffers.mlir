// passes: tritongpu-coalesce-async-copy
#wide = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#flat = #ttg.slice<{dim = 0, parent = #wide}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 2, order = [0]}>
#nvmma = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 8}>
#narrow = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 2, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func @left_alone(%p: tensor<32x64x!tt.ptr<i8>, #wide>, %row: tensor<64x!tt.ptr<i8>, #flat>, %a: !ttg.memdesc<32x64xi8, #shared, #smem, mutable>,
                    %b: !ttg.memdesc<32x64xi8, #nvmma, #smem, mutable>, %c: !ttg.memdesc<64xi8, #narrow, #smem, mutable>) {
  %0 = ttg.async_copy_global_to_local %p, %a {contiguity = 8 : i32} : tensor<32x64x!tt.ptr<i8>, #wide> -> <32x64xi8, #shared, #smem, mutable>
  %1 = ttg.async_copy_global_to_local %p, %b {contiguity = 8 : i32} : tensor<32x64x!tt.ptr<i8>, #wide> -> <32x64xi8, #nvmma, #smem, mutable>
  %2 = ttg.async_copy_global_to_local %row, %c {contiguity = 8 : i32} : tensor<64x!tt.ptr<i8>, #flat> -> <64xi8, #narrow, #smem, mutable>
  tt.return
}
}
