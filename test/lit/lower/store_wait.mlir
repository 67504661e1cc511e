// RUN: tt-opt %s --split-input-file --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87" | FileCheck %s

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: llvm.func @reads
  tt.func public @reads() {
    // CHECK: "cp.async.bulk.wait_group.read 1;"
    ttng.async_tma_store_wait {pendings = 1 : i32}
    // CHECK: "cp.async.bulk.wait_group 0;"
    ttng.async_tma_store_wait {pendings = 0 : i32, read_only = false}
    tt.return
  }
}

// -----

// As Triton 3.9 writes it.
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = false} {
  // CHECK-LABEL: llvm.func @newer
  tt.func public @newer() {
    // CHECK: "cp.async.bulk.wait_group.read 1;"
    ttng.async_tma_store_wait {pendings = 1 : i32, read_only}
    // CHECK: "cp.async.bulk.wait_group 0;"
    ttng.async_tma_store_wait {pendings = 0 : i32}
    tt.return
  }
}
