// RUN: tt-opt %s --split-input-file --tritongpu-allocate-warp-groups --convert-scf-to-cf --allocate-shared-memory-nv=compute-capability=90 --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87" --canonicalize --cse | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!row = !ttg.memdesc<128xi32, #s, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Both partitions run one copy, task 0.  Barriers have their numbers by the thread, the rest is chosen by the warp.
  // CHECK-LABEL: llvm.func @alike
  // CHECK-DAG: %[[C2:.*]] = llvm.mlir.constant(2 : i32)
  // CHECK-DAG: %[[C4:.*]] = llvm.mlir.constant(4 : i32)
  // CHECK-DAG: %[[C8:.*]] = llvm.mlir.constant(8 : i32)
  // CHECK-DAG: %[[C9:.*]] = llvm.mlir.constant(9 : i32)
  // CHECK-DAG: %[[C128:.*]] = llvm.mlir.constant(128 : i32)
  // CHECK-DAG: %[[C0:.*]] = llvm.mlir.constant(0 : i32)
  // CHECK-DAG: %[[SMEM:.*]] = llvm.mlir.addressof @global_smem
  // CHECK: %[[THREAD:.*]] = nvvm.read.ptx.sreg.tid.x
  // CHECK: llvm.switch %{{.*}} : i8, ^{{.*}} [
  // CHECK-NEXT: 0: ^[[TASK:bb[0-9]+]],
  // CHECK-NEXT: -1: ^
  // CHECK-NEXT: ]
  // CHECK: ^[[TASK]]:
  // CHECK: %[[SECOND:.*]] = llvm.getelementptr %[[SMEM]][512]
  // CHECK: %[[GROUP:.*]] = llvm.udiv %[[THREAD]], %[[C128]]
  // CHECK: %[[BY_THREAD:.*]] = llvm.icmp "eq" %[[GROUP]], %[[C2]]
  // CHECK: %[[WARP:.*]] = nvvm.shfl.sync idx
  // CHECK: %[[OF_WARP:.*]] = llvm.udiv %[[WARP]], %[[C4]]
  // CHECK: %[[IS_OTHER:.*]] = llvm.icmp "eq" %[[OF_WARP]], %[[C2]]
  // CHECK: %[[OWN:.*]] = llvm.select %[[BY_THREAD]], %[[C9]], %[[C8]]
  // CHECK: %[[NEXT:.*]] = llvm.select %[[BY_THREAD]], %[[C8]], %[[C9]]
  // CHECK: %[[BUFFER:.*]] = llvm.select %[[IS_OTHER]], %[[SECOND]], %[[SMEM]]
  // CHECK: llvm.select %[[IS_OTHER]], %[[C128]], %[[C0]]
  // Only the second one arrives before its loop.
  // CHECK: llvm.cond_br %[[IS_OTHER]], ^[[ALONE:bb[0-9]+]], ^[[LOOP:bb[0-9]+]]
  // CHECK: ^[[ALONE]]:
  // CHECK-NEXT: barrier.cta.arrive.aligned.count"(%[[C8]],
  // CHECK-NEXT: llvm.br ^[[LOOP]]
  // CHECK: barrier.cta.sync.aligned.count"(%[[OWN]],
  // CHECK: llvm.getelementptr %[[BUFFER]]
  // CHECK: barrier.cta.arrive.aligned.count"(%[[NEXT]],
  // Only the first one waits after it.
  // CHECK: %[[IS_FIRST:.*]] = llvm.xor %[[IS_OTHER]]
  // CHECK: llvm.cond_br %[[IS_FIRST]]
  // CHECK: barrier.cta.sync.aligned.count"(%[[C8]],
  // CHECK-NOT: barrier.cta.arrive
  tt.func public @alike(%p: !tt.ptr<i32>, %n: i32) {
    %x = ttg.local_alloc : () -> !row
    %y = ttg.local_alloc : () -> !row
    ttg.warp_specialize(%p, %n, %x, %y)
    default {
      ttg.warp_yield
    }
    partition0(%a: !tt.ptr<i32>, %m: i32, %v: !row, %w: !row) num_warps(4) {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c8 = arith.constant 8 : i32
      %c9 = arith.constant 9 : i32
      %c256 = arith.constant 256 : i32
      %r = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #b>
      scf.for %i = %c0 to %m step %c1 : i32 {
        ttng.wait_barrier_named %c8, %c256 : i32, i32
        %t = tt.splat %i : i32 -> tensor<128xi32, #b>
        %u = arith.addi %t, %r : tensor<128xi32, #b>
        ttg.local_store %u, %v : tensor<128xi32, #b> -> !row
        ttng.arrive_barrier_named %c9, %c256 : i32, i32
      }
      ttng.wait_barrier_named %c8, %c256 : i32, i32
      ttg.warp_return
    }
    partition1(%a: !tt.ptr<i32>, %m: i32, %v: !row, %w: !row) num_warps(4) {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c8 = arith.constant 8 : i32
      %c9 = arith.constant 9 : i32
      %c256 = arith.constant 256 : i32
      ttng.arrive_barrier_named %c8, %c256 : i32, i32
      %r = tt.make_range {start = 128 : i32, end = 256 : i32} : tensor<128xi32, #b>
      scf.for %i = %c0 to %m step %c1 : i32 {
        ttng.wait_barrier_named %c9, %c256 : i32, i32
        %t = tt.splat %i : i32 -> tensor<128xi32, #b>
        %u = arith.addi %t, %r : tensor<128xi32, #b>
        ttg.local_store %u, %w : tensor<128xi32, #b> -> !row
        ttng.arrive_barrier_named %c8, %c256 : i32, i32
      }
      ttg.warp_return
    } : (!tt.ptr<i32>, i32, !row, !row) -> ()
    tt.return
  }
}

