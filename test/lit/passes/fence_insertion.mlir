// RUN: tt-opt %s --triton-nvidia-gpu-fence-insertion | FileCheck %s
// RUN: tt-opt %s --triton-nvidia-gpu-fence-insertion=compute-capability=80 | FileCheck %s --check-prefix=AMPERE

// Left alone: before sm_90 nothing reads shared memory by another way.
// AMPERE-NOT: ttng.fence_async_shared

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
// Threads fill both operands; one fence does for two products in a row.
// CHECK-LABEL: @filled
tt.func @filled(%x: tensor<64x64xf16, #blocked>, %c: tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma> {
  // CHECK: ttg.local_alloc
  // CHECK-NEXT: ttng.fence_async_shared {bCluster = false}
  // CHECK-NEXT: ttng.warp_group_dot
  // CHECK: ttng.fence_async_shared
  // CHECK-NEXT: ttng.warp_group_dot
  // CHECK-NOT: ttng.fence_async_shared
  %m = ttg.local_alloc %x : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
  %d = ttng.warp_group_dot %m, %m, %c : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
  %e = ttng.warp_group_dot %m, %m, %d : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
  tt.return %e : tensor<64x64xf32, #mma>
}

// Filled in front of the loop: so is the fence.
// CHECK-LABEL: @outside
tt.func @outside(%x: tensor<64x64xf16, #blocked>, %c: tensor<64x64xf32, #mma>, %n: i32) -> tensor<64x64xf32, #mma> {
  // CHECK: ttng.fence_async_shared
  // CHECK-NEXT: scf.for
  // CHECK-NEXT: ttng.warp_group_dot
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %m = ttg.local_alloc %x : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c) -> (tensor<64x64xf32, #mma>) : i32 {
    %d = ttng.warp_group_dot %m, %m, %acc : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    scf.yield %d : tensor<64x64xf32, #mma>
  }
  tt.return %r : tensor<64x64xf32, #mma>
}

// Edge: written in the loop, to a part of a buffer from outside.  Triton loses sight of it.
// CHECK-LABEL: @stored
tt.func @stored(%x: tensor<64x64xf16, #blocked>, %c: tensor<64x64xf32, #mma>, %n: i32) -> tensor<64x64xf32, #mma> {
  // CHECK: scf.for
  // CHECK: ttg.local_store
  // CHECK-NEXT: ttng.fence_async_shared
  // CHECK-NEXT: ttng.warp_group_dot
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %all = ttg.local_alloc : () -> !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>
  %m = ttg.memdesc_index %all[%c0] : !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c) -> (tensor<64x64xf32, #mma>) : i32 {
    ttg.local_store %x, %m : tensor<64x64xf16, #blocked> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %d = ttng.warp_group_dot %m, %m, %acc : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
    scf.yield %d : tensor<64x64xf32, #mma>
  }
  tt.return %r : tensor<64x64xf32, #mma>
}

// Edge: a branch chooses between buffers, and a loop fills one that it goes on with.
// CHECK-LABEL: @chosen
tt.func @chosen(%x: tensor<64x64xf16, #blocked>, %c: tensor<64x64xf32, #mma>, %f: i1) -> tensor<64x64xf32, #mma> {
  // CHECK: scf.if
  // CHECK: ttng.fence_async_shared
  // CHECK-NEXT: ttng.warp_group_dot
  // CHECK: scf.while
  // CHECK: ttng.fence_async_shared
  // CHECK-NEXT: ttng.warp_group_dot
  // CHECK: ttg.local_alloc
  %a = ttg.local_alloc %x : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
  %b = ttg.local_alloc %x : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
  %m = scf.if %f -> (!ttg.memdesc<64x64xf16, #shared, #smem>) {
    scf.yield %a : !ttg.memdesc<64x64xf16, #shared, #smem>
  } else {
    scf.yield %b : !ttg.memdesc<64x64xf16, #shared, #smem>
  }
  %d = ttng.warp_group_dot %m, %m, %c : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
  %r:2 = scf.while (%at = %m, %sum = %d) : (!ttg.memdesc<64x64xf16, #shared, #smem>, tensor<64x64xf32, #mma>) -> (!ttg.memdesc<64x64xf16, #shared, #smem>, tensor<64x64xf32, #mma>) {
    scf.condition(%f) %at, %sum : !ttg.memdesc<64x64xf16, #shared, #smem>, tensor<64x64xf32, #mma>
  } do {
  ^bb0(%at: !ttg.memdesc<64x64xf16, #shared, #smem>, %sum: tensor<64x64xf32, #mma>):
    %e = ttng.warp_group_dot %at, %at, %sum : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    %new = ttg.local_alloc %x : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    scf.yield %new, %e : !ttg.memdesc<64x64xf16, #shared, #smem>, tensor<64x64xf32, #mma>
  }
  tt.return %r#1 : tensor<64x64xf32, #mma>
}

// Left alone: nobody writes the buffer that is known, as where TMA does.
// CHECK-LABEL: @by_tma
tt.func @by_tma(%c: tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma> {
  // CHECK-NOT: ttng.fence_async_shared
  // CHECK: tt.return
  %m = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  %d = ttng.warp_group_dot %m, %m, %c : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
  tt.return %d : tensor<64x64xf32, #mma>
}
}
