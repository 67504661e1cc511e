// RUN: tt-opt %s --tritongpu-reorder-instructions | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#b1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 2], warpsPerCTA = [4, 1], order = [1, 0]}>
#t = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
#d0 = #ttg.dot_op<{opIdx = 0, parent = #b}>
#d1 = #ttg.dot_op<{opIdx = 1, parent = #b}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {

// A conversion moves behind a buffer that is freed before it is used.
// CHECK-LABEL: @behind_dealloc
tt.func @behind_dealloc(%a: tensor<16x16xf32, #b>, %p: tensor<16x16x!tt.ptr<f32>, #b1>) {
  // CHECK: ttg.local_alloc
  // CHECK-NEXT: ttg.local_load
  // CHECK-NEXT: ttg.local_dealloc
  // CHECK-NEXT: %[[X:.*]] = ttg.convert_layout %arg0
  // CHECK-NEXT: tt.store
  // CHECK-NEXT: tt.store %arg1, %[[X]]
  %m = ttg.local_alloc %a : (tensor<16x16xf32, #b>) -> !ttg.memdesc<16x16xf32, #s, #smem>
  %x = ttg.convert_layout %a : tensor<16x16xf32, #b> -> tensor<16x16xf32, #b1>
  %l = ttg.local_load %m : !ttg.memdesc<16x16xf32, #s, #smem> -> tensor<16x16xf32, #b1>
  ttg.local_dealloc %m : !ttg.memdesc<16x16xf32, #s, #smem>
  tt.store %p, %l : tensor<16x16x!tt.ptr<f32>, #b1>
  tt.store %p, %x : tensor<16x16x!tt.ptr<f32>, #b1>
  tt.return
}

// What copies data moves into the loop that alone uses it.
// CHECK-LABEL: @into_loop
tt.func @into_loop(%a: tensor<16x16xf32, #b>, %c: tensor<16x16xf32, #b>, %n: i32, %m: !ttg.memdesc<16x16xf32, #s, #smem>) -> tensor<16x16xf32, #b> {
  // CHECK: scf.for
  // CHECK-NEXT: %[[L:.*]] = ttg.local_load %arg3
  // CHECK-NEXT: arith.addf %{{.*}}, %[[L]]
  // CHECK-NEXT: %[[X:.*]] = ttg.convert_layout %arg0
  // CHECK-NEXT: %[[Y:.*]] = ttg.convert_layout %arg1
  // CHECK-NEXT: tt.dot %[[X]], %[[Y]]
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = ttg.convert_layout %a : tensor<16x16xf32, #b> -> tensor<16x16xf32, #d0>
  %y = ttg.convert_layout %c : tensor<16x16xf32, #b> -> tensor<16x16xf32, #d1>
  %l = ttg.local_load %m : !ttg.memdesc<16x16xf32, #s, #smem> -> tensor<16x16xf32, #b>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %a) -> tensor<16x16xf32, #b> : i32 {
    %k = arith.addf %acc, %l : tensor<16x16xf32, #b>
    %d = tt.dot %x, %y, %k : tensor<16x16xf32, #d0> * tensor<16x16xf32, #d1> -> tensor<16x16xf32, #b>
    scf.yield %d : tensor<16x16xf32, #b>
  }
  tt.return %r : tensor<16x16xf32, #b>
}

// Left alone: a load of shared memory that the loop writes.
// CHECK-LABEL: @written_in_loop
tt.func @written_in_loop(%a: tensor<16x16xf32, #b>, %n: i32, %m: !ttg.memdesc<16x16xf32, #s, #smem, mutable>) -> tensor<16x16xf32, #b> {
  // CHECK: %[[L:.*]] = ttg.local_load %arg2
  // CHECK-NEXT: scf.for
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %l = ttg.local_load %m : !ttg.memdesc<16x16xf32, #s, #smem, mutable> -> tensor<16x16xf32, #b>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %a) -> tensor<16x16xf32, #b> : i32 {
    %k = arith.addf %acc, %l : tensor<16x16xf32, #b>
    ttg.local_store %k, %m : tensor<16x16xf32, #b> -> !ttg.memdesc<16x16xf32, #s, #smem, mutable>
    scf.yield %k : tensor<16x16xf32, #b>
  }
  tt.return %r : tensor<16x16xf32, #b>
}

