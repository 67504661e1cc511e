// RUN: tt-opt %s --allocate-shared-memory-nv=compute-capability=90 --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87" | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // A function that is called takes pointers to shared and global scratch memory.
  // CHECK-LABEL: llvm.func internal @twice
  // CHECK-SAME: (%{{.*}}: f32, %{{.*}}: !llvm.ptr<3>, %{{.*}}: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1>) -> !llvm.struct<(f32, f32)>
  // CHECK-SAME: passthrough = ["noinline"], sym_visibility = "private"
  tt.func private @twice(%x: f32) -> (f32, f32) attributes {noinline = true} {
    // CHECK: llvm.insertvalue
    tt.return %x, %x : f32, f32
  }

  // A kernel passes its own on.
  // CHECK-LABEL: llvm.func @kernel
  // CHECK-SAME: nvvm.kernel = 1 : ui1, nvvm.reqntid = array<i32: 32>
  tt.func public @kernel(%x: f32, %p: !tt.ptr<f32>) {
    // CHECK: %[[SMEM:.*]] = llvm.mlir.addressof @global_smem
    // CHECK: %[[R:.*]] = llvm.call @twice(%{{.*}}, %[[SMEM]]
    // CHECK: llvm.extractvalue %[[R]][0]
    %0, %1 = tt.call @twice(%x) : (f32) -> (f32, f32)
    tt.store %p, %1 : !tt.ptr<f32>
    tt.return
  }

  // What a function and its parameters say of themselves stays.
  // CHECK-LABEL: llvm.func @attributes(
  // CHECK-SAME: %arg0: !llvm.ptr<1> {tt.divisibility = 16 : i32}, %arg1: i32, %arg2: !llvm.ptr<1>, %arg3: !llvm.ptr<1>)
  // CHECK-SAME: attributes {my.own = 3 : i32, noinline = false, nvvm.kernel = 1 : ui1, nvvm.reqntid
  tt.func public @attributes(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) attributes {my.own = 3 : i32, noinline = false} {
    tt.return
  }
}
