// RUN: tt-opt %s --split-input-file --tritongpu-prefetch | FileCheck %s

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
#s = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
// The first slice of 16 comes from the iteration before; the last product waits for the loads of the next first slice.
// CHECK-LABEL: @carried
// CHECK: %[[V:.*]] = ttg.memdesc_subslice %{{.*}}[0, 0] : {{.*}} -> !ttg.memdesc<64x16xf16
// CHECK: %[[A0:.*]] = ttg.local_load %[[V]]
// CHECK: ttg.memdesc_subslice %{{.*}}[0, 0] : {{.*}} -> !ttg.memdesc<16x64xf16
// CHECK: scf.for {{.*}} iter_args(%[[ACC:.*]] = %arg2, %[[M:.*]] = %{{.*}}, %{{.*}} = %{{.*}}, %[[X:.*]] = %[[A0]], %[[Y:.*]] = %{{.*}})
// CHECK: ttg.memdesc_subslice %[[M]][0, 16]
// CHECK: %[[D0:.*]] = tt.dot %[[X]], %[[Y]], %[[ACC]]
// CHECK: ttg.memdesc_subslice %[[M]][0, 32]
// CHECK: %[[D1:.*]] = tt.dot %{{.*}}, %{{.*}}, %[[D0]]
// CHECK: ttg.memdesc_subslice %[[M]][0, 48]
// CHECK: %[[D2:.*]] = tt.dot %{{.*}}, %{{.*}}, %[[D1]]
// CHECK: %[[NEXT:.*]] = ttg.memdesc_index %arg0
// CHECK: ttg.memdesc_subslice %[[NEXT]][0, 0]
// CHECK: %[[D3:.*]] = tt.dot %{{.*}}, %{{.*}}, %[[D2]]
// CHECK: scf.yield %[[D3]],
// CHECK-NOT: tt.num_stages
tt.func @carried(%x: !ttg.memdesc<2x64x64xf16, #s, #smem, mutable>, %y: !ttg.memdesc<2x64x64xf16, #s, #smem, mutable>, %init: tensor<64x64xf32, #mma>, %n: i32) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x0 = ttg.memdesc_index %x[%c0] : !ttg.memdesc<2x64x64xf16, #s, #smem, mutable> -> !ttg.memdesc<64x64xf16, #s, #smem, mutable>
  %y0 = ttg.memdesc_index %y[%c0] : !ttg.memdesc<2x64x64xf16, #s, #smem, mutable> -> !ttg.memdesc<64x64xf16, #s, #smem, mutable>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %init, %p = %x0, %q = %y0) -> (tensor<64x64xf32, #mma>, !ttg.memdesc<64x64xf16, #s, #smem, mutable>, !ttg.memdesc<64x64xf16, #s, #smem, mutable>) : i32 {
    %l = ttg.local_load %p : !ttg.memdesc<64x64xf16, #s, #smem, mutable> -> tensor<64x64xf16, #a>
    %m = ttg.local_load %q : !ttg.memdesc<64x64xf16, #s, #smem, mutable> -> tensor<64x64xf16, #b>
    %d = tt.dot %l, %m, %acc : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #mma>
    %j = arith.addi %i, %c1 : i32
    %k = arith.remsi %j, %c1 : i32
    %p1 = ttg.memdesc_index %x[%k] : !ttg.memdesc<2x64x64xf16, #s, #smem, mutable> -> !ttg.memdesc<64x64xf16, #s, #smem, mutable>
    %q1 = ttg.memdesc_index %y[%k] : !ttg.memdesc<2x64x64xf16, #s, #smem, mutable> -> !ttg.memdesc<64x64xf16, #s, #smem, mutable>
    scf.yield %d, %p1, %q1 : tensor<64x64xf32, #mma>, !ttg.memdesc<64x64xf16, #s, #smem, mutable>, !ttg.memdesc<64x64xf16, #s, #smem, mutable>
  } {tt.num_stages = 3 : i32}
  tt.return %r#0 : tensor<64x64xf32, #mma>
}
}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
#s = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
// The cast goes along with each slice.  The last product comes before what uses its result.
// CHECK-LABEL: @cast
// CHECK: %[[L:.*]] = ttg.local_load %{{.*}} -> tensor<64x16xi8
// CHECK: arith.sitofp %[[L]] : tensor<64x16xi8, {{.*}}> to tensor<64x16xf16,
// CHECK: scf.for
// CHECK: %[[L1:.*]] = ttg.local_load %{{.*}} -> tensor<64x16xi8
// CHECK: arith.sitofp %[[L1]]
// CHECK: %[[D:.*]] = tt.dot {{.*}} : tensor<64x16xf16
// CHECK: %[[D1:.*]] = tt.dot %{{.*}}, %{{.*}}, %[[D]]
// CHECK-NEXT: arith.mulf %[[D1]],
tt.func @cast(%x: !ttg.memdesc<2x64x32xi8, #s, #smem, mutable>, %y: !ttg.memdesc<2x32x64xf16, #s, #smem, mutable>, %init: tensor<64x64xf32, #mma>, %n: i32, %p: !tt.ptr<i32>) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %two = arith.constant dense<2.0> : tensor<64x64xf32, #mma>
  %x0 = ttg.memdesc_index %x[%c0] : !ttg.memdesc<2x64x32xi8, #s, #smem, mutable> -> !ttg.memdesc<64x32xi8, #s, #smem, mutable>
  %y0 = ttg.memdesc_index %y[%c0] : !ttg.memdesc<2x32x64xf16, #s, #smem, mutable> -> !ttg.memdesc<32x64xf16, #s, #smem, mutable>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %init, %m = %x0, %q = %y0) -> (tensor<64x64xf32, #mma>, !ttg.memdesc<64x32xi8, #s, #smem, mutable>, !ttg.memdesc<32x64xf16, #s, #smem, mutable>) : i32 {
    %l8 = ttg.local_load %m : !ttg.memdesc<64x32xi8, #s, #smem, mutable> -> tensor<64x32xi8, #a>
    %l = arith.sitofp %l8 : tensor<64x32xi8, #a> to tensor<64x32xf16, #a>
    %o = ttg.local_load %q : !ttg.memdesc<32x64xf16, #s, #smem, mutable> -> tensor<32x64xf16, #b>
    %d = tt.dot %l, %o, %acc : tensor<64x32xf16, #a> * tensor<32x64xf16, #b> -> tensor<64x64xf32, #mma>
    %j = arith.addi %i, %c1 : i32
    %k = arith.remsi %j, %c2 : i32
    %m1 = ttg.memdesc_index %x[%k] : !ttg.memdesc<2x64x32xi8, #s, #smem, mutable> -> !ttg.memdesc<64x32xi8, #s, #smem, mutable>
    %e = arith.mulf %d, %two : tensor<64x64xf32, #mma>
    %q1 = ttg.memdesc_index %y[%k] : !ttg.memdesc<2x32x64xf16, #s, #smem, mutable> -> !ttg.memdesc<32x64xf16, #s, #smem, mutable>
    tt.store %p, %k : !tt.ptr<i32>
    scf.yield %e, %m1, %q1 : tensor<64x64xf32, #mma>, !ttg.memdesc<64x32xi8, #s, #smem, mutable>, !ttg.memdesc<32x64xf16, #s, #smem, mutable>
  }
  tt.return %r#0 : tensor<64x64xf32, #mma>
}
// A product of one slice, before the branch.
// CHECK-LABEL: @branch_and_one_slice
// CHECK: scf.for {{.*}}, %[[X:[^ ]*]] = %{{[0-9]*}}, %[[Y:[^ ]*]] = %{{[0-9]*}}) ->
// CHECK: tt.dot %[[X]], %[[Y]],
// CHECK-NEXT: scf.if
tt.func @branch_and_one_slice(%x: !ttg.memdesc<2x64x16xf16, #s, #smem, mutable>, %y: !ttg.memdesc<2x16x64xf16, #s, #smem, mutable>, %init: tensor<64x64xf32, #mma>, %n: i32, %p: !tt.ptr<i32>) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %x0 = ttg.memdesc_index %x[%c0] : !ttg.memdesc<2x64x16xf16, #s, #smem, mutable> -> !ttg.memdesc<64x16xf16, #s, #smem, mutable>
  %y0 = ttg.memdesc_index %y[%c0] : !ttg.memdesc<2x16x64xf16, #s, #smem, mutable> -> !ttg.memdesc<16x64xf16, #s, #smem, mutable>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %init, %m = %x0, %q = %y0) -> (tensor<64x64xf32, #mma>, !ttg.memdesc<64x16xf16, #s, #smem, mutable>, !ttg.memdesc<16x64xf16, #s, #smem, mutable>) : i32 {
    %l = ttg.local_load %m : !ttg.memdesc<64x16xf16, #s, #smem, mutable> -> tensor<64x16xf16, #a>
    %o = ttg.local_load %q : !ttg.memdesc<16x64xf16, #s, #smem, mutable> -> tensor<16x64xf16, #b>
    %d = tt.dot %l, %o, %acc : tensor<64x16xf16, #a> * tensor<16x64xf16, #b> -> tensor<64x64xf32, #mma>
    %j = arith.addi %i, %c1 : i32
    %k = arith.remsi %j, %c2 : i32
    %m1 = ttg.memdesc_index %x[%k] : !ttg.memdesc<2x64x16xf16, #s, #smem, mutable> -> !ttg.memdesc<64x16xf16, #s, #smem, mutable>
    %c = arith.cmpi eq, %k, %c0 : i32
    scf.if %c {
      tt.store %p, %k : !tt.ptr<i32>
    }
    %q1 = ttg.memdesc_index %y[%k] : !ttg.memdesc<2x16x64xf16, #s, #smem, mutable> -> !ttg.memdesc<16x64xf16, #s, #smem, mutable>
    scf.yield %d, %m1, %q1 : tensor<64x64xf32, #mma>, !ttg.memdesc<64x16xf16, #s, #smem, mutable>, !ttg.memdesc<16x64xf16, #s, #smem, mutable>
  }
  tt.return %r#0 : tensor<64x64xf32, #mma>
}
}

