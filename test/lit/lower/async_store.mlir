// RUN: tt-opt %s --allocate-shared-memory-nv=compute-capability=90 --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87" | FileCheck %s

#two = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[1]]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#smem = #ttg.shared_memory
#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#four = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[1]]}>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // Each thread stores its element to the CTA that has it, and that CTA's barrier counts the bytes.
  // CHECK-LABEL: llvm.func @hand_over
  tt.func public @hand_over(%x: tensor<256xi32, #two>) {
    %to = ttg.local_alloc : () -> !ttg.memdesc<256xi32, #shared, #smem, mutable>
    %bar = ttg.local_alloc : () -> !ttg.memdesc<2xi64, #shared, #smem, mutable>
    // CHECK: getctarank.shared::cluster.u32
    // CHECK-SAME: st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [there], $2, [counter];
    ttng.async_shared_store %x, %to, %bar : tensor<256xi32, #two> -> !ttg.memdesc<256xi32, #shared, #smem, mutable>, !ttg.memdesc<2xi64, #shared, #smem, mutable>
    tt.return
  }

  // Four neighbours go in one instruction.
  // CHECK-LABEL: llvm.func @wide
  tt.func public @wide(%x: tensor<1024xf32, #four>) {
    %to = ttg.local_alloc : () -> !ttg.memdesc<1024xf32, #shared, #smem, mutable>
    %bar = ttg.local_alloc : () -> !ttg.memdesc<2xi64, #shared, #smem, mutable>
    // CHECK: st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [there], { $2, $3, $4, $5 }, [counter];
    ttng.async_shared_store %x, %to, %bar : tensor<1024xf32, #four> -> !ttg.memdesc<1024xf32, #shared, #smem, mutable>, !ttg.memdesc<2xi64, #shared, #smem, mutable>
    tt.return
  }
}
