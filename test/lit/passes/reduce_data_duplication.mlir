// RUN: tt-opt %s --split-input-file --tritongpu-reduce-data-duplication | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#c = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#t = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#mma3 = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
// CHECK-DAG: #[[ROWS:.*]] = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
// CHECK-DAG: #[[COLUMNS:.*]] = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [0, 1]}>
// CHECK-DAG: #[[COLUMN:.*]] = #ttg.swizzled_shared<{vec = 8, perPhase = 64, maxPhase = 1, order = [1, 0]}>
// CHECK-DAG: #[[PLAIN:.*]] = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
// Operands of tensor cores, stored in the order in which registers have them.
// CHECK-LABEL: @operands
tt.func @operands(%a: tensor<64x64xf16, #b>, %b: tensor<64x64xf32, #t>) {
  // CHECK: %[[M:.*]] = ttg.local_alloc %arg0 : {{.*}} -> !ttg.memdesc<64x64xf16, #[[ROWS]], #smem>
  // CHECK-NEXT: ttg.local_load %[[M]] : {{.*}} -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
  %0 = ttg.convert_layout %a : tensor<64x64xf16, #b> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
  // CHECK: %[[N:.*]] = ttg.local_alloc %arg1 : {{.*}} -> !ttg.memdesc<64x64xf32, #[[COLUMNS]], #smem>
  // CHECK-NEXT: ttg.local_load %[[N]]
  %1 = ttg.convert_layout %b : tensor<64x64xf32, #t> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
  tt.return
}

// A column, of which threads hold copies: the order stays that of the registers.
// CHECK-LABEL: @column
tt.func @column(%a: tensor<32x1xf16, #c>) {
  // CHECK: ttg.local_alloc %arg0 : {{.*}} -> !ttg.memdesc<32x1xf16, #[[COLUMN]], #smem>
  %0 = ttg.convert_layout %a : tensor<32x1xf16, #c> -> tensor<32x1xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
  tt.return
}

// Operands of other products are not swizzled.
// CHECK-LABEL: @blocked_parent
tt.func @blocked_parent(%a: tensor<64x64xf16, #b>) {
  // CHECK: ttg.local_alloc %arg0 : {{.*}} -> !ttg.memdesc<64x64xf16, #[[PLAIN]], #smem>
  %0 = ttg.convert_layout %a : tensor<64x64xf16, #b> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #b}>>
  tt.return
}

// Left alone: a conversion within each thread, and one to another kind of layout.
// CHECK-LABEL: @left_alone
tt.func @left_alone(%a: tensor<64x64xf16, #mma3>, %b: tensor<64x64xf16, #b>) {
  // CHECK-NEXT: ttg.convert_layout
  // CHECK-NEXT: ttg.convert_layout
  // CHECK-NEXT: tt.return
  %0 = ttg.convert_layout %a : tensor<64x64xf16, #mma3> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma3, kWidth = 2}>>
  %1 = ttg.convert_layout %b : tensor<64x64xf16, #b> -> tensor<64x64xf16, #mma>
  tt.return
}
}

// -----

// Edge: 64 banks, where swizzling also helps if the reduced dimension is the slower one.
#b = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [8, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
#mfma = #ttg.amd_mfma<{version = 4, warpsPerCTA = [2, 2], instrShape = [16, 16, 32], isTransposed = false}>
// CHECK: #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 8, order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 64 : i32} {
tt.func @mfma(%a: tensor<64x64xf16, #b>) {
  %0 = ttg.convert_layout %a : tensor<64x64xf16, #b> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mfma, kWidth = 8}>>
  tt.return
}
}
