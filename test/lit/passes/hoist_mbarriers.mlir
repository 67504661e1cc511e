// RUN: tt-opt %s -split-input-file --ttkit-hoist-mbarriers | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!desc = !tt.tensordesc<tensor<64x64xf16, #shared>>
!tile = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
!one = !ttg.memdesc<1xi64, #bar, #smem, mutable>
!block = tensor<64x64xf16, #blocked>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @rows
  tt.func public @rows(%d: !desc, %p: tensor<64x64x!tt.ptr<f16>, #blocked>, %n: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %true = arith.constant true
    // CHECK:      %[[BAR:.*]] = ttg.local_alloc : () -> !ttg.memdesc<1xi64
    // CHECK-NEXT: ttng.init_barrier %[[BAR]], 1
    // CHECK-NEXT: scf.for {{.*}} iter_args(%[[PHASE:.*]] = %c0_i32) -> (i32)
    scf.for %i = %c0_i32 to %n step %c1_i32 : i32 {
      %x = ttg.local_alloc : () -> !tile
      %b = ttg.local_alloc : () -> !one
      ttng.init_barrier %b, 1 : !one
      // CHECK:      ttng.barrier_expect %[[BAR]], 8192, %true
      ttng.barrier_expect %b, 8192, %true : !one
      // CHECK-NEXT: ttng.async_tma_copy_global_to_local %{{.*}} %[[X:.*]], %[[BAR]], %true
      ttng.async_tma_copy_global_to_local %d[%i, %c0_i32] %x, %b, %true : !desc, !one -> !tile
      // CHECK-NEXT: ttng.wait_barrier %[[BAR]], %[[PHASE]]
      ttng.wait_barrier %b, %c0_i32 : !one
      // CHECK-NEXT: %[[NEXT:.*]] = arith.xori %[[PHASE]], %c1_i32
      // CHECK-NOT:  ttng.inval_barrier
      ttng.inval_barrier %b : !one
      // CHECK-NEXT: ttg.local_load %[[X]]
      %v = ttg.local_load %x : !tile -> !block
      tt.store %p, %v : tensor<64x64x!tt.ptr<f16>, #blocked>
      // CHECK:      scf.yield %[[NEXT]]
    }
    // CHECK:      ttng.inval_barrier %[[BAR]]
    tt.return
  }

  // Nothing reads the buffer, so threads may still be waiting when the next copy ends.
  // CHECK-LABEL: @unread
  tt.func public @unread(%d: !desc, %n: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %true = arith.constant true
    // CHECK:      scf.for
    // CHECK:      ttng.init_barrier
    // CHECK:      ttng.inval_barrier
    scf.for %i = %c0_i32 to %n step %c1_i32 : i32 {
      %x = ttg.local_alloc : () -> !tile
      %b = ttg.local_alloc : () -> !one
      ttng.init_barrier %b, 1 : !one
      ttng.barrier_expect %b, 8192, %true : !one
      ttng.async_tma_copy_global_to_local %d[%i, %c0_i32] %x, %b, %true : !desc, !one -> !tile
      ttng.wait_barrier %b, %c0_i32 : !one
      ttng.inval_barrier %b : !one
    }
    tt.return
  }

  // An iteration without an arrival has no phase.
  // CHECK-LABEL: @not_always
  tt.func public @not_always(%d: !desc, %p: tensor<64x64x!tt.ptr<f16>, #blocked>, %n: i32, %some: i1) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    // CHECK:      scf.for
    // CHECK:      ttng.init_barrier
    // CHECK:      ttng.inval_barrier
    scf.for %i = %c0_i32 to %n step %c1_i32 : i32 {
      %x = ttg.local_alloc : () -> !tile
      %b = ttg.local_alloc : () -> !one
      ttng.init_barrier %b, 1 : !one
      ttng.barrier_expect %b, 8192, %some : !one
      ttng.async_tma_copy_global_to_local %d[%i, %c0_i32] %x, %b, %some : !desc, !one -> !tile
      ttng.wait_barrier %b, %c0_i32, %some : !one
      ttng.inval_barrier %b : !one
      %v = ttg.local_load %x : !tile -> !block
      tt.store %p, %v : tensor<64x64x!tt.ptr<f16>, #blocked>
    }
    tt.return
  }
}
