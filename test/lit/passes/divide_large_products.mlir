// RUN: tt-opt %s --split-input-file --ttkit-divide-large-products | FileCheck %s

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
!buffer = !ttg.memdesc<128x64xf16, #shared, #smem>
!other = !ttg.memdesc<64x128xf16, #shared, #smem>
!sums = tensor<128x128xf32, #mma>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
// Scales that are computed behind the product are moved in front of it.
// CHECK-LABEL: @rows
// CHECK: tt.broadcast %arg3
// CHECK-COUNT-2: tt.split
// CHECK: %[[UPPER:.*]] = ttg.memdesc_subslice %arg0[0, 0]
// CHECK: %[[D0:.*]] = ttng.warp_group_dot %[[UPPER]], %arg1, %{{.*}} {{{.*}}isAsync = true
// CHECK: %[[W0:.*]]:3 = ttng.warp_group_dot_wait %[[D0]], %arg0, %arg1 {pendings = 0 : i32}
// CHECK: %[[P0:.*]] = arith.mulf %[[W0]]#0
// CHECK: %[[R0:.*]] = arith.addf %{{.*}}, %[[P0]] : tensor<64x128xf32, #mma>
// CHECK: ttng.warp_group_dot_wait %[[R0]] {pendings = 0 : i32}
// CHECK: %[[LOWER:.*]] = ttg.memdesc_subslice %arg0[64, 0]
// CHECK: ttng.warp_group_dot %[[LOWER]], %arg1, %[[W0]]#0, %false {{{.*}}ttkit.takes_registers
// CHECK: arith.addf
// CHECK: tt.join
// CHECK: tt.return
tt.func @rows(%a: !buffer, %b: !other, %sums: !sums, %scales: tensor<128x1xf32, #mma>) -> !sums {
  %zero = arith.constant dense<0.0> : !sums
  %d = ttng.warp_group_dot %a, %b, %zero {inputPrecision = 0 : i32, isAsync = true} : !buffer * !other -> !sums
  %w:3 = ttng.warp_group_dot_wait %d, %a, %b {pendings = 0 : i32} : !sums, !buffer, !other
  %each = tt.broadcast %scales : tensor<128x1xf32, #mma> -> !sums
  %scaled = arith.mulf %w#0, %each : !sums
  %r = arith.addf %sums, %scaled : !sums
  tt.return %r : !sums
}

// Nothing beside the product that takes registers.
// CHECK-LABEL: @fits
// CHECK-COUNT-1: ttng.warp_group_dot %
// CHECK-NOT: ttng.warp_group_dot %
// CHECK: tt.return
tt.func @fits(%a: !buffer, %b: !other, %scales: tensor<128x1xf32, #mma>) -> !sums {
  %zero = arith.constant dense<0.0> : !sums
  %d = ttng.warp_group_dot %a, %b, %zero {inputPrecision = 0 : i32, isAsync = true} : !buffer * !other -> !sums
  %w:3 = ttng.warp_group_dot_wait %d, %a, %b {pendings = 0 : i32} : !sums, !buffer, !other
  %each = tt.broadcast %scales : tensor<128x1xf32, #mma> -> !sums
  %scaled = arith.mulf %w#0, %each : !sums
  tt.return %scaled : !sums
}

// The scales come from a load behind the product, which stays there.
// CHECK-LABEL: @load
// CHECK-COUNT-1: ttng.warp_group_dot %
// CHECK-NOT: ttng.warp_group_dot %
// CHECK: tt.return
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

// -----

// One instruction computes all rows of a warp: its columns are halved.
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 256, 16]}>
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
