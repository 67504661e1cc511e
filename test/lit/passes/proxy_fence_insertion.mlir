// RUN: tt-opt %s -split-input-file --triton-nvidia-gpu-proxy-fence-insertion | FileCheck %s
// RUN: tt-opt %s -split-input-file --triton-nvidia-gpu-proxy-fence-insertion=compute-capability=80 | FileCheck %s --check-prefix=AMPERE

// Left alone: there is no TMA before sm_90.  Two fences are in the input.
// AMPERE-COUNT-2: ttng.fence_async_shared
// AMPERE-NOT: ttng.fence_async_shared

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
// The buffer is filled again after threads read it.
// CHECK-LABEL: @filled_again
tt.func @filled_again(%d: !tt.tensordesc<tensor<64x64xf16, #shared>>, %i: i32, %true: i1, %x: tensor<64x64xf16, #blocked>) {
  // CHECK: ttg.local_alloc %arg3
  // CHECK-NOT: ttng.fence_async_shared
  // CHECK: ttng.init_barrier
  // CHECK: ttng.fence_async_shared {bCluster = false}
  // CHECK-NEXT: ttng.async_tma_copy_global_to_local
  // CHECK-NEXT: ttng.wait_barrier
  // CHECK-NEXT: ttng.async_tma_copy_global_to_local
  %c0 = arith.constant 0 : i32
  %m = ttg.local_alloc %x : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  %bar = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
  ttng.init_barrier %bar, 1 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
  ttng.async_tma_copy_global_to_local %d[%i, %i] %m, %bar, %true : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<1xi64, #bar, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  ttng.wait_barrier %bar, %c0 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
  ttng.async_tma_copy_global_to_local %d[%i, %i] %m, %bar, %true : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<1xi64, #bar, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  tt.return
}

// Edge: buffers of different lifetimes that lie at the same place.
// CHECK-LABEL: @same_place
tt.func @same_place(%d: !tt.tensordesc<tensor<64x64xf16, #shared>>, %i: i32, %true: i1, %x: tensor<64x64xf16, #blocked>) -> tensor<64x64xf16, #blocked> {
  // CHECK: ttg.local_load
  // CHECK: ttng.fence_async_shared {bCluster = false}
  // CHECK-NEXT: ttng.async_tma_copy_global_to_local
  %m = ttg.local_alloc %x : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
  %y = ttg.local_load %m : !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf16, #blocked>
  %bar = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
  %n = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  ttng.async_tma_copy_global_to_local %d[%i, %i] %n, %bar, %true : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<1xi64, #bar, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  tt.return %y : tensor<64x64xf16, #blocked>
}

// Left alone: a fence is there.
// CHECK-LABEL: @fenced
tt.func @fenced(%d: !tt.tensordesc<tensor<64x64xf16, #shared>>, %i: i32, %true: i1, %x: tensor<64x64xf16, #blocked>) {
  // CHECK: ttng.fence_async_shared {bCluster = false}
  // CHECK-NEXT: ttng.async_tma_copy_global_to_local
  // CHECK-NOT: ttng.fence_async_shared
  %m = ttg.local_alloc %x : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  %bar = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
  ttng.fence_async_shared {bCluster = false}
  ttng.async_tma_copy_global_to_local %d[%i, %i] %m, %bar, %true : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<1xi64, #bar, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  tt.return
}

