// RUN: tt-opt %s -split-input-file -verify-diagnostics --triton-rewrite-tensor-pointer | FileCheck %s --implicit-check-not=tt.make_tensor_ptr --implicit-check-not=tt.advance

// One dimension: positions, addresses, bounds, padding.  Annotations of the access are lost, its caching is kept.
// CHECK-LABEL: @checked(
// CHECK-NEXT: %[[ONE:.*]] = arith.constant 1 : i64
// CHECK-NEXT: %[[FIRST:.*]] = arith.extsi %arg2 : i32 to i64
// CHECK-NEXT: %[[BASE:.*]] = tt.splat %arg0 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
// CHECK-NEXT: %[[START:.*]] = tt.splat %[[FIRST]] : i64 -> tensor<16xi64>
// CHECK-NEXT: %[[RANGE:.*]] = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
// CHECK-NEXT: %[[STEPS:.*]] = arith.extsi %[[RANGE]] : tensor<16xi32> to tensor<16xi64>
// CHECK-NEXT: %[[INDEX:.*]] = arith.addi %[[START]], %[[STEPS]] : tensor<16xi64>
// CHECK-NEXT: %[[STRIDE:.*]] = tt.splat %[[ONE]] : i64 -> tensor<16xi64>
// CHECK-NEXT: %[[DISTANCE:.*]] = arith.muli %[[INDEX]], %[[STRIDE]] : tensor<16xi64>
// CHECK-NEXT: %[[ALL:.*]] = tt.broadcast %[[DISTANCE]] : tensor<16xi64> -> tensor<16xi64>
// CHECK-NEXT: %[[POINTERS:.*]] = tt.addptr %[[BASE]], %[[ALL]] : tensor<16x!tt.ptr<f32>>, tensor<16xi64>
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK-NEXT: %[[LOWEST:.*]] = tt.splat %[[ZERO]] : i64 -> tensor<16xi64>
// CHECK-NEXT: %[[ABOVE:.*]] = arith.cmpi sge, %[[INDEX]], %[[LOWEST]] : tensor<16xi64>
// CHECK-NEXT: %[[SIZE:.*]] = tt.splat %arg1 : i64 -> tensor<16xi64>
// CHECK-NEXT: %[[BELOW:.*]] = arith.cmpi slt, %[[INDEX]], %[[SIZE]] : tensor<16xi64>
// CHECK-NEXT: %[[BOTH:.*]] = arith.andi %[[ABOVE]], %[[BELOW]] : tensor<16xi1>
// CHECK-NEXT: %[[MASK:.*]] = tt.broadcast %[[BOTH]] : tensor<16xi1> -> tensor<16xi1>
// CHECK-NEXT: %[[NAN:.*]] = arith.constant 0x7FC00000 : f32
// CHECK-NEXT: %[[OTHER:.*]] = tt.splat %[[NAN]] : f32 -> tensor<16xf32>
// CHECK-NEXT: %[[X:.*]] = tt.load %[[POINTERS]], %[[MASK]], %[[OTHER]] cacheModifier = ca evictionPolicy = evict_last {isVolatile = true} : tensor<16x!tt.ptr<f32>>
// CHECK-NEXT: %[[MORE:.*]] = arith.extsi %arg2 : i32 to i64
// CHECK-NEXT: arith.addi %[[FIRST]], %[[MORE]] : i64
// CHECK: tt.store %{{.*}}, %[[X]], %{{.*}} cacheModifier = wb : tensor<16x!tt.ptr<f32>>
tt.func public @checked(%p: !tt.ptr<f32>, %n: i64, %i: i32) {
  %c1 = arith.constant 1 : i64
  %0 = tt.make_tensor_ptr %p, [%n], [%c1], [%i] {order = array<i32: 0>} : <tensor<16xf32>>
  %x = tt.load %0 cacheModifier = ca evictionPolicy = evict_last {boundaryCheck = array<i32: 0>, padding = 2 : i32, isVolatile = true, gone} : !tt.ptr<tensor<16xf32>>
  %1 = tt.advance %0, [%i] : <tensor<16xf32>>
  tt.store %1, %x cacheModifier = wb {boundaryCheck = array<i32: 0>, gone} : !tt.ptr<tensor<16xf32>>
  tt.return
}

