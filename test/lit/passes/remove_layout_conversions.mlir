// RUN: tt-opt %s --tritongpu-remove-layout-conversions | FileCheck %s

// Which layouts spread where, and what is computed once more instead of being converted.

// CHECK-DAG: #[[A:.*]] = #ttg.blocked<{sizePerThread = [4],
// CHECK-DAG: #[[B:.*]] = #ttg.blocked<{sizePerThread = [1],
// CHECK-DAG: #[[ROW:.*]] = #ttg.blocked<{sizePerThread = [1, 4],
// CHECK-DAG: #[[COLUMN:.*]] = #ttg.blocked<{sizePerThread = [4, 1],
// CHECK-DAG: #[[MMA:.*]] = #ttg.nvidia_mma

#a = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#row = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#column = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#left = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#right = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {

// The load's layout spreads to the store, and back to the addresses: nothing is converted.
// CHECK-LABEL: @load_to_store(
// CHECK-NOT: ttg.convert_layout
// CHECK: tt.load %{{.*}} : tensor<1024x!tt.ptr<f32>, #[[A]]>
// CHECK: math.exp %{{.*}} : tensor<1024xf32, #[[A]]>
// CHECK: tt.store %{{.*}} : tensor<1024x!tt.ptr<f32>, #[[A]]>
tt.func @load_to_store(%in: !tt.ptr<f32>, %out: !tt.ptr<f32>) {
  %range = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32, #b>
  %base = tt.splat %in : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #b>
  %p = tt.addptr %base, %range : tensor<1024x!tt.ptr<f32>, #b>, tensor<1024xi32, #b>
  %0 = ttg.convert_layout %p : tensor<1024x!tt.ptr<f32>, #b> -> tensor<1024x!tt.ptr<f32>, #a>
  %1 = tt.load %0 : tensor<1024x!tt.ptr<f32>, #a>
  %2 = ttg.convert_layout %1 : tensor<1024xf32, #a> -> tensor<1024xf32, #b>
  %3 = math.exp %2 : tensor<1024xf32, #b>
  %out_base = tt.splat %out : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #b>
  %q = tt.addptr %out_base, %range : tensor<1024x!tt.ptr<f32>, #b>, tensor<1024xi32, #b>
  %4 = ttg.convert_layout %q : tensor<1024x!tt.ptr<f32>, #b> -> tensor<1024x!tt.ptr<f32>, #a>
  %5 = ttg.convert_layout %3 : tensor<1024xf32, #b> -> tensor<1024xf32, #a>
  tt.store %4, %5 : tensor<1024x!tt.ptr<f32>, #a>
  tt.return
}

// Both sides have work for every thread, so both keep their layouts.
// CHECK-LABEL: @transposing_copy_left_alone(
// CHECK-NEXT: tt.load
// CHECK-NEXT: ttg.convert_layout %{{.*}} : tensor<64x64xf32, #[[ROW]]> -> tensor<64x64xf32, #[[COLUMN]]>
// CHECK-NEXT: tt.store
tt.func @transposing_copy_left_alone(%p: tensor<64x64x!tt.ptr<f32>, #row>, %q: tensor<64x64x!tt.ptr<f32>, #column>) {
  %0 = tt.load %p : tensor<64x64x!tt.ptr<f32>, #row>
  %1 = ttg.convert_layout %0 : tensor<64x64xf32, #row> -> tensor<64x64xf32, #column>
  tt.store %q, %1 : tensor<64x64x!tt.ptr<f32>, #column>
  tt.return
}

// Fewer elements than threads: loading them twice is cheap.
// CHECK-LABEL: @few_elements(
// CHECK-NOT: ttg.convert_layout
// CHECK: tt.load %{{.*}} : tensor<64x!tt.ptr<f32>, #[[A]]>
// CHECK: tt.load %{{.*}} : tensor<64x!tt.ptr<f32>, #[[B]]>
tt.func @few_elements(%in: !tt.ptr<f32>, %q: tensor<64x!tt.ptr<f32>, #a>) -> tensor<64xf32, #b> {
  %range = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #b>
  %base = tt.splat %in : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #b>
  %p = tt.addptr %base, %range : tensor<64x!tt.ptr<f32>, #b>, tensor<64xi32, #b>
  %0 = tt.load %p : tensor<64x!tt.ptr<f32>, #b>
  %1 = ttg.convert_layout %0 : tensor<64xf32, #b> -> tensor<64xf32, #a>
  tt.store %q, %1 : tensor<64x!tt.ptr<f32>, #a>
  tt.return %0 : tensor<64xf32, #b>
}

