// RUN: tt-opt %s --split-input-file --tritongpu-hoist-tmem-alloc | FileCheck %s
// RUN: tt-opt %s --split-input-file --tritongpu-hoist-tmem-alloc="hoist-out-of-if=true" | FileCheck %s --check-prefix=BRANCH

#rows = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#tile = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32} {
// The loop carried the sum in registers; now it stays in tensor memory.
// CHECK-LABEL: @sum
// CHECK: %[[ACC:.*]], %[[T0:.*]] = ttng.tmem_alloc : ()
// CHECK: %[[T1:.*]] = ttng.tmem_store %arg2, %[[ACC]][%[[T0]]], %true
// CHECK: %[[T2:.*]] = scf.for {{.*}} iter_args(%[[T:.*]] = %[[T1]]) -> (!ttg.async.token)
// CHECK-NEXT: %[[T3:.*]] = ttng.tc_gen5_mma %arg0, %arg1, %[[ACC]][%[[T]]], %true, %true
// CHECK-NEXT: scf.yield %[[T3]]
// CHECK: ttng.tmem_load %[[ACC]][%[[T2]]]
// BRANCH-LABEL: @sum
// BRANCH: scf.for
// BRANCH: ttng.tmem_alloc
// BRANCH: ttng.tmem_store
tt.func @sum(%a: !ttg.memdesc<128x64xf16, #tile, #smem>, %b: !ttg.memdesc<64x64xf16, #tile, #smem>, %x: tensor<128x64xf32, #rows>, %n: i32) -> tensor<128x64xf32, #rows> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %true = arith.constant true
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (tensor<128x64xf32, #rows>) : i32 {
    %acc, %t0 = ttng.tmem_alloc %s : (tensor<128x64xf32, #rows>) -> (!ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
    %t1 = ttng.tc_gen5_mma %a, %b, %acc[%t0], %true, %true : !ttg.memdesc<128x64xf16, #tile, #smem>, !ttg.memdesc<64x64xf16, #tile, #smem>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    %d, %t2 = ttng.tmem_load %acc[%t1] : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #rows>
    scf.yield %d : tensor<128x64xf32, #rows>
  }
  tt.return %r : tensor<128x64xf32, #rows>
}

// Where a condition chooses between the sum and another tensor, only the other one is stored.
// CHECK-LABEL: @reset
// CHECK: scf.for {{.*}} iter_args(%[[T:.*]] = %{{.*}}) -> (!ttg.async.token)
// CHECK: %[[T1:.*]] = ttng.tc_gen5_mma
// CHECK: %[[T2:.*]] = ttng.tmem_store %arg2, %{{.*}}[%[[T1]]], %arg3
// CHECK: scf.yield %[[T2]]
tt.func @reset(%a: !ttg.memdesc<128x64xf16, #tile, #smem>, %b: !ttg.memdesc<64x64xf16, #tile, #smem>, %x: tensor<128x64xf32, #rows>, %restart: i1, %n: i32) -> tensor<128x64xf32, #rows> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %true = arith.constant true
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (tensor<128x64xf32, #rows>) : i32 {
    %acc, %t0 = ttng.tmem_alloc %s : (tensor<128x64xf32, #rows>) -> (!ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
    %t1 = ttng.tc_gen5_mma %a, %b, %acc[%t0], %true, %true : !ttg.memdesc<128x64xf16, #tile, #smem>, !ttg.memdesc<64x64xf16, #tile, #smem>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    %d, %t2 = ttng.tmem_load %acc[%t1] : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #rows>
    %next = arith.select %restart, %x, %d : tensor<128x64xf32, #rows>
    scf.yield %next : tensor<128x64xf32, #rows>
  }
  tt.return %r : tensor<128x64xf32, #rows>
}

// A load goes down into the only branch that needs it, and the branch gives the token.
// CHECK-LABEL: @read_at_times
// CHECK: %[[T1:.*]] = ttng.tc_gen5_mma
// CHECK-NEXT: %[[T3:.*]] = scf.if %arg3 -> (!ttg.async.token) {
// CHECK-NEXT: %[[D:.*]], %[[T2:.*]] = ttng.tmem_load %{{.*}}[%[[T1]]]
// CHECK-NEXT: tt.store %arg2, %[[D]]
// CHECK-NEXT: scf.yield %[[T2]]
// CHECK: scf.yield %[[T1]]
// CHECK: scf.yield %[[T3]]
tt.func @read_at_times(%a: !ttg.memdesc<128x64xf16, #tile, #smem>, %b: !ttg.memdesc<64x64xf16, #tile, #smem>, %p: tensor<128x64x!tt.ptr<f32>, #rows>, %last: i1, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %true = arith.constant true
  %acc, %t0 = ttng.tmem_alloc : () -> (!ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %t0) -> (!ttg.async.token) : i32 {
    %t1 = ttng.tc_gen5_mma %a, %b, %acc[%t], %true, %true : !ttg.memdesc<128x64xf16, #tile, #smem>, !ttg.memdesc<64x64xf16, #tile, #smem>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    %d, %t2 = ttng.tmem_load %acc[%t1] : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #rows>
    scf.if %last {
      tt.store %p, %d : tensor<128x64x!tt.ptr<f32>, #rows>
    }
    scf.yield %t2 : !ttg.async.token
  }
  tt.return
}

// A buffer of a branch, which starts as what the other branch gives, moves in front of both.
// CHECK-LABEL: @branch
// CHECK: scf.if
// CHECK: ttng.tmem_alloc
// BRANCH-LABEL: @branch
// BRANCH: %[[ACC:.*]], %[[T0:.*]] = ttng.tmem_alloc : ()
// BRANCH: %[[T1:.*]] = ttng.tmem_store %arg2, %[[ACC]][%[[T0]]]
// BRANCH: %[[T:.*]] = scf.if %arg3 -> (!ttg.async.token) {
// BRANCH: %[[T2:.*]] = ttng.tc_gen5_mma %arg0, %arg1, %[[ACC]][%[[T1]]]
// BRANCH: scf.yield %[[T2]]
// BRANCH: scf.yield %[[T1]]
// BRANCH: ttng.tmem_load %[[ACC]][%[[T]]]
tt.func @branch(%a: !ttg.memdesc<128x64xf16, #tile, #smem>, %b: !ttg.memdesc<64x64xf16, #tile, #smem>, %x: tensor<128x64xf32, #rows>, %c: i1) -> tensor<128x64xf32, #rows> {
  %true = arith.constant true
  %r = scf.if %c -> (tensor<128x64xf32, #rows>) {
    %acc, %t0 = ttng.tmem_alloc %x : (tensor<128x64xf32, #rows>) -> (!ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
    %t1 = ttng.tc_gen5_mma %a, %b, %acc[%t0], %true, %true : !ttg.memdesc<128x64xf16, #tile, #smem>, !ttg.memdesc<64x64xf16, #tile, #smem>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    %d, %t2 = ttng.tmem_load %acc[%t1] : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #rows>
    scf.yield %d : tensor<128x64xf32, #rows>
  } else {
    scf.yield %x : tensor<128x64xf32, #rows>
  }
  tt.return %r : tensor<128x64xf32, #rows>
}

// Left alone: accesses without tokens, whose order nobody knows.
// CHECK-LABEL: @without_tokens
// CHECK: scf.for
// CHECK-NEXT: ttng.tmem_alloc
tt.func @without_tokens(%a: !ttg.memdesc<128x64xf16, #tile, #smem>, %b: !ttg.memdesc<64x64xf16, #tile, #smem>, %p: tensor<128x64x!tt.ptr<f32>, #rows>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %true = arith.constant true
  %false = arith.constant false
  scf.for %i = %c0 to %n step %c1 : i32 {
    %acc = ttng.tmem_alloc : () -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    ttng.tc_gen5_mma %a, %b, %acc, %false, %true : !ttg.memdesc<128x64xf16, #tile, #smem>, !ttg.memdesc<64x64xf16, #tile, #smem>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    %d = ttng.tmem_load %acc : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #rows>
    tt.store %p, %d : tensor<128x64x!tt.ptr<f32>, #rows>
  }
  tt.return
}

// Edge: elements of the sum are kept one by one, so the whole tensor is stored.
// CHECK-LABEL: @some_elements
// CHECK: arith.select %arg3, %{{.*}}, %arg2 : tensor<128x64xi1
// CHECK: ttng.tmem_store
tt.func @some_elements(%a: !ttg.memdesc<128x64xf16, #tile, #smem>, %b: !ttg.memdesc<64x64xf16, #tile, #smem>, %x: tensor<128x64xf32, #rows>, %keep: tensor<128x64xi1, #rows>, %n: i32) -> tensor<128x64xf32, #rows> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %true = arith.constant true
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (tensor<128x64xf32, #rows>) : i32 {
    %acc, %t0 = ttng.tmem_alloc %s : (tensor<128x64xf32, #rows>) -> (!ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
    %t1 = ttng.tc_gen5_mma %a, %b, %acc[%t0], %true, %true : !ttg.memdesc<128x64xf16, #tile, #smem>, !ttg.memdesc<64x64xf16, #tile, #smem>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    %d, %t2 = ttng.tmem_load %acc[%t1] : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #rows>
    %next = arith.select %keep, %d, %x : tensor<128x64xi1, #rows>, tensor<128x64xf32, #rows>
    scf.yield %next : tensor<128x64xf32, #rows>
  }
  tt.return %r : tensor<128x64xf32, #rows>
}
}