// -----

// Left alone: loads that wait for a token, two products, a buffer that the loop does not carry.
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
#s = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: @left_alone
// CHECK-NOT: ttg.memdesc_subslice
// CHECK: {tt.num_stages = 3 : i32}
tt.func @left_alone(%x: !ttg.memdesc<64x64xf16, #s, #smem, mutable>, %init: tensor<64x64xf32, #mma>, %t: !ttg.async.token, %n: i32) -> (tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %init, %m = %x) -> (tensor<64x64xf32, #mma>, !ttg.memdesc<64x64xf16, #s, #smem, mutable>) : i32 {
    %l = ttg.local_load %m token %t : !ttg.memdesc<64x64xf16, #s, #smem, mutable> -> tensor<64x64xf16, #a>
    %o = ttg.local_load %m token %t : !ttg.memdesc<64x64xf16, #s, #smem, mutable> -> tensor<64x64xf16, #b>
    %d = tt.dot %l, %o, %acc : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #mma>
    scf.yield %d, %m : tensor<64x64xf32, #mma>, !ttg.memdesc<64x64xf16, #s, #smem, mutable>
  }
  %q = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %init) -> tensor<64x64xf32, #mma> : i32 {
    %l = ttg.local_load %x : !ttg.memdesc<64x64xf16, #s, #smem, mutable> -> tensor<64x64xf16, #a>
    %o = ttg.local_load %x : !ttg.memdesc<64x64xf16, #s, #smem, mutable> -> tensor<64x64xf16, #b>
    %d = tt.dot %l, %o, %acc : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #mma>
    scf.yield %d : tensor<64x64xf32, #mma>
  }
  %p:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %init, %m = %x) -> (tensor<64x64xf32, #mma>, !ttg.memdesc<64x64xf16, #s, #smem, mutable>) : i32 {
    %l = ttg.local_load %m : !ttg.memdesc<64x64xf16, #s, #smem, mutable> -> tensor<64x64xf16, #a>
    %o = ttg.local_load %m : !ttg.memdesc<64x64xf16, #s, #smem, mutable> -> tensor<64x64xf16, #b>
    %d = tt.dot %l, %o, %acc : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #mma>
    %e = tt.dot %l, %o, %d : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #mma>
    scf.yield %e, %m : tensor<64x64xf32, #mma>, !ttg.memdesc<64x64xf16, #s, #smem, mutable>
  } {tt.num_stages = 3 : i32}
  tt.return %r#0, %q, %p#0 : tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>
}
}

// -----

// What nobody uses goes, as from modules with products.
// CHECK-LABEL: @unused
// CHECK-NEXT: tt.return
tt.func @unused(%x: i32) {
  %0 = arith.addi %x, %x : i32
  tt.return
}
