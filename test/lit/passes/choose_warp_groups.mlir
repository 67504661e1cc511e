// RUN: tt-opt %s --split-input-file --ttkit-choose-warp-groups=num-warps=8 --verify-diagnostics | FileCheck %s

// CHECK: module attributes {"ttkit.group-warps" = 4 : i32}
// CHECK-LABEL: @attention
tt.func public @attention(%q: !tt.tensordesc<tensor<128x128xf16>>, %k: !tt.tensordesc<tensor<128x128xf16>>, %o: !tt.tensordesc<tensor<128x128xf16>>, %n: i32) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 128 : i32
  %none = arith.constant dense<0.0> : tensor<128x128xf32>
  %query = tt.descriptor_load %q[%zero, %zero] : !tt.tensordesc<tensor<128x128xf16>> -> tensor<128x128xf16>
  // expected-remark @below {{divided among two warp groups that compute and one that loads: an iteration takes 2048 cycles of tensor cores, 1024 for exponentials}}
  %r = scf.for %i = %zero to %n step %step iter_args(%acc = %none) -> (tensor<128x128xf32>) : i32 {
    %x = tt.descriptor_load %k[%i, %zero] : !tt.tensordesc<tensor<128x128xf16>> -> tensor<128x128xf16>
    %t = tt.trans %x {order = array<i32: 1, 0>} : tensor<128x128xf16> -> tensor<128x128xf16>
    %s = tt.dot %query, %t, %none : tensor<128x128xf16> * tensor<128x128xf16> -> tensor<128x128xf32>
    %e = math.exp2 %s : tensor<128x128xf32>
    %p = arith.truncf %e : tensor<128x128xf32> to tensor<128x128xf16>
    %y = tt.descriptor_load %k[%i, %zero] : !tt.tensordesc<tensor<128x128xf16>> -> tensor<128x128xf16>
    %d = tt.dot %p, %y, %acc : tensor<128x128xf16> * tensor<128x128xf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  // CHECK: } {tt.warp_specialize = true}
  %h = arith.truncf %r : tensor<128x128xf32> to tensor<128x128xf16>
  tt.descriptor_store %o[%zero, %zero], %h : !tt.tensordesc<tensor<128x128xf16>>, tensor<128x128xf16>
  tt.return
}

// -----

// Exponentials take as long as the tensor cores.
// CHECK-LABEL: @half_as_deep
// CHECK-NOT: warp_specialize
tt.func public @half_as_deep(%q: !tt.tensordesc<tensor<128x64xf16>>, %k: !tt.tensordesc<tensor<128x64xf16>>, %o: !tt.tensordesc<tensor<128x64xf16>>, %n: i32) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 128 : i32
  %none = arith.constant dense<0.0> : tensor<128x128xf32>
  %start = arith.constant dense<0.0> : tensor<128x64xf32>
  %query = tt.descriptor_load %q[%zero, %zero] : !tt.tensordesc<tensor<128x64xf16>> -> tensor<128x64xf16>
  %r = scf.for %i = %zero to %n step %step iter_args(%acc = %start) -> (tensor<128x64xf32>) : i32 {
    %x = tt.descriptor_load %k[%i, %zero] : !tt.tensordesc<tensor<128x64xf16>> -> tensor<128x64xf16>
    %t = tt.trans %x {order = array<i32: 1, 0>} : tensor<128x64xf16> -> tensor<64x128xf16>
    %s = tt.dot %query, %t, %none : tensor<128x64xf16> * tensor<64x128xf16> -> tensor<128x128xf32>
    %e = math.exp2 %s : tensor<128x128xf32>
    %p = arith.truncf %e : tensor<128x128xf32> to tensor<128x128xf16>
    %y = tt.descriptor_load %k[%i, %zero] : !tt.tensordesc<tensor<128x64xf16>> -> tensor<128x64xf16>
    %d = tt.dot %p, %y, %acc : tensor<128x128xf16> * tensor<128x64xf16> -> tensor<128x64xf32>
    scf.yield %d : tensor<128x64xf32>
  }
  %h = arith.truncf %r : tensor<128x64xf32> to tensor<128x64xf16>
  tt.descriptor_store %o[%zero, %zero], %h : !tt.tensordesc<tensor<128x64xf16>>, tensor<128x64xf16>
  tt.return
}

