// RUN: tt-opt %s --allocate-shared-memory-nv=compute-capability=90 --ttkit-cluster-barrier-insertion | FileCheck %s

#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[1]]}>
#all = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[0, 0]]}>
#each = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#tile = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16, CGALayout = [[0, 0]]}>
#smem = #ttg.shared_memory
!bar = !ttg.memdesc<2xi64, #each, #smem, mutable>
!tile = !ttg.memdesc<64x16xf16, #tile, #smem, mutable>
!line = !ttg.memdesc<256xi32, #each, #smem, mutable>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, "ttg.total-num-warps" = 8 : i32, ttg.target = "cuda:90"} {
  // One barrier after both mbarriers were set up, another before the kernel ends.
  // CHECK-LABEL: @arrive_for_others
  tt.func public @arrive_for_others(%0: i32, %true: i1) {
    // CHECK-COUNT-2: ttng.init_barrier
    // CHECK-NEXT: ttng.cluster_barrier
    // CHECK-NEXT: ttng.arrive_barrier
    // CHECK-NOT: ttng.cluster_barrier
    // CHECK: ttng.inval_barrier
    // CHECK-NEXT: ttng.cluster_barrier
    // CHECK-NEXT: tt.return
    %b = ttg.local_alloc : () -> !bar
    %c = ttg.local_alloc : () -> !bar
    ttng.init_barrier %b, 1 : !bar
    ttng.init_barrier %c, 1 : !bar
    ttng.arrive_barrier %b, 1 {fromCTA = 0 : i32} : !bar
    ttng.wait_barrier %b, %0, %true : !bar
    ttng.arrive_barrier %c, 1 {multicastCTA = 1 : i32} : !bar
    ttng.wait_barrier %c, %0, %true : !bar
    ttng.inval_barrier %b : !bar
    tt.return
  }

  // Left alone: each CTA arrives at its own mbarrier.
  // CHECK-LABEL: @arrive_at_own
  tt.func public @arrive_at_own(%0: i32, %true: i1) {
    // CHECK-NOT: ttng.cluster_barrier
    // CHECK: tt.return
    %b = ttg.local_alloc : () -> !bar
    ttng.init_barrier %b, 1 : !bar
    ttng.barrier_expect %b, 0 {fromCTA = 1 : i32}, %true : !bar
    ttng.wait_barrier %b, %0, %true : !bar
    tt.return
  }

  // Left alone: the kernel has both barriers.
  // CHECK-LABEL: @synchronizes
  tt.func public @synchronizes(%0: i32, %true: i1) {
    // CHECK: ttng.cluster_wait
    // CHECK-NEXT: ttng.barrier_expect
    // CHECK: ttng.cluster_barrier
    // CHECK-NEXT: tt.return
    %b = ttg.local_alloc : () -> !bar
    ttng.init_barrier %b, 1 : !bar
    ttng.fence_mbarrier_init_release_cluster
    ttng.cluster_arrive {relaxed = true}
    ttng.cluster_wait
    ttng.barrier_expect %b, 0 {fromCTA = 0 : i32}, %true : !bar
    ttng.wait_barrier %b, %0, %true : !bar
    ttng.cluster_barrier
    tt.return
  }

  // Only one CTA comes to the arrival: the barrier is where all set up their mbarriers.
  // CHECK-LABEL: @one_cta
  tt.func public @one_cta(%0: i32, %true: i1, %first: i1) {
    // CHECK: ttng.init_barrier
    // CHECK-NEXT: ttng.cluster_barrier
    // CHECK-NEXT: cf.cond_br
    // CHECK-NOT: ttng.cluster_barrier
    // CHECK: ttng.wait_barrier
    // CHECK-NEXT: ttng.cluster_barrier
    // CHECK-NEXT: tt.return
    %b = ttg.local_alloc : () -> !bar
    ttng.init_barrier %b, 1 : !bar
    cf.cond_br %first, ^arrive, ^wait
  ^arrive:
    ttng.arrive_barrier %b, 1 {multicastCTA = 1 : i32} : !bar
    cf.br ^wait
  ^wait:
    ttng.wait_barrier %b, %0, %true : !bar
    tt.return
  }

  // The copy writes the memory of both CTAs, which may still read the tile that was there.
  // CHECK-LABEL: @bytes_of_another_buffer
  tt.func public @bytes_of_another_buffer(%d: !tt.tensordesc<64x16xf16, #tile>, %x: tensor<64x16xf16, #all>, %0: i32, %true: i1) {
    // CHECK: ttg.local_alloc %{{.*}} {allocation.offset = [[PLACE:[0-9]+]]
    // CHECK: ttg.local_load
    // CHECK-NEXT: ttg.local_alloc {allocation.offset = [[PLACE]]
    // CHECK-NEXT: ttng.cluster_barrier
    // CHECK-NEXT: ttng.barrier_expect
    // CHECK-NEXT: ttng.async_tma_copy_global_to_local
    // CHECK-NOT: ttng.cluster_barrier
    // CHECK: ttg.local_load
    // CHECK-NEXT: ttng.cluster_barrier
    // CHECK-NEXT: ttg.local_alloc %{{.*}} {allocation.offset = [[PLACE]]
    %b = ttg.local_alloc : () -> !bar
    ttng.init_barrier %b, 1 : !bar
    %before = ttg.local_alloc %x : (tensor<64x16xf16, #all>) -> !tile
    %y = ttg.local_load %before : !tile -> tensor<64x16xf16, #all>
    %copied = ttg.local_alloc : () -> !tile
    ttng.barrier_expect %b, 2048, %true : !bar
    ttng.async_tma_copy_global_to_local %d[%0, %0] %copied, %b, %true {multicast} : !tt.tensordesc<64x16xf16, #tile>, !bar -> !tile
    ttng.wait_barrier %b, %0, %true : !bar
    %z = ttg.local_load %copied : !tile -> tensor<64x16xf16, #all>
    %after = ttg.local_alloc %y : (tensor<64x16xf16, #all>) -> !tile
    %w = ttg.local_load %after : !tile -> tensor<64x16xf16, #all>
    tt.return
  }

  // Other groups of warps store to other CTAs.
  // CHECK-LABEL: @partitions
  tt.func public @partitions(%0: i32, %true: i1) {
    // CHECK: ttng.init_barrier
    // CHECK-NEXT: ttng.cluster_barrier
    // CHECK-NEXT: ttg.warp_specialize
    // CHECK-NOT: ttng.cluster_barrier
    // CHECK: -> ()
    // CHECK-NEXT: ttng.cluster_barrier
    // CHECK-NEXT: tt.return
    %b = ttg.local_alloc : () -> !bar
    %m = ttg.local_alloc : () -> !line
    ttng.init_barrier %b, 1 : !bar
    ttg.warp_specialize(%b, %m) attributes {warpGroupStartIds = array<i32: 4>}
    default {
      ttg.warp_yield
    }
    partition0(%c: !bar, %n: !line) num_warps(4) {
      %x = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32, #line>
      ttng.async_shared_store %x, %n, %c : tensor<256xi32, #line> -> !line, !bar
      ttg.warp_return
    } : (!bar, !line) -> ()
    tt.return
  }

  // The function arrives, at the mbarrier of its caller.
  // CHECK-LABEL: @arrives
  tt.func private @arrives(%b: !bar) attributes {noinline = true} {
    // CHECK-NOT: ttng.cluster_barrier
    // CHECK: tt.return
    ttng.arrive_barrier %b, 1 {fromCTA = 0 : i32} : !bar
    tt.return
  }

  // CHECK-LABEL: @calls
  tt.func public @calls(%0: i32, %true: i1) {
    // CHECK: ttng.init_barrier
    // CHECK-NEXT: ttng.cluster_barrier
    // CHECK-NEXT: tt.call
    // CHECK-NEXT: ttng.wait_barrier
    // CHECK-NEXT: ttng.cluster_barrier
    // CHECK-NEXT: tt.return
    %b = ttg.local_alloc : () -> !bar
    ttng.init_barrier %b, 1 : !bar
    tt.call @arrives(%b) : (!bar) -> ()
    ttng.wait_barrier %b, %0, %true : !bar
    tt.return
  }
}
