// RUN: tt-opt %s --triton-nvidia-gpu-remove-tmem-tokens --canonicalize | FileCheck %s
// RUN: echo 'tt.func @alone() { tt.return }' | tt-opt --triton-nvidia-gpu-remove-tmem-tokens | FileCheck %s --check-prefix=ALONE
// ALONE: ub.poison : !ttg.async.token

#rows = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#tile = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32} {
// Every kind of access, and a loop that carries the token.
// CHECK-LABEL: @accesses
tt.func @accesses(%a: !ttg.memdesc<128x64xf16, #tile, #smem>, %b: !ttg.memdesc<64x64xf16, #tile, #smem>, %x: tensor<128x64xf32, #rows>, %n: i32) -> tensor<128x64xf32, #rows> {
  // CHECK: %[[ACC:.*]] = ttng.tmem_alloc : () -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
  // CHECK: ttng.tmem_store %arg2, %[[ACC]], %true
  // CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} : i32 {
  // CHECK: ttng.tc_gen5_mma %arg0, %arg1, %[[ACC]], %true, %true :
  // CHECK: ttng.tmem_load %[[ACC]] :
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %true = arith.constant true
  %acc, %t0 = ttng.tmem_alloc : () -> (!ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
  %t1 = ttng.tmem_store %x, %acc[%t0], %true : tensor<128x64xf32, #rows> -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
  %t2 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %t1) -> (!ttg.async.token) : i32 {
    %next = ttng.tc_gen5_mma %a, %b, %acc[%t], %true, %true : !ttg.memdesc<128x64xf16, #tile, #smem>, !ttg.memdesc<64x64xf16, #tile, #smem>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    scf.yield %next : !ttg.async.token
  }
  %d, %t3 = ttng.tmem_load %acc[%t2] : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #rows>
  tt.return %d : tensor<128x64xf32, #rows>
}

// Left alone: an access without tokens.
// CHECK-LABEL: @none
tt.func @none(%m: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>) -> tensor<128x64xf32, #rows> {
  // CHECK-NEXT: ttng.tmem_load %arg0 :
  %d = ttng.tmem_load %m : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #rows>
  tt.return %d : tensor<128x64xf32, #rows>
}

// Edge: a token of copies to shared memory is another matter.
// CHECK-LABEL: @copies
tt.func @copies() {
  // CHECK-NEXT: ttg.async_commit_group
  %t = ttg.async_commit_group
  %w = ttg.async_wait %t {num = 0 : i32}
  tt.return
}
}
