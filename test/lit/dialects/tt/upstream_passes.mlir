// Upstream MLIR passes on tt; each section is for the pass that its function names start with.
// RUN: tt-opt %s -split-input-file --inline | FileCheck %s --check-prefix=INLINE
// RUN: tt-opt %s -split-input-file --cse | FileCheck %s --check-prefix=CSE
// RUN: tt-opt %s -split-input-file --sccp | FileCheck %s --check-prefix=SCCP
// RUN: tt-opt %s -split-input-file --symbol-dce | FileCheck %s --check-prefix=DCE
// RUN: tt-opt %s -split-input-file --loop-invariant-code-motion | FileCheck %s --check-prefix=LICM
// RUN: tt-opt %s -split-input-file --convert-scf-to-cf | FileCheck %s --check-prefix=CF

// A callee of several blocks leaves through a branch to the rest of the caller.
// INLINE-LABEL: tt.func @inline_blocks(
// INLINE-SAME: %[[X:.*]]: i32, %[[C:.*]]: i1)
// INLINE-NEXT: cf.cond_br %[[C]], ^[[END:.*]](%[[X]] : i32), ^[[ELSE:.*]]
// INLINE-NEXT: ^[[ELSE]]:
// INLINE-NEXT: %[[SUM:.*]] = arith.addi %[[X]], %[[X]]
// INLINE-NEXT: cf.br ^[[END]](%[[SUM]] : i32)
// INLINE-NEXT: ^[[END]](%[[R:.*]]: i32):
// INLINE-NEXT: tt.return %[[R]] : i32
// INLINE-NOT: tt.func
tt.func @inline_blocks(%x: i32, %c: i1) -> i32 {
  %0 = tt.call @callee(%x, %c) : (i32, i1) -> i32
  tt.return %0 : i32
}
tt.func private @callee(%x: i32, %c: i1) -> i32 attributes {noinline = false} {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  tt.return %x : i32
^bb2:
  %0 = arith.addi %x, %x : i32
  tt.return %0 : i32
}

// -----

// Left alone: several blocks do not fit into a region of one.
// INLINE-LABEL: tt.func @inline_blocks_in_if
// INLINE: scf.if
// INLINE-NEXT: tt.call @callee
tt.func @inline_blocks_in_if(%x: i32, %c: i1, %d: i1) -> i32 {
  %0 = scf.if %d -> i32 {
    %1 = tt.call @callee(%x, %c) : (i32, i1) -> i32
    scf.yield %1 : i32
  } else {
    scf.yield %x : i32
  }
  tt.return %0 : i32
}
tt.func private @callee(%x: i32, %c: i1) -> i32 {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  tt.return %x : i32
^bb2:
  %0 = arith.addi %x, %x : i32
  tt.return %0 : i32
}

// -----

// Memory, scf and several results.
// INLINE-LABEL: tt.func @inline_one_block(
// INLINE-NOT: tt.call
// INLINE: tt.load
// INLINE: scf.for
// INLINE: tt.return
// INLINE-NOT: tt.func
tt.func @inline_one_block(%p: !tt.ptr<f32>, %n: i32) -> (f32, f32) {
  %0:2 = tt.call @callee(%p, %n) : (!tt.ptr<f32>, i32) -> (f32, f32)
  tt.return %0#1, %0#0 : f32, f32
}
tt.func private @callee(%p: !tt.ptr<f32>, %n: i32) -> (f32, f32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %0 = tt.load %p : !tt.ptr<f32>
  %1 = scf.for %i = %zero to %n step %one iter_args(%acc = %0) -> f32 : i32 {
    %2 = tt.addptr %p, %i : !tt.ptr<f32>, i32
    %3 = tt.load %2 : !tt.ptr<f32>
    %4 = arith.addf %acc, %3 : f32
    scf.yield %4 : f32
  }
  tt.return %0, %1 : f32, f32
}

// -----

// INLINE-LABEL: tt.func @inline_noinline
// INLINE: tt.call @kept
// INLINE: tt.call @kept_unit
// INLINE: tt.call @declared
// INLINE-NOT: tt.call
tt.func @inline_noinline() {
  tt.call @kept() : () -> ()
  tt.call @kept_unit() : () -> ()
  tt.call @declared() : () -> ()
  tt.call @inlined() : () -> ()
  tt.return
}
tt.func private @kept() attributes {noinline = true} {
  tt.return
}
tt.func private @kept_unit() attributes {noinline} {
  tt.return
}
tt.func private @inlined() attributes {noinline = false} {
  tt.return
}
tt.func private @declared()

