// RUN: tt-opt %s --split-input-file --ttkit-run-longest-first --verify-diagnostics | FileCheck %s

// Attention with a causal mask: a loop below the diagonal, and one on it that does not grow.
// CHECK: module attributes {"ttkit.longest-first" = {axes = array<i32: 0, 1>, axis = 0 : i32, shrinks = false, together = 512 : i32}}
// expected-remark @below {{programs start in the order of their work, which grows by 2 iterations along x}}
tt.func public @causal(%k: !tt.tensordesc<tensor<64x128xf16>>, %n: i32, %out: !tt.ptr<f16>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %step = arith.constant 64 : i32
  %rows = arith.constant 128 : i32
  %none = arith.constant dense<0.0> : tensor<64x128xf16>
  %m = tt.get_program_id x : i32
  %head = tt.get_program_id y : i32
  %end = arith.muli %m, %rows : i32
  %r = scf.for %i = %zero to %end step %step iter_args(%acc = %none) -> (tensor<64x128xf16>) : i32 {
    %x = tt.descriptor_load %k[%i, %head] : !tt.tensordesc<tensor<64x128xf16>> -> tensor<64x128xf16>
    %s = arith.addf %acc, %x : tensor<64x128xf16>
    scf.yield %s : tensor<64x128xf16>
  }
  %next = arith.addi %m, %one : i32
  %last = arith.muli %next, %rows : i32
  %d = scf.for %i = %end to %last step %step iter_args(%acc = %r) -> (tensor<64x128xf16>) : i32 {
    %x = tt.descriptor_load %k[%i, %head] : !tt.tensordesc<tensor<64x128xf16>> -> tensor<64x128xf16>
    %s = arith.addf %acc, %x : tensor<64x128xf16>
    scf.yield %s : tensor<64x128xf16>
  }
  tt.descriptor_store %k[%m, %head], %d : !tt.tensordesc<tensor<64x128xf16>>, tensor<64x128xf16>
  tt.return
}

// -----

// Cut off at the end of a sequence whose length is loaded, blocks of whole steps, along the last axis.
// CHECK: module attributes {"ttkit.longest-first" = {axes = array<i32: 0, 2>, axis = 2 : i32, shrinks = false, together = 512 : i32}}
// expected-remark @below {{which grows by 1 iterations along z}}
tt.func public @cut_off(%k: !tt.tensordesc<tensor<32x64xf16>>, %lengths: !tt.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %step = arith.constant 32 : i32
  %m = tt.get_program_id z : i32
  %sequence = tt.get_program_id x : i32
  %where = tt.addptr %lengths, %sequence : !tt.ptr<i32>, i32
  %length = tt.load %where : !tt.ptr<i32>
  %start = arith.muli %m, %step : i32
  %after = arith.addi %start, %step : i32
  %end = arith.minsi %after, %length : i32
  %lies = arith.cmpi slt, %start, %length : i32
  %mask = arith.select %lies, %one, %none : i32
  %masked = arith.muli %mask, %end : i32
  scf.for %i = %zero to %masked step %step : i32 {
    %x = tt.descriptor_load %k[%i, %zero] : !tt.tensordesc<tensor<32x64xf16>> -> tensor<32x64xf16>
    tt.descriptor_store %k[%i, %m], %x : !tt.tensordesc<tensor<32x64xf16>>, tensor<32x64xf16>
  }
  tt.return
}

// -----

// Work shrinks along the grid's only axis.
// CHECK: module attributes {"ttkit.longest-first" = {axes = array<i32: 0>, axis = 0 : i32, shrinks = true, together = 512 : i32}}
// expected-remark @below {{which shrinks by 1 iterations along x}}
tt.func public @shrinks(%k: !tt.tensordesc<tensor<32x64xf16>>, %n: i32) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %m = tt.get_program_id x : i32
  %start = arith.muli %m, %step : i32
  scf.for %i = %start to %n step %step : i32 {
    %x = tt.descriptor_load %k[%i, %zero] : !tt.tensordesc<tensor<32x64xf16>> -> tensor<32x64xf16>
    tt.descriptor_store %k[%i, %m], %x : !tt.tensordesc<tensor<32x64xf16>>, tensor<32x64xf16>
  }
  tt.return
}

// -----

// One program for several tiles: the step is not a number, and the work hardly differs.
// CHECK-NOT: longest-first
tt.func public @persistent(%k: !tt.tensordesc<tensor<32x64xf16>>, %n: i32) {
  %zero = arith.constant 0 : i32
  %m = tt.get_program_id x : i32
  %programs = tt.get_num_programs x : i32
  scf.for %i = %m to %n step %programs : i32 {
    %x = tt.descriptor_load %k[%i, %zero] : !tt.tensordesc<tensor<32x64xf16>> -> tensor<32x64xf16>
    tt.descriptor_store %k[%i, %m], %x : !tt.tensordesc<tensor<32x64xf16>>, tensor<32x64xf16>
  }
  tt.return
}