// -----

// Three dimensions, two of them checked, the last one first.
// CHECK-LABEL: @three_dimensions(
// CHECK: %[[K0:.*]] = tt.expand_dims %{{.*}} {axis = 1 : i32} : tensor<2xi64> -> tensor<2x1xi64>
// CHECK: %[[K:.*]] = tt.expand_dims %[[K0]] {axis = 2 : i32} : tensor<2x1xi64> -> tensor<2x1x1xi64>
// CHECK: %[[M:.*]] = tt.expand_dims %{{.*}} {axis = 2 : i32} : tensor<1x4xi64> -> tensor<1x4x1xi64>
// CHECK: %[[N:.*]] = tt.expand_dims %{{.*}} {axis = 1 : i32} : tensor<1x8xi64> -> tensor<1x1x8xi64>
// CHECK-NOT: arith.cmpi {{.*}}, %[[M]]
// CHECK: arith.cmpi sge, %[[N]]
// CHECK: %[[IN_N:.*]] = tt.broadcast %{{.*}} : tensor<1x1x8xi1> -> tensor<2x4x8xi1>
// CHECK: arith.cmpi sge, %[[K]]
// CHECK: %[[IN_K:.*]] = tt.broadcast %{{.*}} : tensor<2x1x1xi1> -> tensor<2x4x8xi1>
// CHECK: %[[MASK:.*]] = arith.andi %[[IN_N]], %[[IN_K]] : tensor<2x4x8xi1>
// CHECK: tt.load %{{.*}}, %[[MASK]] : tensor<2x4x8x!tt.ptr<i16>>
tt.func public @three_dimensions(%p: !tt.ptr<i16>, %n: i64, %i: i32) -> tensor<2x4x8xi16> {
  %0 = tt.make_tensor_ptr %p, [%n, %n, %n], [%n, %n, %n], [%i, %i, %i] {order = array<i32: 2, 1, 0>} : <tensor<2x4x8xi16>>
  %x = tt.load %0 {boundaryCheck = array<i32: 2, 0>} : !tt.ptr<tensor<2x4x8xi16>>
  tt.return %x : tensor<2x4x8xi16>
}

// -----

// Dimensions of one element, a column, an address space.
// CHECK-LABEL: @column(
// CHECK: tt.splat %arg0 : !tt.ptr<f16, 3> -> tensor<16x1x!tt.ptr<f16, 3>>
// CHECK: tt.make_range {end = 1 : i32, start = 0 : i32} : tensor<1xi32>
// CHECK: tt.broadcast %{{.*}} : tensor<1x1xi64> -> tensor<16x1xi64>
// CHECK: tt.load %{{.*}} : tensor<16x1x!tt.ptr<f16, 3>>
// CHECK: tt.store %{{.*}} : tensor<16x1x!tt.ptr<f16, 3>>
tt.func public @column(%p: !tt.ptr<f16, 3>, %n: i64, %i: i32) {
  %c1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : i32
  %0 = tt.make_tensor_ptr %p, [%n, %c1], [%c1, %c1], [%i, %c0] {order = array<i32: 0, 1>} : <tensor<16x1xf16>, 3>
  %x = tt.load %0 {boundaryCheck = array<i32: 1>} : !tt.ptr<tensor<16x1xf16>, 3>
  tt.store %0, %x {boundaryCheck = array<i32: 1, 0>} : !tt.ptr<tensor<16x1xf16>, 3>
  tt.return
}

// -----

