// RUN: tt-opt %s --split-input-file --ttkit-start-copies-early | FileCheck %s

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#line = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
#left = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#columns = #ttg.slice<{dim = 0, parent = #mma}>
!square = !ttg.memdesc<64x64xf16, #shared, #smem>
!part = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
!ring = !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>
!bars = !ttg.memdesc<2x1xi64, #line, #smem, mutable>
!bar = !ttg.memdesc<1xi64, #line, #smem, mutable>
!bias = !ttg.memdesc<64xf32, #line, #smem, mutable>
!pointers = tensor<64x64x!tt.ptr<f16>, #rows>
!bias_pointers = tensor<64x!tt.ptr<f32>, #columns>
!sums = tensor<64x64xf32, #mma>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
// Both copies, with what their places are computed from, in their order; what the bias's copy overwrites is read before.
// CHECK-LABEL: @attention
// CHECK: scf.for
// CHECK: ttg.async_wait {{.*}}num = 0
// CHECK: %[[S:.*]] = ttng.warp_group_dot
// CHECK-NEXT: ttg.local_load
// CHECK-NEXT: ttng.warp_group_dot_wait %[[S]]
// CHECK-NEXT: ttg.local_barrier
// CHECK: ttg.memdesc_index %arg1
// CHECK-NEXT: ttg.async_copy_global_to_local
// CHECK-NEXT: ttg.async_commit_group
// CHECK-NEXT: ttg.async_copy_global_to_local %arg3, %arg4
// CHECK-NEXT: ttg.async_commit_group
// CHECK: math.exp2
// CHECK: ttng.warp_group_dot
// CHECK-NEXT: scf.yield
tt.func @attention(%q: !square, %k: !ring, %from: !pointers, %bias_from: !bias_pointers, %bias: !bias, %n: i32) {
  %c-1 = arith.constant -1 : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %zero = arith.constant dense<0.0> : !sums
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %fill = %c0, %take = %c-1) -> (!sums, i32, i32) : i32 {
    %take1 = arith.addi %take, %c1 : i32
    %take2 = arith.cmpi sge, %take1, %c2 : i32
    %taken = arith.select %take2, %c0, %take1 : i32
    %t = ttg.async_wait {num = 0 : i32}
    %part = ttg.memdesc_index %k[%taken] : !ring -> !part
    %s = ttng.warp_group_dot %q, %part, %zero {inputPrecision = 0 : i32, isAsync = true} : !square * !part -> !sums
    %w = ttng.warp_group_dot_wait %s {pendings = 0 : i32} : !sums
    %b = ttg.local_load %bias token %t : !bias -> tensor<64xf32, #columns>
    %b1 = tt.expand_dims %b {axis = 0 : i32} : tensor<64xf32, #columns> -> tensor<1x64xf32, #mma>
    %b2 = tt.broadcast %b1 : tensor<1x64xf32, #mma> -> !sums
    %x = arith.addf %w, %b2 : !sums
    %e = math.exp2 %x : !sums
    %p = arith.truncf %e : !sums to tensor<64x64xf16, #mma>
    %l = ttg.convert_layout %p : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #left>
    %o = ttng.warp_group_dot %l, %part, %sum {inputPrecision = 0 : i32, isAsync = true} : tensor<64x64xf16, #left> * !part -> !sums
    %fill1 = arith.addi %fill, %c1 : i32
    %fill2 = arith.cmpi sge, %fill1, %c2 : i32
    %filled = arith.select %fill2, %c0, %fill1 : i32
    %to = ttg.memdesc_index %k[%filled] : !ring -> !part
    %c = ttg.async_copy_global_to_local %from, %to : !pointers -> <64x64xf16, #shared, #smem, mutable>
    %g = ttg.async_commit_group tokens %c
    %c3 = ttg.async_copy_global_to_local %bias_from, %bias : !bias_pointers -> <64xf32, #line, #smem, mutable>
    %g3 = ttg.async_commit_group tokens %c3
    scf.yield %o, %filled, %taken : !sums, i32, i32
  }
  tt.return
}

