// passes: convert-triton-gpu-to-llvm
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @casts(%x: tensor<128xi32, #blocked>) {
    %0 = arith.sitofp %x : tensor<128xi32, #blocked> to tensor<128xf8E5M2, #blocked>
    tt.return
  }
}
