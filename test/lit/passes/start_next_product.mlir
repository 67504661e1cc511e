// RUN: tt-opt %s --split-input-file --ttkit-start-next-product | FileCheck %s

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#turned = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#line = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
#left = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
!square = !ttg.memdesc<64x64xf16, #shared, #smem>
!part = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
!turned = !ttg.memdesc<64x64xf16, #turned, #smem, mutable>
!ring = !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
!ring2 = !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>
!bars = !ttg.memdesc<3x1xi64, #line, #smem, mutable>
!bar = !ttg.memdesc<1xi64, #line, #smem, mutable>
!pointers = tensor<64x64x!tt.ptr<f32>, #mma>
!loads = tensor<64x64x!tt.ptr<f16>, #rows>
!sums = tensor<64x64xf32, #mma>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
// The next tile's product runs while the update is made; the copies of the iteration come before it.
// CHECK-LABEL: @update
// CHECK: ttg.async_wait {num = 1 : i32}
// CHECK: %[[FIRST:.*]] = ttng.warp_group_dot %arg0
// CHECK: scf.for {{.*}}%[[R:[a-z0-9_]+]] = %[[FIRST]])
// CHECK: ttng.warp_group_dot_wait %[[R]] {pendings = 0 : i32}
// CHECK: %[[D:.*]] = ttng.warp_group_dot %{{.*}}, %arg0, %cst
// CHECK: ttg.async_commit_group
// CHECK: ttg.async_wait {num = 1 : i32}
// CHECK: %[[S:.*]] = ttng.warp_group_dot %arg0
// CHECK-NEXT: %[[E:.*]]:2 = ttng.warp_group_dot_wait %[[D]], %arg0 {pendings = 1 : i32}
// CHECK: tt.atomic_rmw fadd, relaxed, gpu, %{{.*}}, %[[E]]#0
// CHECK-NEXT: scf.yield {{.*}}%[[S]]
// CHECK: ttng.warp_group_dot_wait {{.*}} {pendings = 0 : i32}
tt.func @update(%k: !square, %q: !ring, %from: !loads, %to: !tt.ptr<f32>, %n: i32) {
  %c-1 = arith.constant -1 : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %zero = arith.constant dense<0.0> : !sums
  %all = arith.constant dense<true> : tensor<64x64xi1, #mma>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %fill = %c1, %take = %c-1) -> (!sums, i32, i32) : i32 {
    %take1 = arith.addi %take, %c1 : i32
    %take2 = arith.cmpi sge, %take1, %c3 : i32
    %taken = arith.select %take2, %c0, %take1 : i32
    %t = ttg.async_wait {num = 1 : i32}
    %part = ttg.memdesc_index %q[%taken] : !ring -> !part
    %view = ttg.memdesc_trans %part {order = array<i32: 1, 0>} : !part -> !turned
    %s = ttng.warp_group_dot %k, %view, %zero {inputPrecision = 0 : i32, isAsync = true} : !square * !turned -> !sums
    %w = ttng.warp_group_dot_wait %s {pendings = 0 : i32} : !sums
    %p = arith.truncf %w : !sums to tensor<64x64xf16, #mma>
    %l = ttg.convert_layout %p : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #left>
    %o = ttng.warp_group_dot %l, %part, %sum {inputPrecision = 0 : i32, isAsync = true} : tensor<64x64xf16, #left> * !part -> !sums
    %d = ttng.warp_group_dot %l, %k, %zero {inputPrecision = 0 : i32, isAsync = true} : tensor<64x64xf16, #left> * !square -> !sums
    %e:2 = ttng.warp_group_dot_wait %d, %k {pendings = 0 : i32} : !sums, !square
    %line = tt.addptr %to, %i : !tt.ptr<f32>, i32
    %lines = tt.splat %line : !tt.ptr<f32> -> !pointers
    %u = tt.atomic_rmw fadd, relaxed, gpu, %lines, %e#0, %all : (!pointers, !sums, tensor<64x64xi1, #mma>) -> !sums
    %fill1 = arith.addi %fill, %c1 : i32
    %fill2 = arith.cmpi sge, %fill1, %c3 : i32
    %filled = arith.select %fill2, %c0, %fill1 : i32
    %slot = ttg.memdesc_index %q[%filled] : !ring -> !part
    %copy = ttg.async_copy_global_to_local %from, %slot : !loads -> <64x64xf16, #shared, #smem, mutable>
    %token = ttg.async_commit_group tokens %copy
    scf.yield %o, %filled, %taken : !sums, i32, i32
  }
  %done = ttng.warp_group_dot_wait %r#0 {pendings = 0 : i32} : !sums
  tt.return
}

