#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @converted_after(%arg0: !tt.ptr<i32>, %arg1: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<3> : tensor<512xi32, #blocked>
    %0 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #blocked>
    %1 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #blocked1>
    %2 = tt.splat %arg0 : !tt.ptr<i32> -> tensor<512x!tt.ptr<i32>, #blocked>
    %3 = tt.splat %arg0 : !tt.ptr<i32> -> tensor<512x!tt.ptr<i32>, #blocked1>
    %4 = tt.addptr %2, %0 : tensor<512x!tt.ptr<i32>, #blocked>, tensor<512xi32, #blocked>
    %5 = tt.addptr %3, %1 : tensor<512x!tt.ptr<i32>, #blocked1>, tensor<512xi32, #blocked1>
    %6 = scf.for %arg2 = %c0_i32 to %arg1 step %c1_i32 iter_args(%arg3 = %cst) -> (tensor<512xi32, #blocked>)  : i32 {
      %8 = tt.load %4 : tensor<512x!tt.ptr<i32>, #blocked>
      %9 = arith.addi %8, %arg3 : tensor<512xi32, #blocked>
      tt.store %4, %9 : tensor<512x!tt.ptr<i32>, #blocked>
      %10 = tt.splat %arg2 : i32 -> tensor<512xi32, #blocked>
      %11 = arith.addi %arg3, %10 : tensor<512xi32, #blocked>
      scf.yield %11 : tensor<512xi32, #blocked>
    }
    %7 = ttg.convert_layout %6 : tensor<512xi32, #blocked> -> tensor<512xi32, #blocked1>
    tt.store %5, %7 : tensor<512x!tt.ptr<i32>, #blocked1>
    tt.return
  }
}