// Padding of several types.
// CHECK-LABEL: @paddings(
// CHECK: %[[C:.*]] = arith.constant 0 : i8
// CHECK: tt.splat %[[C]] : i8 -> tensor<16xi8>
// CHECK: %[[C:.*]] = arith.constant false
// CHECK: tt.splat %[[C]] : i1 -> tensor<16xi1>
// CHECK: %[[C:.*]] = arith.constant 0x7FC0 : bf16
// CHECK: tt.splat %[[C]] : bf16 -> tensor<16xbf16>
// CHECK: %[[C:.*]] = arith.constant 0x7E : f8E5M2
// CHECK: tt.splat %[[C]] : f8E5M2 -> tensor<16xf8E5M2>
// CHECK: %[[C:.*]] = arith.constant 0x80 : f8E4M3FNUZ
// CHECK: tt.splat %[[C]] : f8E4M3FNUZ -> tensor<16xf8E4M3FNUZ>
// CHECK: %[[C:.*]] = arith.constant 0.000000e+00 : f64
// CHECK: tt.splat %[[C]] : f64 -> tensor<16xf64>
tt.func public @paddings(%a: !tt.ptr<i8>, %b: !tt.ptr<i1>, %c: !tt.ptr<bf16>, %d: !tt.ptr<f8E5M2>, %e: !tt.ptr<f8E4M3FNUZ>, %f: !tt.ptr<f64>, %n: i64, %i: i32) {
  %0 = tt.make_tensor_ptr %a, [%n], [%n], [%i] {order = array<i32: 0>} : <tensor<16xi8>>
  %1 = tt.load %0 {boundaryCheck = array<i32: 0>, padding = 1 : i32} : !tt.ptr<tensor<16xi8>>
  %2 = tt.make_tensor_ptr %b, [%n], [%n], [%i] {order = array<i32: 0>} : <tensor<16xi1>>
  %3 = tt.load %2 {boundaryCheck = array<i32: 0>, padding = 1 : i32} : !tt.ptr<tensor<16xi1>>
  %4 = tt.make_tensor_ptr %c, [%n], [%n], [%i] {order = array<i32: 0>} : <tensor<16xbf16>>
  %5 = tt.load %4 {boundaryCheck = array<i32: 0>, padding = 2 : i32} : !tt.ptr<tensor<16xbf16>>
  %6 = tt.make_tensor_ptr %d, [%n], [%n], [%i] {order = array<i32: 0>} : <tensor<16xf8E5M2>>
  %7 = tt.load %6 {boundaryCheck = array<i32: 0>, padding = 2 : i32} : !tt.ptr<tensor<16xf8E5M2>>
  %8 = tt.make_tensor_ptr %e, [%n], [%n], [%i] {order = array<i32: 0>} : <tensor<16xf8E4M3FNUZ>>
  %9 = tt.load %8 {boundaryCheck = array<i32: 0>, padding = 2 : i32} : !tt.ptr<tensor<16xf8E4M3FNUZ>>
  %10 = tt.make_tensor_ptr %f, [%n], [%n], [%i] {order = array<i32: 0>} : <tensor<16xf64>>
  %11 = tt.load %10 {boundaryCheck = array<i32: 0>, padding = 1 : i32} : !tt.ptr<tensor<16xf64>>
  tt.return
}

// -----

