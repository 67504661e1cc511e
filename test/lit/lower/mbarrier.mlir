// RUN: tt-opt %s --split-input-file --allocate-shared-memory-nv=compute-capability=90 --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87" | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // One thread sets a barrier up and announces bytes; all wait.
  // CHECK-LABEL: llvm.func @phase
  tt.func public @phase(%pred: i1, %phase: i32) {
    %bar = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #s, #smem, mutable>
    // CHECK: %[[FIRST:.*]] = llvm.icmp "eq"
    // CHECK: "@$0 mbarrier.init.shared::cta.b64 [$1], 1;", "b,r" %[[FIRST]]
    ttng.init_barrier %bar, 1 : !ttg.memdesc<1xi64, #s, #smem, mutable>
    // CHECK: llvm.and %[[FIRST]]
    // CHECK: "@$0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [$1], 512;", "b,r"
    ttng.barrier_expect %bar, 512, %pred : !ttg.memdesc<1xi64, #s, #smem, mutable>
    // CHECK: mbarrier.try_wait.parity.shared::cta.b64 complete, [$0], $1;
    ttng.wait_barrier %bar, %phase : !ttg.memdesc<1xi64, #s, #smem, mutable>
    // CHECK: "@$0 mbarrier.inval.shared::cta.b64 [$1];", "b,r" %[[FIRST]]
    ttng.inval_barrier %bar : !ttg.memdesc<1xi64, #s, #smem, mutable>
    tt.return
  }

  // Edge: under a condition; and copies that arrive by themselves.
  // CHECK-LABEL: llvm.func @conditional
  tt.func public @conditional(%bar: !ttg.memdesc<1xi64, #s, #smem, mutable>, %pred: i1, %phase: i32) {
    // CHECK: "@$0 mbarrier.arrive.shared::cta.b64 _, [$1], 2;", "b,r"
    ttng.arrive_barrier %bar, 2, %pred : !ttg.memdesc<1xi64, #s, #smem, mutable>
    // CHECK: cp.async.mbarrier.arrive.noinc.shared::cta.b64 [$0];
    ttng.async_copy_mbarrier_arrive %bar {noIncrement} : !ttg.memdesc<1xi64, #s, #smem, mutable>
    // CHECK: @!$2 bra.uni skipWait;
    ttng.wait_barrier %bar, %phase, %pred : !ttg.memdesc<1xi64, #s, #smem, mutable>
    tt.return
  }
}

// -----

