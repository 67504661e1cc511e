// RUN: tt-opt %s --split-input-file --allocate-shared-memory-nv=compute-capability=90 --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87" | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
#tile = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#fp4 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8, fp4Padded = true}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // A descriptor is a parameter of the kernel, whose address the copy takes.  128 elements of 2 bytes are two messages.
  // CHECK-LABEL: llvm.func @load
  // CHECK-SAME: !llvm.ptr {llvm.align = 64 : i32, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant, tt.nv_tma_desc = 1 : i32}
  tt.func public @load(%desc: !tt.tensordesc<tensor<64x128xf16, #tile>>, %x: i32, %y: i32, %bar: !ttg.memdesc<1xi64, #s, #smem, mutable>, %to: !ttg.memdesc<64x128xf16, #tile, #smem, mutable>, %pred: i1) {
    // CHECK: nvvm.elect.sync
    // CHECK-COUNT-2: "@$0 cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [$1], [$2, {$3, $4}], [$5];", "b,r,l,r,r,r"
    // CHECK-NOT: cp.async.bulk
    // CHECK: llvm.return
    ttng.async_tma_copy_global_to_local %desc[%x, %y] %to, %bar, %pred : !tt.tensordesc<tensor<64x128xf16, #tile>>, !ttg.memdesc<1xi64, #s, #smem, mutable> -> !ttg.memdesc<64x128xf16, #tile, #smem, mutable>
    tt.return
  }

  // Stores and reductions are groups that the thread waits for.
  // CHECK-LABEL: llvm.func @store
  tt.func public @store(%desc: !tt.tensordesc<tensor<64x64xf16, #tile>>, %x: i32, %from: !ttg.memdesc<64x64xf16, #tile, #smem, mutable>) {
    // CHECK: "@$0 cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [$1, {$2, $3}], [$4];"
    // CHECK: nvvm.cp.async.bulk.commit.group
    ttng.async_tma_copy_local_to_global %desc[%x, %x] %from : !tt.tensordesc<tensor<64x64xf16, #tile>>, !ttg.memdesc<64x64xf16, #tile, #smem, mutable>
    // CHECK: cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group
    ttng.async_tma_reduce add, %desc[%x, %x] %from : !tt.tensordesc<tensor<64x64xf16, #tile>>, !ttg.memdesc<64x64xf16, #tile, #smem, mutable>
    // CHECK: "cp.async.bulk.wait_group.read 0;"
    ttng.async_tma_store_wait {pendings = 0 : i32}
    tt.return
  }

  // Edge: a descriptor that the kernel makes.
  // CHECK-LABEL: llvm.func @make
  tt.func public @make(%map: !tt.ptr<i8>, %base: !tt.ptr<f16>, %n: i32, %stride: i64) -> !tt.tensordesc<tensor<64x64xf16, #tile>> {
    // CHECK: nvvm.bar.warp.sync
    // CHECK: tensormap.replace.tile.global_address.shared::cta.b1024.b64
    // CHECK: tensormap.replace.tile.rank.shared::cta.b1024.b32 [ $0 + 0 ], 0x1;
    // CHECK: tensormap.cp_fenceproxy
    ttng.tensormap_create %map, %base, [%n, %n], [%n, %n], [%stride], [%n, %n] {elem_type = 6 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32, fill_mode = 0 : i32} : (!tt.ptr<i8>, !tt.ptr<f16>, i32, i32, i32, i32, i64, i32, i32) -> ()
    // CHECK: fence.proxy.tensormap::generic.acquire.gpu
    // CHECK: nvvm.barrier0
    ttng.tensormap_fenceproxy_acquire %map : !tt.ptr<i8>
    // CHECK: llvm.addrspacecast
    %0 = ttng.reinterpret_tensor_descriptor %map : !tt.ptr<i8> to !tt.tensordesc<tensor<64x64xf16, #tile>>
    tt.return %0 : !tt.tensordesc<tensor<64x64xf16, #tile>>
  }

  // What is loaded may be the first to leave the cache.
  // CHECK-LABEL: llvm.func @evict
  tt.func public @evict(%desc: !tt.tensordesc<tensor<64x64xf16, #tile>>, %x: i32, %bar: !ttg.memdesc<1xi64, #s, #smem, mutable>, %to: !ttg.memdesc<64x64xf16, #tile, #smem, mutable>, %pred: i1) {
    // CHECK: "createpolicy.fractional.L2::evict_first.b64 $0, 1.0;"
    // CHECK: complete_tx::bytes.L2::cache_hint [$1], [$2, {$3, $4}], [$5], $6;", "b,r,l,r,r,r,l"
    ttng.async_tma_copy_global_to_local %desc[%x, %x] %to, %bar, %pred evictionPolicy = evict_first : !tt.tensordesc<tensor<64x64xf16, #tile>>, !ttg.memdesc<1xi64, #s, #smem, mutable> -> !ttg.memdesc<64x64xf16, #tile, #smem, mutable>
    tt.return
  }

  // The same by a policy, of stores too.
  // CHECK-LABEL: llvm.func @by_policy
  tt.func public @by_policy(%desc: !tt.tensordesc<tensor<64x64xf16, #tile>>, %x: i32, %bar: !ttg.memdesc<1xi64, #s, #smem, mutable>, %to: !ttg.memdesc<64x64xf16, #tile, #smem, mutable>, %pred: i1) {
    // CHECK-DAG: "createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 $0, 0.5;"
    // CHECK-DAG: "createpolicy.fractional.L2::evict_first.b64 $0, 1.0;"
    // CHECK: complete_tx::bytes.L2::cache_hint [$1], [$2, {$3, $4}], [$5], $6;", "b,r,l,r,r,r,l"
    // CHECK: bulk_group.L2::cache_hint [$1, {$2, $3}], [$4], $5;"
    ttng.async_tma_copy_global_to_local %desc[%x, %x] %to, %bar, %pred {cachePolicy = #ttng.cache_policy<l2_primary = evict_last, l2_secondary = evict_unchanged, l2_fraction = 5.000000e-01 : f32>} : !tt.tensordesc<tensor<64x64xf16, #tile>>, !ttg.memdesc<1xi64, #s, #smem, mutable> -> !ttg.memdesc<64x64xf16, #tile, #smem, mutable>
    ttng.async_tma_copy_local_to_global %desc[%x, %x] %to {cachePolicy = #tt.cache_policy<cache_modifier = none, eviction_policy = evict_first>} : !tt.tensordesc<tensor<64x64xf16, #tile>>, !ttg.memdesc<64x64xf16, #tile, #smem, mutable>
    tt.return
  }

  // Pixels of images: all 512 in one message, the channels in two; coordinates and offsets are innermost first.
  // CHECK-LABEL: llvm.func @images
  tt.func public @images(%desc: !tt.tensordesc<tensor<512x128xf16, #tile>, im2col>, %n: i32, %h: i32, %o: i16, %bar: !ttg.memdesc<1xi64, #s, #smem, mutable>, %to: !ttg.memdesc<512x128xf16, #tile, #smem, mutable>, %pred: i1) {
    // CHECK-COUNT-2: "@$0 cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [$1], [$2, {$3, $4, $5, $6}], [$7], {$8, $9};", "b,r,l,r,r,r,r,r,h,h"
    // CHECK-NOT: cp.async.bulk
    // CHECK: llvm.return
    ttng.async_tma_copy_global_to_local %desc[%n, %h, %h, %h] offsets = [%o, %o] %to, %bar, %pred : !tt.tensordesc<tensor<512x128xf16, #tile>, im2col>, !ttg.memdesc<1xi64, #s, #smem, mutable> -> !ttg.memdesc<512x128xf16, #tile, #smem, mutable>
    tt.return
  }

  // Edge: numbers of fp4 are counted one by one in the tensor: the second message is 128 further, 64 bytes of them.
  // CHECK-LABEL: llvm.func @packed
  tt.func public @packed(%desc: !tt.tensordesc<tensor<64x128xi8, #fp4>>, %x: i32, %bar: !ttg.memdesc<1xi64, #s, #smem, mutable>, %to: !ttg.memdesc<64x128xi8, #fp4, #smem, mutable>, %pred: i1) {
    // CHECK: %[[STEP:.*]] = llvm.mlir.constant(128 : i32)
    // CHECK: cp.async.bulk.tensor.2d
    // CHECK: %[[NEXT:.*]] = llvm.add %arg1, %[[STEP]]
    // CHECK: cp.async.bulk.tensor.2d{{.*}} %arg0, %[[NEXT]], %arg1,
    ttng.async_tma_copy_global_to_local %desc[%x, %x] %to, %bar, %pred : !tt.tensordesc<tensor<64x128xi8, #fp4>>, !ttg.memdesc<1xi64, #s, #smem, mutable> -> !ttg.memdesc<64x128xi8, #fp4, #smem, mutable>
    tt.return
  }
}

// -----

#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[0]]}>
#smem = #ttg.shared_memory
#split = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[1, 0]]}>
#copies = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[0, 0]]}>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // Each CTA copies its half; of many messages each warp starts some.
  // CHECK-LABEL: llvm.func @halves
  tt.func public @halves(%desc: !tt.tensordesc<tensor<512x128xf16, #split>>, %x: i32, %y: i32, %bar: !ttg.memdesc<1xi64, #s, #smem, mutable>, %to: !ttg.memdesc<512x128xf16, #split, #smem, mutable>, %pred: i1) {
    // CHECK-DAG: %[[CTA:.*]] = nvg.cluster_id
    // CHECK-DAG: nvg.warp_id
    // CHECK: nvvm.elect.sync
    // CHECK: llvm.icmp "ult"
    // CHECK: llvm.shl %[[CTA]]
    // CHECK-COUNT-1: cp.async.bulk.tensor.2d
    // CHECK-NOT: cp.async.bulk.tensor.2d
    // CHECK: llvm.return
    ttng.async_tma_copy_global_to_local %desc[%x, %y] %to, %bar, %pred : !tt.tensordesc<tensor<512x128xf16, #split>>, !ttg.memdesc<1xi64, #s, #smem, mutable> -> !ttg.memdesc<512x128xf16, #split, #smem, mutable>
    tt.return
  }

  // What both have each loads, or one for both; and one stores it.
  // CHECK-LABEL: llvm.func @both
  tt.func public @both(%desc: !tt.tensordesc<tensor<64x64xf16, #copies>>, %x: i32, %bar: !ttg.memdesc<1xi64, #s, #smem, mutable>, %to: !ttg.memdesc<64x64xf16, #copies, #smem, mutable>, %pred: i1) {
    // CHECK: complete_tx::bytes [$1], [$2, {$3, $4}], [$5];"
    ttng.async_tma_copy_global_to_local %desc[%x, %x] %to, %bar, %pred : !tt.tensordesc<tensor<64x64xf16, #copies>>, !ttg.memdesc<1xi64, #s, #smem, mutable> -> !ttg.memdesc<64x64xf16, #copies, #smem, mutable>
    // CHECK: complete_tx::bytes.multicast::cluster [$1], [$2, {$3, $4}], [$5], $6;", "b,r,l,r,r,r,h"
    ttng.async_tma_copy_global_to_local %desc[%x, %x] %to, %bar, %pred {multicast} : !tt.tensordesc<tensor<64x64xf16, #copies>>, !ttg.memdesc<1xi64, #s, #smem, mutable> -> !ttg.memdesc<64x64xf16, #copies, #smem, mutable>
    // CHECK: %[[ELECTED:.*]] = nvvm.elect.sync
    // CHECK: %[[ONE:.*]] = llvm.and %[[ELECTED]]
    // CHECK: cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group
    ttng.async_tma_reduce add, %desc[%x, %x] %to : !tt.tensordesc<tensor<64x64xf16, #copies>>, !ttg.memdesc<64x64xf16, #copies, #smem, mutable>
    tt.return
  }
}
