tt.func @simple(%n: i32, %s: i32, %init: i32, %v: tensor<16xf32>) -> (i32, i32, i32, tensor<16xf32>) {
  %c0 = arith.constant 0 : i32
  %r:7 = scf.for %i = %c0 to %n step %s iter_args(%x = %init, %y = %init, %z = %init, %v0 = %v, %v1 = %v, %w = %init, %u = %init) -> (i32, i32, i32, tensor<16xf32>, tensor<16xf32>, i32, i32) : i32 {
    %0 = arith.addi %x, %s : i32
    %1 = arith.addi %y, %s : i32
    %2 = arith.addi %z, %i : i32
    %q = tt.splat %x : i32 -> tensor<16xi32>
    %q1 = tt.splat %y : i32 -> tensor<16xi32>
    %f = arith.sitofp %q : tensor<16xi32> to tensor<16xf32>
    %f1 = arith.sitofp %q1 : tensor<16xi32> to tensor<16xf32>
    %g = arith.mulf %v0, %f : tensor<16xf32>
    %g1 = arith.mulf %v1, %f1 : tensor<16xf32>
    scf.yield %0, %1, %2, %g, %g1, %u, %w : i32, i32, i32, tensor<16xf32>, tensor<16xf32>, i32, i32
  }
  %a = arith.addi %r#0, %r#1 : i32
  %b = arith.addi %r#2, %r#5 : i32
  %b1 = arith.addi %b, %r#6 : i32
  %m = arith.addf %r#3, %r#4 : tensor<16xf32>
  tt.return %a, %b, %b1, %m : i32, i32, i32, tensor<16xf32>
}

// -----

tt.func @loads(%n: i32, %p: !tt.ptr<f32>) -> (f32, f32, f32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %z = arith.constant 0.0 : f32
  %z1 = arith.constant 0.0 : f32
  %r:5 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %z, %y = %z1, %p0 = %p, %p1 = %p, %k = %z) -> (f32, f32, !tt.ptr<f32>, !tt.ptr<f32>, f32) : i32 {
    %a = tt.load %p0 : !tt.ptr<f32>
    %b = tt.load %p1 : !tt.ptr<f32>
    %q0 = tt.addptr %p0, %c1 : !tt.ptr<f32>, i32
    %q1 = tt.addptr %p1, %c1 : !tt.ptr<f32>, i32
    %e = arith.addf %x, %a : f32
    %f = arith.addf %y, %b : f32
    %ra = scf.for %j = %c0 to %n step %c1 iter_args(%o = %k) -> f32 : i32 {
      %t = math.exp %o : f32
      scf.yield %t : f32
    }
    scf.yield %e, %f, %q0, %q1, %ra : f32, f32, !tt.ptr<f32>, !tt.ptr<f32>, f32
  }
  tt.return %r#0, %r#1, %r#4 : f32, f32, f32
}

// -----

tt.func @swap(%n: i32, %i0: i32, %i1: i32) -> (i32, i32, i32, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:6 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %i0, %b = %i1, %c = %i0, %d = %i1, %k0 = %n, %k1 = %n) -> (i32, i32, i32, i32, i32, i32) : i32 {
    %k2 = arith.subi %k0, %k1 : i32
    %k3 = arith.subi %k1, %k0 : i32
    scf.yield %b, %a, %d, %c, %k2, %k3 : i32, i32, i32, i32, i32, i32
  }
  %o = arith.addi %r#4, %r#5 : i32
  %o1 = arith.addi %r#3, %o : i32
  tt.return %r#0, %r#1, %r#2, %o1 : i32, i32, i32, i32
}

// -----