// A loop carries the offsets in the place of the pointer, even of one that does not move; the rest comes from outside.
// CHECK-LABEL: @loop(
// CHECK: %[[I:.*]] = arith.extsi %arg2 : i32 to i64
// CHECK: %[[J:.*]] = arith.extsi %c0_i32 : i32 to i64
// CHECK: %[[I2:.*]] = arith.extsi %arg2 : i32 to i64
// CHECK: %[[LOOP:.*]]:5 = scf.for {{.*}} iter_args(%[[SUM:.*]] = %cst, %[[A0:.*]] = %[[I]], %[[A1:.*]] = %[[J]], %[[X:.*]] = %arg2, %[[B:.*]] = %[[I2]]) -> (tensor<4x8xf32>, i64, i64, i32, i64) : i32 {
// CHECK: tt.splat %arg0
// CHECK: tt.splat %[[A0]] : i64 -> tensor<4xi64>
// CHECK: tt.splat %[[A1]] : i64 -> tensor<8xi64>
// CHECK: %[[NEW0:.*]] = arith.addi %[[A0]]
// CHECK: %[[NEW1:.*]] = arith.addi %[[A1]]
// CHECK: scf.yield %{{.*}}, %[[NEW0]], %[[NEW1]], %{{.*}}, %[[B]] :
// CHECK: } {tt.num_stages = 3 : i32}
// CHECK: tt.splat %[[LOOP]]#1 : i64 -> tensor<4xi64>
// CHECK: tt.splat %[[LOOP]]#2 : i64 -> tensor<8xi64>
// CHECK: tt.store %{{.*}}, %[[LOOP]]#0
tt.func public @loop(%p: !tt.ptr<f32>, %n: i64, %i: i32) {
  %c0_i32 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %cst = arith.constant dense<0.0> : tensor<4x8xf32>
  %0 = tt.make_tensor_ptr %p, [%n, %n], [%n, %c1], [%i, %c0_i32] {order = array<i32: 1, 0>} : <tensor<4x8xf32>>
  %1 = tt.make_tensor_ptr %p, [%n], [%c1], [%i] {order = array<i32: 0>} : <tensor<8xf32>>
  %r:4 = scf.for %k = %c0_i32 to %i step %i iter_args(%acc = %cst, %pa = %0, %x = %i, %pb = %1) -> (tensor<4x8xf32>, !tt.ptr<tensor<4x8xf32>>, i32, !tt.ptr<tensor<8xf32>>) : i32 {
    %a = tt.load %pa : !tt.ptr<tensor<4x8xf32>>
    %s = arith.addf %a, %acc : tensor<4x8xf32>
    %pa2 = tt.advance %pa, [%c0_i32, %k] : <tensor<4x8xf32>>
    %y = arith.addi %x, %k : i32
    scf.yield %s, %pa2, %y, %pb : tensor<4x8xf32>, !tt.ptr<tensor<4x8xf32>>, i32, !tt.ptr<tensor<8xf32>>
  } {tt.num_stages = 3 : i32}
  tt.store %r#1, %r#0 : !tt.ptr<tensor<4x8xf32>>
  tt.return
}

// -----

// Loops in loops and branches in them: still the offsets only.
// CHECK-LABEL: @nested(
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}) -> (i64) : i32 {
// CHECK: %[[INNER:.*]] = scf.for {{.*}} iter_args(%[[B:.*]] = %[[A]]) -> (i64) : i32 {
// CHECK: %[[IF:.*]] = scf.if %arg3 -> (i64) {
// CHECK: %[[MOVED:.*]] = arith.addi %[[B]]
// CHECK: scf.yield %[[MOVED]] : i64
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[B]] : i64
// CHECK: scf.if %arg3 {
// CHECK: tt.splat %[[IF]] : i64 -> tensor<8xi64>
// CHECK: tt.store
// CHECK: scf.yield %[[IF]] : i64
// CHECK: scf.yield %[[INNER]] : i64
tt.func public @nested(%p: !tt.ptr<f32>, %n: i64, %i: i32, %c: i1) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %cst = arith.constant dense<0.0> : tensor<8xf32>
  %0 = tt.make_tensor_ptr %p, [%n], [%c1], [%i] {order = array<i32: 0>} : <tensor<8xf32>>
  %r = scf.for %k = %c0 to %i step %i iter_args(%pa = %0) -> (!tt.ptr<tensor<8xf32>>) : i32 {
    %q = scf.for %l = %c0 to %i step %i iter_args(%pb = %pa) -> (!tt.ptr<tensor<8xf32>>) : i32 {
      %s = scf.if %c -> (!tt.ptr<tensor<8xf32>>) {
        %2 = tt.advance %pb, [%l] : <tensor<8xf32>>
        scf.yield %2 : !tt.ptr<tensor<8xf32>>
      } else {
        scf.yield %pb : !tt.ptr<tensor<8xf32>>
      }
      scf.if %c {
        tt.store %s, %cst {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<8xf32>>
      }
      scf.yield %s : !tt.ptr<tensor<8xf32>>
    }
    scf.yield %q : !tt.ptr<tensor<8xf32>>
  }
  tt.return
}

// -----

