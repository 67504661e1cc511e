// RUN: tt-opt %s --tritongpu-promote-lhs-to-tmem | FileCheck %s

#rows = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#load = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#tile = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32} {
// Each thread holds a row of what it computed.
// CHECK-LABEL: @computed
tt.func @computed(%x: tensor<128x64xf16, #rows>, %b: !ttg.memdesc<64x64xf16, #tile, #smem>, %d: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %true: i1) {
  // CHECK: %[[A:.*]] = ttng.tmem_alloc %{{.*}} : (tensor<128x64xf16, #{{.*}}>) -> !ttg.memdesc<128x64xf16, #tmem, #ttng.tensor_memory>
  // CHECK: ttng.tc_gen5_mma %[[A]], %arg1, %arg2, %arg3, %arg3
  %s = arith.addf %x, %x : tensor<128x64xf16, #rows>
  %a = ttg.local_alloc %s : (tensor<128x64xf16, #rows>) -> !ttg.memdesc<128x64xf16, #tile, #smem>
  ttng.tc_gen5_mma %a, %b, %d, %true, %true : !ttg.memdesc<128x64xf16, #tile, #smem>, !ttg.memdesc<64x64xf16, #tile, #smem>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
  tt.return
}

// Left alone: what was loaded would have to move between threads.
// CHECK-LABEL: @loaded
tt.func @loaded(%p: tensor<128x64x!tt.ptr<f16>, #load>, %b: !ttg.memdesc<64x64xf16, #tile, #smem>, %d: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %true: i1) {
  // CHECK: %[[A:.*]] = ttg.local_alloc
  // CHECK: ttng.tc_gen5_mma %[[A]]
  %x = tt.load %p : tensor<128x64x!tt.ptr<f16>, #load>
  %a = ttg.local_alloc %x : (tensor<128x64xf16, #load>) -> !ttg.memdesc<128x64xf16, #tile, #smem>
  ttng.tc_gen5_mma %a, %b, %d, %true, %true : !ttg.memdesc<128x64xf16, #tile, #smem>, !ttg.memdesc<64x64xf16, #tile, #smem>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
  tt.return
}

// Edge: computed in another layout, from which it is converted.
// CHECK-LABEL: @converted
tt.func @converted(%x: tensor<128x64xf16, #load>, %b: !ttg.memdesc<64x64xf16, #tile, #smem>, %d: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %true: i1) {
  // CHECK: %[[C:.*]] = ttg.convert_layout
  // CHECK: %[[A:.*]] = ttng.tmem_alloc %[[C]]
  // CHECK: ttng.tc_gen5_mma %[[A]]
  %s = arith.addf %x, %x : tensor<128x64xf16, #load>
  %a = ttg.local_alloc %s : (tensor<128x64xf16, #load>) -> !ttg.memdesc<128x64xf16, #tile, #smem>
  ttng.tc_gen5_mma %a, %b, %d, %true, %true : !ttg.memdesc<128x64xf16, #tile, #smem>, !ttg.memdesc<64x64xf16, #tile, #smem>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
  tt.return
}
}