// -----

#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!row = !ttg.memdesc<128xi32, #s, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Operations that access memory differ: two tasks.
  // CHECK-LABEL: llvm.func @differ
  // CHECK: llvm.switch %{{.*}} : i8, ^{{.*}} [
  // CHECK-NEXT: 0: ^
  // CHECK-NEXT: 1: ^
  // CHECK-NEXT: -1: ^
  tt.func public @differ(%n: i32) {
    %x = ttg.local_alloc : () -> !row
    ttg.warp_specialize(%n, %x)
    default {
      ttg.warp_yield
    }
    partition0(%m: i32, %v: !row) num_warps(4) {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %t = tt.splat %m : i32 -> tensor<128xi32, #b>
      scf.for %i = %c0 to %m step %c1 : i32 {
        ttg.local_store %t, %v : tensor<128xi32, #b> -> !row
      }
      ttg.warp_return
    }
    partition1(%m: i32, %v: !row) num_warps(4) {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      scf.for %i = %c0 to %m step %c1 : i32 {
        %t = ttg.local_load %v : !row -> tensor<128xi32, #b>
      }
      ttg.warp_return
    } : (i32, !row) -> ()
    tt.return
  }
}

// -----

#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!row = !ttg.memdesc<128xi32, #s, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // A tensor that differs is no number: two tasks.
  // CHECK-LABEL: llvm.func @tensors
  // CHECK: llvm.switch %{{.*}} : i8, ^{{.*}} [
  // CHECK-NEXT: 0: ^
  // CHECK-NEXT: 1: ^
  // CHECK-NEXT: -1: ^
  tt.func public @tensors(%n: i32) {
    %x = ttg.local_alloc : () -> !row
    ttg.warp_specialize(%n, %x)
    default {
      ttg.warp_yield
    }
    partition0(%m: i32, %v: !row) num_warps(4) {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %t = arith.constant dense<1> : tensor<128xi32, #b>
      scf.for %i = %c0 to %m step %c1 : i32 {
        ttg.local_store %t, %v : tensor<128xi32, #b> -> !row
      }
      ttg.warp_return
    }
    partition1(%m: i32, %v: !row) num_warps(4) {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %t = arith.constant dense<2> : tensor<128xi32, #b>
      scf.for %i = %c0 to %m step %c1 : i32 {
        ttg.local_store %t, %v : tensor<128xi32, #b> -> !row
      }
      ttg.warp_return
    } : (i32, !row) -> ()
    tt.return
  }
}
