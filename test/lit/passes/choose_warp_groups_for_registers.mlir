// RUN: tt-opt %s --split-input-file --ttkit-choose-warp-groups="num-warps=4 num-stages=6" --verify-diagnostics | FileCheck %s

// Both accumulators alone take 256 registers of 128 threads.  Six slots would not fit into shared memory.
// CHECK: module attributes {"ttkit.group-warps" = 4 : i32}
// CHECK-LABEL: @gradients
tt.func public @gradients(%kd: !tt.tensordesc<tensor<128x128xf16>>, %vd: !tt.tensordesc<tensor<128x128xf16>>, %q: !tt.tensordesc<tensor<64x128xf16>>, %d: !tt.tensordesc<tensor<64x128xf16>>, %m: tensor<64x!tt.ptr<f32>>, %n: i32, %dk: !tt.tensordesc<tensor<128x128xf16>>, %dv: !tt.tensordesc<tensor<128x128xf16>>) {
  %zero = arith.constant 0 : i32
  %k = tt.descriptor_load %kd[%zero, %zero] : !tt.tensordesc<tensor<128x128xf16>> -> tensor<128x128xf16>
  %v = tt.descriptor_load %vd[%zero, %zero] : !tt.tensordesc<tensor<128x128xf16>> -> tensor<128x128xf16>
  %step = arith.constant 64 : i32
  %none = arith.constant dense<0.0> : tensor<128x64xf32>
  %start = arith.constant dense<0.0> : tensor<128x128xf32>
  // expected-remark @below {{divided among two warp groups that compute and one that loads: an iteration takes 2048 cycles of tensor cores, 512 for exponentials}}
  %r:2 = scf.for %i = %zero to %n step %step iter_args(%x = %start, %y = %start) -> (tensor<128x128xf32>, tensor<128x128xf32>) : i32 {
    %rows = tt.descriptor_load %q[%i, %zero] : !tt.tensordesc<tensor<64x128xf16>> -> tensor<64x128xf16>
    %t = tt.trans %rows {order = array<i32: 1, 0>} : tensor<64x128xf16> -> tensor<128x64xf16>
    %s = tt.dot %k, %t, %none : tensor<128x128xf16> * tensor<128x64xf16> -> tensor<128x64xf32>
    %l = tt.load %m : tensor<64x!tt.ptr<f32>>
    %lr = tt.expand_dims %l {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
    %lb = tt.broadcast %lr : tensor<1x64xf32> -> tensor<128x64xf32>
    %f = arith.subf %s, %lb : tensor<128x64xf32>
    %e = math.exp2 %f : tensor<128x64xf32>
    %p = arith.truncf %e : tensor<128x64xf32> to tensor<128x64xf16>
    %o = tt.descriptor_load %d[%i, %zero] : !tt.tensordesc<tensor<64x128xf16>> -> tensor<64x128xf16>
    %b = tt.dot %p, %o, %y : tensor<128x64xf16> * tensor<64x128xf16> -> tensor<128x128xf32>
    %u = tt.trans %o {order = array<i32: 1, 0>} : tensor<64x128xf16> -> tensor<128x64xf16>
    %g = tt.dot %v, %u, %none : tensor<128x128xf16> * tensor<128x64xf16> -> tensor<128x64xf32>
    %h = arith.mulf %e, %g : tensor<128x64xf32>
    %j = arith.truncf %h : tensor<128x64xf32> to tensor<128x64xf16>
    %a = tt.dot %j, %rows, %x : tensor<128x64xf16> * tensor<64x128xf16> -> tensor<128x128xf32>
    scf.yield %a, %b : tensor<128x128xf32>, tensor<128x128xf32>
  }
  // CHECK: } {tt.num_stages = 5 : i32, tt.warp_specialize = true}
  %z1 = arith.truncf %r#0 : tensor<128x128xf32> to tensor<128x128xf16>
  tt.descriptor_store %dk[%zero, %zero], %z1 : !tt.tensordesc<tensor<128x128xf16>>, tensor<128x128xf16>
  %z2 = arith.truncf %r#1 : tensor<128x128xf32> to tensor<128x128xf16>
  tt.descriptor_store %dv[%zero, %zero], %z2 : !tt.tensordesc<tensor<128x128xf16>>, tensor<128x128xf16>
  tt.return
}

// -----

// Half as many columns: the results fit.
// CHECK-LABEL: @half_as_wide
// CHECK-NOT: warp_specialize
tt.func public @half_as_wide(%kd: !tt.tensordesc<tensor<128x64xf16>>, %q: !tt.tensordesc<tensor<64x64xf16>>, %n: i32, %dk: !tt.tensordesc<tensor<128x64xf16>>) {
  %zero = arith.constant 0 : i32
  %k = tt.descriptor_load %kd[%zero, %zero] : !tt.tensordesc<tensor<128x64xf16>> -> tensor<128x64xf16>
  %step = arith.constant 64 : i32
  %none = arith.constant dense<0.0> : tensor<128x64xf32>
  %r = scf.for %i = %zero to %n step %step iter_args(%x = %none) -> (tensor<128x64xf32>) : i32 {
    %rows = tt.descriptor_load %q[%i, %zero] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    %t = tt.trans %rows {order = array<i32: 1, 0>} : tensor<64x64xf16> -> tensor<64x64xf16>
    %s = tt.dot %k, %t, %none : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
    %p = arith.truncf %s : tensor<128x64xf32> to tensor<128x64xf16>
    %a = tt.dot %p, %rows, %x : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
    scf.yield %a : tensor<128x64xf32>
  }
  %z1 = arith.truncf %r : tensor<128x64xf32> to tensor<128x64xf16>
  tt.descriptor_store %dk[%zero, %zero], %z1 : !tt.tensordesc<tensor<128x64xf16>>, tensor<128x64xf16>
  tt.return
}

// -----

// The other group can't load a matrix that is no operand.
// CHECK-LABEL: @with_a_bias
// CHECK-NOT: warp_specialize
tt.func public @with_a_bias(%kd: !tt.tensordesc<tensor<128x256xf16>>, %q: !tt.tensordesc<tensor<64x256xf16>>, %c: tensor<128x64x!tt.ptr<f32>>, %n: i32, %dk: !tt.tensordesc<tensor<128x256xf16>>) {
  %zero = arith.constant 0 : i32
  %k = tt.descriptor_load %kd[%zero, %zero] : !tt.tensordesc<tensor<128x256xf16>> -> tensor<128x256xf16>
  %step = arith.constant 64 : i32
  %none = arith.constant dense<0.0> : tensor<128x64xf32>
  %start = arith.constant dense<0.0> : tensor<128x256xf32>
  %r = scf.for %i = %zero to %n step %step iter_args(%x = %start) -> (tensor<128x256xf32>) : i32 {
    %rows = tt.descriptor_load %q[%i, %zero] : !tt.tensordesc<tensor<64x256xf16>> -> tensor<64x256xf16>
    %t = tt.trans %rows {order = array<i32: 1, 0>} : tensor<64x256xf16> -> tensor<256x64xf16>
    %s = tt.dot %k, %t, %none : tensor<128x256xf16> * tensor<256x64xf16> -> tensor<128x64xf32>
    %bias = tt.load %c : tensor<128x64x!tt.ptr<f32>>
    %f = arith.addf %s, %bias : tensor<128x64xf32>
    %p = arith.truncf %f : tensor<128x64xf32> to tensor<128x64xf16>
    %a = tt.dot %p, %rows, %x : tensor<128x64xf16> * tensor<64x256xf16> -> tensor<128x256xf32>
    scf.yield %a : tensor<128x256xf32>
  }
  %z1 = arith.truncf %r : tensor<128x256xf32> to tensor<128x256xf16>
  tt.descriptor_store %dk[%zero, %zero], %z1 : !tt.tensordesc<tensor<128x256xf16>>, tensor<128x256xf16>
  tt.return
}