// Through the values that a loop carries.  What the caller gets keeps its layout.
// CHECK-LABEL: @loop(
// CHECK: scf.for {{.*}} -> (tensor<1024xf32, #[[A]]>, tensor<1024x!tt.ptr<f32>, #[[A]]>)
// CHECK-NOT: ttg.convert_layout
// CHECK: scf.yield
// CHECK: }
// CHECK-NEXT: ttg.convert_layout %{{.*}} : tensor<1024xf32, #[[A]]> -> tensor<1024xf32, #[[B]]>
tt.func @loop(%p: tensor<1024x!tt.ptr<f32>, #a>, %n: i32) -> tensor<1024xf32, #b> {
  %zero = arith.constant dense<0.0> : tensor<1024xf32, #b>
  %step = arith.constant dense<1024> : tensor<1024xi32, #b>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %start = ttg.convert_layout %p : tensor<1024x!tt.ptr<f32>, #a> -> tensor<1024x!tt.ptr<f32>, #b>
  %0:2 = scf.for %i = %c0 to %n step %c1
      iter_args(%sum = %zero, %at = %start) -> (tensor<1024xf32, #b>, tensor<1024x!tt.ptr<f32>, #b>) : i32 {
    %1 = ttg.convert_layout %at : tensor<1024x!tt.ptr<f32>, #b> -> tensor<1024x!tt.ptr<f32>, #a>
    %2 = tt.load %1 : tensor<1024x!tt.ptr<f32>, #a>
    %3 = ttg.convert_layout %2 : tensor<1024xf32, #a> -> tensor<1024xf32, #b>
    %4 = arith.addf %sum, %3 : tensor<1024xf32, #b>
    %next = tt.addptr %at, %step : tensor<1024x!tt.ptr<f32>, #b>, tensor<1024xi32, #b>
    scf.yield %4, %next : tensor<1024xf32, #b>, tensor<1024x!tt.ptr<f32>, #b>
  }
  tt.return %0#0 : tensor<1024xf32, #b>
}

// Through both regions of a loop with a condition.
// CHECK-LABEL: @while(
// CHECK-NOT: ttg.convert_layout
// CHECK: scf.while {{.*}} : (i32, tensor<1024xf32, #[[A]]>) -> (i32, tensor<1024xf32, #[[A]]>)
// CHECK-NOT: ttg.convert_layout
// CHECK: tt.store
tt.func @while(%p: tensor<1024x!tt.ptr<f32>, #a>, %q: tensor<1024x!tt.ptr<f32>, #a>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %0 = tt.load %p : tensor<1024x!tt.ptr<f32>, #a>
  %1 = ttg.convert_layout %0 : tensor<1024xf32, #a> -> tensor<1024xf32, #b>
  %2:2 = scf.while (%i = %c0, %x = %1) : (i32, tensor<1024xf32, #b>) -> (i32, tensor<1024xf32, #b>) {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i, %x : i32, tensor<1024xf32, #b>
  } do {
  ^bb0(%i: i32, %x: tensor<1024xf32, #b>):
    %3 = math.sqrt %x : tensor<1024xf32, #b>
    %next = arith.addi %i, %c1 : i32
    scf.yield %next, %3 : i32, tensor<1024xf32, #b>
  }
  %4 = ttg.convert_layout %2#1 : tensor<1024xf32, #b> -> tensor<1024xf32, #a>
  tt.store %q, %4 : tensor<1024x!tt.ptr<f32>, #a>
  tt.return
}

// Through nested conditionals.  The constant is made in the layout of the other branch.
// CHECK-LABEL: @conditional(
// CHECK-NOT: ttg.convert_layout
// CHECK: scf.if %{{.*}} -> (tensor<1024xf32, #[[A]]>)
// CHECK: scf.if %{{.*}} -> (tensor<1024xf32, #[[A]]>)
// CHECK-NOT: ttg.convert_layout
// CHECK: tt.store
tt.func @conditional(%p: tensor<1024x!tt.ptr<f32>, #a>, %q: tensor<1024x!tt.ptr<f32>, #a>, %c: i1, %d: i1) {
  %0 = tt.load %p : tensor<1024x!tt.ptr<f32>, #a>
  %1 = ttg.convert_layout %0 : tensor<1024xf32, #a> -> tensor<1024xf32, #b>
  %2 = scf.if %c -> tensor<1024xf32, #b> {
    %3 = scf.if %d -> tensor<1024xf32, #b> {
      %4 = math.exp %1 : tensor<1024xf32, #b>
      scf.yield %4 : tensor<1024xf32, #b>
    } else {
      scf.yield %1 : tensor<1024xf32, #b>
    }
    scf.yield %3 : tensor<1024xf32, #b>
  } else {
    %zero = arith.constant dense<0.0> : tensor<1024xf32, #b>
    scf.yield %zero : tensor<1024xf32, #b>
  }
  %5 = ttg.convert_layout %2 : tensor<1024xf32, #b> -> tensor<1024xf32, #a>
  tt.store %q, %5 : tensor<1024x!tt.ptr<f32>, #a>
  tt.return
}

