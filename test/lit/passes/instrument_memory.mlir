// RUN: tt-opt %s --split-input-file --ttkit-instrument-memory --canonicalize --cse | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
// A load without a mask, whose pointers count up: the mask that it gets is constant in groups of the same size.
// CHECK-LABEL: @load
// CHECK-SAME: %[[X:.*]]: !tt.ptr<f32>, %[[N:.*]]: i32, %[[TABLE:.*]]: !tt.ptr<i64>
tt.func public @load(%x: !tt.ptr<f32>, %n: i32) -> tensor<128xf32, #b> {
  // CHECK: %[[BASE:.*]] = tt.load %[[TABLE]]
  // CHECK: %[[SIZE:.*]] = tt.load
  // CHECK: %[[P:.*]] = tt.addptr {{.*}} : tensor<128x!tt.ptr<f32>
  %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #b>
  %1 = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #b>
  %2 = tt.addptr %1, %0 : tensor<128x!tt.ptr<f32>, #b>, tensor<128xi32, #b>
  // CHECK: %[[A:.*]] = tt.ptr_to_int %[[P]]
  // CHECK: %[[LAST:.*]] = arith.subi %[[SIZE]], %c4_i64
  // CHECK: %[[INSIDE:.*]] = arith.andi {{.*}}tt.constancy = dense<128>
  // CHECK: %[[OUTSIDE:.*]] = arith.xori %[[INSIDE]]
  // CHECK: tt.atomic_rmw umin, relaxed, gpu, {{.*}}, %[[OUTSIDE]]
  // CHECK: tt.load %[[P]], %[[INSIDE]]
  %3 = tt.load %2 : tensor<128x!tt.ptr<f32>, #b>
  tt.return %3 : tensor<128xf32, #b>
}
}

// -----

// Scalars, stores and atomics; the second pointer has rows 2 and 3 of the table.
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: @scalars
// CHECK-SAME: %[[X:.*]]: !tt.ptr<i32>, %[[Y:.*]]: !tt.ptr<i32>, %[[V:.*]]: i32, %[[TABLE:.*]]: !tt.ptr<i64>
tt.func public @scalars(%x: !tt.ptr<i32>, %y: !tt.ptr<i32>, %v: i32) {
  %true = arith.constant true
  // CHECK: tt.atomic_rmw umin, {{.*}} i64, i1
  // CHECK: tt.store %[[X]], %[[V]], %{{.*}} : !tt.ptr<i32>
  tt.store %x, %v : !tt.ptr<i32>
  // CHECK: tt.atomic_rmw umin
  // CHECK: tt.atomic_rmw add, acq_rel, gpu, %[[Y]], %[[V]], %
  %0 = tt.atomic_rmw add, acq_rel, gpu, %y, %v, %true : (!tt.ptr<i32>, i32, i1) -> i32
  // A compare-and-swap has no mask: it is noted only.
  // CHECK: tt.atomic_rmw umin
  // CHECK: tt.atomic_cas acq_rel, gpu, %[[Y]]
  %1 = tt.atomic_cas acq_rel, gpu, %y, %v, %0 : (!tt.ptr<i32>, i32, i32) -> i32
  tt.return
}
}

// -----

// A pointer that goes around a loop is of its argument; one that is loaded is of none, and is left as it is.
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: @pointers
tt.func public @pointers(%x: !tt.ptr<i32>, %table: !tt.ptr<i64>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // CHECK: scf.for
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x) -> (!tt.ptr<i32>) : i32 {
    // CHECK: tt.atomic_rmw umin
    // CHECK: tt.store %{{.*}}, %{{.*}}, %
    tt.store %p, %i : !tt.ptr<i32>
    %1 = tt.addptr %p, %c1 : !tt.ptr<i32>, i32
    scf.yield %1 : !tt.ptr<i32>
  }
  // CHECK: tt.atomic_rmw umin
  %2 = tt.load %table : !tt.ptr<i64>
  %3 = tt.int_to_ptr %2 : i64 -> !tt.ptr<i32>
  // CHECK: tt.store %{{.*}}, %c1_i32 : !tt.ptr<i32>
  tt.store %3, %c1 : !tt.ptr<i32>
  tt.return
}
}

