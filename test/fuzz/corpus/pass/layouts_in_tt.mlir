// passes: triton-rewrite-tensor-descriptor-to-pointer
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @f(%d: !tt.tensordesc<tensor<128xf16>>, %i: i32, %x: tensor<128xf16, #b>) {
    tt.descriptor_store %d[%i], %x : !tt.tensordesc<tensor<128xf16>>, tensor<128xf16, #b>
    tt.return
  }
}