// A branch gives offsets beside its other results; what each side does about the pointer stays there.
// CHECK-LABEL: @branch(
// CHECK: %[[IF:.*]]:2 = scf.if %arg3 -> (i64, i32) {
// CHECK: scf.if
// CHECK: scf.yield %{{.*}}, %arg2 : i64, i32
// CHECK: } else {
// CHECK: scf.yield %{{.*}}, %c0_i32 : i64, i32
// CHECK: tt.splat %[[IF]]#0 : i64 -> tensor<8xi64>
tt.func public @branch(%p: !tt.ptr<f32>, %n: i64, %i: i32, %c: i1) -> i32 {
  %c0_i32 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %cst = arith.constant dense<0.0> : tensor<8xf32>
  %0 = tt.make_tensor_ptr %p, [%n], [%c1], [%i] {order = array<i32: 0>} : <tensor<8xf32>>
  %r:2 = scf.if %c -> (!tt.ptr<tensor<8xf32>>, i32) {
    %1 = scf.if %c -> (!tt.ptr<tensor<8xf32>>) {
      %2 = tt.advance %0, [%i] : <tensor<8xf32>>
      scf.yield %2 : !tt.ptr<tensor<8xf32>>
    } else {
      scf.yield %0 : !tt.ptr<tensor<8xf32>>
    }
    scf.yield %1, %i : !tt.ptr<tensor<8xf32>>, i32
  } else {
    scf.yield %0, %c0_i32 : !tt.ptr<tensor<8xf32>>, i32
  }
  tt.store %r#0, %cst : !tt.ptr<tensor<8xf32>>
  tt.return %r#1 : i32
}

// -----

// Inside of a while that does not carry the pointer; and a pointer that nothing uses.
// CHECK-LABEL: @used_in_while(
// CHECK: scf.while (%{{.*}} = %arg2) : (i32) -> i32 {
// CHECK: tt.splat %arg0 : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
// CHECK: tt.store
tt.func public @used_in_while(%p: !tt.ptr<f32>, %n: i64, %i: i32) {
  %c1_i32 = arith.constant 1 : i32
  %c1 = arith.constant 1 : i64
  %cst = arith.constant dense<0.0> : tensor<8xf32>
  %0 = tt.make_tensor_ptr %p, [%n], [%c1], [%i] {order = array<i32: 0>} : <tensor<8xf32>>
  %1 = tt.make_tensor_ptr %p, [%n], [%c1], [%i] {order = array<i32: 0>} : <tensor<8xf32>>
  %r = scf.while (%k = %i) : (i32) -> i32 {
    %more = arith.cmpi sgt, %k, %c1_i32 : i32
    scf.condition(%more) %k : i32
  } do {
  ^bb0(%l: i32):
    tt.store %0, %cst : !tt.ptr<tensor<8xf32>>
    %m = arith.subi %l, %c1_i32 : i32
    scf.yield %m : i32
  }
  tt.return
}

// -----

// Left alone: pointers to elements, in loops too.
// CHECK-LABEL: @left_alone(
// CHECK: scf.for {{.*}} iter_args(%[[Q:.*]] = %arg0) -> (tensor<8x!tt.ptr<f32>>) : i32 {
// CHECK-NEXT: %[[X:.*]] = tt.load %[[Q]], %arg1 {kept} : tensor<8x!tt.ptr<f32>>
// CHECK-NEXT: tt.store %[[Q]], %[[X]], %arg1 {kept} : tensor<8x!tt.ptr<f32>>
// CHECK-NEXT: scf.yield %[[Q]]
tt.func public @left_alone(%p: tensor<8x!tt.ptr<f32>>, %m: tensor<8xi1>, %n: i32) {
  %r = scf.for %i = %n to %n step %n iter_args(%q = %p) -> (tensor<8x!tt.ptr<f32>>) : i32 {
    %x = tt.load %q, %m {kept} : tensor<8x!tt.ptr<f32>>
    tt.store %q, %x, %m {kept} : tensor<8x!tt.ptr<f32>>
    scf.yield %q : tensor<8x!tt.ptr<f32>>
  }
  tt.return
}

// -----

