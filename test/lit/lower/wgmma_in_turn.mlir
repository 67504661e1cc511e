// RUN: tt-opt %s --allocate-shared-memory-nv=compute-capability=90 --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87" | FileCheck %s

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 16, 16]}>
#left = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16}>
#right = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
!a = !ttg.memdesc<128x16xf16, #left, #smem, mutable>
!b = !ttg.memdesc<16x16xf16, #right, #smem, mutable>
!d = tensor<128x16xf32, #mma>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // The second group waits for the first one.  As all meet anyway before either comes here again, the first one goes on.
  // CHECK-LABEL: llvm.func @with_barrier
  // CHECK: %[[HALF:.*]] = llvm.mlir.constant(128 : i32)
  // CHECK: %[[SECOND:.*]] = llvm.icmp "uge" %{{.*}}, %[[HALF]]
  // CHECK: "@$0 bar.sync 15, 256;", "b" %[[SECOND]]
  // CHECK-NEXT: wgmma.mma_async
  // CHECK: "@!$0 bar.arrive 15, 256;", "b" %[[SECOND]]
  // CHECK: wgmma.wait_group
  tt.func public @with_barrier() -> !d {
    %zero = arith.constant dense<0.0> : !d
    %a = ttg.local_alloc : () -> !a
    %b = ttg.local_alloc : () -> !b
    gpu.barrier
    %d = ttng.warp_group_dot %a, %b, %zero {inputPrecision = 0 : i32, isAsync = true, ttkit.in_turn = 15 : i32} : !a * !b -> !d
    %w = ttng.warp_group_dot_wait %d {pendings = 0 : i32} : !d
    tt.return %w : !d
  }

  // Else it waits too: it must not come to the barrier twice in a turn.
  // CHECK-LABEL: llvm.func @without_barrier
  // CHECK: "@$0 bar.sync 15, 256;"
  // CHECK: "@!$0 bar.sync 15, 256;"
  tt.func public @without_barrier() -> !d {
    %zero = arith.constant dense<0.0> : !d
    %a = ttg.local_alloc : () -> !a
    %b = ttg.local_alloc : () -> !b
    %d = ttng.warp_group_dot %a, %b, %zero {inputPrecision = 0 : i32, isAsync = true, ttkit.in_turn = 15 : i32} : !a * !b -> !d
    %w = ttng.warp_group_dot_wait %d {pendings = 0 : i32} : !d
    tt.return %w : !d
  }

  // Edge: others in one kernel have no order.
  // CHECK-LABEL: llvm.func @left_alone
  // CHECK-NOT: bar.sync
  // CHECK: llvm.return
  tt.func public @left_alone() -> !d {
    %zero = arith.constant dense<0.0> : !d
    %a = ttg.local_alloc : () -> !a
    %b = ttg.local_alloc : () -> !b
    %d = ttng.warp_group_dot %a, %b, %zero {inputPrecision = 0 : i32, isAsync = true} : !a * !b -> !d
    %w = ttng.warp_group_dot_wait %d {pendings = 0 : i32} : !d
    tt.return %w : !d
  }
}