// With mbarriers, the wait for a tile that does not exist returns at once.
// CHECK-LABEL: @by_tma
// CHECK: %[[ANY:.*]] = arith.cmpi slt, %c0_i32, %arg4
// CHECK: ttng.wait_barrier %{{.*}}, %{{.*}}, %[[ANY]]
// CHECK: ttng.warp_group_dot %arg0
// CHECK: scf.for
// CHECK: %[[LAST:.*]] = arith.subi %arg4, %c1_i32
// CHECK: %[[MORE:.*]] = arith.cmpi slt, %{{.*}}, %[[LAST]]
// CHECK: ttng.wait_barrier %{{.*}}, %{{.*}}, %[[MORE]]
// CHECK: ttng.warp_group_dot %arg0
// CHECK-NEXT: ttng.warp_group_dot_wait
// CHECK: tt.store
// CHECK: scf.yield
tt.func @by_tma(%k: !square, %q: !ring, %bars: !bars, %to: !pointers, %n: i32) {
  %c-1 = arith.constant -1 : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %zero = arith.constant dense<0.0> : !sums
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %take = %c-1, %phase = %c0) -> (!sums, i32, i32) : i32 {
    %take1 = arith.addi %take, %c1 : i32
    %take2 = arith.cmpi sge, %take1, %c3 : i32
    %taken = arith.select %take2, %c0, %take1 : i32
    %other = arith.xori %phase, %c1 : i32
    %next = arith.select %take2, %other, %phase : i32
    %bar = ttg.memdesc_index %bars[%taken] : !bars -> !bar
    ttng.wait_barrier %bar, %next : !bar
    %part = ttg.memdesc_index %q[%taken] : !ring -> !part
    %s = ttng.warp_group_dot %k, %part, %zero {inputPrecision = 0 : i32, isAsync = true} : !square * !part -> !sums
    %w = ttng.warp_group_dot_wait %s {pendings = 0 : i32} : !sums
    %p = arith.truncf %w : !sums to tensor<64x64xf16, #mma>
    %l = ttg.convert_layout %p : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #left>
    %d = ttng.warp_group_dot %l, %k, %zero {inputPrecision = 0 : i32, isAsync = true} : tensor<64x64xf16, #left> * !square -> !sums
    %e:2 = ttng.warp_group_dot_wait %d, %k {pendings = 0 : i32} : !sums, !square
    tt.store %to, %e#0 : !pointers
    scf.yield %sum, %taken, %next : !sums, i32, i32
  }
  tt.return
}

// Two slots: the next tile's copy has just started.
// CHECK-LABEL: @two_slots
// CHECK-NOT: ttng.warp_group_dot
// CHECK: scf.for
// CHECK: {pendings = 0 : i32}
// CHECK-NOT: {pendings = 1 : i32}
// CHECK: tt.return
tt.func @two_slots(%k: !square, %q: !ring2, %to: !pointers, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sums
  scf.for %i = %c0 to %n step %c1 : i32 {
    %t = ttg.async_wait {num = 0 : i32}
    %taken = arith.remsi %i, %c1 : i32
    %part = ttg.memdesc_index %q[%taken] : !ring2 -> !part
    %s = ttng.warp_group_dot %k, %part, %zero {inputPrecision = 0 : i32, isAsync = true} : !square * !part -> !sums
    %w = ttng.warp_group_dot_wait %s {pendings = 0 : i32} : !sums
    %p = arith.truncf %w : !sums to tensor<64x64xf16, #mma>
    %l = ttg.convert_layout %p : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #left>
    %d = ttng.warp_group_dot %l, %k, %zero {inputPrecision = 0 : i32, isAsync = true} : tensor<64x64xf16, #left> * !square -> !sums
    %e:2 = ttng.warp_group_dot_wait %d, %k {pendings = 0 : i32} : !sums, !square
    tt.store %to, %e#0 : !pointers
  }
  tt.return
}

