// RUN: tt-opt %s | tt-opt | FileCheck %s
// RUN: tt-opt %s -mlir-print-op-generic | tt-opt | FileCheck %s
// RUN: tt-opt %s --canonicalize | FileCheck %s --check-prefix=UNUSED

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
!ring = !ttg.memdesc<2x64x16xf16, #shared, #smem, mutable>
!buffer = !ttg.memdesc<64x16xf16, #shared, #smem, mutable>
!aref = !nvws.aref<[!ring, !ring]>
!desc = !tt.tensordesc<tensor<64x16xf16>>

module attributes {"ttg.num-warps" = 4 : i32} {
  // CHECK-LABEL: @handed_over
  // UNUSED-LABEL: @handed_over
  tt.func @handed_over(%x: !ring, %y: !ring, %stage: i32, %phase: i32) {
    // CHECK: %[[A:.*]] = nvws.aref.create %{{.*}}, %{{.*}} : <[!ttg.memdesc<2x64x16xf16, #shared, #smem, mutable>, !ttg.memdesc<2x64x16xf16, #shared, #smem, mutable>]>
    // UNUSED: nvws.aref.create
    %a = nvws.aref.create %x, %y : !aref
    // CHECK: %buffers:2, %token = nvws.aref.put.enter %[[A]] : <[{{.*}}]> -> !ttg.memdesc<64x16xf16, #shared, #smem, mutable>, !ttg.memdesc<64x16xf16, #shared, #smem, mutable>, !ttg.async.token
    %0:2, %t = nvws.aref.put.enter %a : !aref -> !buffer, !buffer, !ttg.async.token
    // CHECK: nvws.aref.put.exit %[[A]], %token [#nvws.async_op<tma_load>, #nvws.async_op<none>] : <[{{.*}}]>, !ttg.async.token
    nvws.aref.put.exit %a, %t [#nvws.async_op<tma_load>, #nvws.async_op<none>] : !aref, !ttg.async.token
    // CHECK: nvws.aref.get.enter %[[A]][%{{.*}}, %{{.*}}] : <[
    %1:2, %u = nvws.aref.get.enter %a[%stage, %phase] : !aref -> !buffer, !buffer, !ttg.async.token
    // CHECK: nvws.aref.buffer %[[A]], %{{.*}} : <[{{.*}}]>, !ttg.async.token -> !ttg.memdesc<64x16xf16, #shared, #smem, mutable>, !ttg.memdesc
    %2:2 = nvws.aref.buffer %a, %u : !aref, !ttg.async.token -> !buffer, !buffer
    // CHECK: nvws.aref.buffer %[[A]][%{{.*}}], %{{.*}} : <[
    %3:2 = nvws.aref.buffer %a[%stage], %u : !aref, !ttg.async.token -> !buffer, !buffer
    // CHECK: nvws.aref.get.exit %[[A]][%{{.*}}], %{{.*}} [] : <[{{.*}}]>, !ttg.async.token
    nvws.aref.get.exit %a[%stage], %u [] : !aref, !ttg.async.token
    tt.return
  }

  // Left alone: without uses an aref goes, an enter stays.
  // UNUSED-LABEL: @unused
  // UNUSED-NOT: nvws.aref.create
  // UNUSED-NOT: nvws.warp_group
  tt.func @unused(%x: !ring) {
    %a = nvws.aref.create %x : !nvws.aref<[!ring]>
    nvws.warp_group
    partition0 num_warps(4) {
      nvws.warp_group.return
    }
    tt.return
  }

  // CHECK-LABEL: @tokens
  // UNUSED-LABEL: @tokens
  tt.func @tokens(%i: i32, %phase: i1) {
    // CHECK: nvws.create_token {loadType = 1 : i32, numBuffers = 3 : i32} : tensor<3x!nvws.token>
    // UNUSED: nvws.create_token
    %t = nvws.create_token {loadType = 1 : i32, numBuffers = 3 : i32} : tensor<3x!nvws.token>
    // CHECK: nvws.producer_acquire %{{.*}}, %{{.*}}, %{{.*}} : tensor<3x!nvws.token>, i32, i1
    nvws.producer_acquire %t, %i, %phase : tensor<3x!nvws.token>, i32, i1
    // CHECK: nvws.producer_commit %{{.*}}, %{{.*}} : tensor<3x!nvws.token>, i32
    nvws.producer_commit %t, %i : tensor<3x!nvws.token>, i32
    // CHECK: nvws.consumer_wait
    nvws.consumer_wait %t, %i, %phase : tensor<3x!nvws.token>, i32, i1
    // CHECK: nvws.consumer_release
    nvws.consumer_release %t, %i : tensor<3x!nvws.token>, i32
    tt.return
  }

  // CHECK-LABEL: @descriptors
  tt.func @descriptors(%d: !desc, %i: i32, %rows: tensor<64xi32>, %x: !buffer) {
    // CHECK: nvws.descriptor_load %{{.*}}[%{{.*}}, %{{.*}}] 2048 %{{.*}} : !tt.tensordesc<tensor<64x16xf16>>, i32, i32, !ttg.memdesc<64x16xf16, #shared, #smem, mutable>
    nvws.descriptor_load %d[%i, %i] 2048 %x : !desc, i32, i32, !buffer
    // CHECK: nvws.descriptor_load {{.*}} 2048 %{{.*}} cacheModifier = ca evictionPolicy = evict_first :
    nvws.descriptor_load %d[%i, %i] 2048 %x evictionPolicy = evict_first cacheModifier = ca : !desc, i32, i32, !buffer
    // CHECK: nvws.descriptor_gather %{{.*}}[%{{.*}}, %{{.*}}] 2048 %{{.*}} : !tt.tensordesc<tensor<64x16xf16>>, tensor<64xi32>, i32, !ttg.memdesc
    nvws.descriptor_gather %d[%rows, %i] 2048 %x : !desc, tensor<64xi32>, i32, !buffer
    tt.return
  }

  // CHECK-LABEL: @launch_control
  tt.func @launch_control(%answer: !ttg.memdesc<2xi64, #shared1, #smem, mutable>) {
    // CHECK: nvws.clc_try_cancel %{{.*}} : !ttg.memdesc<2xi64
    nvws.clc_try_cancel %answer : !ttg.memdesc<2xi64, #shared1, #smem, mutable>
    tt.return
  }

  // CHECK-LABEL: @groups
  tt.func @groups(%x: i32) -> i32 {
    // CHECK:      %[[R:.*]]:2 = nvws.warp_group attributes {note}
    // CHECK-NEXT: partition0 num_warps(4) {
    // CHECK-NEXT:   nvws.warp_group.yield %{{.*}}, %{{.*}} : i32, i32
    // CHECK-NEXT: }
    // CHECK-NEXT: partition1 num_warps(8) {
    // CHECK-NEXT:   nvws.warp_group.return
    // CHECK-NEXT: }
    // CHECK-NEXT: tt.return %[[R]]#1
    %0:2 = nvws.warp_group attributes {note}
    partition0 num_warps(4) {
      nvws.warp_group.yield %x, %x : i32, i32
    }
    partition1 num_warps(8) {
      nvws.warp_group.return
    }
    tt.return %0#1 : i32
  }

  // CHECK-LABEL: @types
  // CHECK-SAME: !nvws.aref<[!ttg.memdesc<2x64x16xf16, #shared, #smem, mutable>, i32]>
  // CHECK-SAME: !nvws.token
  tt.func @types(%a: !nvws.aref<[!ring, i32]>, %t: !nvws.token) {
    tt.return
  }
}
