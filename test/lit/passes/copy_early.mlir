// RUN: tt-opt %s --ttkit-copy-early | FileCheck %s

#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#turned = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [0, 1]}>
#smem = #ttg.shared_memory
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
!tile = tensor<64x64xf16, #rows>
!at = tensor<64x64x!tt.ptr<f16>, #rows>
!mask = tensor<64x64xi1, #rows>
!steps = tensor<64x64xi32, #rows>
!lhs = tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
!rhs = tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
!sums = tensor<64x64xf32, #mma>
!buffer = !ttg.memdesc<64x64xf16, #shared, #smem>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
// Both copies are in flight at once; each is waited for where its buffer is read.
// CHECK-LABEL: @both
// CHECK: %[[SA:.*]] = ttg.local_alloc : () -> {{.*}}mutable>
// CHECK: %[[A:.*]] = ttg.async_copy_global_to_local {{.*}}, %[[SA]]
// CHECK: %[[GA:.*]] = ttg.async_commit_group tokens %[[A]]
// CHECK: %[[SB:.*]] = ttg.local_alloc
// CHECK: %[[B:.*]] = ttg.async_copy_global_to_local {{.*}}, %[[SB]]
// CHECK: %[[GB:.*]] = ttg.async_commit_group tokens %[[B]]
// CHECK: ttg.async_wait %[[GA]] {num = 1 : i32}
// CHECK: ttg.local_load %[[SA]]
// CHECK: ttg.async_wait %[[GB]] {num = 0 : i32}
// CHECK: ttg.local_load %[[SB]]
tt.func @both(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32) -> !sums {
  %zero = arith.constant dense<0.0> : !sums
  %c64 = arith.constant dense<64> : tensor<64x1xi32, #rows>
  %row = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #rows}>>
  %column = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #rows}>>
  %rows = tt.expand_dims %row {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #rows}>> -> tensor<64x1xi32, #rows>
  %columns = tt.expand_dims %column {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #rows}>> -> tensor<1x64xi32, #rows>
  %first = arith.muli %rows, %c64 : tensor<64x1xi32, #rows>
  %x0 = tt.broadcast %first : tensor<64x1xi32, #rows> -> !steps
  %x1 = tt.broadcast %columns : tensor<1x64xi32, #rows> -> !steps
  %index = arith.addi %x0, %x1 : !steps
  %base = tt.splat %p : !tt.ptr<f16> -> !at
  %pa = tt.addptr %base, %index : !at, !steps
  %a = tt.load %pa : !at
  %sa = ttg.local_alloc %a : (!tile) -> !buffer
  %x = ttg.local_load %sa : !buffer -> !lhs
  %pb = tt.addptr %pa, %index : !at, !steps
  %pc = tt.addptr %base, %index : !at, !steps
  %b = tt.load %pc : !at
  %sb = ttg.local_alloc %b : (!tile) -> !buffer
  %y = ttg.local_load %sb : !buffer -> !rhs
  %d = tt.dot %x, %y, %zero : !lhs * !rhs -> !sums
  tt.return %d : !sums
}

// Not: another user, an address of which single elements are contiguous, other values than zero.
// CHECK-LABEL: @not
// CHECK-NOT: ttg.async_copy_global_to_local
// CHECK: tt.return
tt.func @not(%pa: !at, %mask: !mask) -> (!sums, !tile) {
  %zero = arith.constant dense<0.0> : !sums
  %one = arith.constant dense<1.0> : !tile
  %a = tt.load %pa : !at
  %sa = ttg.local_alloc %a : (!tile) -> !buffer
  %x = ttg.local_load %sa : !buffer -> !lhs
  %b = tt.load %pa, %mask, %one : !at
  %sb = ttg.local_alloc %b : (!tile) -> !buffer
  %y = ttg.local_load %sb : !buffer -> !rhs
  %d = tt.dot %x, %y, %zero : !lhs * !rhs -> !sums
  tt.return %d, %a : !sums, !tile
}

// Not in a loop whose tensors fit into registers.
// CHECK-LABEL: @repeated
// CHECK-NOT: ttg.async_copy_global_to_local
// CHECK: tt.return
tt.func @repeated(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32) -> !sums {
  %zero = arith.constant dense<0.0> : !sums
  %row = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #rows}>>
  %columns = tt.expand_dims %row {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #rows}>> -> tensor<1x64xi32, #rows>
  %index = tt.broadcast %columns : tensor<1x64xi32, #rows> -> !steps
  %base = tt.splat %p : !tt.ptr<f16> -> !at
  %pa = tt.addptr %base, %index : !at, !steps
  %r = scf.for %i = %n to %n step %n iter_args(%sum = %zero) -> (!sums) : i32 {
    %a = tt.load %pa : !at
    %sa = ttg.local_alloc %a : (!tile) -> !buffer
    %x = ttg.local_load %sa : !buffer -> !lhs
    %b = tt.load %pa : !at
    %sb = ttg.local_alloc %b : (!tile) -> !buffer
    %y = ttg.local_load %sb : !buffer -> !rhs
    %d = tt.dot %x, %y, %sum : !lhs * !rhs -> !sums
    scf.yield %d : !sums
  }
  tt.return %r : !sums
}

// Not where shared memory has no room for all buffers at once.
// CHECK-LABEL: @full
// CHECK-NOT: ttg.async_copy_global_to_local
// CHECK: tt.return
tt.func @full(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}) -> !sums {
  %zero = arith.constant dense<0.0> : !sums
  %large = ttg.local_alloc : () -> !ttg.memdesc<640x128xf16, #shared, #smem, mutable>
  ttg.local_dealloc %large : !ttg.memdesc<640x128xf16, #shared, #smem, mutable>
  %row = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #rows}>>
  %columns = tt.expand_dims %row {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #rows}>> -> tensor<1x64xi32, #rows>
  %index = tt.broadcast %columns : tensor<1x64xi32, #rows> -> !steps
  %base = tt.splat %p : !tt.ptr<f16> -> !at
  %pa = tt.addptr %base, %index : !at, !steps
  %a = tt.load %pa : !at
  %sa = ttg.local_alloc %a : (!tile) -> !buffer
  %x = ttg.local_load %sa : !buffer -> !lhs
  %y = ttg.local_load %sa : !buffer -> !rhs
  %d = tt.dot %x, %y, %zero : !lhs * !rhs -> !sums
  tt.return %d : !sums
}

// Partitions take a copied buffer as the mutable one that it has become.
// CHECK-LABEL: @captured
// CHECK: %[[BUFFER:.*]] = ttg.local_alloc : () -> {{.*}}mutable>
// CHECK: ttg.async_copy_global_to_local {{.*}}, %[[BUFFER]]
// CHECK: ttg.async_wait
// CHECK-NEXT: ttg.warp_specialize(%[[BUFFER]])
// CHECK: partition0(%[[CAPTURED:.*]]: !ttg.memdesc<64x64xf16, #{{.*}}, #smem, mutable>)
// CHECK: ttg.memdesc_trans %[[CAPTURED]] {{.*}} -> {{.*}}mutable>
tt.func @captured(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}) {
  %row = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #rows}>>
  %columns = tt.expand_dims %row {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #rows}>> -> tensor<1x64xi32, #rows>
  %index = tt.broadcast %columns : tensor<1x64xi32, #rows> -> !steps
  %base = tt.splat %p : !tt.ptr<f16> -> !at
  %pa = tt.addptr %base, %index : !at, !steps
  %a = tt.load %pa : !at
  %sa = ttg.local_alloc %a : (!tile) -> !buffer
  ttg.warp_specialize(%sa)
  default {
    ttg.warp_yield
  }
  partition0(%s: !buffer) num_warps(4) {
    %zero = arith.constant dense<0.0> : !sums
    %x = ttg.local_load %s : !buffer -> !lhs
    %t = ttg.memdesc_trans %s {order = array<i32: 1, 0>} : !buffer -> !ttg.memdesc<64x64xf16, #turned, #smem>
    %y = ttg.local_load %t : !ttg.memdesc<64x64xf16, #turned, #smem> -> !rhs
    %d = tt.dot %x, %y, %zero : !lhs * !rhs -> !sums
    ttg.warp_return
  } : (!buffer) -> ()
  tt.return
}

// Not where a loop or a select passes the buffer on.
// CHECK-LABEL: @carried
// CHECK-NOT: ttg.async_copy_global_to_local
// CHECK: tt.return
tt.func @carried(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32, %c: i1) -> !sums {
  %zero = arith.constant dense<0.0> : !sums
  %row = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #rows}>>
  %columns = tt.expand_dims %row {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #rows}>> -> tensor<1x64xi32, #rows>
  %index = tt.broadcast %columns : tensor<1x64xi32, #rows> -> !steps
  %base = tt.splat %p : !tt.ptr<f16> -> !at
  %pa = tt.addptr %base, %index : !at, !steps
  %a = tt.load %pa : !at
  %sa = ttg.local_alloc %a : (!tile) -> !buffer
  %b = tt.load %pa : !at
  %sb = ttg.local_alloc %b : (!tile) -> !buffer
  %r:3 = scf.for %i = %n to %n step %n iter_args(%sum = %zero, %u = %sa, %v = %sb) -> (!sums, !buffer, !buffer) : i32 {
    %x = ttg.local_load %u : !buffer -> !lhs
    %y = ttg.local_load %v : !buffer -> !rhs
    %d = tt.dot %x, %y, %sum : !lhs * !rhs -> !sums
    scf.yield %d, %v, %u : !sums, !buffer, !buffer
  }
  tt.return %r#0 : !sums
}

// CHECK-LABEL: @chosen
// CHECK-NOT: ttg.async_copy_global_to_local
// CHECK: tt.return
tt.func @chosen(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32, %c: i1) -> !sums {
  %zero = arith.constant dense<0.0> : !sums
  %row = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #rows}>>
  %columns = tt.expand_dims %row {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #rows}>> -> tensor<1x64xi32, #rows>
  %index = tt.broadcast %columns : tensor<1x64xi32, #rows> -> !steps
  %base = tt.splat %p : !tt.ptr<f16> -> !at
  %pa = tt.addptr %base, %index : !at, !steps
  %a = tt.load %pa : !at
  %sa = ttg.local_alloc %a : (!tile) -> !buffer
  %b = tt.load %pa : !at
  %sb = ttg.local_alloc %b : (!tile) -> !buffer
  %s = arith.select %c, %sa, %sb : !buffer
  %x = ttg.local_load %s : !buffer -> !lhs
  %y = ttg.local_load %sb : !buffer -> !rhs
  %d = tt.dot %x, %y, %zero : !lhs * !rhs -> !sums
  tt.return %d : !sums
}
}
