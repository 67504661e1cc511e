// RUN: tt-opt %s --ttkit-prefetch-loads | FileCheck %s

#lanes = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#many = #ttg.blocked<{sizePerThread = [64], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
!at = tensor<128x!tt.ptr<f32>, #lanes>
!values = tensor<128xf32, #lanes>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
// The next iteration's address comes from what the loop carries.
// CHECK-LABEL: @carried
// CHECK: %[[LAST:.*]] = arith.subi %arg3, %arg4
// CHECK: scf.for %[[I:[a-z0-9]+]] = {{.*}} iter_args(%[[P:[a-z0-9]+]] = %arg0
// CHECK-NEXT: %[[NEXT:.*]] = tt.addptr %[[P]], %arg1
// CHECK-NEXT: %[[MORE:.*]] = arith.cmpi slt, %[[I]], %[[LAST]]
// CHECK-NEXT: %[[ALL:.*]] = tt.splat %[[MORE]]
// CHECK-NEXT: %[[MASK:.*]] = arith.andi %[[ALL]], %arg2
// CHECK-NEXT: ttg.prefetch %[[NEXT]], %[[MASK]]
// CHECK-NEXT: tt.load %[[P]]
tt.func @carried(%p: !at, %step: tensor<128xi32, #lanes>, %mask: tensor<128xi1, #lanes>, %n: i32, %one: i32) {
  %zero = arith.constant dense<0.0> : !values
  %c0 = arith.constant 0 : i32
  %r:2 = scf.for %i = %c0 to %n step %one iter_args(%at = %p, %state = %zero) -> (!at, !values) : i32 {
    %x = tt.load %at, %mask : !at
    %new = arith.addf %x, %state : !values
    tt.store %p, %new : !at
    %next = tt.addptr %at, %step : !at, tensor<128xi32, #lanes>
    scf.yield %next, %new : !at, !values
  }
  tt.return
}

// Or from the number of the iteration.
// CHECK-LABEL: @counted
// CHECK: scf.for %[[I:[a-z0-9]+]] =
// CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[I]],
// CHECK-NEXT: %[[P:.*]] = tt.addptr %arg0, %[[NEXT]]
// CHECK-NEXT: %[[MORE:.*]] = arith.cmpi slt, %[[I]],
// CHECK-NEXT: ttg.prefetch %[[P]], %[[MORE]] : !tt.ptr<f32>
tt.func @counted(%p: !tt.ptr<f32>, %n: i32) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%state = %zero) -> (f32) : i32 {
    %at = tt.addptr %p, %i : !tt.ptr<f32>, i32
    %x = tt.load %at : !tt.ptr<f32>
    %new = arith.addf %x, %state : f32
    tt.store %p, %new : !tt.ptr<f32>
    scf.yield %new : f32
  }
  tt.return
}

// Bounds without sign: how far it still is, since the bound less the step may be below zero.
// CHECK-LABEL: @counted_without_sign
// CHECK: scf.for unsigned %[[I:[a-z0-9]+]] =
// CHECK: %[[REST:.*]] = arith.subi %arg1, %[[I]]
// CHECK-NEXT: %[[MORE:.*]] = arith.cmpi ugt, %[[REST]], %arg2
// CHECK-NEXT: ttg.prefetch %{{.*}}, %[[MORE]] : !tt.ptr<f32>
tt.func @counted_without_sign(%p: !tt.ptr<f32>, %n: i32, %step: i32) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : i32
  %r = scf.for unsigned %i = %c0 to %n step %step iter_args(%state = %zero) -> (f32) : i32 {
    %at = tt.addptr %p, %i : !tt.ptr<f32>, i32
    %x = tt.load %at : !tt.ptr<f32>
    %new = arith.addf %x, %state : f32
    tt.store %p, %new : !tt.ptr<f32>
    scf.yield %new : f32
  }
  tt.return
}

// Not: an address that is loaded, one that stays, many elements, an outer loop.
// CHECK-LABEL: @not
// CHECK-NOT: ttg.prefetch
// CHECK: tt.return
tt.func @not(%p: !tt.ptr<f32>, %o: !tt.ptr<i32>, %q: tensor<8192x!tt.ptr<f32>, #many>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %offset = tt.load %o : !tt.ptr<i32>
    %at = tt.addptr %p, %offset : !tt.ptr<f32>, i32
    %x = tt.load %at : !tt.ptr<f32>
    tt.store %p, %x : !tt.ptr<f32>
  }
  scf.for %i = %c0 to %n step %c1 : i32 {
    %all = tt.splat %i : i32 -> tensor<8192xi32, #many>
    %at = tt.addptr %q, %all : tensor<8192x!tt.ptr<f32>, #many>, tensor<8192xi32, #many>
    %x = tt.load %at : tensor<8192x!tt.ptr<f32>, #many>
    tt.store %q, %x : tensor<8192x!tt.ptr<f32>, #many>
  }
  scf.for %i = %c0 to %n step %c1 : i32 {
    %at = tt.addptr %p, %i : !tt.ptr<f32>, i32
    %x = tt.load %at : !tt.ptr<f32>
    scf.for %j = %c0 to %n step %c1 : i32 {
      tt.store %at, %x : !tt.ptr<f32>
    }
  }
  tt.return
}

// What is stored does not depend on the sum: the loop streams.
// CHECK-LABEL: @sums_beside_stores
// CHECK-NOT: ttg.prefetch
// CHECK: tt.return
tt.func @sums_beside_stores(%p: !at, %q: !at, %step: tensor<128xi32, #lanes>, %n: i32) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%from = %p, %to = %q, %sum = %zero) -> (!at, !at, f32) : i32 {
    %x = tt.load %from : !at
    %y = arith.mulf %x, %x : !values
    %s = "tt.reduce"(%y) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (!values) -> f32
    %new = arith.addf %sum, %s : f32
    tt.store %to, %y : !at
    %next = tt.addptr %from, %step : !at, tensor<128xi32, #lanes>
    %then = tt.addptr %to, %step : !at, tensor<128xi32, #lanes>
    scf.yield %next, %then, %new : !at, !at, f32
  }
  tt.return
}

// A store under a condition on the sum waits for it.
// CHECK-LABEL: @stores_by_the_sum
// CHECK: ttg.prefetch
// CHECK: tt.return
tt.func @stores_by_the_sum(%p: !tt.ptr<f32>, %n: i32) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%state = %zero) -> (f32) : i32 {
    %at = tt.addptr %p, %i : !tt.ptr<f32>, i32
    %x = tt.load %at : !tt.ptr<f32>
    %new = arith.addf %x, %state : f32
    %more = arith.cmpf ogt, %new, %zero : f32
    scf.if %more {
      tt.store %p, %zero : !tt.ptr<f32>
    }
    scf.yield %new : f32
  }
  tt.return
}
}
