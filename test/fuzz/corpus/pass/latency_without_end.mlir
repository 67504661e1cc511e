// passes: tritongpu-schedule-loops
#row = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
tt.func @sum(%p: tensor<512x!tt.ptr<f32>, #row>, %step: tensor<512xi32, #row>, %zero: tensor<512xf32, #row>, %n: i32) -> (tensor<512xf32, #row>, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %q = %p, %count = %c0) -> (tensor<512xf32, #row>, tensor<512x!tt.ptr<f32>, #row>, i32) : i32 {
    %o = arith.muli %i, %c1 : i32
    %os = tt.splat %o : i32 -> tensor<512xi32, #row>
    %m = arith.cmpi slt, %step, %os : tensor<512xi32, #row>
    %x = tt.load %q, %m {tt.latency = -2147483648 : i32} : tensor<512x!tt.ptr<f32>, #row>
    %y = arith.addf %acc, %x : tensor<512xf32, #row>
    %next = tt.addptr %q, %step : tensor<512x!tt.ptr<f32>, #row>, tensor<512xi32, #row>
    %more = arith.addi %count, %c1 : i32
    scf.yield %y, %next, %more : tensor<512xf32, #row>, tensor<512x!tt.ptr<f32>, #row>, i32
  }
  tt.return %r#0, %r#2 : tensor<512xf32, #row>, i32
}
}

