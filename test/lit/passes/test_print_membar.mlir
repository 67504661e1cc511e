// RUN: tt-opt %s --test-print-membar | FileCheck %s

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#barrier = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#columns = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
#smem = #ttg.shared_memory
!buffer = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
!tensor = tensor<64x64xf16, #blocked>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // Read after write, then write after read; two reads need nothing.
  // CHECK-LABEL: @straight
  // CHECK: ttg.local_store
  // CHECK-NEXT: ttg.local_barrier
  // CHECK-NEXT: ttg.local_load
  // CHECK-NEXT: ttg.local_load
  // CHECK-NEXT: ttg.local_barrier
  // CHECK-NEXT: ttg.local_store
  tt.func public @straight(%x: !tensor) -> (!tensor, !tensor) {
    %m = ttg.local_alloc : () -> !buffer
    ttg.local_store %x, %m : !tensor -> !buffer
    %a = ttg.local_load %m : !buffer -> !tensor
    %b = ttg.local_load %m : !buffer -> !tensor
    ttg.local_store %x, %m : !tensor -> !buffer
    tt.return %a, %b : !tensor, !tensor
  }

  // Who waits at a numbered barrier waits for the group's own threads too; who only arrives does not.
  // CHECK-LABEL: @named_barriers
  // CHECK: ttg.local_store
  // CHECK-NEXT: ttng.wait_barrier_named
  // CHECK-NEXT: ttg.local_load
  // CHECK-NEXT: ttng.arrive_barrier_named
  // CHECK-NEXT: ttg.local_barrier
  // CHECK-NEXT: ttg.local_store
  tt.func public @named_barriers(%x: !tensor, %bar: i32, %threads: i32) -> !tensor {
    %m = ttg.local_alloc : () -> !buffer
    ttg.local_store %x, %m : !tensor -> !buffer
    ttng.wait_barrier_named %bar, %threads : i32, i32
    %a = ttg.local_load %m : !buffer -> !tensor
    ttng.arrive_barrier_named %bar, %threads : i32, i32
    ttg.local_store %x, %m : !tensor -> !buffer
    tt.return %a : !tensor
  }

  // A loop: its store comes after the load of the iteration before.
  // CHECK-LABEL: @loop
  // CHECK: scf.for
  // CHECK-NEXT: ttg.local_barrier
  // CHECK-NEXT: ttg.local_store
  // CHECK-NEXT: ttg.local_barrier
  // CHECK-NEXT: ttg.local_load
  tt.func private @loop(%x: !tensor, %n: i32) {
    %m = ttg.local_alloc : () -> !buffer
    scf.for %i = %n to %n step %n : i32 {
      ttg.local_store %x, %m : !tensor -> !buffer
      %a = ttg.local_load %m : !buffer -> !tensor
    }
    tt.return
  }

  // Left alone: buffers apart from each other, and a barrier that is there already.
  // CHECK-LABEL: @nothing
  // CHECK: ttg.local_store
  // CHECK-NEXT: ttg.local_load
  // CHECK-NEXT: ttg.local_barrier
  // CHECK-NEXT: ttg.local_load
  // CHECK-NOT: ttg.local_barrier
  // CHECK: tt.return
  tt.func private @nothing(%x: !tensor) {
    %m = ttg.local_alloc : () -> !buffer
    %k = ttg.local_alloc : () -> !buffer
    ttg.local_store %x, %m : !tensor -> !buffer
    %a = ttg.local_load %k : !buffer -> !tensor
    ttg.local_barrier
    %b = ttg.local_load %m : !buffer -> !tensor
    tt.return
  }

  // Memory used again: the conversions' scratch memory is the same, and each ends with reading it.
  // CHECK-LABEL: @scratch
  // CHECK: ttg.convert_layout
  // CHECK-NEXT: ttg.local_barrier
  // CHECK-NEXT: ttg.convert_layout
  tt.func private @scratch(%x: !tensor) -> !tensor {
    %0 = ttg.convert_layout %x : !tensor -> tensor<64x64xf16, #columns>
    %1 = ttg.convert_layout %0 : tensor<64x64xf16, #columns> -> !tensor
    tt.return %1 : !tensor
  }

  // Edge case: a wait for copies is one of the waiting thread only, so a barrier follows, once.
  // CHECK-LABEL: @wait
  // CHECK: ttg.async_wait
  // CHECK-NEXT: ttg.local_barrier
  // CHECK-NEXT: ttg.local_load
  // CHECK-NEXT: ttg.async_wait
  // CHECK-NEXT: ttg.local_barrier
  // CHECK-NEXT: tt.return
  tt.func private @wait() {
    %m = ttg.local_alloc : () -> !buffer
    %0 = ttg.async_wait {num = 0 : i32}
    %a = ttg.local_load %m : !buffer -> !tensor
    %1 = ttg.async_wait {num = 0 : i32}
    ttg.local_barrier
    tt.return
  }

  // Edge case: what one thread does to an mbarrier counts as done by all of them, even if nobody could collide with it.
  // CHECK-LABEL: @mbarriers
  // CHECK: ttng.init_barrier
  // CHECK-NEXT: ttg.local_barrier
  // CHECK-NEXT: ttng.init_barrier
  // CHECK-NEXT: ttg.local_barrier
  // CHECK-NEXT: ttng.wait_barrier
  tt.func private @mbarriers(%phase: i32) {
    %m = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #barrier, #smem, mutable>
    ttng.init_barrier %m, 1 : !ttg.memdesc<1xi64, #barrier, #smem, mutable>
    ttng.init_barrier %m, 1 : !ttg.memdesc<1xi64, #barrier, #smem, mutable>
    ttng.wait_barrier %m, %phase : !ttg.memdesc<1xi64, #barrier, #smem, mutable>
    tt.return
  }
}
