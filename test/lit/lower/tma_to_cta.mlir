// RUN: tt-opt %s --allocate-shared-memory-nv=compute-capability=120 --convert-triton-gpu-to-llvm="compute-capability=120 ptx-version=87" | FileCheck %s
// ptxas makes calls, and a stack for them, of copies to the memory of a cluster on sm_120.

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:120", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @copy
  tt.func @copy(%d: !tt.tensordesc<tensor<64x64xf16, #shared>>, %i: i32, %x: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %b: !ttg.memdesc<1xi64, #bar, #smem, mutable>) {
    %true = arith.constant true
    // CHECK-NOT: shared::cluster
    // CHECK:     cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes
    ttng.async_tma_copy_global_to_local %d[%i, %i] %x, %b, %true : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<1xi64, #bar, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    tt.return
  }
}
