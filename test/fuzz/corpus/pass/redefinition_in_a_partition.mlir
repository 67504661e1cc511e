// passes: nvws-lower-aref

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked8 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [8], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tensors(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %q: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    ttg.warp_specialize(%p, %q)
    default { ttg.warp_yield }
    partition0(%a: !tt.ptr<f32>, %b: !tt.ptr<f32>) num_warps(4) {
      %r = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #blocked>
      %s = tt.splat %a : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #blocked>
      %t = tt.addptr %s, %r : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
      %x = tt.load %t : tensor<256x!tt.ptr<f32>, #blocked>
      %one = arith.constant dense<1.0> : tensor<256xf32, #blocked>
      %y = arith.addf %x, %one : tensor<256xf32, #blocked>
      %u = tt.splat %b : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #blocked>
      %v = tt.addptr %u, %r : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
      tt.store %v, %y : tensor<256x!tt.ptr<f32>, #blocked>
      tt.store %b, %zero : !tt.ptr<f32>
      ttg.warp_return
    }
    partition1(%a: !tt.ptr<f32>, %b: !tt.ptr<f32>) num_warps(4) {
      %zero = arith.constant 0.0 : f32
      tt.store %b, %zero : !tt.ptr<f32>
      ttg.warp_return
    }
    partition2(%a: !tt.ptr<f32>, %b: !tt.ptr<f32>) num_warps(8) {
      %r = tt.make_range {end = 32768 : i32, start = 0 : i32} : tensor<32768xi32, #blocked8>
      %zero = arith.constant dense<0.0> : tensor<32768xf32, #blocked8>
      %u = tt.splat %b : !tt.ptr<f32> -> tensor<32768x!tt.ptr<f32>, #blocked8>
      %v = tt.addptr %u, %r : tensor<32768x!tt.ptr<f32>, #blocked8>, tensor<32768xi32, #blocked8>
      %zero = arith.constant dense<0.0> : tensor<32768xf32, #blocked8>
      tt.store %v, %zero : tensor<65536x!tt.ptr<f32>, #blocked8>
      ttg.warp_return
    } : (!tt.ptr<f32>, !tt.ptr<f32>) -> ()
    tt.return
  }
}

