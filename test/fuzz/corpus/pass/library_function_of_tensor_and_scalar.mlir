// passes: convert-triton-gpu-to-llvm
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @f(%s: f32, %t: tensor<128xf32, #blocked>) {
    %0 = tt.extern_elementwise %t, %s {libname = "", libpath = "", pure = false, symbol = "g"} : (tensor<128xf32, #blocked>, f32) -> tensor<128xi32, #blocked>
    tt.return
  }
}
