// passes: tritongpu-coalesce
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:80"} {
  tt.func private @sum(%arg0: tensor<512x!tt.ptr<f32>, #blocked> {tt.contiguity = dense<512> : tensor<1xi32>, tt.divisibility = dense<32> : tensor<1xi32>}, %arg1: i32) -> tensor<512xf32, #blocked> {
    %cst = arith.constant dense<0.000000e+00> : tensor<512xf32, #blocked>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = scf.for %arg2 = %c0_i32 to %arg1 step %c1_i32 iter_args(%arg3 = %cst) -> (tensor<512xf32, #blocked>)  : i32 {
      %1 = tt.load %arg0 {loop.cluster = 1 : i32, loop.stage = 0 : i32} : tensor<512x!tt.ptr<f32>, #blocked>
      %2 = arith.subf %arg3, %1 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<512xf32, #blocked>
      scf.yield %2 : tensor<512xf32, #blocked>
    } {tt.scheduled_max_stage = 2 : i32}
    tt.return %0 : tensor<512xf32, #blocked>
  }
  tt.func @kernel_that_calls(%arg0: tensor<512x!tt.ptr<f32>, #blocked>, %arg1: i32) {
    %0 = tt.call @sum(%arg0, %arg1) : (tensor<512x!tt.ptr<f32>, #blocked>, i32) -> tensor<512xf32, #blocked>
    tt.return
  }
}