// -----

// What an atomic adds must be added once, not by each group.
// CHECK-LABEL: @counted
// CHECK-NOT: warp_specialize
tt.func public @counted(%q: !tt.tensordesc<tensor<128x128xf16>>, %k: !tt.tensordesc<tensor<128x128xf16>>, %o: !tt.tensordesc<tensor<128x128xf16>>, %n: i32, %c: !tt.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 128 : i32
  %true = arith.constant true
  %none = arith.constant dense<0.0> : tensor<128x128xf32>
  %query = tt.descriptor_load %q[%zero, %zero] : !tt.tensordesc<tensor<128x128xf16>> -> tensor<128x128xf16>
  %r = scf.for %i = %zero to %n step %step iter_args(%acc = %none) -> (tensor<128x128xf32>) : i32 {
    %x = tt.descriptor_load %k[%i, %zero] : !tt.tensordesc<tensor<128x128xf16>> -> tensor<128x128xf16>
    %t = tt.trans %x {order = array<i32: 1, 0>} : tensor<128x128xf16> -> tensor<128x128xf16>
    %s = tt.dot %query, %t, %none : tensor<128x128xf16> * tensor<128x128xf16> -> tensor<128x128xf32>
    %e = math.exp2 %s : tensor<128x128xf32>
    %p = arith.truncf %e : tensor<128x128xf32> to tensor<128x128xf16>
    %y = tt.descriptor_load %k[%i, %zero] : !tt.tensordesc<tensor<128x128xf16>> -> tensor<128x128xf16>
    %d = tt.dot %p, %y, %acc : tensor<128x128xf16> * tensor<128x128xf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %was = tt.atomic_rmw add, relaxed, gpu, %c, %step, %true : (!tt.ptr<i32>, i32, i1) -> i32
  %h = arith.truncf %r : tensor<128x128xf32> to tensor<128x128xf16>
  tt.descriptor_store %o[%zero, %zero], %h : !tt.tensordesc<tensor<128x128xf16>>, tensor<128x128xf16>
  tt.return
}

// -----

// The query comes through pointers, which the loading group can't send.
// CHECK-LABEL: @query_by_pointers
// CHECK-NOT: warp_specialize
tt.func public @query_by_pointers(%q: tensor<128x128x!tt.ptr<f16>>, %k: !tt.tensordesc<tensor<128x128xf16>>, %o: !tt.tensordesc<tensor<128x128xf16>>, %n: i32) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 128 : i32
  %none = arith.constant dense<0.0> : tensor<128x128xf32>
  %query = tt.load %q : tensor<128x128x!tt.ptr<f16>>
  %r = scf.for %i = %zero to %n step %step iter_args(%acc = %none) -> (tensor<128x128xf32>) : i32 {
    %x = tt.descriptor_load %k[%i, %zero] : !tt.tensordesc<tensor<128x128xf16>> -> tensor<128x128xf16>
    %t = tt.trans %x {order = array<i32: 1, 0>} : tensor<128x128xf16> -> tensor<128x128xf16>
    %s = tt.dot %query, %t, %none : tensor<128x128xf16> * tensor<128x128xf16> -> tensor<128x128xf32>
    %e = math.exp2 %s : tensor<128x128xf32>
    %p = arith.truncf %e : tensor<128x128xf32> to tensor<128x128xf16>
    %y = tt.descriptor_load %k[%i, %zero] : !tt.tensordesc<tensor<128x128xf16>> -> tensor<128x128xf16>
    %d = tt.dot %p, %y, %acc : tensor<128x128xf16> * tensor<128x128xf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %h = arith.truncf %r : tensor<128x128xf32> to tensor<128x128xf16>
  tt.descriptor_store %o[%zero, %zero], %h : !tt.tensordesc<tensor<128x128xf16>>, tensor<128x128xf16>
  tt.return
}

// -----

// Addresses of 64 bits that each iteration computes, as those of block pointers.
// CHECK: module attributes {"ttkit.group-warps" = 4 : i32}
// CHECK-LABEL: @block_pointers
tt.func public @block_pointers(%q: !tt.tensordesc<tensor<128x128xf16>>, %k: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %o: !tt.tensordesc<tensor<128x128xf16>>, %n: i32) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 128 : i32
  %none = arith.constant dense<0.0> : tensor<128x128xf32>
  %stride = arith.constant dense<128> : tensor<128x1xi64>
  %query = tt.descriptor_load %q[%zero, %zero] : !tt.tensordesc<tensor<128x128xf16>> -> tensor<128x128xf16>
  %base = tt.splat %k : !tt.ptr<f16> -> tensor<128x128x!tt.ptr<f16>>
  %range = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
  %long = arith.extsi %range : tensor<128xi32> to tensor<128xi64>
  %down = tt.expand_dims %long {axis = 1 : i32} : tensor<128xi64> -> tensor<128x1xi64>
  %across = tt.expand_dims %long {axis = 0 : i32} : tensor<128xi64> -> tensor<1x128xi64>
  %columns = tt.broadcast %across : tensor<1x128xi64> -> tensor<128x128xi64>
  // expected-remark @below {{divided among two warp groups that compute and one that loads}}
  %r = scf.for %i = %zero to %n step %step iter_args(%acc = %none) -> (tensor<128x128xf32>) : i32 {
    %first = arith.extsi %i : i32 to i64
    %firsts = tt.splat %first : i64 -> tensor<128x1xi64>
    %row = arith.addi %firsts, %down : tensor<128x1xi64>
    %line = arith.muli %row, %stride : tensor<128x1xi64>
    %lines = tt.broadcast %line : tensor<128x1xi64> -> tensor<128x128xi64>
    %offsets = arith.addi %lines, %columns : tensor<128x128xi64>
    %tile = tt.addptr %base, %offsets : tensor<128x128x!tt.ptr<f16>>, tensor<128x128xi64>
    %x = tt.load %tile : tensor<128x128x!tt.ptr<f16>>
    %t = tt.trans %x {order = array<i32: 1, 0>} : tensor<128x128xf16> -> tensor<128x128xf16>
    %s = tt.dot %query, %t, %none : tensor<128x128xf16> * tensor<128x128xf16> -> tensor<128x128xf32>
    %e = math.exp2 %s : tensor<128x128xf32>
    %p = arith.truncf %e : tensor<128x128xf32> to tensor<128x128xf16>
    %y = tt.load %tile : tensor<128x128x!tt.ptr<f16>>
    %d = tt.dot %p, %y, %acc : tensor<128x128xf16> * tensor<128x128xf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  // CHECK: } {tt.warp_specialize = true}
  %h = arith.truncf %r : tensor<128x128xf32> to tensor<128x128xf16>
  tt.descriptor_store %o[%zero, %zero], %h : !tt.tensordesc<tensor<128x128xf16>>, tensor<128x128xf16>
  tt.return
}

// -----

// CHECK: module attributes {"ttkit.group-warps" = 4 : i32}
// CHECK-LABEL: @carried_pointers
tt.func public @carried_pointers(%q: !tt.tensordesc<tensor<128x128xf16>>, %k: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %o: !tt.tensordesc<tensor<128x128xf16>>, %n: i32) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 128 : i32
  %none = arith.constant dense<0.0> : tensor<128x128xf32>
  %steps = arith.constant dense<16384> : tensor<128x128xi32>
  %stride = arith.constant dense<128> : tensor<128x1xi32>
  %query = tt.descriptor_load %q[%zero, %zero] : !tt.tensordesc<tensor<128x128xf16>> -> tensor<128x128xf16>
  %base = tt.splat %k : !tt.ptr<f16> -> tensor<128x128x!tt.ptr<f16>>
  %range = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
  %down = tt.expand_dims %range {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
  %line = arith.muli %down, %stride : tensor<128x1xi32>
  %lines = tt.broadcast %line : tensor<128x1xi32> -> tensor<128x128xi32>
  %across = tt.expand_dims %range {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
  %columns = tt.broadcast %across : tensor<1x128xi32> -> tensor<128x128xi32>
  %rows = tt.addptr %base, %lines : tensor<128x128x!tt.ptr<f16>>, tensor<128x128xi32>
  %first = tt.addptr %rows, %columns : tensor<128x128x!tt.ptr<f16>>, tensor<128x128xi32>
  // expected-remark @below {{divided among two warp groups that compute and one that loads}}
  %r:2 = scf.for %i = %zero to %n step %step iter_args(%acc = %none, %tile = %first) -> (tensor<128x128xf32>, tensor<128x128x!tt.ptr<f16>>) : i32 {
    %x = tt.load %tile : tensor<128x128x!tt.ptr<f16>>
    %t = tt.trans %x {order = array<i32: 1, 0>} : tensor<128x128xf16> -> tensor<128x128xf16>
    %s = tt.dot %query, %t, %none : tensor<128x128xf16> * tensor<128x128xf16> -> tensor<128x128xf32>
    %e = math.exp2 %s : tensor<128x128xf32>
    %p = arith.truncf %e : tensor<128x128xf32> to tensor<128x128xf16>
    %y = tt.load %tile : tensor<128x128x!tt.ptr<f16>>
    %d = tt.dot %p, %y, %acc : tensor<128x128xf16> * tensor<128x128xf16> -> tensor<128x128xf32>
    %next = tt.addptr %tile, %steps : tensor<128x128x!tt.ptr<f16>>, tensor<128x128xi32>
    scf.yield %d, %next : tensor<128x128xf32>, tensor<128x128x!tt.ptr<f16>>
  // CHECK: } {tt.warp_specialize = true}
  }
  %h = arith.truncf %r#0 : tensor<128x128xf32> to tensor<128x128xf16>
  tt.descriptor_store %o[%zero, %zero], %h : !tt.tensordesc<tensor<128x128xf16>>, tensor<128x128xf16>
  tt.return
}

// -----

// Memory says which blocks of keys come next: each group loads their numbers.
// CHECK: module attributes {"ttkit.group-warps" = 4 : i32}
// CHECK-LABEL: @listed_blocks
tt.func public @listed_blocks(%q: !tt.tensordesc<tensor<128x128xf16>>, %k: !tt.tensordesc<tensor<128x128xf16>>, %o: !tt.tensordesc<tensor<128x128xf16>>, %n: i32, %blocks: !tt.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : tensor<128x128xf32>
  %query = tt.descriptor_load %q[%zero, %zero] : !tt.tensordesc<tensor<128x128xf16>> -> tensor<128x128xf16>
  // expected-remark @below {{divided among two warp groups that compute and one that loads}}
  %r = scf.for %i = %zero to %n step %one iter_args(%acc = %none) -> (tensor<128x128xf32>) : i32 {
    %at = tt.addptr %blocks, %i : !tt.ptr<i32>, i32
    %block = tt.load %at : !tt.ptr<i32>
    %x = tt.descriptor_load %k[%block, %zero] : !tt.tensordesc<tensor<128x128xf16>> -> tensor<128x128xf16>
    %t = tt.trans %x {order = array<i32: 1, 0>} : tensor<128x128xf16> -> tensor<128x128xf16>
    %s = tt.dot %query, %t, %none : tensor<128x128xf16> * tensor<128x128xf16> -> tensor<128x128xf32>
    %e = math.exp2 %s : tensor<128x128xf32>
    %p = arith.truncf %e : tensor<128x128xf32> to tensor<128x128xf16>
    %y = tt.descriptor_load %k[%block, %zero] : !tt.tensordesc<tensor<128x128xf16>> -> tensor<128x128xf16>
    %d = tt.dot %p, %y, %acc : tensor<128x128xf16> * tensor<128x128xf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  // CHECK: } {tt.warp_specialize = true}
  }
  %h = arith.truncf %r : tensor<128x128xf32> to tensor<128x128xf16>
  tt.descriptor_store %o[%zero, %zero], %h : !tt.tensordesc<tensor<128x128xf16>>, tensor<128x128xf16>
  tt.return
}
