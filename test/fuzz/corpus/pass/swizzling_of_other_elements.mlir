// passes: ttkit-divide-large-products

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8}>
#smem = #ttg.shared_memory
!buffer = !ttg.memdesc<128x64xf16, #shared, #smem>
!other = !ttg.memdesc<64x128xf16, #shared, #smem>
!sums = tensor<128x128xf32, #mma>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func @rows(%a: !buffer, %b: !other, %sums: !sums, %scales: tensor<128x1xf32, #mma>) -> !sums {
  %zero = arith.constant dense<0.0> : !sums
  %d = ttng.warp_group_dot %a, %b, %zero {inputPrecision = 0 : i32, isAsync = true} : !buffer * !other -> !sums
  %w:3 = ttng.warp_group_dot_wait %d, %a, %b {pendings = 0 : i32} : !sums, !buffer, !other
  %each = tt.broadcast %scales : tensor<128x1xf32, #mma> -> !sums
  %scaled = arith.mulf %w#0, %each : !sums
  %r = arith.addf %sums, %scaled : !sums
  tt.return %r : !sums
}

tt.func @fits(%a: !buffer, %b: !other, %scales: tensor<128x1xf32, #mma>) -> !sums {
  %zero = arith.constant dense<0.0> : !sums
  %d = ttng.warp_group_dot %a, %b, %zero {inputPrecision = 0 : i32, isAsync = true} : !buffer * !other -> !sums
  %w:3 = ttng.warp_group_dot_wait %d, %a, %b {pendings = 0 : i32} : !sums, !buffer, !other
  %each = tt.broadcast %scales : tensor<128x1xf32, #mma> -> !sums
  %scaled = arith.mulf %w#0, %each : !sums
  tt.return %scaled : !sums
}

tt.func @load(%a: !buffer, %b: !other, %sums: !sums, %p: tensor<128x1x!tt.ptr<f32>, #mma>) -> !sums {
  %zero = arith.constant dense<0.0> : !sums
  %d = ttng.warp_group_dot %a, %b, %zero {inputPrecision = 0 : i32, isAsync = true} : !buffer * !other -> !sums
  %w:3 = ttng.warp_group_dot_wait %d, %a, %b {pendings = 0 : i32} : !sums, !buffer, !other
  %scales = tt.load %p : tensor<128x1x!tt.ptr<f32>, #mma>
  %each = tt.broadcast %scales : tensor<128x1xf32, #mma> -> !sums
  %scaled = arith.mulf %w#0, %each : !sums
  %r = arith.addf %sums, %scaled : !sums
  tt.return %r : !sums
}
}

