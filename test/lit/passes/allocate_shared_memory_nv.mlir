// RUN: tt-opt %s --split-input-file --allocate-shared-memory-nv='compute-capability=90 ptx-version=80' | FileCheck %s --check-prefixes=CHECK,SM90
// RUN: tt-opt %s --split-input-file --allocate-shared-memory | FileCheck %s --check-prefixes=CHECK,PLAIN
// RUN: not tt-opt %s --allocate-shared-memory-nv='compute-capability=61' 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// UNKNOWN: error: pass 'allocate-shared-memory-nv': unknown target sm_61; known are sm_75, sm_80

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#slice = #ttg.slice<{dim = 1, parent = #blocked}>

// SM90: ttg.shared = 8192 : i32
// PLAIN: ttg.shared = 32768 : i32
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // From the result of a matrix product to rows for a store: with stmatrix in fewer bytes.
  // CHECK-LABEL: @epilogue
  // SM90: ttg.convert_layout {{.*}} {allocation.offset = 0 : i32}
  // PLAIN: ttg.convert_layout {{.*}} {allocation.offset = 0 : i32}
  tt.func public @epilogue(%x: tensor<128x128xf16, #mma>) -> tensor<128x128xf16, #blocked> {
    %0 = ttg.convert_layout %x : tensor<128x128xf16, #mma> -> tensor<128x128xf16, #blocked>
    tt.return %0 : tensor<128x128xf16, #blocked>
  }

  // Left alone: a conversion that only renumbers registers.
  // CHECK-LABEL: @registers
  // CHECK-NOT: allocation.offset
  tt.func private @registers(%x: tensor<64xf32, #slice>) -> tensor<64xf32, #slice> {
    %0 = ttg.convert_layout %x : tensor<64xf32, #slice> -> tensor<64xf32, #slice>
    tt.return %0 : tensor<64xf32, #slice>
  }

  // Edge case: an atomic operation on one address has a result that all threads need, if anybody does.
  // CHECK-LABEL: @atomic
  tt.func private @atomic(%p: !tt.ptr<i32>, %x: i32, %m: i1) -> i32 {
    // CHECK: tt.atomic_rmw add, {{.*}} {allocation.offset = 0 : i32}
    %0 = tt.atomic_rmw add, acq_rel, gpu, %p, %x, %m : (!tt.ptr<i32>, i32, i1) -> i32
    // CHECK-NOT: allocation.offset
    %1 = tt.atomic_rmw add, acq_rel, gpu, %p, %x, %m : (!tt.ptr<i32>, i32, i1) -> i32
    tt.return %0 : i32
  }
}

// -----

#halves = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[1]]}>

// The result of an atomic takes what one CTA has of it: 32 of 64 elements.
// CHECK: ttg.shared = 128 : i32
// CHECK-LABEL: @atomic_of_two_ctas
// CHECK: tt.atomic_rmw {{.*}} {allocation.offset = 0 : i32}
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @atomic_of_two_ctas(%p: tensor<64x!tt.ptr<i32>, #halves>, %x: tensor<64xi32, #halves>, %m: tensor<64xi1, #halves>) {
    %old = tt.atomic_rmw add, acq_rel, gpu, %p, %x, %m : (tensor<64x!tt.ptr<i32>, #halves>, tensor<64xi32, #halves>, tensor<64xi1, #halves>) -> tensor<64xi32, #halves>
    tt.store %p, %old : tensor<64x!tt.ptr<i32>, #halves>
    tt.return
  }
}

// -----

#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#tile = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
#acc = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory
!tile = !ttg.memdesc<128x64xf32, #tile, #smem, mutable>
!acc = !ttg.memdesc<128x64xf32, #acc, #tmem, mutable>
!bar = !ttg.memdesc<1xi64, #bar, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // Tensor cores read what is copied until somebody has waited for it, not to the last use: Triton 3.6 has 0 three times.
  // CHECK-LABEL: @copied
  // CHECK: ttg.local_alloc {allocation.offset = 65536 : i32}
  // CHECK: ttg.local_alloc {allocation.offset = 0 : i32}
  // CHECK: ttg.local_alloc {allocation.offset = 32768 : i32}
  // CHECK: ttng.wait_barrier
  // CHECK: ttg.local_alloc {allocation.offset = 0 : i32}
  tt.func private @copied(%d: !acc, %phase: i32) {
    %bar = ttg.local_alloc : () -> !bar
    %a = ttg.local_alloc : () -> !tile
    ttng.tmem_copy %a, %d : !tile, !acc
    %b = ttg.local_alloc : () -> !tile
    ttng.tmem_copy %b, %d : !tile, !acc
    ttng.tc_gen5_commit %bar : !bar
    ttng.wait_barrier %bar, %phase : !bar
    %c = ttg.local_alloc : () -> !tile
    ttng.tmem_copy %c, %d : !tile, !acc
    tt.return
  }

  // In a loop also what stands in front of the wait of the next iteration has other bytes.
  // CHECK-LABEL: @copied_in_a_loop
  // CHECK: ^bb1
  // CHECK: ttg.local_alloc {allocation.offset = [[FIRST:[0-9]+]] : i32}
  // CHECK: ttng.wait_barrier
  // CHECK-NOT: allocation.offset = [[FIRST]] :
  // CHECK: ttng.tmem_copy
  tt.func private @copied_in_a_loop(%d: !acc, %phase: i32, %again: i1) {
    %bar = ttg.local_alloc : () -> !bar
    cf.br ^bb1
  ^bb1:
    %a = ttg.local_alloc : () -> !tile
    ttg.local_dealloc %a : !tile
    ttng.wait_barrier %bar, %phase : !bar
    %b = ttg.local_alloc : () -> !tile
    ttng.tmem_copy %b, %d, %bar : !tile, !acc, !bar
    cf.cond_br %again, ^bb1, ^bb2
  ^bb2:
    tt.return
  }
}
