// RUN: tt-opt %s --allocate-shared-memory-nv=compute-capability=90 --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87" | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // Addresses are counted in what they point to; a predicate takes a byte.
  // CHECK-LABEL: llvm.func @offsets
  tt.func public @offsets(%p: tensor<64x!tt.ptr<f16>, #b>, %q: !tt.ptr<i1>, %i: tensor<64xi32, #b>, %n: i64) -> (tensor<64x!tt.ptr<f16>, #b>, !tt.ptr<i1>) {
    // CHECK: llvm.getelementptr %{{.*}} : (vector<2x!llvm.ptr<1>>, vector<2xi32>) -> vector<2x!llvm.ptr<1>>, f16
    %0 = tt.addptr %p, %i : tensor<64x!tt.ptr<f16>, #b>, tensor<64xi32, #b>
    // CHECK: llvm.getelementptr %{{.*}} : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
    %1 = tt.addptr %q, %n : !tt.ptr<i1>, i64
    tt.return %0, %1 : tensor<64x!tt.ptr<f16>, #b>, !tt.ptr<i1>
  }

  // Casts of and to integers.
  // CHECK-LABEL: llvm.func @numbers
  tt.func public @numbers(%p: !tt.ptr<f32>, %x: tensor<64xf32, #b>) -> (!tt.ptr<f32>, tensor<64xi32, #b>) {
    // CHECK: llvm.ptrtoint
    %0 = tt.ptr_to_int %p : !tt.ptr<f32> -> i64
    // CHECK: llvm.inttoptr
    %1 = tt.int_to_ptr %0 : i64 -> !tt.ptr<f32>
    // CHECK: llvm.bitcast %{{.*}} : vector<2xf32> to vector<2xi32>
    %2 = tt.bitcast %x : tensor<64xf32, #b> -> tensor<64xi32, #b>
    tt.return %1, %2 : !tt.ptr<f32>, tensor<64xi32, #b>
  }

  // Edge: pointers are all alike, so a cast between them is nothing.
  // CHECK-LABEL: llvm.func @nothing
  tt.func public @nothing(%p: !tt.ptr<f32>) -> !tt.ptr<i8> {
    // CHECK-NOT: llvm.bitcast
    // CHECK: llvm.return
    %0 = tt.bitcast %p : !tt.ptr<f32> -> !tt.ptr<i8>
    tt.return %0 : !tt.ptr<i8>
  }
}
