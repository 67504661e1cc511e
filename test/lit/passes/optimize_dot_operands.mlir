// RUN: tt-opt %s --split-input-file --tritongpu-optimize-dot-operands | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#turned = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#a = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#b = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#bytes = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, elementBitWidth = 8}>
#smem = #ttg.shared_memory
// CHECK-DAG: #[[ROWS:.*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
// CHECK-DAG: #[[COLUMNS:.*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
// CHECK-DAG: #[[CUBE:.*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, rank = 3}>
module attributes {"ttg.num-warps" = 4 : i32} {
// wgmma reads the transpose of what is stored.
// CHECK-LABEL: @transposed
tt.func @transposed(%x: tensor<64x64xf16, #blocked>, %m: !ttg.memdesc<64x64xf16, #a, #smem>, %c: tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma> {
  // CHECK: %[[M:.*]] = ttg.local_alloc %arg0 : {{.*}} -> !ttg.memdesc<64x64xf16, #[[ROWS]], #smem>
  // CHECK: %[[T:.*]] = ttg.memdesc_trans %[[M]] {order = array<i32: 1, 0>} : {{.*}} -> !ttg.memdesc<64x64xf16, #[[COLUMNS]], #smem>
  // CHECK: ttng.warp_group_dot %arg1, %[[T]], %arg2
  %t = tt.trans %x {order = array<i32: 1, 0>} : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #turned>
  %b = ttg.local_alloc %t : (tensor<64x64xf16, #turned>) -> !ttg.memdesc<64x64xf16, #b, #smem>
  %d = ttng.warp_group_dot %m, %b, %c : !ttg.memdesc<64x64xf16, #a, #smem> * !ttg.memdesc<64x64xf16, #b, #smem> -> tensor<64x64xf32, #mma>
  tt.return %d : tensor<64x64xf32, #mma>
}

// The first dimension of a buffer is split.
// CHECK-LABEL: @reshaped
tt.func @reshaped(%x: tensor<4x16x64xf16>) -> !ttg.memdesc<64x64xf16, #a, #smem> {
  // CHECK: %[[M:.*]] = ttg.local_alloc %arg0 : (tensor<4x16x64xf16>) -> !ttg.memdesc<4x16x64xf16, #[[CUBE]], #smem>
  // CHECK: ttg.memdesc_reshape %[[M]] : {{.*}} -> !ttg.memdesc<64x64xf16, #[[ROWS]], #smem>
  %r = tt.reshape %x : tensor<4x16x64xf16> -> tensor<64x64xf16>
  %m = ttg.local_alloc %r : (tensor<64x64xf16>) -> !ttg.memdesc<64x64xf16, #a, #smem>
  tt.return %m : !ttg.memdesc<64x64xf16, #a, #smem>
}

// Left alone: rows of the source are no rows of the buffer, so products could not read it.
// CHECK-LABEL: @other_rows
tt.func @other_rows(%x: tensor<4096xf16>) -> !ttg.memdesc<64x64xf16, #a, #smem> {
  // CHECK-NEXT: tt.reshape
  // CHECK-NEXT: ttg.local_alloc
  %r = tt.reshape %x : tensor<4096xf16> -> tensor<64x64xf16>
  %m = ttg.local_alloc %r : (tensor<64x64xf16>) -> !ttg.memdesc<64x64xf16, #a, #smem>
  tt.return %m : !ttg.memdesc<64x64xf16, #a, #smem>
}

// Left alone: the buffer has another user.
// CHECK-LABEL: @used_twice
tt.func @used_twice(%x: tensor<64x64xf16, #blocked>, %m: !ttg.memdesc<64x64xf16, #a, #smem>, %c: tensor<64x64xf32, #mma>) -> (tensor<64x64xf32, #mma>, tensor<64x64xf16, #turned>) {
  // CHECK: tt.trans
  // CHECK-NEXT: ttg.local_alloc
  // CHECK-NOT: ttg.memdesc_trans
  // CHECK: tt.return
  %t = tt.trans %x {order = array<i32: 1, 0>} : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #turned>
  %b = ttg.local_alloc %t : (tensor<64x64xf16, #turned>) -> !ttg.memdesc<64x64xf16, #b, #smem>
  %d = ttng.warp_group_dot %m, %b, %c : !ttg.memdesc<64x64xf16, #a, #smem> * !ttg.memdesc<64x64xf16, #b, #smem> -> tensor<64x64xf32, #mma>
  %l = ttg.local_load %b : !ttg.memdesc<64x64xf16, #b, #smem> -> tensor<64x64xf16, #turned>
  tt.return %d, %l : tensor<64x64xf32, #mma>, tensor<64x64xf16, #turned>
}
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#turned = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#left = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#right = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
// CHECK-DAG: #[[SWIZZLED:.*]] = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32} {
// mma.sync's operand comes from a buffer that is swizzled for the transpose.
// CHECK-LABEL: @registers
tt.func @registers(%x: tensor<64x64xf16, #blocked>, %a: tensor<64x64xf16, #left>, %c: tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma> {
  // CHECK: %[[M:.*]] = ttg.local_alloc %arg0 : {{.*}} -> !ttg.memdesc<64x64xf16, #[[SWIZZLED]], #smem>
  // CHECK: %[[T:.*]] = ttg.memdesc_trans %[[M]]
  // CHECK: %[[B:.*]] = ttg.local_load %[[T]] : {{.*}} -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
  // CHECK: tt.dot %arg1, %[[B]], %arg2
  %t = tt.trans %x {order = array<i32: 1, 0>} : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #turned>
  %b = ttg.convert_layout %t : tensor<64x64xf16, #turned> -> tensor<64x64xf16, #right>
  %d = tt.dot %a, %b, %c : tensor<64x64xf16, #left> * tensor<64x64xf16, #right> -> tensor<64x64xf32, #mma>
  tt.return %d : tensor<64x64xf32, #mma>
}
}