tt.func @inner(%n: i32, %i0: i32, %i1: i32) -> (i32, i32, i32, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %i0, %b = %i0, %c = %i1, %d = %i1) -> (i32, i32, i32, i32) : i32 {
    %q:2 = scf.for %j = %c0 to %n step %c1 iter_args(%e = %a, %f = %b) -> (i32, i32) : i32 {
      %e1 = arith.muli %e, %j : i32
      %f1 = arith.muli %f, %j : i32
      scf.yield %e1, %f1 : i32, i32
    }
    %q1:2 = scf.for %j = %c0 to %n step %c1 iter_args(%e = %c, %f = %c) -> (i32, i32) : i32 {
      %e1 = arith.muli %e, %j : i32
      %f1 = arith.muli %f, %j : i32
      scf.yield %e1, %f1 : i32, i32
    }
    %b1 = arith.addi %b, %c1 : i32
    %a1 = arith.addi %a, %c1 : i32
    scf.yield %a1, %b1, %q1#0, %q1#1 : i32, i32, i32, i32
  }
  tt.return %r#0, %r#1, %r#2, %r#3 : i32, i32, i32, i32
}

// -----

tt.func @while(%n: i32) -> (i32, i32) {
  %c1 = arith.constant 1 : i32
  %r:2 = scf.while (%a = %n, %b = %n) : (i32, i32) -> (i32, i32) {
    %c = arith.cmpi slt, %a, %b : i32
    scf.condition(%c) %a, %b : i32, i32
  } do {
   ^bb0(%a: i32, %b: i32):
    %a1 = arith.addi %a, %c1 : i32
    %b1 = arith.addi %b, %c1 : i32
    scf.yield %a1, %b1 : i32, i32
  }
  tt.return %r#0, %r#1 : i32, i32
}

// -----

tt.func @chain(%n: i32, %init: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x0 = %init, %y0 = %init) -> (i32, i32) : i32 {
%x1 = arith.muli %x0, %x0 : i32
%y1 = arith.muli %y0, %y0 : i32
%x2 = arith.muli %x1, %x1 : i32
%y2 = arith.muli %y1, %y1 : i32
%x3 = arith.muli %x2, %x2 : i32
%y3 = arith.muli %y2, %y2 : i32
%x4 = arith.muli %x3, %x3 : i32
%y4 = arith.muli %y3, %y3 : i32
%x5 = arith.muli %x4, %x4 : i32
%y5 = arith.muli %y4, %y4 : i32
%x6 = arith.muli %x5, %x5 : i32
%y6 = arith.muli %y5, %y5 : i32
%x7 = arith.muli %x6, %x6 : i32
%y7 = arith.muli %y6, %y6 : i32
%x8 = arith.muli %x7, %x7 : i32
%y8 = arith.muli %y7, %y7 : i32
%x9 = arith.muli %x8, %x8 : i32
%y9 = arith.muli %y8, %y8 : i32
%x10 = arith.muli %x9, %x9 : i32
%y10 = arith.muli %y9, %y9 : i32
%x11 = arith.muli %x10, %x10 : i32
%y11 = arith.muli %y10, %y10 : i32
%x12 = arith.muli %x11, %x11 : i32
%y12 = arith.muli %y11, %y11 : i32
scf.yield %x12, %y12 : i32, i32
 }
 tt.return %r#0, %r#1: i32, i32
}

// -----

tt.func @other_attributes(%n: i32, %init: i32, %x: tensor<8xf32>, %t: tensor<4x4xf32>) -> (i32, i32, tensor<4x4xf32>, tensor<4x4xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %init, %b = %init, %u = %t, %v = %t) -> (i32, i32, tensor<4x4xf32>, tensor<4x4xf32>) : i32 {
    %0 = arith.cmpi slt, %a, %n : i32
    %1 = arith.cmpi sgt, %b, %n : i32
    %2 = arith.extui %0 : i1 to i32
    %3 = arith.extui %1 : i1 to i32
    %4 = tt.trans %u {order = array<i32: 1, 0>} : tensor<4x4xf32> -> tensor<4x4xf32>
    %5 = tt.trans %v {order = array<i32: 0, 1>} : tensor<4x4xf32> -> tensor<4x4xf32>
    scf.yield %2, %3, %4, %5 : i32, i32, tensor<4x4xf32>, tensor<4x4xf32>
  }
  tt.return %r#0, %r#1, %r#2, %r#3 : i32, i32, tensor<4x4xf32>, tensor<4x4xf32>
}
