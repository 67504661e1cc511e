// passes: triton-nvidia-optimize-tmem-layouts


#rows = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#columns = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#tile = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 2}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tmem16 = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
tt.func @to_columns(%acc: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %to: !ttg.memdesc<128x64xf16, #columns, #smem, mutable>) {
  %x = ttng.tmem_load %acc : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #rows>
  %y = arith.truncf %x : tensor<128x64xf32, #rows> to tensor<128x64xf16, #rows>
  ttg.local_store %y, %to : tensor<128x64xf16, #rows> -> !ttg.memdesc<128x64xf16, #columns, #smem, mutable>
  tt.return
}

tt.func @to_rows(%acc: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %to: !ttg.memdesc<128x64xf16, #tile, #smem, mutable>) {
  %x = ttng.tmem_load %acc : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #rows>
  %y = arith.truncf %x : tensor<128x64xf32, #rows> to tensor<128x64xf16, #rows>
  ttg.local_store %y, %to : tensor<128x64xf16, #rows> -> !ttg.memdesc<128x64xf16, #tile, #smem, mutable>
  tt.return
}

tt.func @from_columns(%from: !ttg.memdesc<128x64xf16, #columns, #smem, mutable>, %operand: !ttg.memdesc<128x64xf16, #tmem16, #ttng.tensor_memory, mutable>) {
  %true = arith.constant true
  %x = ttg.local_load %from : !ttg.memdesc<128x64xf16, #columns, #smem, mutable> -> tensor<128x64xf16, #rows>
  ttng.tmem_store %x, %operand, %true : tensor<128x64xf16, #rows> -> !ttg.memdesc<128x64xf16, #tmem16, #ttng.tensor_memory, mutable>
  tt.return
}
}
