// RUN: tt-opt %s --split-input-file --tritongpu-coalesce | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// CHECK: #[[OLD:.*]] = #ttg.blocked<{sizePerThread = [1], {{.*}}
// CHECK: #[[WIDE:.*]] = #ttg.blocked<{sizePerThread = [8], {{.*}}
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
// Each thread moves 16 bytes, of a store as well; masks and the value for masked-off elements follow.
// CHECK-LABEL: @vector
tt.func public @vector(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %mask: tensor<1024xi1, #blocked>, %other: tensor<1024xf16, #blocked>) {
  %r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked>
  %s = tt.splat %p : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>, #blocked>
  %q = tt.addptr %s, %r : tensor<1024x!tt.ptr<f16>, #blocked>, tensor<1024xi32, #blocked>
  // CHECK: %[[Q:.*]] = ttg.convert_layout %[[P:.*]] : tensor<1024x!tt.ptr<f16>, #[[OLD]]> -> tensor<1024x!tt.ptr<f16>, #[[WIDE]]>
  // CHECK-NEXT: %[[M:.*]] = ttg.convert_layout %arg1
  // CHECK-NEXT: %[[O:.*]] = ttg.convert_layout %arg2
  // CHECK-NEXT: %[[X:.*]] = tt.load %[[Q]], %[[M]], %[[O]] : tensor<1024x!tt.ptr<f16>, #[[WIDE]]>
  // CHECK-NEXT: %[[BACK:.*]] = ttg.convert_layout %[[X]] : tensor<1024xf16, #[[WIDE]]> -> tensor<1024xf16, #[[OLD]]>
  %x = tt.load %q, %mask, %other : tensor<1024x!tt.ptr<f16>, #blocked>
  // CHECK-NEXT: %[[Q2:.*]] = ttg.convert_layout %[[P]]
  // CHECK-NEXT: %[[X2:.*]] = ttg.convert_layout %[[BACK]]
  // CHECK-NEXT: tt.store %[[Q2]], %[[X2]] : tensor<1024x!tt.ptr<f16>, #[[WIDE]]>
  tt.store %q, %x : tensor<1024x!tt.ptr<f16>, #blocked>
  tt.return
}
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK-DAG: #[[COLUMNS:.*]] = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
// CHECK-DAG: #[[NARROW:.*]] = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [2, 2], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
// Neighbouring addresses lie along the first dimension.  A load takes what connected accesses of its shape and order
// take, though its own pointer allows less; a store does not.
// CHECK-LABEL: @columns
tt.func public @columns(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %u: !tt.ptr<f32>, %stride: i32 {tt.divisibility = 16 : i32}) {
  %row = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
  %rows = tt.expand_dims %row {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
  %column = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
  %columns = tt.expand_dims %column {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
  %strides = tt.splat %stride : i32 -> tensor<1x64xi32, #blocked>
  %offset = arith.muli %columns, %strides : tensor<1x64xi32, #blocked>
  %r = tt.broadcast %rows : tensor<64x1xi32, #blocked> -> tensor<64x64xi32, #blocked>
  %o = tt.broadcast %offset : tensor<1x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
  %i = arith.addi %r, %o : tensor<64x64xi32, #blocked>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #blocked>
  %us = tt.splat %u : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #blocked>
  %pi = tt.addptr %ps, %i : tensor<64x64x!tt.ptr<f32>, #blocked>, tensor<64x64xi32, #blocked>
  %ui = tt.addptr %us, %i : tensor<64x64x!tt.ptr<f32>, #blocked>, tensor<64x64xi32, #blocked>
  // CHECK: tt.load {{.*}} : tensor<64x64x!tt.ptr<f32>, #[[COLUMNS]]>
  %x = tt.load %pi : tensor<64x64x!tt.ptr<f32>, #blocked>
  // CHECK: tt.load {{.*}} : tensor<64x64x!tt.ptr<f32>, #[[COLUMNS]]>
  %y = tt.load %ui : tensor<64x64x!tt.ptr<f32>, #blocked>
  %z = arith.addf %x, %y : tensor<64x64xf32, #blocked>
  // CHECK: tt.store {{.*}} : tensor<64x64x!tt.ptr<f32>, #[[NARROW]]>
  tt.store %ui, %z : tensor<64x64x!tt.ptr<f32>, #blocked>
  tt.return
}
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
// Left alone: scalars.  Callees are told what is known of their arguments.
// CHECK-LABEL: @scalars
tt.func public @scalars(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
  // CHECK-NEXT: %[[X:.*]] = tt.load %arg0 : !tt.ptr<f32>
  // CHECK-NEXT: tt.store %arg0, %[[X]] : !tt.ptr<f32>
  %x = tt.load %p : !tt.ptr<f32>
  tt.store %p, %x : !tt.ptr<f32>
  tt.call @callee(%p) : (!tt.ptr<f32>) -> ()
  tt.return
}
// CHECK: @callee(%arg0: !tt.ptr<f32> {tt.constancy = 1 : i64, tt.contiguity = 1 : i64, tt.divisibility = 16 : i64})
tt.func private @callee(%p: !tt.ptr<f32>) {
  tt.return
}
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#rows = #ttg.slice<{dim = 0, parent = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [1, 0]}>}>
// CHECK-DAG: #[[WIDE:.*]] = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
// Edge: blocks that descriptors access lie in rows; row numbers keep the layout that the instruction needs.
// CHECK-LABEL: @descriptors
tt.func public @descriptors(%d: !tt.tensordesc<tensor<32x64xf32>>, %g: !tt.tensordesc<tensor<1x64xf32>>, %i: i32, %r: tensor<32xi32, #rows>) {
  // CHECK-NEXT: tt.descriptor_load {{.*}} -> tensor<32x64xf32, #[[WIDE]]>
  // CHECK-NEXT: ttg.convert_layout
  %x = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<tensor<32x64xf32>> -> tensor<32x64xf32, #blocked>
  // CHECK-NEXT: tt.descriptor_gather %arg1[%arg3, %arg2] : {{.*}} -> tensor<32x64xf32, #[[WIDE]]>
  // CHECK-NEXT: ttg.convert_layout
  %y = tt.descriptor_gather %g[%r, %i] : (!tt.tensordesc<tensor<1x64xf32>>, tensor<32xi32, #rows>, i32) -> tensor<32x64xf32, #blocked>
  // CHECK-NEXT: %[[X:.*]] = ttg.convert_layout
  // CHECK-NEXT: tt.descriptor_store %arg0[%arg2, %arg2], %[[X]]
  tt.descriptor_store %d[%i, %i], %x : !tt.tensordesc<tensor<32x64xf32>>, tensor<32x64xf32, #blocked>
  // CHECK-NEXT: %[[Y:.*]] = ttg.convert_layout
  // CHECK-NEXT: tt.descriptor_scatter %arg1[%arg3, %arg2], %[[Y]]
  tt.descriptor_scatter %g[%r, %i], %y : !tt.tensordesc<tensor<1x64xf32>>, tensor<32xi32, #rows>, i32, tensor<32x64xf32, #blocked>
  tt.return
}
}

// -----

// What all callers know of an argument is written on it, beside the hints that it has.
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: tt.func private @callee
  // CHECK-SAME: !tt.ptr<f32> {tt.constancy = 1 : i64, tt.contiguity = 1 : i64, tt.divisibility = 16 : i64}
  tt.func private @callee(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = true} {
    %r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked>
    %s = tt.splat %p : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
    %q = tt.addptr %s, %r : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
    %x = tt.load %q : tensor<1024x!tt.ptr<f32>, #blocked>
    tt.store %q, %x : tensor<1024x!tt.ptr<f32>, #blocked>
    tt.return
  }
  tt.func public @caller(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    tt.call @callee(%p) : (!tt.ptr<f32>) -> ()
    tt.return
  }
}