// A load's and a product's layout reach the sum: the tensor cores' is taken.
// CHECK-LABEL: @product_before_load(
// CHECK: tt.load
// CHECK-NEXT: ttg.convert_layout %{{.*}} : tensor<64x64xf32, #[[ROW]]> -> tensor<64x64xf32, #[[MMA]]>
// CHECK: arith.addf %{{.*}} : tensor<64x64xf32, #[[MMA]]>
// CHECK-NEXT: math.exp %{{.*}} : tensor<64x64xf32, #[[MMA]]>
// CHECK-NEXT: ttg.convert_layout %{{.*}} : tensor<64x64xf32, #[[MMA]]> -> tensor<64x64xf32, #[[ROW]]>
tt.func @product_before_load(%x: tensor<64x16xf16, #left>, %y: tensor<16x64xf16, #right>,
    %p: tensor<64x64x!tt.ptr<f32>, #row>) -> tensor<64x64xf32, #row> {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %0 = tt.load %p : tensor<64x64x!tt.ptr<f32>, #row>
  %1 = tt.dot %x, %y, %zero : tensor<64x16xf16, #left> * tensor<16x64xf16, #right> -> tensor<64x64xf32, #mma>
  %2 = ttg.convert_layout %1 : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #row>
  %3 = arith.addf %0, %2 : tensor<64x64xf32, #row>
  %4 = math.exp %3 : tensor<64x64xf32, #row>
  tt.return %4 : tensor<64x64xf32, #row>
}