// The loop reads what it stores, and the first wgmma would come before the store.
// CHECK-LABEL: @reads_what_it_stores
// CHECK-NOT: ttng.warp_group_dot
// CHECK: scf.for
// CHECK-NOT: {pendings = 1 : i32}
// CHECK: tt.return
tt.func @reads_what_it_stores(%k: !square, %q: !ring, %to: !pointers, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sums
  scf.for %i = %c0 to %n step %c1 : i32 {
    %t = ttg.async_wait {num = 0 : i32}
    %taken = arith.remsi %i, %c1 : i32
    %part = ttg.memdesc_index %q[%taken] : !ring -> !part
    %s = ttng.warp_group_dot %k, %part, %zero {inputPrecision = 0 : i32, isAsync = true} : !square * !part -> !sums
    %w = ttng.warp_group_dot_wait %s {pendings = 0 : i32} : !sums
    %old = tt.load %to : !pointers
    %p = arith.truncf %w : !sums to tensor<64x64xf16, #mma>
    %l = ttg.convert_layout %p : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #left>
    %d = ttng.warp_group_dot %l, %k, %zero {inputPrecision = 0 : i32, isAsync = true} : tensor<64x64xf16, #left> * !square -> !sums
    %e:2 = ttng.warp_group_dot_wait %d, %k {pendings = 0 : i32} : !sums, !square
    %new = arith.addf %e#0, %old : !sums
    tt.store %to, %new : !pointers
  }
  tt.return
}

// What the next iteration needs comes from the last wgmma.
// CHECK-LABEL: @carried
// CHECK-NOT: ttng.warp_group_dot
// CHECK: scf.for
// CHECK-NOT: {pendings = 1 : i32}
// CHECK: tt.return
tt.func @carried(%k: !square, %q: !ring, %to: !pointers, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sums
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %zero) -> (!sums) : i32 {
    %t = ttg.async_wait {num = 0 : i32}
    %taken = arith.remsi %i, %c1 : i32
    %part = ttg.memdesc_index %q[%taken] : !ring -> !part
    %s = ttng.warp_group_dot %k, %part, %x {inputPrecision = 0 : i32, isAsync = true} : !square * !part -> !sums
    %w = ttng.warp_group_dot_wait %s {pendings = 0 : i32} : !sums
    %p = arith.truncf %w : !sums to tensor<64x64xf16, #mma>
    %l = ttg.convert_layout %p : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #left>
    %d = ttng.warp_group_dot %l, %k, %zero {inputPrecision = 0 : i32, isAsync = true} : tensor<64x64xf16, #left> * !square -> !sums
    %e:2 = ttng.warp_group_dot_wait %d, %k {pendings = 0 : i32} : !sums, !square
    tt.store %to, %e#0 : !pointers
    scf.yield %e#0 : !sums
  }
  tt.return
}

// The next iteration's first wgmma reads what this one stores.
// CHECK-LABEL: @shared_state
// CHECK-NOT: ttng.warp_group_dot
// CHECK: scf.for
// CHECK-NOT: {pendings = 1 : i32}
// CHECK: tt.return
tt.func @shared_state(%k: !square, %q: !ring, %to: !pointers, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sums
  %state = ttg.local_alloc : () -> !part
  scf.for %i = %c0 to %n step %c1 : i32 {
    %t = ttg.async_wait {num = 0 : i32}
    %taken = arith.remsi %i, %c1 : i32
    %part = ttg.memdesc_index %q[%taken] : !ring -> !part
    %s = ttng.warp_group_dot %state, %part, %zero {inputPrecision = 0 : i32, isAsync = true} : !part * !part -> !sums
    %w = ttng.warp_group_dot_wait %s {pendings = 0 : i32} : !sums
    %p = arith.truncf %w : !sums to tensor<64x64xf16, #mma>
    %l = ttg.convert_layout %p : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #left>
    %d = ttng.warp_group_dot %l, %k, %zero {inputPrecision = 0 : i32, isAsync = true} : tensor<64x64xf16, #left> * !square -> !sums
    %e:2 = ttng.warp_group_dot_wait %d, %k {pendings = 0 : i32} : !sums, !square
    %h = arith.truncf %e#0 : !sums to tensor<64x64xf16, #mma>
    ttg.local_store %h, %state : tensor<64x64xf16, #mma> -> !part
    tt.store %to, %e#0 : !pointers
  }
  tt.return
}
}