// -----

// A loop without bounds may wait for programs with smaller numbers.
// CHECK-NOT: longest-first
tt.func public @waits(%k: !tt.tensordesc<tensor<32x64xf16>>, %flag: !tt.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %m = tt.get_program_id x : i32
  %end = arith.muli %m, %step : i32
  scf.while : () -> () {
    %x = tt.load %flag {isVolatile = true} : !tt.ptr<i32>
    %more = arith.cmpi slt, %x, %m : i32
    scf.condition(%more)
  } do {
    scf.yield
  }
  scf.for %i = %zero to %end step %step : i32 {
    %x = tt.descriptor_load %k[%i, %zero] : !tt.tensordesc<tensor<32x64xf16>> -> tensor<32x64xf16>
    tt.descriptor_store %k[%i, %m], %x : !tt.tensordesc<tensor<32x64xf16>>, tensor<32x64xf16>
  }
  tt.return
}

// -----

// One loop grows and another shrinks.
// CHECK-NOT: longest-first
tt.func public @both(%k: !tt.tensordesc<tensor<32x64xf16>>, %n: i32) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %m = tt.get_program_id x : i32
  %start = arith.muli %m, %step : i32
  scf.for %i = %start to %n step %step : i32 {
    %x = tt.descriptor_load %k[%i, %zero] : !tt.tensordesc<tensor<32x64xf16>> -> tensor<32x64xf16>
    tt.descriptor_store %k[%i, %m], %x : !tt.tensordesc<tensor<32x64xf16>>, tensor<32x64xf16>
  }
  scf.for %i = %zero to %start step %step : i32 {
    %x = tt.descriptor_load %k[%i, %zero] : !tt.tensordesc<tensor<32x64xf16>> -> tensor<32x64xf16>
    tt.descriptor_store %k[%i, %m], %x : !tt.tensordesc<tensor<32x64xf16>>, tensor<32x64xf16>
  }
  tt.return
}

// -----

// Two programs share a loop along K: one has an iteration more at most.
// CHECK-NOT: longest-first
tt.func public @split(%k: !tt.tensordesc<tensor<32x64xf16>>, %n: i32) {
  %zero = arith.constant 0 : i32
  %tile = arith.constant 32 : i32
  %step = arith.constant 64 : i32
  %m = tt.get_program_id y : i32
  %start = arith.muli %m, %tile : i32
  scf.for %i = %start to %n step %step : i32 {
    %x = tt.descriptor_load %k[%i, %zero] : !tt.tensordesc<tensor<32x64xf16>> -> tensor<32x64xf16>
    tt.descriptor_store %k[%i, %m], %x : !tt.tensordesc<tensor<32x64xf16>>, tensor<32x64xf16>
  }
  tt.return
}

// -----

// A loop over numbers of the programs before, which is little work.
// CHECK-NOT: longest-first
tt.func public @scalars(%counts: !tt.ptr<i32>, %out: !tt.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %m = tt.get_program_id x : i32
  %sum = scf.for %i = %zero to %m step %one iter_args(%acc = %zero) -> i32 : i32 {
    %at = tt.addptr %counts, %i : !tt.ptr<i32>, i32
    %x = tt.load %at : !tt.ptr<i32>
    %more = arith.addi %acc, %x : i32
    scf.yield %more : i32
  }
  tt.store %out, %sum : !tt.ptr<i32>
  tt.return
}

// -----

// Assembly asks for the number of the CTA, which has to be the place in the grid.
// CHECK-NOT: longest-first
tt.func public @asks(%k: !tt.tensordesc<tensor<32x64xf16>>, %out: tensor<32x!tt.ptr<i32>>, %n: tensor<32xi32>) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %m = tt.get_program_id x : i32
  %end = arith.muli %m, %step : i32
  %cta = tt.elementwise_inline_asm "mov.u32 $0, %ctaid.x;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %n : tensor<32xi32> -> tensor<32xi32>
  tt.store %out, %cta : tensor<32x!tt.ptr<i32>>
  scf.for %i = %zero to %end step %step : i32 {
    %x = tt.descriptor_load %k[%i, %zero] : !tt.tensordesc<tensor<32x64xf16>> -> tensor<32x64xf16>
    tt.descriptor_store %k[%i, %m], %x : !tt.tensordesc<tensor<32x64xf16>>, tensor<32x64xf16>
  }
  tt.return
}
