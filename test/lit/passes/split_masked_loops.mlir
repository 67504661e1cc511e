// RUN: tt-opt %s --split-input-file --ttkit-split-masked-loops --canonicalize | FileCheck %s
// RUN: tt-opt %s --split-input-file --ttkit-split-masked-loops=specialized=true --canonicalize | FileCheck %s --check-prefix=ASKED

// A causal mask: no comparison up to the diagonal.
// CHECK-LABEL: @causal
// CHECK: arith.minsi
// CHECK: arith.trunci
// CHECK: %[[MIDDLE:.*]] = arith.muli
// CHECK: %[[FIRST:.*]] = scf.for %{{.*}} = %{{.*}} to %[[MIDDLE]]
// CHECK-NOT: arith.cmpi
// CHECK-NOT: arith.select
// CHECK: scf.for %{{.*}} = %[[MIDDLE]] to %{{.*}} iter_args(%{{.*}} = %[[FIRST]])
// CHECK: arith.cmpi sge
// CHECK: arith.select
tt.func public @causal(%q: tensor<16x16xf16>, %m: i32, %n: i32) -> tensor<16x16xf32> {
  %zero = arith.constant 0 : i32
  %step = arith.constant 16 : i32
  %none = arith.constant dense<0.0> : tensor<16x16xf32>
  %least = arith.constant dense<-1.0e6> : tensor<16x16xf32>
  %range = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
  %start = tt.splat %m : i32 -> tensor<16xi32>
  %rows = arith.addi %start, %range : tensor<16xi32>
  %column = tt.expand_dims %rows {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %all_rows = tt.broadcast %column : tensor<16x1xi32> -> tensor<16x16xi32>
  %r = scf.for %i = %zero to %n step %step iter_args(%acc = %none) -> (tensor<16x16xf32>) : i32 {
    %s = tt.dot %q, %q, %acc : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
    %index = tt.splat %i : i32 -> tensor<16xi32>
    %columns = arith.addi %index, %range : tensor<16xi32>
    %row = tt.expand_dims %columns {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %all_columns = tt.broadcast %row : tensor<1x16xi32> -> tensor<16x16xi32>
    %mask = arith.cmpi sge, %all_rows, %all_columns : tensor<16x16xi32>
    %t = arith.select %mask, %s, %least : tensor<16x16xi1>, tensor<16x16xf32>
    %e = math.exp2 %t : tensor<16x16xf32>
    scf.yield %e : tensor<16x16xf32>
  }
  tt.return %r : tensor<16x16xf32>
}

// -----

// The mask does not depend on the loop's index.
// CHECK-LABEL: @invariant
// CHECK-COUNT-1: scf.for
// CHECK-NOT: scf.for
tt.func public @invariant(%q: tensor<16x16xf16>, %m: tensor<16x16xi32>, %n: i32) -> tensor<16x16xf32> {
  %zero = arith.constant 0 : i32
  %step = arith.constant 16 : i32
  %numbers = arith.constant dense<7> : tensor<16x16xi32>
  %none = arith.constant dense<0.0> : tensor<16x16xf32>
  %r = scf.for %i = %zero to %n step %step iter_args(%acc = %none) -> (tensor<16x16xf32>) : i32 {
    %s = tt.dot %q, %q, %acc : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
    %mask = arith.cmpi sge, %m, %numbers : tensor<16x16xi32>
    %t = arith.select %mask, %s, %none : tensor<16x16xi1>, tensor<16x16xf32>
    %e = math.exp2 %t : tensor<16x16xf32>
    scf.yield %e : tensor<16x16xf32>
  }
  tt.return %r : tensor<16x16xf32>
}

// -----

// Warp specialization is asked for: the loop stays whole, or becomes two such loops.
// CHECK-LABEL: @specialized
// CHECK-COUNT-1: scf.for
// CHECK-NOT: scf.for
// ASKED-LABEL: @specialized
// ASKED: scf.for
// ASKED-NOT: arith.select
// ASKED: } {tt.warp_specialize}
// ASKED: scf.for
// ASKED: arith.select
// ASKED: } {tt.warp_specialize}
tt.func public @specialized(%q: tensor<16x16xf16>, %n: i32) -> tensor<16x16xf32> {
  %zero = arith.constant 0 : i32
  %step = arith.constant 16 : i32
  %none = arith.constant dense<0.0> : tensor<16x16xf32>
  %numbers = arith.constant dense<7> : tensor<16x16xi32>
  %r = scf.for %i = %zero to %n step %step iter_args(%acc = %none) -> (tensor<16x16xf32>) : i32 {
    %s = tt.dot %q, %q, %acc : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
    %index = tt.splat %i : i32 -> tensor<16x16xi32>
    %mask = arith.cmpi sge, %numbers, %index : tensor<16x16xi32>
    %t = arith.select %mask, %s, %none : tensor<16x16xi1>, tensor<16x16xf32>
    %e = math.exp2 %t : tensor<16x16xf32>
    scf.yield %e : tensor<16x16xf32>
  } {tt.warp_specialize}
  tt.return %r : tensor<16x16xf32>
}

// -----

// Without exponentials: nobody has measured such loops.
// CHECK-LABEL: @product
// CHECK-COUNT-1: scf.for
// CHECK-NOT: scf.for
tt.func public @product(%q: tensor<16x16xf16>, %n: i32) -> tensor<16x16xf32> {
  %zero = arith.constant 0 : i32
  %step = arith.constant 16 : i32
  %none = arith.constant dense<0.0> : tensor<16x16xf32>
  %numbers = arith.constant dense<7> : tensor<16x16xi32>
  %r = scf.for %i = %zero to %n step %step iter_args(%acc = %none) -> (tensor<16x16xf32>) : i32 {
    %s = tt.dot %q, %q, %acc : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
    %index = tt.splat %i : i32 -> tensor<16x16xi32>
    %mask = arith.cmpi sge, %numbers, %index : tensor<16x16xi32>
    %t = arith.select %mask, %s, %none : tensor<16x16xi1>, tensor<16x16xf32>
    scf.yield %t : tensor<16x16xf32>
  }
  tt.return %r : tensor<16x16xf32>
}

// -----

// As much to compute beside the mask as random numbers take: two copies of it would bring nothing.
// CHECK-LABEL: @dropout
// CHECK-COUNT-1: scf.for
// CHECK-NOT: scf.for
tt.func public @dropout(%q: tensor<16x16xf16>, %m: i32, %n: i32) -> tensor<16x16xf32> {
  %zero = arith.constant 0 : i32
  %step = arith.constant 16 : i32
  %none = arith.constant dense<0.0> : tensor<16x16xf32>
  %least = arith.constant dense<-1.0e6> : tensor<16x16xf32>
  %range = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
  %start = tt.splat %m : i32 -> tensor<16xi32>
  %rows = arith.addi %start, %range : tensor<16xi32>
  %column = tt.expand_dims %rows {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %all_rows = tt.broadcast %column : tensor<16x1xi32> -> tensor<16x16xi32>
  %r = scf.for %i = %zero to %n step %step iter_args(%acc = %none) -> (tensor<16x16xf32>) : i32 {
    %s = tt.dot %q, %q, %acc : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
    %index = tt.splat %i : i32 -> tensor<16xi32>
    %columns = arith.addi %index, %range : tensor<16xi32>
    %row = tt.expand_dims %columns {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %all_columns = tt.broadcast %row : tensor<1x16xi32> -> tensor<16x16xi32>
    %mask = arith.cmpi sge, %all_rows, %all_columns : tensor<16x16xi32>
    %t = arith.select %mask, %s, %least : tensor<16x16xi1>, tensor<16x16xf32>
    %e = math.exp2 %t : tensor<16x16xf32>
    %x1 = arith.xori %all_columns, %all_rows : tensor<16x16xi32>
    %y1 = arith.muli %x1, %x1 : tensor<16x16xi32>
    %x2 = arith.xori %y1, %all_rows : tensor<16x16xi32>
    %y2 = arith.muli %x2, %x2 : tensor<16x16xi32>
    %x3 = arith.xori %y2, %all_rows : tensor<16x16xi32>
    %y3 = arith.muli %x3, %x3 : tensor<16x16xi32>
    %x4 = arith.xori %y3, %all_rows : tensor<16x16xi32>
    %y4 = arith.muli %x4, %x4 : tensor<16x16xi32>
    %x5 = arith.xori %y4, %all_rows : tensor<16x16xi32>
    %y5 = arith.muli %x5, %x5 : tensor<16x16xi32>
    %x6 = arith.xori %y5, %all_rows : tensor<16x16xi32>
    %y6 = arith.muli %x6, %x6 : tensor<16x16xi32>
    %x7 = arith.xori %y6, %all_rows : tensor<16x16xi32>
    %y7 = arith.muli %x7, %x7 : tensor<16x16xi32>
    %x8 = arith.xori %y7, %all_rows : tensor<16x16xi32>
    %y8 = arith.muli %x8, %x8 : tensor<16x16xi32>
    %x9 = arith.xori %y8, %all_rows : tensor<16x16xi32>
    %y9 = arith.muli %x9, %x9 : tensor<16x16xi32>
    %x10 = arith.xori %y9, %all_rows : tensor<16x16xi32>
    %y10 = arith.muli %x10, %x10 : tensor<16x16xi32>
    %x11 = arith.xori %y10, %all_rows : tensor<16x16xi32>
    %y11 = arith.muli %x11, %x11 : tensor<16x16xi32>
    %x12 = arith.xori %y11, %all_rows : tensor<16x16xi32>
    %y12 = arith.muli %x12, %x12 : tensor<16x16xi32>
    %x13 = arith.xori %y12, %all_rows : tensor<16x16xi32>
    %y13 = arith.muli %x13, %x13 : tensor<16x16xi32>
    %x14 = arith.xori %y13, %all_rows : tensor<16x16xi32>
    %y14 = arith.muli %x14, %x14 : tensor<16x16xi32>
    %x15 = arith.xori %y14, %all_rows : tensor<16x16xi32>
    %y15 = arith.muli %x15, %x15 : tensor<16x16xi32>
    %x16 = arith.xori %y15, %all_rows : tensor<16x16xi32>
    %y16 = arith.muli %x16, %x16 : tensor<16x16xi32>
    %x17 = arith.xori %y16, %all_rows : tensor<16x16xi32>
    %y17 = arith.muli %x17, %x17 : tensor<16x16xi32>
    %x18 = arith.xori %y17, %all_rows : tensor<16x16xi32>
    %y18 = arith.muli %x18, %x18 : tensor<16x16xi32>
    %x19 = arith.xori %y18, %all_rows : tensor<16x16xi32>
    %y19 = arith.muli %x19, %x19 : tensor<16x16xi32>
    %x20 = arith.xori %y19, %all_rows : tensor<16x16xi32>
    %y20 = arith.muli %x20, %x20 : tensor<16x16xi32>
    %x21 = arith.xori %y20, %all_rows : tensor<16x16xi32>
    %y21 = arith.muli %x21, %x21 : tensor<16x16xi32>
    %x22 = arith.xori %y21, %all_rows : tensor<16x16xi32>
    %y22 = arith.muli %x22, %x22 : tensor<16x16xi32>
    %x23 = arith.xori %y22, %all_rows : tensor<16x16xi32>
    %y23 = arith.muli %x23, %x23 : tensor<16x16xi32>
    %x24 = arith.xori %y23, %all_rows : tensor<16x16xi32>
    %y24 = arith.muli %x24, %x24 : tensor<16x16xi32>
    %x25 = arith.xori %y24, %all_rows : tensor<16x16xi32>
    %y25 = arith.muli %x25, %x25 : tensor<16x16xi32>
    %x26 = arith.xori %y25, %all_rows : tensor<16x16xi32>
    %y26 = arith.muli %x26, %x26 : tensor<16x16xi32>
    %x27 = arith.xori %y26, %all_rows : tensor<16x16xi32>
    %y27 = arith.muli %x27, %x27 : tensor<16x16xi32>
    %x28 = arith.xori %y27, %all_rows : tensor<16x16xi32>
    %y28 = arith.muli %x28, %x28 : tensor<16x16xi32>
    %x29 = arith.xori %y28, %all_rows : tensor<16x16xi32>
    %y29 = arith.muli %x29, %x29 : tensor<16x16xi32>
    %x30 = arith.xori %y29, %all_rows : tensor<16x16xi32>
    %y30 = arith.muli %x30, %x30 : tensor<16x16xi32>
    %x31 = arith.xori %y30, %all_rows : tensor<16x16xi32>
    %y31 = arith.muli %x31, %x31 : tensor<16x16xi32>
    %x32 = arith.xori %y31, %all_rows : tensor<16x16xi32>
    %y32 = arith.muli %x32, %x32 : tensor<16x16xi32>
    %x33 = arith.xori %y32, %all_rows : tensor<16x16xi32>
    %y33 = arith.muli %x33, %x33 : tensor<16x16xi32>
    %random = arith.sitofp %y33 : tensor<16x16xi32> to tensor<16x16xf32>
    %p = arith.mulf %e, %random : tensor<16x16xf32>
    scf.yield %p : tensor<16x16xf32>
  }
  tt.return %r : tensor<16x16xf32>
}

// -----

// The index goes through a chunk of 64 columns, four iterations, or of 128, eight.
// CHECK-LABEL: @short_chunk
// CHECK-COUNT-1: scf.for
// CHECK-NOT: scf.for
// CHECK-LABEL: @long_chunk
// CHECK-COUNT-2: scf.for
tt.func public @short_chunk(%q: tensor<16x16xf16>, %x: !tt.ptr<f32>, %c: i32, %m: i32, %n: i32) -> tensor<16x16xf32> {
  %zero = arith.constant 0 : i32
  %step = arith.constant 16 : i32
  %length = arith.constant 64 : i32
  %none = arith.constant dense<0.0> : tensor<16x16xf32>
  %range = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
  %start = tt.splat %m : i32 -> tensor<16xi32>
  %rows = arith.addi %start, %range : tensor<16xi32>
  %column = tt.expand_dims %rows {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %all_rows = tt.broadcast %column : tensor<16x1xi32> -> tensor<16x16xi32>
  %chunk = arith.muli %c, %length : i32
  %r = scf.for %i = %zero to %n step %step iter_args(%acc = %none) -> (tensor<16x16xf32>) : i32 {
    %place = arith.addi %chunk, %i : i32
    %pointer = tt.addptr %x, %place : !tt.ptr<f32>, i32
    %scale = tt.load %pointer : !tt.ptr<f32>
    %scales = tt.splat %scale : f32 -> tensor<16x16xf32>
    %s = tt.dot %q, %q, %scales : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
    %index = tt.splat %i : i32 -> tensor<16xi32>
    %columns = arith.addi %index, %range : tensor<16xi32>
    %row = tt.expand_dims %columns {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %all_columns = tt.broadcast %row : tensor<1x16xi32> -> tensor<16x16xi32>
    %mask = arith.cmpi sge, %all_rows, %all_columns : tensor<16x16xi32>
    %t = arith.select %mask, %s, %none : tensor<16x16xi1>, tensor<16x16xf32>
    %e = math.exp2 %t : tensor<16x16xf32>
    scf.yield %e : tensor<16x16xf32>
  }
  tt.return %r : tensor<16x16xf32>
}

tt.func public @long_chunk(%q: tensor<16x16xf16>, %x: !tt.ptr<f32>, %c: i32, %m: i32, %n: i32) -> tensor<16x16xf32> {
  %zero = arith.constant 0 : i32
  %step = arith.constant 16 : i32
  %length = arith.constant 128 : i32
  %none = arith.constant dense<0.0> : tensor<16x16xf32>
  %range = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
  %start = tt.splat %m : i32 -> tensor<16xi32>
  %rows = arith.addi %start, %range : tensor<16xi32>
  %column = tt.expand_dims %rows {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %all_rows = tt.broadcast %column : tensor<16x1xi32> -> tensor<16x16xi32>
  %chunk = arith.muli %c, %length : i32
  %r = scf.for %i = %zero to %n step %step iter_args(%acc = %none) -> (tensor<16x16xf32>) : i32 {
    %place = arith.addi %chunk, %i : i32
    %pointer = tt.addptr %x, %place : !tt.ptr<f32>, i32
    %scale = tt.load %pointer : !tt.ptr<f32>
    %scales = tt.splat %scale : f32 -> tensor<16x16xf32>
    %s = tt.dot %q, %q, %scales : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
    %index = tt.splat %i : i32 -> tensor<16xi32>
    %columns = arith.addi %index, %range : tensor<16xi32>
    %row = tt.expand_dims %columns {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %all_columns = tt.broadcast %row : tensor<1x16xi32> -> tensor<16x16xi32>
    %mask = arith.cmpi sge, %all_rows, %all_columns : tensor<16x16xi32>
    %t = arith.select %mask, %s, %none : tensor<16x16xi1>, tensor<16x16xf32>
    %e = math.exp2 %t : tensor<16x16xf32>
    scf.yield %e : tensor<16x16xf32>
  }
  tt.return %r : tensor<16x16xf32>
}
