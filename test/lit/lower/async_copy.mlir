// RUN: tt-opt %s --split-input-file --allocate-shared-memory-nv=compute-capability=90 --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87" | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // A copy of 4 bytes for each element, or of 0 bytes where the mask does not hold.
  // CHECK-LABEL: llvm.func @masked
  tt.func public @masked(%p: tensor<64x!tt.ptr<f32>, #b>, %m: tensor<64xi1, #b>, %d: !ttg.memdesc<64xf32, #s, #smem, mutable>) {
    // CHECK: llvm.select %{{.*}} : i1, i32
    // CHECK: "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x4, $2;", "r,l,r"
    %0 = ttg.async_copy_global_to_local %p, %d mask %m : tensor<64x!tt.ptr<f32>, #b> -> <64xf32, #s, #smem, mutable>
    // CHECK: nvvm.cp.async.commit.group
    %1 = ttg.async_commit_group tokens %0
    // Waiting is for the thread's own copies: a barrier follows.
    // CHECK: nvvm.cp.async.wait.group 0
    %2 = ttg.async_wait %1 {num = 0 : i32}
    tt.return
  }

  // Edge: without a mask.
  // CHECK-LABEL: llvm.func @plain
  tt.func public @plain(%p: tensor<64x!tt.ptr<f32>, #b>, %d: !ttg.memdesc<64xf32, #s, #smem, mutable>) {
    // CHECK: "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x4, 0x4;", "r,l"
    %0 = ttg.async_copy_global_to_local %p, %d : tensor<64x!tt.ptr<f32>, #b> -> <64xf32, #s, #smem, mutable>
    tt.return
  }

  // Of threads that hold the same elements one copies them.
  // CHECK-LABEL: llvm.func @copies
  tt.func public @copies(%p: tensor<16x!tt.ptr<f32>, #b>, %m: tensor<16xi1, #b>, %d: !ttg.memdesc<16xf32, #s, #smem, mutable>) {
    // CHECK: %[[OWNER:.*]] = llvm.inline_asm asm_dialect = att operand_attrs = [] "{{.*}}and.b32 copy, $1, 24;{{.*}}setp.eq.b32 $0, copy, 0;{{.*}}", "=b,r"
    // CHECK: "@$2 cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x4, $3;", "r,l,b,r" %{{.*}}, %{{.*}}, %[[OWNER]], %{{.*}} :
    %0 = ttg.async_copy_global_to_local %p, %d mask %m : tensor<16x!tt.ptr<f32>, #b> -> <16xf32, #s, #smem, mutable>
    tt.return
  }

  // What is too small for a copy is loaded and stored.
  // CHECK-LABEL: llvm.func @two_bytes
  tt.func public @two_bytes(%p: tensor<64x!tt.ptr<f16>, #b>, %m: tensor<64xi1, #b>, %o: tensor<64xf16, #b>, %d: !ttg.memdesc<64xf16, #s, #smem, mutable>) {
    // CHECK-COUNT-2: "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 $0, [ $2 + 0 ];"
    // CHECK-NOT: cp.async
    // CHECK: llvm.store {{.*}} vector<1xf16>, !llvm.ptr<3>
    // CHECK: llvm.return
    %0 = ttg.async_copy_global_to_local %p, %d mask %m other %o : tensor<64x!tt.ptr<f16>, #b> -> <64xf16, #s, #smem, mutable>
    tt.return
  }

  // Consecutive and aligned by what the operation says; hints of eviction are left out.
  // CHECK-LABEL: llvm.func @contiguity
  tt.func public @contiguity(%p: tensor<64x!tt.ptr<f16>, #b>, %d: !ttg.memdesc<64xf16, #s, #smem, mutable>) {
    // CHECK-NOT: createpolicy
    // CHECK: "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x4, 0x4;", "r,l"
    // CHECK-NOT: cp.async
    %0 = ttg.async_copy_global_to_local %p, %d evictionPolicy = evict_first {contiguity = 2 : i32} : tensor<64x!tt.ptr<f16>, #b> -> <64xf16, #s, #smem, mutable>
    tt.return
  }

  // Zeros where the mask does not hold are what a copy of 0 bytes makes; other numbers are stored, and nothing is copied.
  // CHECK-LABEL: llvm.func @others
  tt.func public @others(%p: tensor<64x!tt.ptr<f32>, #b>, %m: tensor<64xi1, #b>, %o: tensor<64xf32, #b>, %d: !ttg.memdesc<64xf32, #s, #smem, mutable>) {
    %zero = arith.constant dense<0.0> : tensor<64xf32, #b>
    // CHECK: "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x4, $2;", "r,l,r"
    // CHECK-NOT: st.shared
    // CHECK: "@$2 cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x4, 0x4;", "r,l,b"
    // CHECK: "@$2 st.shared.b32
    %0 = ttg.async_copy_global_to_local %p, %d mask %m other %zero : tensor<64x!tt.ptr<f32>, #b> -> <64xf32, #s, #smem, mutable>
    %1 = ttg.async_copy_global_to_local %p, %d mask %m other %o : tensor<64x!tt.ptr<f32>, #b> -> <64xf32, #s, #smem, mutable>
    tt.return
  }
}

// -----

#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [8, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
!ring = !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
!part = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Two warp groups: the part's address is added to what a thread adds for each copy, so that it stays in one piece.
  // CHECK-LABEL: llvm.func @two_groups
  // CHECK: %[[PART:.*]] = llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f16
  // CHECK: llvm.getelementptr %[[PART]][%[[THREAD:.*]]] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  // CHECK: %[[SECOND:.*]] = llvm.or disjoint %[[THREAD]], %{{.*}} : i32
  // CHECK: llvm.getelementptr %[[PART]][%[[SECOND]]] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  tt.func public @two_groups(%p: tensor<64x64x!tt.ptr<f16>, #rows>, %i: i32, %c: tensor<64x64xf32, #mma>) {
    %r = ttg.local_alloc : () -> !ring
    %x = ttg.local_alloc : () -> !part
    %d = ttng.warp_group_dot %x, %x, %c {inputPrecision = 0 : i32} : !part * !part -> tensor<64x64xf32, #mma>
    %part = ttg.memdesc_index %r[%i] : !ring -> !part
    %t = ttg.async_copy_global_to_local %p, %part {contiguity = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #rows> -> <64x64xf16, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
!ring = !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
!part = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // One: distances between copies are constants behind a sum.
  // CHECK-LABEL: llvm.func @one_group
  // CHECK: llvm.getelementptr %{{.*}}[2048] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  tt.func public @one_group(%p: tensor<64x64x!tt.ptr<f16>, #rows>, %i: i32, %c: tensor<64x64xf32, #mma>) {
    %r = ttg.local_alloc : () -> !ring
    %x = ttg.local_alloc : () -> !part
    %d = ttng.warp_group_dot %x, %x, %c {inputPrecision = 0 : i32} : !part * !part -> tensor<64x64xf32, #mma>
    %part = ttg.memdesc_index %r[%i] : !ring -> !part
    %t = ttg.async_copy_global_to_local %p, %part {contiguity = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #rows> -> <64x64xf16, #shared, #smem, mutable>
    tt.return
  }
}
