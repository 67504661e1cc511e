// RUN: tt-opt %s --split-input-file --triton-tensor-memory-allocation | FileCheck %s

#rows = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
// Buffers that are in use together lie beside each other; what comes after one of them is dead takes its columns.
// CHECK: module attributes {{{.*}}ttg.shared = 4 : i32, ttg.tensor_memory_size = 128 : i32}
// CHECK-LABEL: @reuse
// CHECK: ttng.tmem_alloc %arg0 {tensor_memory_col_offset = 0 : i32, tensor_memory_row_offset = 0 : i32}
// CHECK: ttng.tmem_alloc %arg0 {tensor_memory_col_offset = 64 : i32, tensor_memory_row_offset = 0 : i32}
// CHECK: ttng.tmem_load
// CHECK: ttng.tmem_alloc %{{.*}} {tensor_memory_col_offset = 0 : i32, tensor_memory_row_offset = 0 : i32}
module attributes {"ttg.num-warps" = 4 : i32} {
tt.func @reuse(%x: tensor<128x64xf32, #rows>) -> tensor<128x64xf32, #rows> {
  %a = ttng.tmem_alloc %x : (tensor<128x64xf32, #rows>) -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
  %b = ttng.tmem_alloc %x : (tensor<128x64xf32, #rows>) -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
  %y = ttng.tmem_load %a : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #rows>
  %c = ttng.tmem_alloc %y : (tensor<128x64xf32, #rows>) -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
  %z = ttng.tmem_load %b : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #rows>
  %w = ttng.tmem_load %c : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #rows>
  %s = arith.addf %z, %w : tensor<128x64xf32, #rows>
  tt.return %s : tensor<128x64xf32, #rows>
}
}

// -----

#half = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 32]], warp = [[16, 0], [32, 0]], block = []}>
#tmem = #ttng.tensor_memory_encoding<blockM = 64, blockN = 64, colStride = 1>
// Two buffers of 64 rows share columns: each warp has 16 rows of either.
// CHECK: ttg.tensor_memory_size = 64 : i32
// CHECK-LABEL: @halves
// CHECK: tensor_memory_col_offset = 0 : i32, tensor_memory_row_offset = 0 : i32
// CHECK: tensor_memory_col_offset = 0 : i32, tensor_memory_row_offset = 16 : i32
module attributes {"ttg.num-warps" = 4 : i32} {
tt.func @halves(%x: tensor<64x64xf32, #half>) -> tensor<64x64xf32, #half> {
  %a = ttng.tmem_alloc %x : (tensor<64x64xf32, #half>) -> !ttg.memdesc<64x64xf32, #tmem, #ttng.tensor_memory, mutable>
  %b = ttng.tmem_alloc %x : (tensor<64x64xf32, #half>) -> !ttg.memdesc<64x64xf32, #tmem, #ttng.tensor_memory, mutable>
  %y = ttng.tmem_load %a : !ttg.memdesc<64x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<64x64xf32, #half>
  %z = ttng.tmem_load %b : !ttg.memdesc<64x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<64x64xf32, #half>
  %s = arith.addf %y, %z : tensor<64x64xf32, #half>
  tt.return %s : tensor<64x64xf32, #half>
}
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 256, colStride = 1>
#rows = #ttg.blocked<{sizePerThread = [1, 256], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
// Edge: a buffer is in use as long as a view of it; more columns than there are get a number all the same.
// CHECK: ttg.tensor_memory_size = 768 : i32
// CHECK-LABEL: @too_many
// CHECK: tensor_memory_col_offset = 0 : i32
// CHECK: tensor_memory_col_offset = 512 : i32
module attributes {"ttg.num-warps" = 4 : i32, ttg.shared = 64 : i32} {
tt.func @too_many(%x: tensor<128x256xf32, #rows>) -> tensor<128x256xf32, #rows> {
  %c1 = arith.constant 1 : i32
  %true = arith.constant true
  %a = ttng.tmem_alloc : () -> !ttg.memdesc<2x128x256xf32, #tmem, #ttng.tensor_memory, mutable>
  %p = ttg.memdesc_index %a[%c1] : !ttg.memdesc<2x128x256xf32, #tmem, #ttng.tensor_memory, mutable> -> !ttg.memdesc<128x256xf32, #tmem, #ttng.tensor_memory, mutable>
  ttng.tmem_store %x, %p, %true : tensor<128x256xf32, #rows> -> !ttg.memdesc<128x256xf32, #tmem, #ttng.tensor_memory, mutable>
  %b = ttng.tmem_alloc %x : (tensor<128x256xf32, #rows>) -> !ttg.memdesc<128x256xf32, #tmem, #ttng.tensor_memory, mutable>
  %y = ttng.tmem_load %p : !ttg.memdesc<128x256xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x256xf32, #rows>
  %z = ttng.tmem_load %b : !ttg.memdesc<128x256xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x256xf32, #rows>
  %s = arith.addf %y, %z : tensor<128x256xf32, #rows>
  tt.return %s : tensor<128x256xf32, #rows>
}
}

// -----

// Left alone: a kernel without tensor memory.
// CHECK: module attributes {ttg.tensor_memory_size = 0 : i32}
module {
tt.func @none() {
  tt.return
}
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#rows = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
// A function's buffers lie beside those of the functions that it calls, at whatever depth; kernels do not meet.
// CHECK: ttg.tensor_memory_size = 128 : i32
// CHECK-LABEL: @other_kernel
// CHECK: tensor_memory_col_offset = 0 : i32
// CHECK-LABEL: @leaf
// CHECK: tensor_memory_col_offset = 0 : i32
// CHECK-LABEL: @kernel
// CHECK: tensor_memory_col_offset = 64 : i32
module attributes {"ttg.num-warps" = 4 : i32} {
tt.func @other_kernel(%x: tensor<128x64xf32, #rows>) -> tensor<128x64xf32, #rows> {
  %a = ttng.tmem_alloc %x : (tensor<128x64xf32, #rows>) -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
  %y = ttng.tmem_load %a : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #rows>
  tt.return %y : tensor<128x64xf32, #rows>
}
tt.func private @leaf(%x: tensor<128x64xf32, #rows>) -> tensor<128x64xf32, #rows> {
  %a = ttng.tmem_alloc %x : (tensor<128x64xf32, #rows>) -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
  %y = ttng.tmem_load %a : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #rows>
  tt.return %y : tensor<128x64xf32, #rows>
}
tt.func private @middle(%x: tensor<128x64xf32, #rows>) -> tensor<128x64xf32, #rows> {
  %y = tt.call @leaf(%x) : (tensor<128x64xf32, #rows>) -> tensor<128x64xf32, #rows>
  tt.return %y : tensor<128x64xf32, #rows>
}
tt.func @kernel(%x: tensor<128x64xf32, #rows>) -> tensor<128x64xf32, #rows> {
  %a = ttng.tmem_alloc %x : (tensor<128x64xf32, #rows>) -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
  %y = tt.call @middle(%x) : (tensor<128x64xf32, #rows>) -> tensor<128x64xf32, #rows>
  %z = ttng.tmem_load %a : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #rows>
  %s = arith.addf %y, %z : tensor<128x64xf32, #rows>
  tt.return %s : tensor<128x64xf32, #rows>
}
}

// -----

#rows = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
!buffer = !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
// A buffer of a group of warps lies beside those that exist before the groups start.
// CHECK: ttg.tensor_memory_size = 128 : i32
// CHECK-LABEL: @group
// CHECK: ttng.tmem_alloc %arg0 {tensor_memory_col_offset = 0 : i32
// CHECK: ttng.tmem_alloc %{{.*}} {tensor_memory_col_offset = 64 : i32
module attributes {"ttg.num-warps" = 4 : i32} {
tt.func @group(%x: tensor<128x64xf32, #rows>, %p: !tt.ptr<f32>) -> tensor<128x64xf32, #rows> {
  %a = ttng.tmem_alloc %x : (tensor<128x64xf32, #rows>) -> !buffer
  ttg.warp_specialize(%a, %p)
  default {
    ttg.warp_yield
  }
  partition0(%b: !buffer, %q: !tt.ptr<f32>) num_warps(4) {
    %true = arith.constant true
    %y = ttng.tmem_load %b : !buffer -> tensor<128x64xf32, #rows>
    %c = ttng.tmem_alloc %y : (tensor<128x64xf32, #rows>) -> !buffer
    %z = ttng.tmem_load %c : !buffer -> tensor<128x64xf32, #rows>
    ttng.tmem_store %z, %b, %true : tensor<128x64xf32, #rows> -> !buffer
    ttg.warp_return
  } : (!buffer, !tt.ptr<f32>) -> ()
  %y = ttng.tmem_load %a : !buffer -> tensor<128x64xf32, #rows>
  tt.return %y : tensor<128x64xf32, #rows>
}
}
