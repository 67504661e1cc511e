// passes: tritongpu-assign-latencies
#row = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
tt.func @sums(%p: tensor<512x!tt.ptr<f32>, #row> {tt.divisibility = dense<16> : tensor<9223372036854775807xi32>}, %zero: tensor<512xf32, #row>, %n: i32) -> tensor<512xf32, #row> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<512xf32, #row> : i32 {
    %x = tt.load %p : tensor<512x!tt.ptr<f32>, #row>
    %y = arith.addf %acc, %x : tensor<512xf32, #row>
    scf.yield %y : tensor<512xf32, #row>
  } {tt.num_stages = 4 : i32}
  tt.return %r : tensor<512xf32, #row>
}
}
