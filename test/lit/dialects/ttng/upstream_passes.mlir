// What upstream's passes may do with ttng operations, given their memory effects.
// RUN: tt-opt %s --cse | FileCheck %s --check-prefix=CSE
// RUN: tt-opt %s --loop-invariant-code-motion | FileCheck %s --check-prefix=LICM

#blocked = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#smem = #ttg.shared_memory
!operand = !ttg.memdesc<64x64xf16, #nv, #smem>
!rows = !ttg.memdesc<128x64xf16, #nv, #smem>
!acc = tensor<64x64xf32, #mma>
!tacc = !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
!t = tensor<128x64xf32, #blocked>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
// Products of the same memory are equal; waits and fences are never merged.
// CSE-LABEL: tt.func @products_and_waits
// CSE-COUNT-1: ttng.warp_group_dot %
// CSE-NOT: ttng.warp_group_dot %
// CSE: ttng.warp_group_dot_wait
// CSE: ttng.fence_async_shared
// CSE-NEXT: ttng.fence_async_shared
// CSE: tt.return
tt.func @products_and_waits(%a: !operand, %b: !operand, %c: !acc) -> (!acc, !acc) {
  %0 = ttng.warp_group_dot %a, %b, %c : !operand * !operand -> !acc
  %1 = ttng.warp_group_dot %a, %b, %c : !operand * !operand -> !acc
  %2 = ttng.warp_group_dot_wait %0 {pendings = 0 : i32} : !acc
  ttng.fence_async_shared {bCluster = false}
  ttng.fence_async_shared {bCluster = false}
  tt.return %1, %2 : !acc, !acc
}

// Loads of tensor memory are equal until something writes it.
// CSE-LABEL: tt.func @tensor_memory
// CSE-COUNT-1: ttng.tmem_load
// CSE-NOT: ttng.tmem_load
// CSE: ttng.tc_gen5_mma
// CSE-COUNT-1: ttng.tmem_load
// CSE-NOT: ttng.tmem_load
// CSE-COUNT-2: ttng.tmem_alloc
// CSE: tt.return
tt.func @tensor_memory(%a: !rows, %b: !operand, %d: !tacc, %p: i1) -> (!t, !t, !t, !tacc, !tacc) {
  %0 = ttng.tmem_load %d : !tacc -> !t
  %1 = ttng.tmem_load %d : !tacc -> !t
  ttng.tc_gen5_mma %a, %b, %d, %p, %p : !rows, !operand, !tacc
  %2 = ttng.tmem_load %d : !tacc -> !t
  %m0 = ttng.tmem_alloc : () -> !tacc
  %m1 = ttng.tmem_alloc : () -> !tacc
  tt.return %0, %1, %2, %m0, %m1 : !t, !t, !t, !tacc, !tacc
}

// LICM-LABEL: tt.func @stays
// LICM: scf.for
// LICM: ttng.tmem_load
// LICM: tt.return
tt.func @stays(%n: i32, %d: !tacc, %q: tensor<128x64x!tt.ptr<f32>, #blocked>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %0 = ttng.tmem_load %d : !tacc -> !t
    tt.store %q, %0 : tensor<128x64x!tt.ptr<f32>, #blocked>
  }
  tt.return
}
}