// -----

// Into the region of a tt operation; recursion ends.
// INLINE-LABEL: tt.func @inline_map
// INLINE: ^bb0(%[[A:.*]]: i32):
// INLINE-NEXT: %[[B:.*]] = arith.muli %[[A]], %[[A]]
// INLINE-NEXT: tt.map_elementwise.return %[[B]]
// INLINE: tt.call @inline_recursive
tt.func @inline_map(%x: tensor<16xi32>, %i: i32) -> tensor<16xi32> {
  %0 = "tt.map_elementwise"(%x) <{pack = 1 : i32}> ({
  ^bb0(%a: i32):
    %1 = tt.call @square(%a) : (i32) -> i32
    tt.map_elementwise.return %1 : i32
  }) : (tensor<16xi32>) -> tensor<16xi32>
  tt.return %0 : tensor<16xi32>
}
tt.func @inline_recursive(%i: i32) -> i32 {
  %0 = tt.call @inline_recursive(%i) : (i32) -> i32
  tt.return %0 : i32
}
tt.func private @square(%x: i32) -> i32 {
  %0 = arith.muli %x, %x : i32
  tt.return %0 : i32
}

// -----

// Two equal loads are one, unless something is written in between, or they are volatile.
// CSE-LABEL: tt.func @cse_load(
// CSE-SAME: %[[P:.*]]: !tt.ptr<f16>, %[[Q:.*]]: !tt.ptr<f16>
// CSE-NEXT: %[[A:.*]] = tt.load %[[P]] : !tt.ptr<f16>
// CSE-NEXT: tt.store %[[Q]]
// CSE-NEXT: %[[B:.*]] = tt.load %[[P]] : !tt.ptr<f16>
// CSE-NEXT: %[[C:.*]] = tt.load %[[P]] {isVolatile = true} : !tt.ptr<f16>
// CSE-NEXT: %[[D:.*]] = tt.load %[[P]] {isVolatile = true} : !tt.ptr<f16>
// CSE-NEXT: %[[E:.*]] = tt.load %[[P]] evictionPolicy = evict_last : !tt.ptr<f16>
// CSE-NEXT: tt.return %[[A]], %[[A]], %[[B]], %[[C]], %[[D]], %[[E]]
tt.func @cse_load(%p: !tt.ptr<f16>, %q: !tt.ptr<f16>, %v: f16) -> (f16, f16, f16, f16, f16, f16) {
  %0 = tt.load %p : !tt.ptr<f16>
  %1 = tt.load %p : !tt.ptr<f16>
  tt.store %q, %v : !tt.ptr<f16>
  %2 = tt.load %p : !tt.ptr<f16>
  %3 = tt.load %p {isVolatile = true} : !tt.ptr<f16>
  %4 = tt.load %p {isVolatile = true} : !tt.ptr<f16>
  %5 = tt.load %p evictionPolicy = evict_last : !tt.ptr<f16>
  tt.return %0, %1, %2, %3, %4, %5 : f16, f16, f16, f16, f16, f16
}

// -----

