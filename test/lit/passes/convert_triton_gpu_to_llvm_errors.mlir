// RUN: not tt-opt %s --allocate-shared-memory-nv=compute-capability=86 --convert-triton-gpu-to-llvm=compute-capability=86 2>&1 | FileCheck %s

// Too much shared memory: the diagnostic is at the largest buffer, and says what to do.
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @large() {
    %0 = ttg.local_alloc : () -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
    // CHECK: [[@LINE+1]]:10: error: {{.*}}can't lower 'ttg.local_alloc': the kernel takes {{[0-9]+}} bytes of shared memory, of which sm_86 has 101376; the largest part, 131072 bytes, is here; choose smaller tiles
    %1 = ttg.local_alloc : () -> !ttg.memdesc<256x128xf32, #shared, #smem, mutable>
    ttg.local_dealloc %1 : !ttg.memdesc<256x128xf32, #shared, #smem, mutable>
    ttg.local_dealloc %0 : !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
    tt.return
  }
}
