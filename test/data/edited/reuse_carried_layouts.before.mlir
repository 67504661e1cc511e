#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @two_loops(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #blocked>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
    %2 = tt.addptr %1, %0 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
    %3 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #blocked1>
    %4 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked1>
    %5 = tt.addptr %4, %3 : tensor<512x!tt.ptr<f32>, #blocked1>, tensor<512xi32, #blocked1>
    %6 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
    %7 = tt.addptr %6, %0 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
    %8:2 = scf.for %arg3 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg4 = %5, %arg5 = %2) -> (tensor<512x!tt.ptr<f32>, #blocked1>, tensor<512x!tt.ptr<f32>, #blocked>)  : i32 {
      %10 = tt.load %arg5 : tensor<512x!tt.ptr<f32>, #blocked>
      tt.store %7, %10 : tensor<512x!tt.ptr<f32>, #blocked>
      %11 = tt.splat %arg2 : i32 -> tensor<512xi32, #blocked1>
      %12 = tt.addptr %arg4, %11 : tensor<512x!tt.ptr<f32>, #blocked1>, tensor<512xi32, #blocked1>
      %13 = tt.splat %arg2 : i32 -> tensor<512xi32, #blocked>
      %14 = tt.addptr %arg5, %13 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
      scf.yield %12, %14 : tensor<512x!tt.ptr<f32>, #blocked1>, tensor<512x!tt.ptr<f32>, #blocked>
    }
    %9 = scf.for %arg3 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg4 = %8#0) -> (tensor<512x!tt.ptr<f32>, #blocked1>)  : i32 {
      %10 = ttg.convert_layout %arg4 : tensor<512x!tt.ptr<f32>, #blocked1> -> tensor<512x!tt.ptr<f32>, #blocked>
      %11 = tt.load %10 : tensor<512x!tt.ptr<f32>, #blocked>
      tt.store %7, %11 : tensor<512x!tt.ptr<f32>, #blocked>
      %12 = tt.splat %arg2 : i32 -> tensor<512xi32, #blocked1>
      %13 = tt.addptr %arg4, %12 : tensor<512x!tt.ptr<f32>, #blocked1>, tensor<512xi32, #blocked1>
      scf.yield %13 : tensor<512x!tt.ptr<f32>, #blocked1>
    }
    tt.return
  }
}