// The last product reads the part that the copy overwrites.
// CHECK-LABEL: @same_part
// CHECK-NOT: ttg.local_barrier
// CHECK: tt.return
tt.func @same_part(%q: !square, %k: !ring, %from: !pointers, %n: i32) {
  %c-1 = arith.constant -1 : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %zero = arith.constant dense<0.0> : !sums
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %take = %c-1) -> (!sums, i32) : i32 {
    %take1 = arith.addi %take, %c1 : i32
    %take2 = arith.cmpi sge, %take1, %c2 : i32
    %taken = arith.select %take2, %c0, %take1 : i32
    %t = ttg.async_wait {num = 0 : i32}
    %part = ttg.memdesc_index %k[%taken] : !ring -> !part
    %s = ttng.warp_group_dot %q, %part, %zero {inputPrecision = 0 : i32, isAsync = true} : !square * !part -> !sums
    %w = ttng.warp_group_dot_wait %s {pendings = 0 : i32} : !sums
    %p = arith.truncf %w : !sums to tensor<64x64xf16, #mma>
    %l = ttg.convert_layout %p : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #left>
    %o = ttng.warp_group_dot %l, %part, %sum {inputPrecision = 0 : i32, isAsync = true} : tensor<64x64xf16, #left> * !part -> !sums
    %c = ttg.async_copy_global_to_local %from, %part : !pointers -> <64x64xf16, #shared, #smem, mutable>
    %g = ttg.async_commit_group tokens %c
    scf.yield %o, %taken : !sums, i32
  }
  tt.return
}

// Two copies may still be in flight behind the wait, so they have had an iteration: no need to hurry.
// CHECK-LABEL: @in_flight
// CHECK-NOT: ttg.local_barrier
// CHECK: tt.return
tt.func @in_flight(%q: !square, %k: !ring, %from: !pointers, %other: !part, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sums
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> !sums : i32 {
    %t = ttg.async_wait {num = 2 : i32}
    %part = ttg.memdesc_index %k[%c0] : !ring -> !part
    %s = ttng.warp_group_dot %q, %part, %sum {inputPrecision = 0 : i32, isAsync = true} : !square * !part -> !sums
    %w = ttng.warp_group_dot_wait %s {pendings = 0 : i32} : !sums
    %c = ttg.async_copy_global_to_local %from, %other : !pointers -> <64x64xf16, #shared, #smem, mutable>
    %g = ttg.async_commit_group tokens %c
    scf.yield %w : !sums
  }
  tt.return
}

// What the copy reads may have been stored in the same iteration.
// CHECK-LABEL: @store
// CHECK-NOT: ttg.local_barrier
// CHECK: tt.return
tt.func @store(%q: !square, %k: !part, %from: !pointers, %x: tensor<64x64xf16, #rows>, %other: !part, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sums
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> !sums : i32 {
    %t = ttg.async_wait {num = 0 : i32}
    %s = ttng.warp_group_dot %q, %k, %sum {inputPrecision = 0 : i32, isAsync = true} : !square * !part -> !sums
    %w = ttng.warp_group_dot_wait %s {pendings = 0 : i32} : !sums
    tt.store %from, %x : !pointers
    %c = ttg.async_copy_global_to_local %from, %other : !pointers -> <64x64xf16, #shared, #smem, mutable>
    %g = ttg.async_commit_group tokens %c
    scf.yield %w : !sums
  }
  tt.return
}

// The iteration stores to another tensor than the one that is copied.
// CHECK-LABEL: @store_elsewhere
// CHECK: ttng.warp_group_dot_wait
// CHECK-NEXT: ttg.local_barrier
// CHECK-NEXT: ttg.async_copy_global_to_local
// CHECK-NEXT: ttg.async_commit_group
// CHECK-NEXT: tt.store
// CHECK: tt.return
tt.func @store_elsewhere(%q: !square, %k: !part, %from: !pointers, %out: !pointers, %x: tensor<64x64xf16, #rows>, %other: !part, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sums
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> !sums : i32 {
    %t = ttg.async_wait {num = 0 : i32}
    %s = ttng.warp_group_dot %q, %k, %sum {inputPrecision = 0 : i32, isAsync = true} : !square * !part -> !sums
    %w = ttng.warp_group_dot_wait %s {pendings = 0 : i32} : !sums
    tt.store %out, %x : !pointers
    %c = ttg.async_copy_global_to_local %from, %other : !pointers -> <64x64xf16, #shared, #smem, mutable>
    %g = ttg.async_commit_group tokens %c
    scf.yield %w : !sums
  }
  tt.return
}