// What the loop writes is another buffer: a load of this one moves in.  One whose buffer is freed before stays.
// CHECK-LABEL: @other_buffer_written
tt.func @other_buffer_written(%a: tensor<16x16xf32, #b>, %n: i32, %m: !ttg.memdesc<16x16xf32, #s, #smem, mutable>) -> tensor<16x16xf32, #b> {
  // CHECK: %[[FREED:.*]] = ttg.local_load
  // CHECK-NEXT: ttg.local_dealloc
  // CHECK: scf.for
  // CHECK-NEXT: %[[L:.*]] = ttg.local_load
  // CHECK-NEXT: arith.addf %{{.*}}, %[[L]]
  // CHECK-NEXT: arith.addf %{{.*}}, %[[FREED]]
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %own = ttg.local_alloc %a : (tensor<16x16xf32, #b>) -> !ttg.memdesc<16x16xf32, #s, #smem, mutable>
  %freed = ttg.local_alloc %a : (tensor<16x16xf32, #b>) -> !ttg.memdesc<16x16xf32, #s, #smem, mutable>
  %l = ttg.local_load %own : !ttg.memdesc<16x16xf32, #s, #smem, mutable> -> tensor<16x16xf32, #b>
  %f = ttg.local_load %freed : !ttg.memdesc<16x16xf32, #s, #smem, mutable> -> tensor<16x16xf32, #b>
  ttg.local_dealloc %freed : !ttg.memdesc<16x16xf32, #s, #smem, mutable>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %a) -> tensor<16x16xf32, #b> : i32 {
    %j = arith.addf %acc, %l : tensor<16x16xf32, #b>
    %k = arith.addf %j, %f : tensor<16x16xf32, #b>
    ttg.local_store %k, %m : tensor<16x16xf32, #b> -> !ttg.memdesc<16x16xf32, #s, #smem, mutable>
    scf.yield %k : tensor<16x16xf32, #b>
  }
  tt.return %r : tensor<16x16xf32, #b>
}

// Buffers and transpositions follow what they take; a buffer of equal elements stays.
// CHECK-LABEL: @allocs
tt.func @allocs(%p: tensor<16x16x!tt.ptr<f32>, #b>, %q: f32) {
  // CHECK: %[[A:.*]] = tt.load
  // CHECK-NEXT: tt.trans %[[A]]
  // CHECK-NEXT: ttg.local_alloc %[[A]]
  // CHECK-NEXT: %[[S:.*]] = tt.splat
  // CHECK-NEXT: tt.store
  // CHECK-NEXT: ttg.local_alloc %[[S]]
  %a = tt.load %p : tensor<16x16x!tt.ptr<f32>, #b>
  %s = tt.splat %q : f32 -> tensor<16x16xf32, #b>
  tt.store %p, %s : tensor<16x16x!tt.ptr<f32>, #b>
  %m = ttg.local_alloc %a : (tensor<16x16xf32, #b>) -> !ttg.memdesc<16x16xf32, #s, #smem>
  %n = ttg.local_alloc %s : (tensor<16x16xf32, #b>) -> !ttg.memdesc<16x16xf32, #s, #smem>
  %t = tt.trans %a {order = array<i32: 1, 0>} : tensor<16x16xf32, #b> -> tensor<16x16xf32, #t>
  tt.return
}

// Edge: the second operand of a dot is loaded after the first, unless memory may be written on the way.
// CHECK-LABEL: @second_operand
tt.func @second_operand(%a: !ttg.memdesc<16x16xf32, #s, #smem, mutable>, %b: !ttg.memdesc<16x16xf32, #s, #smem, mutable>, %c: tensor<16x16xf32, #b>, %p: tensor<16x16x!tt.ptr<f32>, #b>) {
  // CHECK: ttg.local_load %arg0
  // CHECK-NEXT: ttg.local_load %arg1
  %y = ttg.local_load %b : !ttg.memdesc<16x16xf32, #s, #smem, mutable> -> tensor<16x16xf32, #d1>
  %x = ttg.local_load %a : !ttg.memdesc<16x16xf32, #s, #smem, mutable> -> tensor<16x16xf32, #d0>
  %d = tt.dot %x, %y, %c : tensor<16x16xf32, #d0> * tensor<16x16xf32, #d1> -> tensor<16x16xf32, #b>
  // CHECK: ttg.local_load %arg1
  // CHECK-NEXT: ttg.local_store
  // CHECK-NEXT: ttg.local_load %arg0
  %y2 = ttg.local_load %b : !ttg.memdesc<16x16xf32, #s, #smem, mutable> -> tensor<16x16xf32, #d1>
  ttg.local_store %d, %b : tensor<16x16xf32, #b> -> !ttg.memdesc<16x16xf32, #s, #smem, mutable>
  %x2 = ttg.local_load %a : !ttg.memdesc<16x16xf32, #s, #smem, mutable> -> tensor<16x16xf32, #d0>
  %d2 = tt.dot %x2, %y2, %c : tensor<16x16xf32, #d0> * tensor<16x16xf32, #d1> -> tensor<16x16xf32, #b>
  tt.store %p, %d2 : tensor<16x16x!tt.ptr<f32>, #b>
  tt.return
}
}
