// RUN: tt-opt %s --split-input-file --convert-triton-gpu-to-llvm="compute-capability=100 ptx-version=87" --canonicalize --cse | FileCheck %s

#rows = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#narrow = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#halves = #ttg.linear<{register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 4]], warp = [[16, 0], [32, 0]], block = []}>
#fragments = #ttg.linear<{register = [[0, 1], [8, 0], [0, 8], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[32, 0], [64, 0]], block = []}>
#wide = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#middle = #ttng.tensor_memory_encoding<blockM = 128, blockN = 16, colStride = 1>
#part = #ttng.tensor_memory_encoding<blockM = 128, blockN = 4, colStride = 1>
#apart = #ttng.tensor_memory_encoding<blockM = 128, blockN = 4, colStride = 2>
#upper = #ttng.tensor_memory_encoding<blockM = 64, blockN = 8, colStride = 1>
#bytes = #ttng.tensor_memory_scales_encoding<>
#tmem = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.tensor_memory_size = 128 : i32} {
  // The first warp reserves columns and, before the kernel returns, gives them back.  Four bytes of shared memory are for
  // the address.  A load and its wait are one piece of assembly.
  // CHECK: module attributes {{.*}}ttg.shared = 4 : i32
  // CHECK-LABEL: llvm.func @load
  // CHECK-DAG: %[[first:.*]] = llvm.icmp "ult" %{{.*}}, %{{.*}} : i32
  // CHECK: "@$0 tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [$1], 128;", "b,r" %[[first]],
  // CHECK-NEXT: nvvm.barrier0
  // CHECK-NEXT: %[[base:.*]] = llvm.load
  // CHECK-NEXT: nvvm.barrier0
  // CHECK-NEXT: "@$0 tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;", "b" %[[first]]
  // CHECK: llvm.add %[[base]], %{{.*}} : i32
  // CHECK: llvm.inline_asm has_side_effects {{.*}} "tcgen05.ld.sync.aligned.32x32b.x64.b32 {$0, {{.*}}, $63}, [$64 + 0];
  // CHECK-SAME: tcgen05.wait::ld.sync.aligned;", "=r,
  // CHECK: nvvm.barrier0
  // CHECK-NEXT: "@$0 tcgen05.dealloc.cta_group::1.sync.aligned.b32 $1, 128;", "b,r" %[[first]], %[[base]]
  // CHECK-NEXT: llvm.return
  tt.func public @load(%p: tensor<128x64x!tt.ptr<f32>, #rows>) {
    %x = ttng.tmem_alloc {tensor_memory_col_offset = 64 : i32, tensor_memory_row_offset = 0 : i32} : () -> !ttg.memdesc<128x64xf32, #wide, #tmem, mutable>
    %0 = ttng.tmem_load %x : !ttg.memdesc<128x64xf32, #wide, #tmem, mutable> -> tensor<128x64xf32, #rows>
    tt.store %p, %0 : tensor<128x64x!tt.ptr<f32>, #rows>
    tt.return
  }

  // A store, its wait and the barrier for whoever reads next; a predicate that is not constant guards each message.
  // CHECK-LABEL: llvm.func @store
  // CHECK: "tcgen05.st.sync.aligned.32x32b.x4.b32 [$4 + 0], {$0, $1, $2, $3};
  // CHECK-SAME: tcgen05.wait::st.sync.aligned;", "r,r,r,r,r"
  // CHECK-NEXT: nvvm.barrier0
  // CHECK: "@$5 tcgen05.st.sync.aligned.32x32b.x4.b32 [$4 + 0], {$0, $1, $2, $3};
  // CHECK-SAME: tcgen05.wait::st.sync.aligned;", "r,r,r,r,r,b"
  // CHECK-NEXT: nvvm.barrier0
  tt.func public @store(%v: tensor<128x4xf32, #narrow>, %pred: i1) {
    %true = arith.constant true
    %x = ttng.tmem_alloc {tensor_memory_col_offset = 0 : i32, tensor_memory_row_offset = 0 : i32} : () -> !ttg.memdesc<128x4xf32, #part, #tmem, mutable>
    ttng.tmem_store %v, %x, %true : tensor<128x4xf32, #narrow> -> !ttg.memdesc<128x4xf32, #part, #tmem, mutable>
    ttng.tmem_store %v, %x, %pred : tensor<128x4xf32, #narrow> -> !ttg.memdesc<128x4xf32, #part, #tmem, mutable>
    tt.return
  }

  // 16-bit elements fill words, or have a column each: then the instruction takes a word apart.
  // CHECK-LABEL: llvm.func @halves
  // CHECK: "tcgen05.st.sync.aligned.32x32b.x2.b32 [$2 + 0], {$0, $1};
  // CHECK: "tcgen05.st.sync.aligned.32x32b.x2.unpack::16b.b32 [$2 + 0], {$0, $1};
  // CHECK: "tcgen05.ld.sync.aligned.32x32b.x2.pack::16b.b32 {$0, $1}, [$2 + 0];
  tt.func public @halves(%v: tensor<128x4xf16, #narrow>, %p: tensor<128x4x!tt.ptr<f16>, #narrow>) {
    %x = ttng.tmem_alloc %v {tensor_memory_col_offset = 0 : i32, tensor_memory_row_offset = 0 : i32} : (tensor<128x4xf16, #narrow>) -> !ttg.memdesc<128x4xf16, #part, #tmem>
    %y = ttng.tmem_alloc %v {tensor_memory_col_offset = 4 : i32, tensor_memory_row_offset = 0 : i32} : (tensor<128x4xf16, #narrow>) -> !ttg.memdesc<128x4xf16, #apart, #tmem, mutable>
    %0 = ttng.tmem_load %y : !ttg.memdesc<128x4xf16, #apart, #tmem, mutable> -> tensor<128x4xf16, #narrow>
    tt.store %p, %0 : tensor<128x4x!tt.ptr<f16>, #narrow>
    tt.return
  }

  // Blocks of 64 rows leave the upper lanes to other columns.  Fragments of products have a shape of their own, whose
  // registers are put in order.
  // CHECK-LABEL: llvm.func @shapes
  // CHECK: "tcgen05.st.sync.aligned.16x32bx2.x4.b32 [$4 + 0], 4, {$0, $1, $2, $3};
  // CHECK: "tcgen05.st.sync.aligned.16x256b.x2.b32 [$16 + 0], {$0, $1, $2, $3, $4, $5, $6, $7};
  // CHECK-SAME: tcgen05.st.sync.aligned.16x256b.x2.b32 [$16 + 1048576]
  tt.func public @shapes(%v: tensor<64x8xf32, #halves>, %w: tensor<128x16xf32, #fragments>) {
    %true = arith.constant true
    %x = ttng.tmem_alloc {tensor_memory_col_offset = 0 : i32, tensor_memory_row_offset = 0 : i32} : () -> !ttg.memdesc<64x8xf32, #upper, #tmem, mutable>
    ttng.tmem_store %v, %x, %true : tensor<64x8xf32, #halves> -> !ttg.memdesc<64x8xf32, #upper, #tmem, mutable>
    %y = ttng.tmem_alloc {tensor_memory_col_offset = 8 : i32, tensor_memory_row_offset = 0 : i32} : () -> !ttg.memdesc<128x16xf32, #middle, #tmem, mutable>
    ttng.tmem_store %w, %y, %true : tensor<128x16xf32, #fragments> -> !ttg.memdesc<128x16xf32, #middle, #tmem, mutable>
    tt.return
  }

  // Views are sums of addresses: columns of a buffer, and one of several buffers.
  // CHECK-LABEL: llvm.func @views
  // CHECK-DAG: %[[c32:.*]] = llvm.mlir.constant(32 : i32)
  // CHECK-DAG: %[[c64:.*]] = llvm.mlir.constant(64 : i32)
  // CHECK: %[[moved:.*]] = llvm.mul %{{.*}}, %[[c64]] : i32
  // CHECK: %[[buffer:.*]] = llvm.add %{{.*}}, %[[moved]] : i32
  // CHECK: llvm.add %[[buffer]], %[[c32]] : i32
  tt.func public @views(%i: i32, %p: tensor<128x4x!tt.ptr<f32>, #narrow>) {
    %x = ttng.tmem_alloc {tensor_memory_col_offset = 0 : i32, tensor_memory_row_offset = 0 : i32} : () -> !ttg.memdesc<2x128x64xf32, #wide, #tmem, mutable>
    %y = ttg.memdesc_index %x[%i] : !ttg.memdesc<2x128x64xf32, #wide, #tmem, mutable> -> !ttg.memdesc<128x64xf32, #wide, #tmem, mutable>
    %z = ttng.tmem_subslice %y {N = 32 : i32} : !ttg.memdesc<128x64xf32, #wide, #tmem, mutable> -> !ttg.memdesc<128x4xf32, #part, #tmem, mutable, 128x64>
    %0 = ttng.tmem_load %z : !ttg.memdesc<128x4xf32, #part, #tmem, mutable, 128x64> -> tensor<128x4xf32, #narrow>
    tt.store %p, %0 : tensor<128x4x!tt.ptr<f32>, #narrow>
    tt.return
  }

  // Addresses that are used behind a load only are computed there: the load takes many registers.
  // CHECK-LABEL: llvm.func @addresses
  // CHECK-NOT: llvm.getelementptr
  // CHECK: tcgen05.ld
  // CHECK: llvm.getelementptr %arg0
  // CHECK: llvm.store
  tt.func public @addresses(%p: !tt.ptr<f32>, %i: i32) {
    %x = ttng.tmem_alloc {tensor_memory_col_offset = 0 : i32, tensor_memory_row_offset = 0 : i32} : () -> !ttg.memdesc<128x4xf32, #part, #tmem, mutable>
    %base = tt.addptr %p, %i : !tt.ptr<f32>, i32
    %places = tt.splat %base : !tt.ptr<f32> -> tensor<128x4x!tt.ptr<f32>, #narrow>
    %0 = ttng.tmem_load %x : !ttg.memdesc<128x4xf32, #part, #tmem, mutable> -> tensor<128x4xf32, #narrow>
    tt.store %places, %0 : tensor<128x4x!tt.ptr<f32>, #narrow>
    tt.return
  }

  // Edge: a kernel without buffers in tensor memory reserves none.
  // CHECK-LABEL: llvm.func @none
  // CHECK-NOT: tcgen05
  tt.func public @none() {
    tt.return
  }

  // CHECK-LABEL: llvm.func @wait
  tt.func public @wait() {
    // CHECK: llvm.inline_asm has_side_effects {{.*}} "tcgen05.wait::ld.sync.aligned;", ""
    ttng.tmem_wait load
    // CHECK: llvm.inline_asm has_side_effects {{.*}} "tcgen05.wait::st.sync.aligned;", ""
    ttng.tmem_wait store
    tt.return
  }
}

// -----

#wide = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0], [0, 8]], block = []}>
#narrow = #ttg.linear<{register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0], [0, 4]], block = []}>
#b16 = #ttng.tensor_memory_encoding<blockM = 128, blockN = 16, colStride = 1>
#b8 = #ttng.tensor_memory_encoding<blockM = 128, blockN = 8, colStride = 1>
#tmem = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:100", ttg.shared = 16 : i32, ttg.tensor_memory_size = 64 : i32} {
  // Of eight warps two share rows.  The second buffer has columns of the first, of which other warps have read some.
  // CHECK-LABEL: llvm.func @columns_of_another_buffer
  // CHECK: tcgen05.ld
  // CHECK: nvvm.barrier0
  // CHECK: tcgen05.st
  tt.func public @columns_of_another_buffer(%p: tensor<128x16x!tt.ptr<f32>, #wide>, %v: tensor<128x8xf32, #narrow>) {
    %x = ttng.tmem_alloc {tensor_memory_col_offset = 0 : i32, tensor_memory_row_offset = 0 : i32} : () -> !ttg.memdesc<128x16xf32, #b16, #tmem, mutable>
    %0 = ttng.tmem_load %x : !ttg.memdesc<128x16xf32, #b16, #tmem, mutable> -> tensor<128x16xf32, #wide>
    %y = ttng.tmem_alloc %v {tensor_memory_col_offset = 0 : i32, tensor_memory_row_offset = 0 : i32} : (tensor<128x8xf32, #narrow>) -> !ttg.memdesc<128x8xf32, #b8, #tmem>
    tt.store %p, %0 : tensor<128x16x!tt.ptr<f32>, #wide>
    tt.return
  }

  // Each warp writes what it has read itself; columns of no buffer that was read; the other half of one.
  // CHECK-LABEL: llvm.func @no_others
  // CHECK: tcgen05.ld
  // CHECK-NOT: nvvm.barrier0
  // CHECK: tcgen05.st
  // CHECK: nvvm.barrier0
  // CHECK: tcgen05.ld
  // CHECK-NOT: nvvm.barrier0
  // CHECK: tcgen05.st
  // CHECK: nvvm.barrier0
  // CHECK: tcgen05.ld
  // CHECK-NOT: nvvm.barrier0
  // CHECK: tcgen05.st
  tt.func public @no_others(%p: tensor<128x16x!tt.ptr<f32>, #wide>, %q: tensor<128x8x!tt.ptr<f32>, #narrow>, %v: tensor<128x8xf32, #narrow>) {
    %true = arith.constant true
    %x = ttng.tmem_alloc {tensor_memory_col_offset = 0 : i32, tensor_memory_row_offset = 0 : i32} : () -> !ttg.memdesc<128x16xf32, #b16, #tmem, mutable>
    %0 = ttng.tmem_load %x : !ttg.memdesc<128x16xf32, #b16, #tmem, mutable> -> tensor<128x16xf32, #wide>
    ttng.tmem_store %0, %x, %true : tensor<128x16xf32, #wide> -> !ttg.memdesc<128x16xf32, #b16, #tmem, mutable>
    %1 = ttng.tmem_load %x : !ttg.memdesc<128x16xf32, #b16, #tmem, mutable> -> tensor<128x16xf32, #wide>
    %y = ttng.tmem_alloc %v {tensor_memory_col_offset = 16 : i32, tensor_memory_row_offset = 0 : i32} : (tensor<128x8xf32, #narrow>) -> !ttg.memdesc<128x8xf32, #b8, #tmem>
    %a = ttng.tmem_subslice %x {N = 0 : i32} : !ttg.memdesc<128x16xf32, #b16, #tmem, mutable> -> !ttg.memdesc<128x8xf32, #b8, #tmem, mutable, 128x16>
    %b = ttng.tmem_subslice %x {N = 8 : i32} : !ttg.memdesc<128x16xf32, #b16, #tmem, mutable> -> !ttg.memdesc<128x8xf32, #b8, #tmem, mutable, 128x16>
    %2 = ttng.tmem_load %b : !ttg.memdesc<128x8xf32, #b8, #tmem, mutable, 128x16> -> tensor<128x8xf32, #narrow>
    ttng.tmem_store %v, %a, %true : tensor<128x8xf32, #narrow> -> !ttg.memdesc<128x8xf32, #b8, #tmem, mutable, 128x16>
    tt.store %p, %1 : tensor<128x16x!tt.ptr<f32>, #wide>
    tt.store %q, %2 : tensor<128x8x!tt.ptr<f32>, #narrow>
    tt.return
  }
}

// -----

#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#rows = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#wide = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.shared = 8200 : i32, ttg.tensor_memory_size = 64 : i32} {
  // A buffer that TMA fills may have the bytes of the address: a fence stands between.
  // CHECK-LABEL: llvm.func @copied
  // CHECK: "@$0 tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [$1], 64;"
  // CHECK-NEXT: nvvm.barrier0
  // CHECK-NEXT: llvm.load
  // CHECK-NEXT: "fence.proxy.async.shared::cta;"
  // CHECK-NEXT: nvvm.barrier0
  tt.func public @copied(%d: !tt.tensordesc<tensor<64x64xf16, #shared>>, %i: i32, %x: tensor<128x64xf32, #rows>) {
    %true = arith.constant true
    %t = ttng.tmem_alloc {tensor_memory_col_offset = 0 : i32, tensor_memory_row_offset = 0 : i32} : () -> !ttg.memdesc<128x64xf32, #wide, #ttng.tensor_memory, mutable>
    ttng.tmem_store %x, %t, %true : tensor<128x64xf32, #rows> -> !ttg.memdesc<128x64xf32, #wide, #ttng.tensor_memory, mutable>
    %b = ttg.local_alloc {allocation.offset = 8192 : i32} : () -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
    %m = ttg.local_alloc {allocation.offset = 0 : i32} : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    ttng.init_barrier %b, 1 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.barrier_expect %b, 8192, %true : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.async_tma_copy_global_to_local %d[%i, %i] %m, %b, %true : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<1xi64, #bar, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    tt.return
  }
}
