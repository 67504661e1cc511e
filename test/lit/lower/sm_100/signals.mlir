// RUN: tt-opt %s --split-input-file --allocate-shared-memory-nv=compute-capability=100 --triton-tensor-memory-allocation --convert-triton-gpu-to-llvm="compute-capability=100 ptx-version=87" | FileCheck %s

#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#tile = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#rows = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
!bar = !ttg.memdesc<1xi64, #s, #smem, mutable>
!a = !ttg.memdesc<128x64xf16, #tile, #smem, mutable>
!b = !ttg.memdesc<64x64xf16, #tile, #smem, mutable>
!sum = !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:100"} {
  // A phase keeps its parts in order by itself, as on sm_90.  All threads meet when the mbarriers are set up, before the
  // product, and once it is done, before the buffer is filled again.
  // CHECK-LABEL: llvm.func @in_order
  // CHECK: mbarrier.init
  // CHECK-NOT: nvvm.barrier
  // CHECK: mbarrier.init
  // CHECK: nvvm.barrier
  // CHECK-NOT: nvvm.barrier
  // CHECK: mbarrier.arrive.expect_tx
  // CHECK-NOT: nvvm.barrier
  // CHECK: cp.async.bulk.tensor
  // CHECK-NOT: nvvm.barrier
  // CHECK: mbarrier.try_wait
  // CHECK-NEXT: nvvm.barrier
  // CHECK-NOT: nvvm.barrier
  // CHECK: tcgen05.commit
  // CHECK-NOT: nvvm.barrier
  // CHECK: mbarrier.try_wait
  // CHECK-NOT: nvvm.barrier
  // CHECK: mbarrier.arrive.expect_tx
  // CHECK: nvvm.barrier
  // CHECK: cp.async.bulk.tensor
  // CHECK: llvm.return
  tt.func public @in_order(%desc: !tt.tensordesc<tensor<128x64xf16, #tile>>, %b: !b, %x: i32) {
    %true = arith.constant true
    %full = ttg.local_alloc : () -> !bar
    %done = ttg.local_alloc : () -> !bar
    %a = ttg.local_alloc : () -> !a
    %sum = ttng.tmem_alloc : () -> !sum
    ttng.init_barrier %full, 1 : !bar
    ttng.init_barrier %done, 1 : !bar
    ttng.barrier_expect %full, 16384, %true : !bar
    ttng.async_tma_copy_global_to_local %desc[%x, %x] %a, %full, %true : !tt.tensordesc<tensor<128x64xf16, #tile>>, !bar -> !a
    ttng.wait_barrier %full, %x : !bar
    ttng.tc_gen5_mma %a, %b, %sum, %true, %true, %done[%true] {is_async} : !a, !b, !sum, !bar
    ttng.wait_barrier %done, %x : !bar
    ttng.barrier_expect %full, 16384, %true : !bar
    ttng.async_tma_copy_global_to_local %desc[%x, %x] %a, %full, %true : !tt.tensordesc<tensor<128x64xf16, #tile>>, !bar -> !a
    tt.return
  }

  // A store to tensor memory ends in a barrier, which is enough for an arrival behind it.  Loads have none: so the arrival
  // that says of all warps that they have loaded.
  // CHECK-LABEL: llvm.func @arrivals
  // CHECK: tcgen05.st
  // CHECK-NEXT: nvvm.barrier
  // CHECK-NOT: nvvm.barrier
  // CHECK: mbarrier.arrive
  // CHECK: tcgen05.ld
  // CHECK: nvvm.barrier
  // CHECK: mbarrier.arrive
  // CHECK: llvm.return
  tt.func public @arrivals(%x: tensor<128x64xf32, #rows>, %phase: i32) {
    %true = arith.constant true
    %stored = ttg.local_alloc : () -> !bar
    %loaded = ttg.local_alloc : () -> !bar
    %sum = ttng.tmem_alloc : () -> !sum
    ttng.wait_barrier %loaded, %phase : !bar
    ttng.tmem_store %x, %sum, %true : tensor<128x64xf32, #rows> -> !sum
    ttng.arrive_barrier %stored, 1 : !bar
    ttg.local_barrier
    %y = ttng.tmem_load %sum : !sum -> tensor<128x64xf32, #rows>
    ttng.arrive_barrier %loaded, 1 : !bar
    tt.return
  }
}

// -----

#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#tile = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
!bar = !ttg.memdesc<1xi64, #s, #smem, mutable>
!a = !ttg.memdesc<128x64xf16, #tile, #smem, mutable>
!b = !ttg.memdesc<64x64xf16, #tile, #smem, mutable>
!sum = !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:100"} {
  // What one of two warps starts, other warps may answer by the next phase of what the second one still waits for.
  // CHECK-LABEL: llvm.func @answered
  // CHECK: mbarrier.try_wait
  // CHECK-NEXT: llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.aligned.count"
  // CHECK-NOT: nvvm.barrier
  // CHECK: mbarrier.arrive.expect_tx
  // CHECK-NOT: nvvm.barrier
  // CHECK: cp.async.bulk.tensor
  // CHECK: mbarrier.try_wait
  // CHECK-NOT: nvvm.bar
  // CHECK: tcgen05.mma
  tt.func public @answered(%desc: !tt.tensordesc<tensor<128x64xf16, #tile>>, %b: !b, %x: i32) {
    %full = ttg.local_alloc : () -> !bar
    %empty = ttg.local_alloc : () -> !bar
    %a = ttg.local_alloc : () -> !a
    %sum = ttng.tmem_alloc : () -> !sum
    ttg.warp_specialize(%desc, %full, %empty, %a, %b, %sum, %x)
    default {
      ttg.warp_yield
    }
    partition0(%desc0: !tt.tensordesc<tensor<128x64xf16, #tile>>, %full0: !bar, %empty0: !bar, %a0: !a, %b0: !b, %sum0: !sum, %x0: i32) num_warps(2) {
      %true = arith.constant true
      ttng.wait_barrier %empty0, %x0 : !bar
      ttng.barrier_expect %full0, 16384, %true : !bar
      ttng.async_tma_copy_global_to_local %desc0[%x0, %x0] %a0, %full0, %true : !tt.tensordesc<tensor<128x64xf16, #tile>>, !bar -> !a
      ttg.warp_return
    }
    partition1(%desc1: !tt.tensordesc<tensor<128x64xf16, #tile>>, %full1: !bar, %empty1: !bar, %a1: !a, %b1: !b, %sum1: !sum, %x1: i32) num_warps(1) {
      %true = arith.constant true
      ttng.wait_barrier %full1, %x1 : !bar
      ttng.tc_gen5_mma %a1, %b1, %sum1, %true, %true, %empty1[%true] {is_async} : !a, !b, !sum, !bar
      ttg.warp_return
    } : (!tt.tensordesc<tensor<128x64xf16, #tile>>, !bar, !bar, !a, !b, !sum, i32) -> ()
    tt.return
  }
}
