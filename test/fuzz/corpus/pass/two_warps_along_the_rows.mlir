// passes: ttkit-divide-large-products


// One instruction computes all rows of a warp: its columns are halved.
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 256, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#columns = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
!buffer = !ttg.memdesc<64x64xf16, #shared, #smem>
!other = !ttg.memdesc<64x256xf16, #columns, #smem>
!sums = tensor<64x256xf32, #mma>
// CHECK: #[[HALF:.*]] = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: @columns
// CHECK: ttg.memdesc_subslice %arg1[0, 0]
// CHECK: ttng.warp_group_dot %arg0, {{.*}} -> tensor<64x128xf32, #[[HALF]]>
// CHECK: ttg.memdesc_subslice %arg1[0, 128]
// CHECK: ttng.warp_group_dot %arg0, {{.*}} -> tensor<64x128xf32, #[[HALF]]>
tt.func @columns(%a: !buffer, %b: !other, %sums: !sums, %scale: f32) -> !sums {
  %zero = arith.constant dense<0.0> : !sums
  %d = ttng.warp_group_dot %a, %b, %zero {inputPrecision = 0 : i32, isAsync = true} : !buffer * !other -> !sums
  %w:3 = ttng.warp_group_dot_wait %d, %a, %b {pendings = 0 : i32} : !sums, !buffer, !other
  %each = tt.splat %scale : f32 -> !sums
  %scaled = arith.mulf %w#0, %each : !sums
  %r = arith.addf %sums, %scaled : !sums
  tt.return %r : !sums
}
}
