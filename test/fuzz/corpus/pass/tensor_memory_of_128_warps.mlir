// passes: relayout-tritongpu


#tmem = #ttng.tensor_memory_encoding<blockM = 64, blockN = 64, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 128 : i32, "ttg.threads-per-warp" = 32 : i32} {
tt.func @half_rows(%m: !ttg.memdesc<64x64xf16, #tmem, #ttng.tensor_memory, mutable>) {
  %x = ttng.tmem_load %m : !ttg.memdesc<64x64xf16, #tmem, #ttng.tensor_memory, mutable> -> tensor<64x64xf16>
  tt.return
}
}

