// RUN: tt-opt %s --allocate-shared-memory-nv=compute-capability=100 --convert-triton-gpu-to-llvm="compute-capability=100 ptx-version=87" --canonicalize --cse | FileCheck %s

#rows = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#columns = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, elementBitWidth = 16}>
#bytes = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 8}>
#bytest = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, elementBitWidth = 8}>
#packed = #ttg.shared_linear<{offset = [[0, 1], [0, 2], [32, 0], [64, 0], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}, alignment = 16>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#acc = #ttng.tensor_memory_encoding<blockM = 128, blockN = 32, colStride = 1>
#left = #ttng.tensor_memory_encoding<blockM = 128, blockN = 32, colStride = 1>
#scales = #ttng.tensor_memory_scales_encoding<>
#lanes = #ttg.blocked<{sizePerThread = [1, 32], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.tensor_memory_size = 64 : i32} {
  // One thread of the first warp issues two steps along K, of which only the first may drop what was there, and the
  // arrival behind them.
  // CHECK-LABEL: llvm.func @product
  // CHECK-DAG: llvm.mlir.constant(134742032 : i32)
  // CHECK: llvm.cond_br
  // CHECK: %[[elected:.*]] = nvvm.elect.sync -> i1
  // Descriptors of further tiles are computed here, for this product alone: assembly that LLVM does not merge.
  // CHECK-COUNT-2: llvm.inline_asm has_side_effects {{.*}} "add.s64 $0, $1, 2;", "=l,l"
  // CHECK: "@$0 tcgen05.mma.cta_group::1.kind::f16 [ $4 + 0 ], $2, $3, $1, $5;
  // CHECK-SAME: @$0 tcgen05.mma.cta_group::1.kind::f16 [ $4 + 0 ], $6, $7, $1, $8;", "b,r,l,l,r,b,l,l,b" %[[elected]]
  // CHECK: %[[arrives:.*]] = llvm.and %{{.*}}, %[[elected]] : i1
  // CHECK: "@$0 tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [$1];", "b,l" %[[arrives]]
  tt.func public @product(%use: i1, %pred: i1) {
    %a = ttg.local_alloc : () -> !ttg.memdesc<128x32xf16, #rows, #smem, mutable>
    %b = ttg.local_alloc : () -> !ttg.memdesc<32x32xf16, #columns, #smem, mutable>
    %bar = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
    %d = ttng.tmem_alloc {tensor_memory_col_offset = 0 : i32, tensor_memory_row_offset = 0 : i32} : () -> !ttg.memdesc<128x32xf32, #acc, #tmem, mutable>
    ttng.tc_gen5_mma %a, %b, %d, %use, %pred, %bar[%pred] {is_async} : !ttg.memdesc<128x32xf16, #rows, #smem, mutable>, !ttg.memdesc<32x32xf16, #columns, #smem, mutable>, !ttg.memdesc<128x32xf32, #acc, #tmem, mutable>, !ttg.memdesc<1xi64, #bar, #smem, mutable>
    tt.return
  }

  // The first operand may be in tensor memory; a commit of its own.
  // CHECK-LABEL: llvm.func @from_tensor_memory
  // CHECK: "@$0 tcgen05.mma.cta_group::1.kind::f16 [ $4 + 0 ], [ $2 + 0 ], $3, $1, $5;
  // CHECK-SAME: [ $4 + 0 ], [ $2 + 8 ], $6, $1, $7;"
  // CHECK: nvvm.elect.sync
  // CHECK: tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64
  tt.func public @from_tensor_memory() {
    %true = arith.constant true
    %b = ttg.local_alloc : () -> !ttg.memdesc<32x32xf16, #rows, #smem, mutable>
    %bar = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
    %a = ttng.tmem_alloc {tensor_memory_col_offset = 32 : i32, tensor_memory_row_offset = 0 : i32} : () -> !ttg.memdesc<128x32xf16, #left, #tmem, mutable>
    %d = ttng.tmem_alloc {tensor_memory_col_offset = 0 : i32, tensor_memory_row_offset = 0 : i32} : () -> !ttg.memdesc<128x32xf32, #acc, #tmem, mutable>
    ttng.tc_gen5_mma %a, %b, %d, %true, %true {is_async} : !ttg.memdesc<128x32xf16, #left, #tmem, mutable>, !ttg.memdesc<32x32xf16, #rows, #smem, mutable>, !ttg.memdesc<128x32xf32, #acc, #tmem, mutable>
    ttng.tc_gen5_commit %bar : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    tt.return
  }

  // A product does not overwrite what other warps may still read: they meet first.
  // CHECK-LABEL: llvm.func @after_a_load
  // CHECK: tcgen05.ld
  // CHECK: nvvm.barrier0
  // CHECK: nvvm.elect.sync
  // CHECK: tcgen05.mma
  tt.func public @after_a_load(%p: tensor<128x32x!tt.ptr<f32>, #lanes>) {
    %true = arith.constant true
    %a = ttg.local_alloc : () -> !ttg.memdesc<128x32xf16, #rows, #smem, mutable>
    %b = ttg.local_alloc : () -> !ttg.memdesc<32x32xf16, #columns, #smem, mutable>
    %d = ttng.tmem_alloc {tensor_memory_col_offset = 0 : i32, tensor_memory_row_offset = 0 : i32} : () -> !ttg.memdesc<128x32xf32, #acc, #tmem, mutable>
    %0 = ttng.tmem_load %d : !ttg.memdesc<128x32xf32, #acc, #tmem, mutable> -> tensor<128x32xf32, #lanes>
    tt.store %p, %0 : tensor<128x32x!tt.ptr<f32>, #lanes>
    ttng.tc_gen5_mma %a, %b, %d, %true, %true {is_async} : !ttg.memdesc<128x32xf16, #rows, #smem, mutable>, !ttg.memdesc<32x32xf16, #columns, #smem, mutable>, !ttg.memdesc<128x32xf32, #acc, #tmem, mutable>
    tt.return
  }

  // The hardware ends no phase of an mbarrier while a warp may still wait for the last one; others it may end.
  // CHECK-LABEL: llvm.func @after_a_wait
  // CHECK: mbarrier.try_wait
  // CHECK-NOT: nvvm.barrier0
  // CHECK: tcgen05.mma
  // CHECK: nvvm.barrier0
  // CHECK: tcgen05.mma
  tt.func public @after_a_wait(%phase: i32) {
    %true = arith.constant true
    %a = ttg.local_alloc : () -> !ttg.memdesc<128x32xf16, #rows, #smem, mutable>
    %b = ttg.local_alloc : () -> !ttg.memdesc<32x32xf16, #columns, #smem, mutable>
    %bar = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
    %other = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
    %d = ttng.tmem_alloc {tensor_memory_col_offset = 0 : i32, tensor_memory_row_offset = 0 : i32} : () -> !ttg.memdesc<128x32xf32, #acc, #tmem, mutable>
    ttng.wait_barrier %bar, %phase : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.tc_gen5_mma %a, %b, %d, %true, %true, %other[%true] {is_async} : !ttg.memdesc<128x32xf16, #rows, #smem, mutable>, !ttg.memdesc<32x32xf16, #columns, #smem, mutable>, !ttg.memdesc<128x32xf32, #acc, #tmem, mutable>, !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.tc_gen5_mma %a, %b, %d, %true, %true, %bar[%true] {is_async} : !ttg.memdesc<128x32xf16, #rows, #smem, mutable>, !ttg.memdesc<32x32xf16, #columns, #smem, mutable>, !ttg.memdesc<128x32xf32, #acc, #tmem, mutable>, !ttg.memdesc<1xi64, #bar, #smem, mutable>
    tt.return
  }

  // Scales are copied to tensor memory; each step takes another byte of their words.
  // CHECK-LABEL: llvm.func @scaled
  // CHECK-DAG: llvm.mlir.constant(143130624 : i32)
  // CHECK-DAG: llvm.mlir.constant(680001552 : i32)
  // CHECK: nvvm.elect.sync
  // CHECK: "@$0 tcgen05.cp.cta_group::1.warpx4.32x128b [ $2 + 0 ], $1;", "b,l,r"
  // CHECK: tcgen05.commit
  // CHECK: nvvm.elect.sync
  // CHECK: "@$0 tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale.scale_vec::1X [ $1 + 0 ], $2, $3, $4, [$5], [$6], $7;
  // CHECK-SAME: @$0 tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale.scale_vec::1X [ $1 + 0 ], $8, $9, $10, [$5], [$6], $11;"
  tt.func public @scaled(%use: i1) {
    %true = arith.constant true
    %a = ttg.local_alloc : () -> !ttg.memdesc<128x64xf8E4M3FN, #bytes, #smem, mutable>
    %b = ttg.local_alloc : () -> !ttg.memdesc<64x32xf8E4M3FN, #bytest, #smem, mutable>
    %s = ttg.local_alloc : () -> !ttg.memdesc<128x4xi8, #packed, #smem, mutable>
    %bar = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
    %d = ttng.tmem_alloc {tensor_memory_col_offset = 0 : i32, tensor_memory_row_offset = 0 : i32} : () -> !ttg.memdesc<128x32xf32, #acc, #tmem, mutable>
    %sa = ttng.tmem_alloc {tensor_memory_col_offset = 32 : i32, tensor_memory_row_offset = 0 : i32} : () -> !ttg.memdesc<128x4xi8, #scales, #tmem, mutable>
    %sb = ttng.tmem_alloc {tensor_memory_col_offset = 36 : i32, tensor_memory_row_offset = 0 : i32} : () -> !ttg.memdesc<32x4xi8, #scales, #tmem, mutable>
    ttng.tmem_copy %s, %sa, %bar : !ttg.memdesc<128x4xi8, #packed, #smem, mutable>, !ttg.memdesc<128x4xi8, #scales, #tmem, mutable>, !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.tc_gen5_mma_scaled %a, %b, %d, %sa, %sb, %use, %true lhs = e4m3 rhs = e4m3 {is_async} : !ttg.memdesc<128x64xf8E4M3FN, #bytes, #smem, mutable>, !ttg.memdesc<64x32xf8E4M3FN, #bytest, #smem, mutable>, !ttg.memdesc<128x32xf32, #acc, #tmem, mutable>, !ttg.memdesc<128x4xi8, #scales, #tmem, mutable>, !ttg.memdesc<32x4xi8, #scales, #tmem, mutable>
    tt.return
  }
}
