#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @converted_after(%arg0: !tt.ptr<i32>, %arg1: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<3> : tensor<512xi32, #blocked>
    %cst_0 = arith.constant dense<3> : tensor<512xi32, #blocked1>
    %0 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #blocked>
    %1 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #blocked1>
    %2 = tt.splat %arg0 : !tt.ptr<i32> -> tensor<512x!tt.ptr<i32>, #blocked>
    %3 = tt.splat %arg0 : !tt.ptr<i32> -> tensor<512x!tt.ptr<i32>, #blocked1>
    %4 = tt.addptr %2, %0 : tensor<512x!tt.ptr<i32>, #blocked>, tensor<512xi32, #blocked>
    %5 = tt.addptr %3, %1 : tensor<512x!tt.ptr<i32>, #blocked1>, tensor<512xi32, #blocked1>
    %6:2 = scf.for %arg2 = %c0_i32 to %arg1 step %c1_i32 iter_args(%arg3 = %cst_0, %arg4 = %cst) -> (tensor<512xi32, #blocked1>, tensor<512xi32, #blocked>)  : i32 {
      %7 = tt.load %4 : tensor<512x!tt.ptr<i32>, #blocked>
      %8 = arith.addi %7, %arg4 : tensor<512xi32, #blocked>
      tt.store %4, %8 : tensor<512x!tt.ptr<i32>, #blocked>
      %9 = tt.splat %arg2 : i32 -> tensor<512xi32, #blocked1>
      %10 = arith.addi %arg3, %9 : tensor<512xi32, #blocked1>
      %11 = tt.splat %arg2 : i32 -> tensor<512xi32, #blocked>
      %12 = arith.addi %arg4, %11 : tensor<512xi32, #blocked>
      scf.yield %10, %12 : tensor<512xi32, #blocked1>, tensor<512xi32, #blocked>
    }
    tt.store %5, %6#0 : tensor<512x!tt.ptr<i32>, #blocked1>
    tt.return
  }
}