#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#tile = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
!bar = !ttg.memdesc<1xi64, #s, #smem, mutable>
!tile = !ttg.memdesc<64x64xf16, #tile, #smem, mutable>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // A phase keeps its parts in order by itself.  Before the buffer is filled again all threads meet once, when the
  // product that was not waited for at first has read it.
  // CHECK-LABEL: llvm.func @in_order
  // CHECK: mbarrier.init
  // CHECK-NEXT: nvvm.barrier
  // CHECK-NOT: nvvm.barrier
  // CHECK: mbarrier.arrive.expect_tx
  // CHECK-NOT: nvvm.barrier
  // CHECK: cp.async.bulk.tensor
  // CHECK-NOT: nvvm.barrier
  // CHECK: mbarrier.try_wait
  // CHECK-NOT: nvvm.barrier
  // CHECK: wgmma.wait_group
  // CHECK: nvvm.barrier
  // CHECK-NOT: nvvm.barrier
  // CHECK: mbarrier.arrive.expect_tx
  // CHECK-NOT: nvvm.barrier
  // CHECK: cp.async.bulk.tensor
  // CHECK-NOT: nvvm.barrier
  // CHECK: llvm.return
  tt.func public @in_order(%desc: !tt.tensordesc<tensor<64x64xf16, #tile>>, %x: i32, %pred: i1, %sum: tensor<64x64xf32, #mma>) {
    %bar = ttg.local_alloc : () -> !bar
    %a = ttg.local_alloc : () -> !tile
    ttng.init_barrier %bar, 1 : !bar
    ttng.barrier_expect %bar, 8192, %pred : !bar
    ttng.async_tma_copy_global_to_local %desc[%x, %x] %a, %bar, %pred : !tt.tensordesc<tensor<64x64xf16, #tile>>, !bar -> !tile
    ttng.wait_barrier %bar, %x : !bar
    %d = ttng.warp_group_dot %a, %a, %sum {inputPrecision = 0 : i32, isAsync = true} : !tile * !tile -> tensor<64x64xf32, #mma>
    %w:2 = ttng.warp_group_dot_wait %d, %a {pendings = 0 : i32} : tensor<64x64xf32, #mma>, !tile
    ttng.barrier_expect %bar, 8192, %pred : !bar
    ttng.async_tma_copy_global_to_local %desc[%x, %x] %a, %bar, %pred : !tt.tensordesc<tensor<64x64xf16, #tile>>, !bar -> !tile
    tt.return
  }

  // Edge: each arrival is behind what all threads did, here products that are waited for one after the other.
  // CHECK-LABEL: llvm.func @arrivals
  // CHECK: wgmma.wait_group.sync.aligned 1
  // CHECK: nvvm.barrier
  // CHECK: mbarrier.arrive
  // CHECK: wgmma.wait_group.sync.aligned 0
  // CHECK: nvvm.barrier
  // CHECK: mbarrier.arrive
  // CHECK-NOT: nvvm.barrier
  // CHECK: mbarrier.arrive
  // CHECK: llvm.return
  tt.func public @arrivals(%bar: !bar, %a: !tile, %b: !tile, %sum: tensor<64x64xf32, #mma>) {
    %x = ttg.local_alloc : () -> !tile
    %y = ttg.local_alloc : () -> !tile
    %d = ttng.warp_group_dot %x, %x, %sum {inputPrecision = 0 : i32, isAsync = true} : !tile * !tile -> tensor<64x64xf32, #mma>
    %e = ttng.warp_group_dot %y, %y, %sum {inputPrecision = 0 : i32, isAsync = true} : !tile * !tile -> tensor<64x64xf32, #mma>
    %w:2 = ttng.warp_group_dot_wait %d, %x {pendings = 1 : i32} : tensor<64x64xf32, #mma>, !tile
    ttng.arrive_barrier %bar, 1 : !bar
    %v:2 = ttng.warp_group_dot_wait %e, %y {pendings = 0 : i32} : tensor<64x64xf32, #mma>, !tile
    ttng.arrive_barrier %bar, 1 : !bar
    ttng.arrive_barrier %bar, 1 : !bar
    tt.return
  }

  // Each warp has a part of an arrival, behind what it did itself; not where shared memory was written, nor where parts are uneven.
  // CHECK-LABEL: llvm.func @parts
  // CHECK: wgmma.wait_group.sync.aligned 0
  // CHECK-NOT: nvvm.barrier
  // CHECK: nvvm.bar.warp.sync
  // CHECK: "@$0 mbarrier.arrive.shared::cta.b64 _, [$1], 32;"
  // CHECK: stmatrix
  // CHECK: nvvm.barrier
  // CHECK: "@$0 mbarrier.arrive.shared::cta.b64 _, [$1], 32;"
  // CHECK: "@$0 mbarrier.arrive.shared::cta.b64 _, [$1], 2;"
  // CHECK: llvm.return
  tt.func public @parts(%bar: !bar, %sum: tensor<64x64xf32, #mma>, %v: tensor<64x64xf16, #mma>) {
    %x = ttg.local_alloc : () -> !tile
    %y = ttg.local_alloc : () -> !tile
    %d = ttng.warp_group_dot %x, %x, %sum {inputPrecision = 0 : i32, isAsync = true} : !tile * !tile -> tensor<64x64xf32, #mma>
    %w:2 = ttng.warp_group_dot_wait %d, %x {pendings = 0 : i32} : tensor<64x64xf32, #mma>, !tile
    ttng.arrive_barrier %bar, 128 : !bar
    ttg.local_store %v, %y : tensor<64x64xf16, #mma> -> !tile
    ttng.arrive_barrier %bar, 128 : !bar
    ttng.arrive_barrier %bar, 2 : !bar
    tt.return
  }
}

// -----

#pair = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#smem = #ttg.shared_memory
!bars = !ttg.memdesc<2xi64, #pair, #smem, mutable>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // The first CTA arrives for both, a thread for each barrier; without fromCTA each arrives at its own.
  // CHECK-LABEL: llvm.func @for_both
  // CHECK: nvvm.mapa
  // CHECK: "@$0 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [$1], 4;", "b,l"
  // CHECK: "@$0 mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [$1], 8;", "b,l"
  // CHECK-NOT: nvvm.mapa
  // CHECK: "@$0 mbarrier.arrive.shared::cta.b64 _, [$1], 1;"
  tt.func public @for_both(%pred: i1) {
    %bar = ttg.local_alloc : () -> !bars
    ttng.init_barrier %bar, 5 : !bars
    ttng.arrive_barrier %bar, 4, %pred {fromCTA = 0 : i32} : !bars
    ttng.barrier_expect %bar, 8 {fromCTA = 0 : i32}, %pred : !bars
    ttng.arrive_barrier %bar, 1 : !bars
    tt.return
  }
}
