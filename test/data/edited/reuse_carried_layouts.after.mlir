#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @two_loops(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #blocked>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
    %2 = tt.addptr %1, %0 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
    %3 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
    %4 = tt.addptr %3, %0 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
    %5 = scf.for %arg3 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg4 = %2) -> (tensor<512x!tt.ptr<f32>, #blocked>)  : i32 {
      %7 = tt.load %arg4 : tensor<512x!tt.ptr<f32>, #blocked>
      tt.store %4, %7 : tensor<512x!tt.ptr<f32>, #blocked>
      %8 = tt.splat %arg2 : i32 -> tensor<512xi32, #blocked>
      %9 = tt.addptr %arg4, %8 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
      scf.yield %9 : tensor<512x!tt.ptr<f32>, #blocked>
    }
    %6 = scf.for %arg3 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg4 = %5) -> (tensor<512x!tt.ptr<f32>, #blocked>)  : i32 {
      %7 = tt.load %arg4 : tensor<512x!tt.ptr<f32>, #blocked>
      tt.store %4, %7 : tensor<512x!tt.ptr<f32>, #blocked>
      %8 = tt.splat %arg2 : i32 -> tensor<512xi32, #blocked>
      %9 = tt.addptr %arg4, %8 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
      scf.yield %9 : tensor<512x!tt.ptr<f32>, #blocked>
    }
    tt.return
  }
}
