// RUN: tt-opt %s --split-input-file --ttkit-spread-transposed-loads | FileCheck %s

#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#columns = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 32}>
#bytes = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = true, elementBitWidth = 8}>
#smem = #ttg.shared_memory
// CHECK-DAG: #[[BOXES:.*]] = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [1, 0]}>
// CHECK-DAG: #[[SQUARES:.*]] = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: @words
tt.func @words(%p: tensor<32x128x!tt.ptr<f32>, #rows>, %mask: tensor<32x128xi1, #rows>, %n: i32) {
  scf.for %i = %n to %n step %n : i32 {
  // CHECK: %[[P:.*]] = ttg.convert_layout %arg0 : {{.*}} -> tensor<32x128x!tt.ptr<f32>, #[[BOXES]]>
  // CHECK: %[[M:.*]] = ttg.convert_layout %arg1 : {{.*}} -> tensor<32x128xi1, #[[BOXES]]>
  // CHECK: tt.load %[[P]], %[[M]] : tensor<32x128x!tt.ptr<f32>, #[[BOXES]]>
  %0 = tt.load %p, %mask : tensor<32x128x!tt.ptr<f32>, #rows>
  %1 = ttg.local_alloc %0 : (tensor<32x128xf32, #rows>) -> !ttg.memdesc<32x128xf32, #columns, #smem>
  }
  tt.return
}

// CHECK-LABEL: @bytes
tt.func @bytes(%p: tensor<32x128x!tt.ptr<i8>, #rows>, %n: i32) {
  scf.for %i = %n to %n step %n : i32 {
  // CHECK: tt.load {{.*}} : tensor<32x128x!tt.ptr<i8>, #[[SQUARES]]>
  %0 = tt.load %p : tensor<32x128x!tt.ptr<i8>, #rows>
  %1 = ttg.local_alloc %0 : (tensor<32x128xi8, #rows>) -> !ttg.memdesc<32x128xi8, #bytes, #smem>
  }
  tt.return
}
}

// -----

// Through a transposition and a conversion; the third dimension keeps the place that it has.
#rows = #ttg.blocked<{sizePerThread = [1, 1, 4], threadsPerWarp = [1, 1, 32], warpsPerCTA = [1, 8, 1], order = [2, 1, 0]}>
#turned = #ttg.blocked<{sizePerThread = [1, 4, 1], threadsPerWarp = [1, 32, 1], warpsPerCTA = [1, 1, 8], order = [1, 2, 0]}>
#other = #ttg.blocked<{sizePerThread = [1, 1, 4], threadsPerWarp = [1, 4, 8], warpsPerCTA = [1, 8, 1], order = [2, 1, 0]}>
#columns = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32, rank = 3}>
#smem = #ttg.shared_memory
// CHECK: #[[BOXES:.*]] = #ttg.blocked<{sizePerThread = [1, 1, 1], threadsPerWarp = [1, 4, 8], warpsPerCTA = [1, 1, 8], order = [2, 1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: @through
tt.func @through(%p: tensor<2x32x64x!tt.ptr<f32>, #rows>, %n: i32) {
  scf.for %i = %n to %n step %n : i32 {
  // CHECK: tt.load {{.*}} : tensor<2x32x64x!tt.ptr<f32>, #[[BOXES]]>
  %0 = tt.load %p : tensor<2x32x64x!tt.ptr<f32>, #rows>
  %1 = tt.trans %0 {order = array<i32: 0, 2, 1>} : tensor<2x32x64xf32, #rows> -> tensor<2x64x32xf32, #turned>
  %2 = ttg.convert_layout %1 : tensor<2x64x32xf32, #turned> -> tensor<2x64x32xf32, #other>
  %3 = ttg.local_alloc %2 : (tensor<2x64x32xf32, #other>) -> !ttg.memdesc<2x64x32xf32, #columns, #smem>
  }
  tt.return
}
}

// -----

// Left alone: the same order on both sides, f64, a second use, no swizzle, fewer columns than a box has, and no loop.
#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#same = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
#columns = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 32}>
#wide = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 64}>
#flat = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = true, elementBitWidth = 32}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: @left_alone
// CHECK-NOT: ttg.convert_layout
tt.func @left_alone(%p: tensor<32x128x!tt.ptr<f32>, #rows>, %q: tensor<32x128x!tt.ptr<f64>, #rows>, %r: tensor<32x4x!tt.ptr<f32>, #rows>, %n: i32) {
  scf.for %i = %n to %n step %n : i32 {
  %0 = tt.load %p : tensor<32x128x!tt.ptr<f32>, #rows>
  %1 = ttg.local_alloc %0 : (tensor<32x128xf32, #rows>) -> !ttg.memdesc<32x128xf32, #same, #smem>
  %2 = tt.load %q : tensor<32x128x!tt.ptr<f64>, #rows>
  %3 = ttg.local_alloc %2 : (tensor<32x128xf64, #rows>) -> !ttg.memdesc<32x128xf64, #wide, #smem>
  %4 = tt.load %p : tensor<32x128x!tt.ptr<f32>, #rows>
  %5 = ttg.local_alloc %4 : (tensor<32x128xf32, #rows>) -> !ttg.memdesc<32x128xf32, #columns, #smem>
  tt.store %p, %4 : tensor<32x128x!tt.ptr<f32>, #rows>
  %6 = tt.load %p : tensor<32x128x!tt.ptr<f32>, #rows>
  %7 = ttg.local_alloc %6 : (tensor<32x128xf32, #rows>) -> !ttg.memdesc<32x128xf32, #flat, #smem>
  %8 = tt.load %r : tensor<32x4x!tt.ptr<f32>, #rows>
  %9 = ttg.local_alloc %8 : (tensor<32x4xf32, #rows>) -> !ttg.memdesc<32x4xf32, #columns, #smem>
  }
  %10 = tt.load %p : tensor<32x128x!tt.ptr<f32>, #rows>
  %11 = ttg.local_alloc %10 : (tensor<32x128xf32, #rows>) -> !ttg.memdesc<32x128xf32, #columns, #smem>
  tt.return
}
}