// The base differs, and strides that are computed alike do not.
// Differs from Triton: it takes base, sizes and strides of the one pointer for both.
// CHECK-LABEL: @other_base(
// CHECK: %[[IF:.*]]:2 = scf.if %arg4 -> (!tt.ptr<f32>, i64) {
// CHECK-NEXT: scf.yield %arg0,
// CHECK: scf.yield %arg1,
// CHECK: tt.splat %[[IF]]#0 : !tt.ptr<f32>
// CHECK: tt.splat %[[IF]]#1 : i64
tt.func public @other_base(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %n: i64, %i: i32, %c: i1) {
  %c1 = arith.constant 1 : i64
  %c1_again = arith.constant 1 : i64
  %cst = arith.constant dense<0.0> : tensor<8xf32>
  %0 = tt.make_tensor_ptr %p, [%n], [%c1], [%i] {order = array<i32: 0>} : <tensor<8xf32>>
  %1 = tt.make_tensor_ptr %q, [%n], [%c1_again], [%i] {order = array<i32: 0>} : <tensor<8xf32>>
  %r = scf.if %c -> (!tt.ptr<tensor<8xf32>>) {
    scf.yield %0 : !tt.ptr<tensor<8xf32>>
  } else {
    scf.yield %1 : !tt.ptr<tensor<8xf32>>
  }
  tt.store %r, %cst : !tt.ptr<tensor<8xf32>>
  tt.return
}

// -----