// CSE-LABEL: tt.func @cse_pure(
// CSE: %[[ID:.*]] = tt.get_program_id x
// CSE-NEXT: %[[F:.*]] = tt.extern_elementwise {{.*}}pure = true
// CSE-NEXT: %[[G0:.*]] = tt.extern_elementwise {{.*}}pure = false
// CSE-NEXT: %[[G1:.*]] = tt.extern_elementwise {{.*}}pure = false
// CSE-NEXT: %[[D:.*]] = tt.descriptor_load
// CSE-NEXT: tt.return %[[ID]], %[[ID]], %[[F]], %[[F]], %[[G0]], %[[G1]], %[[D]], %[[D]]
tt.func @cse_pure(%v: f16, %d: !tt.tensordesc<tensor<16xf16>>, %i: i32) -> (i32, i32, f16, f16, f16, f16, tensor<16xf16>, tensor<16xf16>) {
  %0 = tt.get_program_id x : i32
  %1 = tt.get_program_id x : i32
  %2 = tt.extern_elementwise %v {libname = "", libpath = "", symbol = "f", pure = true} : (f16) -> f16
  %3 = tt.extern_elementwise %v {libname = "", libpath = "", symbol = "f", pure = true} : (f16) -> f16
  %4 = tt.extern_elementwise %v {libname = "", libpath = "", symbol = "f", pure = false} : (f16) -> f16
  %5 = tt.extern_elementwise %v {libname = "", libpath = "", symbol = "f", pure = false} : (f16) -> f16
  %6 = tt.descriptor_load %d[%i] : !tt.tensordesc<tensor<16xf16>> -> tensor<16xf16>
  %7 = tt.descriptor_load %d[%i] : !tt.tensordesc<tensor<16xf16>> -> tensor<16xf16>
  tt.return %0, %1, %2, %3, %4, %5, %6, %7 : i32, i32, f16, f16, f16, f16, tensor<16xf16>, tensor<16xf16>
}

// -----

// A constant goes through the call, and its result comes back.
// SCCP-LABEL: tt.func @sccp_call
// SCCP-DAG: %[[SIX:.*]] = arith.constant 6 : i32
// SCCP: tt.return %[[SIX]] : i32
// SCCP-LABEL: tt.func private @triple
// SCCP: arith.constant 6 : i32
tt.func @sccp_call() -> i32 {
  %two = arith.constant 2 : i32
  %0 = tt.call @triple(%two) : (i32) -> i32
  tt.return %0 : i32
}
tt.func private @triple(%x: i32) -> i32 {
  %three = arith.constant 3 : i32
  %0 = arith.muli %x, %three : i32
  tt.return %0 : i32
}

// -----

// Left alone: anyone may call a public function with anything.
// SCCP-LABEL: tt.func @sccp_public
// SCCP: arith.addi
tt.func @sccp_public(%x: i32) -> i32 {
  %0 = arith.addi %x, %x : i32
  tt.return %0 : i32
}
tt.func @sccp_caller() -> i32 {
  %two = arith.constant 2 : i32
  %0 = tt.call @sccp_public(%two) : (i32) -> i32
  tt.return %0 : i32
}

// -----

// DCE-NOT: @dead
// DCE: tt.func @dce_public
// DCE-NOT: @dead
// DCE: tt.func private @called
// DCE-NOT: @dead
tt.func private @dead_declaration()
tt.func @dce_public() {
  tt.call @called() : () -> ()
  tt.return
}
tt.func private @called() {
  tt.return
}
tt.func private @dead() {
  tt.call @dead_declaration() : () -> ()
  tt.return
}

// -----

// Address arithmetic leaves the loop; memory accesses and impure code do not.
// LICM-LABEL: tt.func @licm
// LICM: tt.get_program_id
// LICM-NEXT: tt.addptr
// LICM-NEXT: tt.extern_elementwise {{.*}}pure = true
// LICM: scf.for
// LICM-NEXT: tt.load
// LICM-NEXT: tt.extern_elementwise {{.*}}pure = false
// LICM-NEXT: tt.store
tt.func @licm(%p: !tt.ptr<f32>, %n: i32, %v: f32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    %0 = tt.get_program_id x : i32
    %1 = tt.addptr %p, %0 : !tt.ptr<f32>, i32
    %2 = tt.load %1 : !tt.ptr<f32>
    %3 = tt.extern_elementwise %v {libname = "", libpath = "", symbol = "f", pure = true} : (f32) -> f32
    %4 = tt.extern_elementwise %3 {libname = "", libpath = "", symbol = "g", pure = false} : (f32) -> f32
    tt.store %1, %4 : !tt.ptr<f32>
  }
  tt.return
}

// -----

// CF-LABEL: tt.func @scf_to_cf
// CF-NOT: scf.
// CF: cf.cond_br
// CF: tt.load
// CF: cf.br
// CF: tt.return
tt.func @scf_to_cf(%p: !tt.ptr<f32>, %c: i1, %v: f32) -> f32 {
  %0 = scf.if %c -> f32 {
    %1 = tt.load %p : !tt.ptr<f32>
    scf.yield %1 : f32
  } else {
    scf.yield %v : f32
  }
  tt.return %0 : f32
}
