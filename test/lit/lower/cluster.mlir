// RUN: tt-opt %s --allocate-shared-memory-nv=compute-capability=90 --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87" --canonicalize --cse | FileCheck %s

#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[1, 0]]}>
#columns = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[0, 1]]}>
#all = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[0, 0]]}>
#half = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0], CGALayout = [[1, 0]]}>
#whole = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0], CGALayout = [[0, 0]]}>
#each = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#smem = #ttg.shared_memory
#product = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], CGALayout = [[0, 1]], instrShape = [16, 64, 16]}>
#left = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16, CGALayout = [[0, 0]]}>
#right = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = true, elementBitWidth = 16, CGALayout = [[0, 0]]}>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CTA 0 arrives at the barriers of both, thread t at that of CTA t; then each CTA does.
  // CHECK-LABEL: llvm.func @arrive_for_others
  tt.func public @arrive_for_others(%b: !ttg.memdesc<2xi64, #each, #smem, mutable>, %true: i1) {
    // CHECK-DAG: %[[TWO:.*]] = llvm.mlir.constant(2 : i32)
    // CHECK-DAG: %[[ONE:.*]] = llvm.mlir.constant(1 : i32)
    // CHECK: %[[FEW:.*]] = llvm.icmp "ult" %[[THREAD:.*]], %[[TWO]]
    // CHECK: %[[BIT:.*]] = llvm.and %[[CTA:.*]], %[[ONE]]
    // CHECK: %[[FIRST:.*]] = llvm.icmp "eq" %[[BIT]], %{{.*}}
    // CHECK: llvm.and %[[FEW]], %[[FIRST]]
    // CHECK: nvvm.mapa
    // CHECK: "@$0 mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [$1], 16;", "b,l"
    ttng.barrier_expect %b, 16 {fromCTA = 0 : i32}, %true : !ttg.memdesc<2xi64, #each, #smem, mutable>
    // CHECK: nvvm.mapa
    // CHECK: "@$0 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [$1], 3;", "b,l"
    ttng.arrive_barrier %b, 3 {multicastCTA = 1 : i32} : !ttg.memdesc<2xi64, #each, #smem, mutable>
    // CHECK-NOT: nvvm.mapa
    // CHECK: "@$0 mbarrier.arrive.shared::cta.b64 _, [$1], 1;", "b,r"
    ttng.arrive_barrier %b, 1 {fromCTA = 1 : i32} : !ttg.memdesc<2xi64, #each, #smem, mutable>
    tt.return
  }

  // CHECK-LABEL: llvm.func @meet
  // CHECK-SAME: nvvm.cluster_dim = array<i32: 2, 1, 1>
  tt.func public @meet() {
    // CHECK: nvvm.cluster.arrive {aligned}
    ttng.cluster_arrive {relaxed = false}
    // CHECK: nvvm.cluster.arrive.relaxed {aligned}
    ttng.cluster_arrive {relaxed = true}
    // CHECK: nvvm.cluster.wait {aligned}
    ttng.cluster_wait
    // CHECK: nvvm.cluster.arrive {aligned}
    // CHECK-NEXT: nvvm.cluster.wait {aligned}
    ttng.cluster_barrier
    tt.return
  }

  // As Triton writes barriers since 3.7: one for each CTA, each in its own memory.
  // CHECK-LABEL: llvm.func @barrier_of_each
  tt.func public @barrier_of_each() {
    %0 = ttg.local_alloc : () -> !ttg.memdesc<2xi64, #each, #smem, mutable>
    // CHECK-COUNT-1: mbarrier.init
    // CHECK-NOT: mbarrier.init
    ttng.init_barrier %0, 1 : !ttg.memdesc<2xi64, #each, #smem, mutable>
    tt.return
  }

  // Each stores what it has in its own memory, loads from both, and stays until the other has loaded.
  // CHECK-LABEL: llvm.func @convert
  tt.func public @convert(%x: tensor<64x64xf32, #rows>, %p: tensor<64x64x!tt.ptr<f32>, #columns>) {
    // CHECK: nvg.cluster_id
    // CHECK: llvm.store {{.*}} !llvm.ptr<3>
    // CHECK-NOT: mapa
    // CHECK: nvvm.cluster.arrive
    // CHECK: nvvm.cluster.wait
    // CHECK: nvvm.mapa %{{.*}} : !llvm.ptr<3> -> !llvm.ptr<7>
    // CHECK: llvm.load {{.*}} : !llvm.ptr<7>
    // CHECK: nvvm.cluster.arrive
    // CHECK: nvvm.cluster.wait
    %y = ttg.convert_layout %x : tensor<64x64xf32, #rows> -> tensor<64x64xf32, #columns>
    tt.store %p, %y : tensor<64x64x!tt.ptr<f32>, #columns>
    tt.return
  }

  // What both have needs nothing of the other.
  // CHECK-LABEL: llvm.func @convert_copies
  tt.func public @convert_copies(%x: tensor<64x64xf32, #all>, %p: tensor<64x64x!tt.ptr<f32>, #columns>) {
    // CHECK-NOT: nvvm.cluster.arrive
    // CHECK-NOT: mapa
    // CHECK: llvm.return
    %y = ttg.convert_layout %x : tensor<64x64xf32, #all> -> tensor<64x64xf32, #columns>
    tt.store %p, %y : tensor<64x64x!tt.ptr<f32>, #columns>
    tt.return
  }

  // Of 64 rows each CTA has half: both results are added, in the same order in both.
  // CHECK-LABEL: llvm.func @reduce
  tt.func public @reduce(%x: tensor<64x64xf32, #rows>, %p: tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #rows}>>) {
    // CHECK: llvm.store {{.*}}, !llvm.ptr<3>
    // CHECK: nvvm.cluster.wait
    // CHECK: %[[FIRST:.*]] = nvvm.mapa
    // CHECK: llvm.load {{.*}} : !llvm.ptr<7> -> vector<4xf32>
    // CHECK: nvvm.mapa
    // CHECK: llvm.load {{.*}} : !llvm.ptr<7> -> vector<4xf32>
    // CHECK: nvvm.cluster.wait
    // CHECK: llvm.fadd
    %0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %1 = arith.addf %a, %b : f32
      tt.reduce.return %1 : f32
    }) : (tensor<64x64xf32, #rows>) -> tensor<64xf32, #ttg.slice<{dim = 0, parent = #rows}>>
    tt.store %p, %0 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #rows}>>
    tt.return
  }

  // One thread of the cluster acts; the others get its result from its CTA.
  // CHECK-LABEL: llvm.func @atomic
  tt.func public @atomic(%p: !tt.ptr<i32>, %v: i32, %q: !tt.ptr<i32>) {
    // CHECK: atom.global
    // CHECK: st.shared
    // CHECK: nvvm.cluster.wait
    // CHECK: nvvm.mapa
    // CHECK: llvm.load {{.*}} : !llvm.ptr<7> -> i32
    // CHECK: nvvm.cluster.wait
    %0 = tt.atomic_rmw add, acq_rel, gpu, %p, %v : (!tt.ptr<i32>, i32) -> i32
    tt.store %q, %0 : !tt.ptr<i32>
    tt.return
  }

  // Edge: an index may point into either CTA.
  // CHECK-LABEL: llvm.func @gather
  tt.func public @gather(%x: tensor<64x64xf32, #rows>, %i: tensor<64x64xi32, #rows>, %p: tensor<64x64x!tt.ptr<f32>, #rows>) {
    // CHECK: nvvm.cluster.wait
    // CHECK: nvvm.mapa
    // CHECK: nvvm.cluster.wait
    %0 = tt.gather %x[%i] {axis = 0 : i32} : (tensor<64x64xf32, #rows>, tensor<64x64xi32, #rows>) -> tensor<64x64xf32, #rows>
    tt.store %p, %0 : tensor<64x64x!tt.ptr<f32>, #rows>
    tt.return
  }

  // Of several buffers, each of 64 by 64 elements, a CTA has half of each: the next begins 2048 elements further.
  // CHECK-LABEL: llvm.func @index_half
  tt.func public @index_half(%n: i32) -> tensor<64x64xf32, #rows> {
    // CHECK: %[[SIZE:.*]] = llvm.mlir.constant(2048 : i32)
    // CHECK: llvm.mul %arg0, %[[SIZE]] : i32
    %m = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf32, #half, #smem, mutable>
    %v = ttg.memdesc_index %m[%n] : !ttg.memdesc<3x64x64xf32, #half, #smem, mutable> -> !ttg.memdesc<64x64xf32, #half, #smem, mutable>
    %0 = ttg.local_load %v : !ttg.memdesc<64x64xf32, #half, #smem, mutable> -> tensor<64x64xf32, #rows>
    tt.return %0 : tensor<64x64xf32, #rows>
  }

  // Edge: where each CTA has all, 4096.
  // CHECK-LABEL: llvm.func @index_whole
  tt.func public @index_whole(%n: i32) -> tensor<64x64xf32, #all> {
    // CHECK: %[[SIZE:.*]] = llvm.mlir.constant(4096 : i32)
    // CHECK: llvm.mul %arg0, %[[SIZE]] : i32
    %m = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf32, #whole, #smem, mutable>
    %v = ttg.memdesc_index %m[%n] : !ttg.memdesc<3x64x64xf32, #whole, #smem, mutable> -> !ttg.memdesc<64x64xf32, #whole, #smem, mutable>
    %0 = ttg.local_load %v : !ttg.memdesc<64x64xf32, #whole, #smem, mutable> -> tensor<64x64xf32, #all>
    tt.return %0 : tensor<64x64xf32, #all>
  }

  // Each computes half the columns of the result, of a second operand that both have whole.
  // CHECK-LABEL: llvm.func @columns_of_a_whole_operand
  tt.func public @columns_of_a_whole_operand(%c: tensor<64x128xf32, #product>) -> tensor<64x128xf32, #product> {
    // CHECK: %[[CTA:.*]] = nvg.cluster_id
    // CHECK: llvm.shl %[[CTA]], %{{.*}} : i32
    // CHECK: wgmma.mma_async
    %a = ttg.local_alloc : () -> !ttg.memdesc<64x16xf16, #left, #smem, mutable>
    %b = ttg.local_alloc : () -> !ttg.memdesc<16x128xf16, #right, #smem, mutable>
    %d = ttng.warp_group_dot %a, %b, %c : !ttg.memdesc<64x16xf16, #left, #smem, mutable> * !ttg.memdesc<16x128xf16, #right, #smem, mutable> -> tensor<64x128xf32, #product>
    tt.return %d : tensor<64x128xf32, #product>
  }
}
