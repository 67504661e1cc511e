// passes: 80 8 1
#blocked = #triton_gpu.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"triton_gpu.num-warps" = 4 : i32} {
  tt.func @k(%a: tensor<256xf32, #blocked>) {
    tt.return
  }
}
