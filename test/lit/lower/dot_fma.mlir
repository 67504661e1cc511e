// RUN: tt-opt %s --allocate-shared-memory-nv=compute-capability=90 --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87" | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#m = #ttg.blocked<{sizePerThread = [2, 4], threadsPerWarp = [8, 4], warpsPerCTA = [1, 1], order = [1, 0]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // One fused operation for each step of the inner dimension, for all elements of a thread at once.
  // CHECK-LABEL: llvm.func @product
  tt.func public @product(%a: tensor<16x4xf16, #ttg.dot_op<{opIdx = 0, parent = #m}>>, %b: tensor<4x16xf16, #ttg.dot_op<{opIdx = 1, parent = #m}>>, %c: tensor<16x16xf32, #m>) -> tensor<16x16xf32, #m> {
    // CHECK: llvm.fpext
    // CHECK-COUNT-4: llvm.intr.fma(%{{.*}}) : (vector<8xf32>, vector<8xf32>, vector<8xf32>) -> vector<8xf32>
    // CHECK-NOT: llvm.intr.fma
    // CHECK: llvm.return
    %0 = tt.dot %a, %b, %c : tensor<16x4xf16, #ttg.dot_op<{opIdx = 0, parent = #m}>> * tensor<4x16xf16, #ttg.dot_op<{opIdx = 1, parent = #m}>> -> tensor<16x16xf32, #m>
    tt.return %0 : tensor<16x16xf32, #m>
  }

  // Operands that products read from shared memory are read in slices, in a loop that stays one.
  // CHECK-LABEL: llvm.func @from_memory
  tt.func public @from_memory(%a: tensor<16x64xf16, #m>, %b: tensor<64x16xf16, #m>, %c: tensor<16x16xf32, #m>) -> tensor<16x16xf32, #m> {
    %0 = ttg.local_alloc %a : (tensor<16x64xf16, #m>) -> !ttg.memdesc<16x64xf16, #s, #ttg.shared_memory>
    %1 = ttg.local_alloc %b : (tensor<64x16xf16, #m>) -> !ttg.memdesc<64x16xf16, #s, #ttg.shared_memory>
    // CHECK-NOT: llvm.load
    // CHECK: nvvm.barrier0
    // CHECK: llvm.br ^[[LOOP:bb[0-9]+]](%{{.*}} : i32, vector<
    // CHECK: ^[[LOOP]](%[[STEP:.*]]: i32,
    // CHECK: llvm.load {{.*}} !llvm.ptr<3> -> vector<8xf16>
    // CHECK: llvm.intr.fma
    // CHECK: llvm.cond_br %{{.*}}, ^[[LOOP]](
    // CHECK-SAME: loop_annotation
    %2 = ttg.local_load %0 {ttg.read_by_products} : !ttg.memdesc<16x64xf16, #s, #ttg.shared_memory> -> tensor<16x64xf16, #ttg.dot_op<{opIdx = 0, parent = #m}>>
    %3 = ttg.local_load %1 {ttg.read_by_products} : !ttg.memdesc<64x16xf16, #s, #ttg.shared_memory> -> tensor<64x16xf16, #ttg.dot_op<{opIdx = 1, parent = #m}>>
    %4 = tt.dot %2, %3, %c : tensor<16x64xf16, #ttg.dot_op<{opIdx = 0, parent = #m}>> * tensor<64x16xf16, #ttg.dot_op<{opIdx = 1, parent = #m}>> -> tensor<16x16xf32, #m>
    tt.return %4 : tensor<16x16xf32, #m>
  }

  // A load without the attribute loads where it stands: memory that is written in between is read in front of that.
  // CHECK-LABEL: llvm.func @written_in_between
  tt.func public @written_in_between(%a: tensor<16x16xf16, #m>, %c: tensor<16x16xf32, #m>) -> tensor<16x16xf32, #m> {
    %0 = ttg.local_alloc %a : (tensor<16x16xf16, #m>) -> !ttg.memdesc<16x16xf16, #s, #ttg.shared_memory, mutable>
    %1 = ttg.local_load %0 : !ttg.memdesc<16x16xf16, #s, #ttg.shared_memory, mutable> -> tensor<16x16xf16, #ttg.dot_op<{opIdx = 0, parent = #m}>>
    %2 = ttg.local_load %0 : !ttg.memdesc<16x16xf16, #s, #ttg.shared_memory, mutable> -> tensor<16x16xf16, #ttg.dot_op<{opIdx = 1, parent = #m}>>
    // CHECK: llvm.load
    // CHECK: nvvm.barrier0
    // CHECK: llvm.store
    // CHECK-NOT: llvm.load
    // CHECK: llvm.return
    ttg.local_store %a, %0 : tensor<16x16xf16, #m> -> !ttg.memdesc<16x16xf16, #s, #ttg.shared_memory, mutable>
    %3 = tt.dot %1, %2, %c : tensor<16x16xf16, #ttg.dot_op<{opIdx = 0, parent = #m}>> * tensor<16x16xf16, #ttg.dot_op<{opIdx = 1, parent = #m}>> -> tensor<16x16xf32, #m>
    tt.return %3 : tensor<16x16xf32, #m>
  }

  // A product reads its operands: who writes the memory afterwards waits.
  // CHECK-LABEL: llvm.func @written_afterwards
  tt.func public @written_afterwards(%a: tensor<16x16xf16, #m>, %c: tensor<16x16xf32, #m>) -> tensor<16x16xf32, #m> {
    %0 = ttg.local_alloc %a : (tensor<16x16xf16, #m>) -> !ttg.memdesc<16x16xf16, #s, #ttg.shared_memory, mutable>
    %1 = ttg.local_load %0 {ttg.read_by_products} : !ttg.memdesc<16x16xf16, #s, #ttg.shared_memory, mutable> -> tensor<16x16xf16, #ttg.dot_op<{opIdx = 0, parent = #m}>>
    gpu.barrier
    %2 = ttg.local_load %0 {ttg.read_by_products} : !ttg.memdesc<16x16xf16, #s, #ttg.shared_memory, mutable> -> tensor<16x16xf16, #ttg.dot_op<{opIdx = 1, parent = #m}>>
    // CHECK: llvm.load
    // CHECK: llvm.intr.fma
    // CHECK: nvvm.barrier0
    // CHECK: llvm.store
    %3 = tt.dot %1, %2, %c : tensor<16x16xf16, #ttg.dot_op<{opIdx = 0, parent = #m}>> * tensor<16x16xf16, #ttg.dot_op<{opIdx = 1, parent = #m}>> -> tensor<16x16xf32, #m>
    ttg.local_store %a, %0 : tensor<16x16xf16, #m> -> !ttg.memdesc<16x16xf16, #s, #ttg.shared_memory, mutable>
    tt.return %3 : tensor<16x16xf32, #m>
  }

  // Edge: integers.
  // CHECK-LABEL: llvm.func @integers
  tt.func public @integers(%a: tensor<16x2xi8, #ttg.dot_op<{opIdx = 0, parent = #m}>>, %b: tensor<2x16xi8, #ttg.dot_op<{opIdx = 1, parent = #m}>>, %c: tensor<16x16xi32, #m>) -> tensor<16x16xi32, #m> {
    // CHECK: llvm.sext
    // CHECK: llvm.mul
    // CHECK: llvm.add
    %0 = tt.dot %a, %b, %c : tensor<16x2xi8, #ttg.dot_op<{opIdx = 0, parent = #m}>> * tensor<2x16xi8, #ttg.dot_op<{opIdx = 1, parent = #m}>> -> tensor<16x16xi32, #m>
    tt.return %0 : tensor<16x16xi32, #m>
  }
}