// Specialized warps: one fence in front of all that they do, none in their loops.
// CHECK-LABEL: @before_partitions
tt.func @before_partitions(%d: !tt.tensordesc<tensor<64x64xf16, #shared>>, %x: tensor<64x64xf16, #blocked>) -> tensor<64x64xf16, #blocked> {
  // CHECK: ttg.local_load
  // CHECK: ttng.fence_async_shared {bCluster = false}
  // CHECK-NEXT: ttg.warp_specialize
  // CHECK-NOT: ttng.fence_async_shared
  // CHECK: tt.return
  %m = ttg.local_alloc %x : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
  %y = ttg.local_load %m : !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf16, #blocked>
  %bar = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
  %n = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  ttg.warp_specialize(%d, %n, %bar)
  default {
    ttg.warp_yield
  }
  partition0(%e: !tt.tensordesc<tensor<64x64xf16, #shared>>, %to: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %b: !ttg.memdesc<1xi64, #bar, #smem, mutable>) num_warps(1) {
    %c0 = arith.constant 0 : i32
    %true = arith.constant true
    cf.br ^copy
  ^copy:
    ttng.async_tma_copy_global_to_local %e[%c0, %c0] %to, %b, %true : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<1xi64, #bar, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    cf.cond_br %true, ^copy, ^end
  ^end:
    ttg.warp_return
  } : (!tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, !ttg.memdesc<1xi64, #bar, #smem, mutable>) -> ()
  tt.return %y : tensor<64x64xf16, #blocked>
}

// The values that a partition captures are stored in shared memory, after what comes before and before what it copies.
// CHECK-LABEL: @captures
tt.func @captures(%d: !tt.tensordesc<tensor<64x64xf16, #shared>>, %i: i32) {
  // CHECK-NOT: ttng.fence_async_shared
  // CHECK: ttg.warp_specialize
  // CHECK: ttng.fence_async_shared {bCluster = false}
  // CHECK-NEXT: ttng.async_tma_copy_global_to_local
  ttg.warp_specialize(%d, %i)
  default {
    ttg.warp_yield
  }
  partition0(%e: !tt.tensordesc<tensor<64x64xf16, #shared>>, %j: i32) num_warps(1) {
    %true = arith.constant true
    %n = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %b = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.async_tma_copy_global_to_local %e[%j, %j] %n, %b, %true : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<1xi64, #bar, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    ttg.warp_return
  } : (!tt.tensordesc<tensor<64x64xf16, #shared>>, i32) -> ()
  tt.return
}

// What a partition did comes before what stands behind all of them.
// CHECK-LABEL: @behind_partitions
tt.func @behind_partitions(%d: !tt.tensordesc<tensor<64x64xf16, #shared>>, %i: i32, %true: i1) {
  // CHECK: ttg.local_store
  // CHECK: ttng.fence_async_shared {bCluster = false}
  // CHECK-NEXT: ttng.async_tma_copy_global_to_local
  %bar = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
  %n = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  ttg.warp_specialize(%n)
  default {
    ttg.warp_yield
  }
  partition0(%to: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>) num_warps(4) {
    %zeros = arith.constant dense<0.0> : tensor<64x64xf16, #blocked>
    ttg.local_store %zeros, %to : tensor<64x64xf16, #blocked> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    ttg.warp_return
  } : (!ttg.memdesc<64x64xf16, #shared, #smem, mutable>) -> ()
  ttng.async_tma_copy_global_to_local %d[%i, %i] %n, %bar, %true : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<1xi64, #bar, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  tt.return
}

// An arrival passes on what its threads stored: so for %stored.  Left alone: %loaded, which they only read, and
// %fenced, which has a fence behind the store.
// CHECK-LABEL: @between_partitions
tt.func @between_partitions(%d: !tt.tensordesc<tensor<64x64xf16, #shared>>) {
  // CHECK-NOT: ttng.fence_async_shared
  // CHECK: partition0
  // CHECK: ttng.fence_async_shared {bCluster = false}
  // CHECK-NEXT: ttng.arrive_barrier
  // CHECK: partition1
  // CHECK: ttng.wait_barrier
  // CHECK-NEXT: ttng.async_tma_copy_global_to_local
  // CHECK-NEXT: ttng.async_tma_copy_global_to_local
  // CHECK-NEXT: ttng.fence_async_shared {bCluster = false}
  // CHECK-NEXT: ttng.async_tma_copy_global_to_local
  // CHECK: ttg.warp_return
  %full = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
  %empty = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
  %loaded = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  %fenced = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  %stored = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  ttg.warp_specialize(%d, %full, %empty, %loaded, %fenced, %stored)
  default {
    ttg.warp_yield
  }
  partition0(%e: !tt.tensordesc<tensor<64x64xf16, #shared>>, %f: !ttg.memdesc<1xi64, #bar, #smem, mutable>, %b: !ttg.memdesc<1xi64, #bar, #smem, mutable>, %l: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %g: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %s: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>) num_warps(4) {
    %x = ttg.local_load %l : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf16, #blocked>
    ttg.local_store %x, %g : tensor<64x64xf16, #blocked> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    ttng.fence_async_shared {bCluster = false}
    ttng.arrive_barrier %b, 1 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    %y = ttg.local_load %l : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf16, #blocked>
    ttg.local_store %y, %s : tensor<64x64xf16, #blocked> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    ttng.arrive_barrier %b, 1 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttg.warp_return
  }
  partition1(%e: !tt.tensordesc<tensor<64x64xf16, #shared>>, %f: !ttg.memdesc<1xi64, #bar, #smem, mutable>, %b: !ttg.memdesc<1xi64, #bar, #smem, mutable>, %l: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %g: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %s: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>) num_warps(1) {
    %c0 = arith.constant 0 : i32
    %true = arith.constant true
    ttng.wait_barrier %b, %c0 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.async_tma_copy_global_to_local %e[%c0, %c0] %l, %f, %true : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<1xi64, #bar, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    ttng.async_tma_copy_global_to_local %e[%c0, %c0] %g, %f, %true : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<1xi64, #bar, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    ttng.async_tma_copy_global_to_local %e[%c0, %c0] %s, %f, %true : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<1xi64, #bar, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    ttg.warp_return
  } : (!tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<1xi64, #bar, #smem, mutable>, !ttg.memdesc<1xi64, #bar, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>) -> ()
  tt.return
}
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
// Left alone: the same buffers, which lie apart where they were allocated.
// CHECK-LABEL: @placed_apart
// CHECK-NOT: ttng.fence_async_shared
// CHECK: tt.return
tt.func @placed_apart(%d: !tt.tensordesc<tensor<64x64xf16, #shared>>, %i: i32, %true: i1, %x: tensor<64x64xf16, #blocked>) -> tensor<64x64xf16, #blocked> {
  %m = ttg.local_alloc %x {allocation.offset = 0 : i32} : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
  %y = ttg.local_load %m : !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf16, #blocked>
  %bar = ttg.local_alloc {allocation.offset = 16384 : i32} : () -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
  %n = ttg.local_alloc {allocation.offset = 8192 : i32} : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  ttng.async_tma_copy_global_to_local %d[%i, %i] %n, %bar, %true : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<1xi64, #bar, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  tt.return %y : tensor<64x64xf16, #blocked>
}
}