// -----

// Where pointers change places between turns, none knows the argument; through scf.while, the one is known.
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: @two_buffers
tt.func public @two_buffers(%x: !tt.ptr<i32>, %y: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // CHECK-NOT: tt.atomic_rmw
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x, %q = %y) -> (!tt.ptr<i32>, !tt.ptr<i32>) : i32 {
    tt.store %p, %i : !tt.ptr<i32>
    scf.yield %q, %p : !tt.ptr<i32>, !tt.ptr<i32>
  }
  // CHECK: scf.while
  %1 = scf.while (%p = %y) : (!tt.ptr<i32>) -> !tt.ptr<i32> {
    // CHECK: tt.atomic_rmw umin
    %2 = tt.load %p : !tt.ptr<i32>
    %3 = arith.cmpi slt, %2, %n : i32
    scf.condition(%3) %p : !tt.ptr<i32>
  } do {
  ^bb0(%p: !tt.ptr<i32>):
    %4 = tt.addptr %p, %c1 : !tt.ptr<i32>, i32
    scf.yield %4 : !tt.ptr<i32>
  }
  // CHECK: tt.atomic_rmw umin
  tt.store %1, %n : !tt.ptr<i32>
  tt.return
}
}

// -----

// Functions that are called get no table.
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
// CHECK: tt.func private @called(%{{.*}}: !tt.ptr<i32>) {
tt.func private @called(%x: !tt.ptr<i32>) {
  %c1 = arith.constant 1 : i32
  tt.store %x, %c1 : !tt.ptr<i32>
  tt.return
}
}

// -----

// Blocks by descriptor: of an argument, whose shape and strides are behind it; a block that is outside moves behind the
// shape.
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: @blocks
// CHECK-SAME: %[[DESC:.*]]: !tt.tensordesc<tensor<64x64xf16, #{{.*}}>>, %[[ROWS:.*]]: i32, %{{.*}}: i32, %[[STEP:.*]]: i64, %{{.*}}: i64, %[[I:[a-z0-9]+]]: i32
// CHECK-SAME: %[[PRED:[a-z0-9]+]]: i1
tt.func public @blocks(%desc: !tt.tensordesc<tensor<64x64xf16, #shared>>, %rows: i32, %columns: i32, %step: i64, %one: i64,
    %i: i32, %j: i32, %tile: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>,
    %barrier: !ttg.memdesc<1xi64, #bar, #smem, mutable>, %pred: i1) {
  // CHECK: %[[END:.*]] = arith.addi %{{.*}}, %c64_i64
  // CHECK: arith.minsi %[[END]]
  // CHECK: arith.muli %[[STEP]], %c2_i64
  // CHECK: %[[OUTSIDE:.*]] = arith.andi %{{.*}}, %[[PRED]]
  // CHECK: tt.atomic_rmw umin, relaxed, gpu, %{{.*}}, %{{.*}}, %[[OUTSIDE]]
  // CHECK: %[[AT:.*]] = arith.select %{{.*}}, %[[I]], %[[ROWS]]
  // CHECK: ttng.async_tma_copy_global_to_local %[[DESC]][%[[AT]], %
  ttng.async_tma_copy_global_to_local %desc[%i, %j] %tile, %barrier, %pred
      : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<1xi64, #bar, #smem, mutable>
      -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  tt.return
}
}

// -----

// A block pointer that is an argument isn't checked.
#blocked = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: @block_pointer
// CHECK-NOT: tt.atomic_rmw
// CHECK: tt.return
tt.func public @block_pointer(%block: !tt.ptr<tensor<256xf16, #blocked>>) {
  %x = tt.load %block : !tt.ptr<tensor<256xf16, #blocked>>
  tt.store %block, %x : !tt.ptr<tensor<256xf16, #blocked>>
  tt.return
}
}
