// RUN: tt-opt %s --triton-nvidia-gpu-proxy-fence-insertion | FileCheck %s
// RUN: tt-opt %s --triton-nvidia-gpu-proxy-fence-insertion=compute-capability=80 | FileCheck %s --check-prefix=AMPERE

// Left alone: there is no TMA before sm_90.  One fence is in the input.
// AMPERE-COUNT-1: ttng.fence_async_shared
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
}