// The copy by cp.async has until after the first product anyway, so only the one by TMA moves.
// CHECK-LABEL: @beside_tma
// CHECK: ttng.warp_group_dot_wait
// CHECK-NEXT: ttg.local_barrier
// CHECK-NEXT: ttng.async_tma_copy_global_to_local
// CHECK: ttg.async_wait
// CHECK-NEXT: ttg.local_load
// CHECK-NEXT: ttg.async_copy_global_to_local
// CHECK: tt.return
tt.func @beside_tma(%q: !square, %k: !part, %bar: !bar, %d: !tt.tensordesc<tensor<64x64xf16, #shared>>, %bias_from: !bias_pointers, %bias: !bias, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %yes = arith.constant true
  %zero = arith.constant dense<0.0> : !sums
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> !sums : i32 {
    %s = ttng.warp_group_dot %q, %q, %sum {inputPrecision = 0 : i32, isAsync = true} : !square * !square -> !sums
    %w = ttng.warp_group_dot_wait %s {pendings = 0 : i32} : !sums
    %t = ttg.async_wait {num = 0 : i32}
    %b = ttg.local_load %bias token %t : !bias -> tensor<64xf32, #columns>
    ttng.async_tma_copy_global_to_local %d[%c0, %i] %k, %bar, %yes : !tt.tensordesc<tensor<64x64xf16, #shared>>, !bar -> !part
    %c = ttg.async_copy_global_to_local %bias_from, %bias : !bias_pointers -> <64xf32, #line, #smem, mutable>
    %g = ttg.async_commit_group tokens %c
    scf.yield %w : !sums
  }
  tt.return
}

// TMA fills one part of a ring while a product reads the other, and each has an mbarrier.
// CHECK-LABEL: @tma
// CHECK: ttng.warp_group_dot_wait
// CHECK-NEXT: ttg.local_barrier
// CHECK: ttng.barrier_expect
// CHECK: ttng.async_tma_copy_global_to_local
// CHECK: arith.truncf
// CHECK: ttng.wait_barrier
// CHECK: ttng.warp_group_dot
// CHECK-NOT: ttng.barrier_expect
// CHECK: tt.return
tt.func @tma(%q: !square, %k: !ring, %bars: !bars, %d: !tt.tensordesc<tensor<64x64xf16, #shared>>, %n: i32) {
  %c-1 = arith.constant -1 : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %yes = arith.constant true
  %zero = arith.constant dense<0.0> : !sums
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %fill = %c0, %take = %c-1) -> (!sums, i32, i32) : i32 {
    %take1 = arith.addi %take, %c1 : i32
    %take2 = arith.cmpi sge, %take1, %c2 : i32
    %taken = arith.select %take2, %c0, %take1 : i32
    %part = ttg.memdesc_index %k[%taken] : !ring -> !part
    %s = ttng.warp_group_dot %q, %q, %zero {inputPrecision = 0 : i32, isAsync = true} : !square * !square -> !sums
    %w = ttng.warp_group_dot_wait %s {pendings = 0 : i32} : !sums
    %p = arith.truncf %w : !sums to tensor<64x64xf16, #mma>
    %l = ttg.convert_layout %p : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #left>
    %full = ttg.memdesc_index %bars[%taken] : !bars -> !bar
    ttng.wait_barrier %full, %c0 : !bar
    %o = ttng.warp_group_dot %l, %part, %sum {inputPrecision = 0 : i32, isAsync = true} : tensor<64x64xf16, #left> * !part -> !sums
    %fill1 = arith.addi %fill, %c1 : i32
    %fill2 = arith.cmpi sge, %fill1, %c2 : i32
    %filled = arith.select %fill2, %c0, %fill1 : i32
    %next = ttg.memdesc_index %bars[%filled] : !bars -> !bar
    ttng.barrier_expect %next, 8192, %yes : !bar
    %to = ttg.memdesc_index %k[%filled] : !ring -> !part
    ttng.async_tma_copy_global_to_local %d[%c0, %i] %to, %next, %yes : !tt.tensordesc<tensor<64x64xf16, #shared>>, !bar -> !part
    scf.yield %o, %filled, %taken : !sums, i32, i32
  }
  tt.return
}
}