// Through operations that change the shape: each has its own rule.
// CHECK-LABEL: @views(
// CHECK: tt.trans %{{.*}} : tensor<64x64xf32, #[[ROW]]> -> tensor<64x64xf32, #[[COLUMN]]>
// CHECK: }) : (tensor<64x64xf32, #[[COLUMN]]>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #[[COLUMN]]}>>
// CHECK-NEXT: tt.expand_dims %{{.*}} -> tensor<64x1xf32, #[[COLUMN]]>
// CHECK-NEXT: tt.broadcast
// CHECK-NEXT: arith.subf
// CHECK-NEXT: ttg.convert_layout %{{.*}} -> tensor<64xf32, #[[A]]>
// CHECK-NEXT: tt.return
tt.func @views(%p: tensor<64x64x!tt.ptr<f32>, #row>) -> (tensor<64xf32, #a>, tensor<64x64xf32, #column>) {
  %0 = tt.load %p : tensor<64x64x!tt.ptr<f32>, #row>
  %1 = ttg.convert_layout %0 : tensor<64x64xf32, #row> -> tensor<64x64xf32, #column>
  %2 = tt.trans %1 {order = array<i32: 1, 0>} : tensor<64x64xf32, #column> -> tensor<64x64xf32, #row>
  %3 = "tt.reduce"(%2) <{axis = 1 : i32}> ({
  ^bb0(%l: f32, %r: f32):
    %max = arith.maxnumf %l, %r : f32
    tt.reduce.return %max : f32
  }) : (tensor<64x64xf32, #row>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #row}>>
  %4 = tt.expand_dims %3 {axis = 1
      : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #row}>> -> tensor<64x1xf32, #row>
  %5 = tt.broadcast %4 : tensor<64x1xf32, #row> -> tensor<64x64xf32, #row>
  %6 = arith.subf %2, %5 : tensor<64x64xf32, #row>
  %7 = ttg.convert_layout %6 : tensor<64x64xf32, #row> -> tensor<64x64xf32, #column>
  %8 = ttg.convert_layout %3 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #row}>> -> tensor<64xf32, #a>
  tt.return %8, %7 : tensor<64xf32, #a>, tensor<64x64xf32, #column>
}

// Backward through a loop: it carries the sum in the store's layout instead.
// CHECK-LABEL: @loop_of_copies(
// CHECK: tt.make_range {{.*}} : tensor<1024xi32, #[[B]]>
// CHECK-NEXT: scf.for {{.*}} -> (tensor<1024xi32, #[[B]]>)
// CHECK-NEXT: tt.splat
// CHECK-NEXT: arith.addi %{{.*}} : tensor<1024xi32, #[[B]]>
// CHECK-NEXT: tt.store
// CHECK-NEXT: scf.yield
tt.func @loop_of_copies(%x: tensor<1024xi32, #a>, %n: i32, %q: tensor<1024x!tt.ptr<i32>, #b>) {
  %zero = arith.constant dense<0> : tensor<1024xi32, #a>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %range = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32, #a>
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %range) -> (tensor<1024xi32, #a>) : i32 {
    %1 = tt.splat %i : i32 -> tensor<1024xi32, #a>
    %2 = arith.addi %sum, %1 : tensor<1024xi32, #a>
    %3 = ttg.convert_layout %2 : tensor<1024xi32, #a> -> tensor<1024xi32, #b>
    tt.store %q, %3 : tensor<1024x!tt.ptr<i32>, #b>
    scf.yield %2 : tensor<1024xi32, #a>
  }
  tt.return
}

// Five transcendental functions of each element cost more than a conversion of 4 KiB.
// CHECK-LABEL: @costly_left_alone(
// CHECK-COUNT-3: math.exp
// CHECK-NOT: math.exp
// CHECK: ttg.convert_layout
tt.func @costly_left_alone(%x: f32) -> (tensor<1024xf32, #a>, tensor<1024xf32, #b>) {
  %0 = tt.splat %x : f32 -> tensor<1024xf32, #a>
  %r = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32, #a>
  %f = arith.sitofp %r : tensor<1024xi32, #a> to tensor<1024xf32, #a>
  %1 = arith.addf %0, %f : tensor<1024xf32, #a>
  %2 = math.exp %1 : tensor<1024xf32, #a>
  %3 = math.sin %2 : tensor<1024xf32, #a>
  %4 = math.exp %3 : tensor<1024xf32, #a>
  %5 = math.sin %4 : tensor<1024xf32, #a>
  %6 = math.exp %5 : tensor<1024xf32, #a>
  %7 = ttg.convert_layout %6 : tensor<1024xf32, #a> -> tensor<1024xf32, #b>
  tt.return %6, %7 : tensor<1024xf32, #a>, tensor<1024xf32, #b>
}

// A sum of floats is not computed twice: in another order the two could differ.
// CHECK-LABEL: @rounding_left_alone(
// CHECK-COUNT-2: tt.reduce"
// CHECK-NOT: tt.reduce"
// CHECK: ttg.convert_layout
tt.func @rounding_left_alone(%p: tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #row}>>)
    -> (f32, tensor<64xf32, #a>) {
  %0 = tt.load %p : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #row}>>
  %1 = tt.expand_dims %0 {axis = 1
      : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #row}>> -> tensor<64x1xf32, #row>
  %2 = tt.broadcast %1 : tensor<64x1xf32, #row> -> tensor<64x64xf32, #row>
  %3 = "tt.reduce"(%2) <{axis = 1 : i32}> ({
  ^bb0(%l: f32, %r: f32):
    %s = arith.addf %l, %r : f32
    tt.reduce.return %s : f32
  }) : (tensor<64x64xf32, #row>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #row}>>
  %4 = "tt.reduce"(%3) <{axis = 0 : i32}> ({
  ^bb0(%l: f32, %r: f32):
    %s = arith.addf %l, %r : f32
    tt.reduce.return %s : f32
  }) : (tensor<64xf32, #ttg.slice<{dim = 1, parent = #row}>>) -> f32
  %5 = ttg.convert_layout %3 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #row}>> -> tensor<64xf32, #a>
  tt.return %4, %5 : f32, tensor<64xf32, #a>
}

// An atomic operation happens once, in the layout that it has.
// CHECK-LABEL: @atomic(
// CHECK-NEXT: ttg.convert_layout
// CHECK-NEXT: tt.atomic_rmw {{.*}} -> tensor<1024xf32, #[[B]]>
// CHECK-NEXT: ttg.convert_layout
// CHECK-NEXT: tt.return
tt.func @atomic(%p: tensor<1024x!tt.ptr<f32>, #a>, %q: tensor<1024x!tt.ptr<f32>, #b>,
    %x: tensor<1024xf32, #a>) -> tensor<1024xf32, #a> {
  %0 = ttg.convert_layout %x : tensor<1024xf32, #a> -> tensor<1024xf32, #b>
  %1 = tt.atomic_rmw fadd, relaxed, gpu, %q, %0
      : (tensor<1024x!tt.ptr<f32>, #b>, tensor<1024xf32, #b>) -> tensor<1024xf32, #b>
  %2 = ttg.convert_layout %1 : tensor<1024xf32, #b> -> tensor<1024xf32, #a>
  tt.return %2 : tensor<1024xf32, #a>
}

// A scalar result, and an assertion, take any layout.
// CHECK-LABEL: @scalar_and_assert(
// CHECK-NOT: ttg.convert_layout
// CHECK: tt.assert %{{.*}} : tensor<1024xi1, #[[A]]>
// CHECK: }) : (tensor<1024xi32, #[[A]]>) -> i32
tt.func @scalar_and_assert(%p: tensor<1024x!tt.ptr<i32>, #a>) -> i32 {
  %zero = arith.constant dense<0> : tensor<1024xi32, #b>
  %0 = tt.load %p : tensor<1024x!tt.ptr<i32>, #a>
  %1 = ttg.convert_layout %0 : tensor<1024xi32, #a> -> tensor<1024xi32, #b>
  %2 = arith.cmpi sgt, %1, %zero : tensor<1024xi32, #b>
  tt.assert %2, "positive" : tensor<1024xi1, #b>
  %3 = "tt.reduce"(%1) <{axis = 0 : i32}> ({
  ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    tt.reduce.return %s : i32
  }) : (tensor<1024xi32, #b>) -> i32
  tt.return %3 : i32
}

// The result of a gather has the layout of the indices, whatever that of the source.
// CHECK-LABEL: @gather(
// CHECK-NEXT: tt.gather %{{.*}} : (tensor<1024xf32, #[[B]]>, tensor<64xi32, #[[A]]>) -> tensor<64xf32, #[[A]]>
// CHECK-NEXT: tt.return
tt.func @gather(%x: tensor<1024xf32, #b>, %i: tensor<64xi32, #a>) -> tensor<64xf32, #a> {
  %0 = ttg.convert_layout %i : tensor<64xi32, #a> -> tensor<64xi32, #b>
  %1 = tt.gather %x[%0] {axis = 0 : i32} : (tensor<1024xf32, #b>, tensor<64xi32, #b>) -> tensor<64xf32, #b>
  %2 = ttg.convert_layout %1 : tensor<64xf32, #b> -> tensor<64xf32, #a>
  tt.return %2 : tensor<64xf32, #a>
}

tt.func private @callee(%x: tensor<1024xf32, #b>) -> tensor<1024xf32, #b>

// What a function takes and gives keeps its layout.
// CHECK-LABEL: @call(
// CHECK-NEXT: tt.load
// CHECK-NEXT: ttg.convert_layout %{{.*}} -> tensor<1024xf32, #[[B]]>
// CHECK-NEXT: tt.call
// CHECK-NEXT: ttg.convert_layout %{{.*}} -> tensor<1024xf32, #[[A]]>
tt.func @call(%p: tensor<1024x!tt.ptr<f32>, #a>) -> tensor<1024xf32, #a> {
  %0 = tt.load %p : tensor<1024x!tt.ptr<f32>, #a>
  %1 = ttg.convert_layout %0 : tensor<1024xf32, #a> -> tensor<1024xf32, #b>
  %2 = tt.call @callee(%1) : (tensor<1024xf32, #b>) -> tensor<1024xf32, #b>
  %3 = ttg.convert_layout %2 : tensor<1024xf32, #b> -> tensor<1024xf32, #a>
  tt.return %3 : tensor<1024xf32, #a>
}

// A function of several blocks.
// CHECK-LABEL: @blocks(
// CHECK-NOT: ttg.convert_layout
// CHECK: math.exp %{{.*}} : tensor<1024xf32, #[[A]]>
// CHECK-NOT: ttg.convert_layout
// CHECK: tt.store
tt.func @blocks(%p: tensor<1024x!tt.ptr<f32>, #a>, %q: tensor<1024x!tt.ptr<f32>, #a>, %c: i1) {
  %0 = tt.load %p : tensor<1024x!tt.ptr<f32>, #a>
  %1 = ttg.convert_layout %0 : tensor<1024xf32, #a> -> tensor<1024xf32, #b>
  cf.cond_br %c, ^early, ^late
^early:
  tt.return
^late:
  %2 = math.exp %1 : tensor<1024xf32, #b>
  %3 = ttg.convert_layout %2 : tensor<1024xf32, #b> -> tensor<1024xf32, #a>
  tt.store %q, %3 : tensor<1024x!tt.ptr<f32>, #a>
  tt.return
}

// What a group of warps yields can't be computed again: its result is converted.
// CHECK-LABEL: tt.func @specialized
// CHECK: %[[RESULT:.*]] = ttg.warp_specialize
// CHECK: ttg.convert_layout %[[RESULT]] : tensor<1024xf32, #[[B]]> -> tensor<1024xf32, #[[A]]>
tt.func @specialized(%p: tensor<1024x!tt.ptr<f32>, #a>) {
  %0 = arith.constant dense<0.0> : tensor<1024xf32, #b>
  %1 = ttg.warp_specialize()
  default {
    ttg.warp_yield %0 : tensor<1024xf32, #b>
  }
  partition0() num_warps(4) {
    ttg.warp_return
  } : () -> tensor<1024xf32, #b>
  %2 = ttg.convert_layout %1 : tensor<1024xf32, #b> -> tensor<1024xf32, #a>
  tt.store %p, %2 : tensor<1024x!tt.ptr<f32>, #a>
  tt.return
}

// The bound of a loop inside of another matters if it stores.
// CHECK-LABEL: tt.func @carried_bound
// CHECK: scf.for {{.*}} iter_args(%[[MOST:.*]] = %{{.*}}) -> (i32)
// CHECK: scf.for %{{.*}} to %[[MOST]] step
// CHECK: %[[MORE:.*]] = arith.addi %[[MOST]]
// CHECK: scf.yield %[[MORE]]
tt.func @carried_bound(%p: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%most = %n) -> (i32) : i32 {
    scf.for %j = %c0 to %most step %c1 : i32 {
      %1 = tt.addptr %p, %j : !tt.ptr<i32>, i32
      tt.store %1, %i : !tt.ptr<i32>
    }
    %more = arith.addi %most, %c1 : i32
    scf.yield %more : i32
  }
  tt.return
}

// So does what the body of an scf.while yields, and a branch of an scf.index_switch.  What nothing uses goes.
// CHECK-LABEL: tt.func @carried_into_structures
// CHECK: scf.for {{.*}} iter_args(%[[STEP:.*]] = %{{.*}}, %[[CASE:.*]] = %{{.*}}) -> (i32, i32)
// CHECK: arith.addi %{{.*}}, %[[STEP]]
// CHECK: scf.yield %[[CASE]]
// CHECK-NOT: arith.muli
// CHECK: tt.return
tt.func @carried_into_structures(%p: !tt.ptr<i32>, %n: i32, %which: index) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %0:3 = scf.for %i = %c0 to %n step %c1 iter_args(%step = %c1, %case = %c0, %unused = %c1) -> (i32, i32, i32) : i32 {
    %1 = scf.while (%at = %c0) : (i32) -> i32 {
      %2 = arith.cmpi slt, %at, %n : i32
      scf.condition(%2) %at : i32
    } do {
    ^bb0(%at: i32):
      %3 = arith.addi %at, %step : i32
      scf.yield %3 : i32
    }
    %4 = scf.index_switch %which -> i32
    case 0 {
      scf.yield %case : i32
    }
    default {
      scf.yield %1 : i32
    }
    tt.store %p, %4 : !tt.ptr<i32>
    %5 = arith.addi %step, %i : i32
    %6 = arith.subi %case, %i : i32
    %7 = arith.muli %unused, %i : i32
    scf.yield %5, %6, %7 : i32, i32, i32
  }
  tt.return
}
}