// Two pointers change places: base and size are carried, the stride is not.
// Differs from Triton: it takes base, sizes and strides of the one pointer for both.
// CHECK-LABEL: @exchanged(
// CHECK: scf.for {{.*}} iter_args(%[[P:.*]] = %arg0, %[[N:.*]] = %arg2, %[[I:.*]] = %{{.*}}, %[[Q:.*]] = %arg1, %[[M:.*]] = %arg3, %[[J:.*]] = %{{.*}}) -> (!tt.ptr<f32>, i64, i64, !tt.ptr<f32>, i64, i64) : i32 {
// CHECK: scf.yield %[[Q]], %[[M]], %[[J]], %[[P]], %[[N]], %[[I]] :
tt.func public @exchanged(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %n: i64, %m: i64, %i: i32) {
  %c1 = arith.constant 1 : i64
  %cst = arith.constant dense<0.0> : tensor<8xf32>
  %0 = tt.make_tensor_ptr %p, [%n], [%c1], [%i] {order = array<i32: 0>} : <tensor<8xf32>>
  %1 = tt.make_tensor_ptr %q, [%m], [%c1], [%i] {order = array<i32: 0>} : <tensor<8xf32>>
  %r:2 = scf.for %k = %i to %i step %i iter_args(%a = %0, %b = %1) -> (!tt.ptr<tensor<8xf32>>, !tt.ptr<tensor<8xf32>>) : i32 {
    tt.store %a, %cst {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<8xf32>>
    scf.yield %b, %a : !tt.ptr<tensor<8xf32>>, !tt.ptr<tensor<8xf32>>
  }
  tt.return
}

// -----

// Made on both sides of a branch: what is computed inside is carried.
// Differs from Triton: it stops with a failed assertion.
// CHECK-LABEL: @made_in_branches(
// CHECK: %[[IF:.*]]:2 = scf.if %arg3 -> (i64, i64) {
// CHECK: %[[N:.*]] = arith.muli %arg1, %arg1
// CHECK: scf.yield %[[N]], %{{.*}} : i64, i64
// CHECK: scf.yield %arg1, %{{.*}} : i64, i64
// CHECK: tt.splat %arg0
// CHECK: tt.splat %[[IF]]#1
tt.func public @made_in_branches(%p: !tt.ptr<f32>, %n: i64, %i: i32, %c: i1) {
  %c1 = arith.constant 1 : i64
  %cst = arith.constant dense<0.0> : tensor<8xf32>
  %r = scf.if %c -> (!tt.ptr<tensor<8xf32>>) {
    %nn = arith.muli %n, %n : i64
    %0 = tt.make_tensor_ptr %p, [%nn], [%c1], [%i] {order = array<i32: 0>} : <tensor<8xf32>>
    scf.yield %0 : !tt.ptr<tensor<8xf32>>
  } else {
    %1 = tt.make_tensor_ptr %p, [%n], [%c1], [%i] {order = array<i32: 0>} : <tensor<8xf32>>
    scf.yield %1 : !tt.ptr<tensor<8xf32>>
  }
  tt.store %r, %cst {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<8xf32>>
  tt.return
}

// -----

// Differs from Triton: it stops with a failed assertion.
// CHECK-LABEL: @while(
// CHECK: %[[W:.*]]:2 = scf.while (%[[K:.*]] = %arg2, %[[A:.*]] = %{{.*}}) : (i32, i64) -> (i64, i32) {
// CHECK: scf.condition(%{{.*}}) %[[A]], %[[K]] : i64, i32
// CHECK: ^bb0(%[[B:.*]]: i64, %[[L:.*]]: i32):
// CHECK: %[[MOVED:.*]] = arith.addi %[[B]]
// CHECK: scf.yield %{{.*}}, %[[MOVED]] : i32, i64
// CHECK: tt.splat %[[W]]#0 : i64
tt.func public @while(%p: !tt.ptr<f32>, %n: i64, %i: i32) {
  %c1 = arith.constant 1 : i32
  %one = arith.constant 1 : i64
  %cst = arith.constant dense<0.0> : tensor<8xf32>
  %0 = tt.make_tensor_ptr %p, [%n], [%one], [%i] {order = array<i32: 0>} : <tensor<8xf32>>
  %r:2 = scf.while (%k = %i, %a = %0) : (i32, !tt.ptr<tensor<8xf32>>) -> (!tt.ptr<tensor<8xf32>>, i32) {
    %c = arith.cmpi sgt, %k, %c1 : i32
    scf.condition(%c) %a, %k : !tt.ptr<tensor<8xf32>>, i32
  } do {
  ^bb0(%b: !tt.ptr<tensor<8xf32>>, %l: i32):
    %2 = tt.advance %b, [%c1] : <tensor<8xf32>>
    %3 = arith.subi %l, %c1 : i32
    scf.yield %3, %2 : i32, !tt.ptr<tensor<8xf32>>
  }
  tt.store %r#0, %cst {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<8xf32>>
  tt.return
}

// -----

// Functions take and give all parts: base, sizes, strides, offsets.
// Differs from Triton: it stops with a failed assertion.
// CHECK-LABEL: tt.func private @moved(
// CHECK-SAME: %arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: i64, %arg2: i64, %arg3: i64, %arg4: i32) -> (!tt.ptr<f32>, i64, i64, i64, i32)
// CHECK: %[[MOVED:.*]] = arith.addi %arg3
// CHECK: tt.return %arg0, %arg1, %arg2, %[[MOVED]], %arg4 :
// CHECK-LABEL: @call(
// CHECK: %[[CALL:.*]]:5 = tt.call @moved(%arg0, %arg1, %arg1, %{{.*}}, %arg2) : (!tt.ptr<f32>, i64, i64, i64, i32) -> (!tt.ptr<f32>, i64, i64, i64, i32)
// CHECK: tt.splat %[[CALL]]#0 : !tt.ptr<f32>
tt.func private @moved(%a: !tt.ptr<tensor<8xf32>> {tt.divisibility = 16 : i32}, %i: i32) -> (!tt.ptr<tensor<8xf32>>, i32) {
  %0 = tt.advance %a, [%i] : <tensor<8xf32>>
  tt.return %0, %i : !tt.ptr<tensor<8xf32>>, i32
}
tt.func public @call(%p: !tt.ptr<f32>, %n: i64, %i: i32) {
  %cst = arith.constant dense<0.0> : tensor<8xf32>
  %0 = tt.make_tensor_ptr %p, [%n], [%n], [%i] {order = array<i32: 0>} : <tensor<8xf32>>
  %1:2 = tt.call @moved(%0, %i) : (!tt.ptr<tensor<8xf32>>, i32) -> (!tt.ptr<tensor<8xf32>>, i32)
  tt.store %1#0, %cst : !tt.ptr<tensor<8xf32>>
  tt.return
}

// -----

// Differs from Triton: it stops with a failed assertion.
// CHECK-LABEL: @select(
// CHECK: %[[IF:.*]] = scf.if %arg3 -> (i64) {
// CHECK-NEXT: scf.yield
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield
// CHECK: tt.splat %[[IF]] : i64
tt.func public @select(%p: !tt.ptr<f32>, %n: i64, %i: i32, %c: i1) {
  %cst = arith.constant dense<0.0> : tensor<8xf32>
  %0 = tt.make_tensor_ptr %p, [%n], [%n], [%i] {order = array<i32: 0>} : <tensor<8xf32>>
  %1 = tt.advance %0, [%i] : <tensor<8xf32>>
  %2 = arith.select %c, %0, %1 : !tt.ptr<tensor<8xf32>>
  tt.store %2, %cst : !tt.ptr<tensor<8xf32>>
  tt.return
}

// -----

// Blocks: every part is passed, and one comes before what makes its argument.
// Differs from Triton: it stops with a failed assertion.
// CHECK-LABEL: @blocks(
// CHECK: cf.cond_br %arg3, ^bb2(%arg2, %arg0, %arg1, %arg1, %{{.*}} : i32, !tt.ptr<f32>, i64, i64, i64), ^bb3
// CHECK: ^bb1(%[[P:.*]]: !tt.ptr<f32>, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64):
// CHECK: tt.splat %[[P]] : !tt.ptr<f32>
// CHECK: ^bb2(%{{.*}}: i32, %[[Q:.*]]: !tt.ptr<f32>, %[[N:.*]]: i64, %[[S:.*]]: i64, %[[I:.*]]: i64):
// CHECK: cf.br ^bb1(%[[Q]], %[[N]], %[[S]], %[[I]] :
tt.func public @blocks(%p: !tt.ptr<f32>, %n: i64, %i: i32, %c: i1) {
  %cst = arith.constant dense<0.0> : tensor<8xf32>
  %0 = tt.make_tensor_ptr %p, [%n], [%n], [%i] {order = array<i32: 0>} : <tensor<8xf32>>
  cf.cond_br %c, ^first(%i, %0 : i32, !tt.ptr<tensor<8xf32>>), ^last
^second(%a: !tt.ptr<tensor<8xf32>>):
  tt.store %a, %cst : !tt.ptr<tensor<8xf32>>
  cf.br ^last
^first(%k: i32, %b: !tt.ptr<tensor<8xf32>>):
  cf.br ^second(%b : !tt.ptr<tensor<8xf32>>)
^last:
  tt.return
}

// -----

// Padding says nothing where nothing is checked.
// Differs from Triton: it makes a load that has padding and no mask, which it refuses.
// CHECK-LABEL: @padding_alone(
// CHECK: tt.load %{{[^,]*}} : tensor<8x!tt.ptr<f32>>
tt.func public @padding_alone(%p: !tt.ptr<f32>, %n: i64, %i: i32) -> tensor<8xf32> {
  %0 = tt.make_tensor_ptr %p, [%n], [%n], [%i] {order = array<i32: 0>} : <tensor<8xf32>>
  %1 = tt.load %0 {padding = 2 : i32} : !tt.ptr<tensor<8xf32>>
  tt.return %1 : tensor<8xf32>
}

// -----

tt.func public @other_use(%p: !tt.ptr<f32>, %n: i64, %i: i32) {
  %0 = tt.make_tensor_ptr %p, [%n], [%n], [%i] {order = array<i32: 0>} : <tensor<8xf32>>
  // expected-error @+1 {{'builtin.unrealized_conversion_cast' can't have a value of type !tt.ptr<tensor<8xf32>>; only}}
  %1 = builtin.unrealized_conversion_cast %0 : !tt.ptr<tensor<8xf32>> to i64
  tt.return
}

// -----

tt.func public @padded_pointers(%p: !tt.ptr<!tt.ptr<f32>>, %n: i64, %i: i32) {
  %0 = tt.make_tensor_ptr %p, [%n], [%n], [%i] {order = array<i32: 0>} : <tensor<8x!tt.ptr<f32>>>
  // expected-error @+1 {{there is no padding of type !tt.ptr<f32>}}
  %1 = tt.load %0 {boundaryCheck = array<i32: 0>, padding = 1 : i32} : !tt.ptr<tensor<8x!tt.ptr<f32>>>
  tt.return
}
