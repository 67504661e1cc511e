// RUN: tt-opt %s --split-input-file --ttkit-split-masked-loops --canonicalize | FileCheck %s

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

// Warp specialization is asked for: the loop stays whole.
// CHECK-LABEL: @specialized
// CHECK-COUNT-1: scf.for
// CHECK-NOT: scf.for
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
