// RUN: tt-opt %s -split-input-file --allocate-shared-memory-nv=compute-capability=100 --convert-triton-gpu-to-llvm="compute-capability=100 ptx-version=87" --canonicalize --cse | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [1, 0]}>
#spread = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#rows = #ttg.slice<{dim = 0, parent = #blocked}>
#tile = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // Each warp has 8 of 32 rows: two messages of four, for each half of 128 columns.
  // CHECK-LABEL: llvm.func @gather
  tt.func public @gather(%desc: !tt.tensordesc<tensor<1x64xf16, #tile>>, %x: tensor<32xi32, #rows>, %y: i32, %pred: i1) {
    %buffer = ttg.local_alloc : () -> !ttg.memdesc<32x128xf16, #tile, #smem, mutable>
    %bar = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
    // CHECK: nvvm.elect.sync
    // CHECK-COUNT-4: "@$0 cp.async.bulk.tensor.2d.tile::gather4.shared::cta.global.mbarrier::complete_tx::bytes [$1], [$2, {$3, $4, $5, $6, $7}], [$8];", "b,r,l,r,r,r,r,r,r"
    ttng.async_tma_gather %desc[%x, %y] %buffer, %bar, %pred : !tt.tensordesc<tensor<1x64xf16, #tile>>, tensor<32xi32, #rows>, i32, !ttg.memdesc<1xi64, #bar, #smem, mutable>, !ttg.memdesc<32x128xf16, #tile, #smem, mutable>, i1
    // CHECK: nvvm.elect.sync
    // CHECK-COUNT-4: "@$0 cp.async.bulk.tensor.2d.tile::scatter4.global.shared::cta.bulk_group [$1, {$2, $3, $4, $5, $6}], [$7];", "b,l,r,r,r,r,r,r"
    // CHECK: nvvm.cp.async.bulk.commit.group
    ttng.async_tma_scatter %desc[%x, %y] %buffer : !tt.tensordesc<tensor<1x64xf16, #tile>>, tensor<32xi32, #rows>, i32, !ttg.memdesc<32x128xf16, #tile, #smem, mutable>
    tt.return
  }

  // Edge: rows that lanes have; each starts its own message, of copies the first.
  // CHECK-LABEL: llvm.func @lanes
  tt.func public @lanes(%desc: !tt.tensordesc<tensor<1x64xf16, #tile>>, %x: tensor<64xi32, #spread>, %y: i32, %from: !ttg.memdesc<64x64xf16, #tile, #smem, mutable>) {
    // CHECK-NOT: nvvm.elect.sync
    // CHECK-COUNT-1: tile::scatter4
    // CHECK-NOT: tile::scatter4
    ttng.async_tma_scatter %desc[%x, %y] %from : !tt.tensordesc<tensor<1x64xf16, #tile>>, tensor<64xi32, #spread>, i32, !ttg.memdesc<64x64xf16, #tile, #smem, mutable>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [1, 0], CGALayout = [[0, 0]]}>
#rows = #ttg.slice<{dim = 0, parent = #blocked}>
#tile = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[0, 0]]}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // One of two CTAs with the same buffer gathers for both; without `multicast` each does.
  // CHECK-LABEL: llvm.func @gather_for_both
  tt.func public @gather_for_both(%desc: !tt.tensordesc<tensor<1x64xf16, #tile>>, %x: tensor<32xi32, #rows>, %y: i32, %pred: i1) {
    %buffer = ttg.local_alloc : () -> !ttg.memdesc<32x64xf16, #tile, #smem, mutable>
    %bar = ttg.local_alloc : () -> !ttg.memdesc<2xi64, #bar, #smem, mutable>
    // CHECK-COUNT-2: "@$0 cp.async.bulk.tensor.2d.tile::gather4.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [$1], [$2, {$3, $4, $5, $6, $7}], [$8], $9;", "b,r,l,r,r,r,r,r,r,h"
    ttng.async_tma_gather %desc[%x, %y] %buffer, %bar, %pred {multicast} : !tt.tensordesc<tensor<1x64xf16, #tile>>, tensor<32xi32, #rows>, i32, !ttg.memdesc<2xi64, #bar, #smem, mutable>, !ttg.memdesc<32x64xf16, #tile, #smem, mutable>, i1
    // CHECK-COUNT-2: gather4.shared::cta.global
    ttng.async_tma_gather %desc[%x, %y] %buffer, %bar, %pred : !tt.tensordesc<tensor<1x64xf16, #tile>>, tensor<32xi32, #rows>, i32, !ttg.memdesc<2xi64, #bar, #smem, mutable>, !ttg.memdesc<32x64xf16, #tile, #smem, mutable>, i1
    tt.return
  }
}
