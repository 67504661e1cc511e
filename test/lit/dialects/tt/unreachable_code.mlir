// MLIR's remove-dead-values erases values that only code which never runs uses, and leaves some of their users.
// RUN: tt-opt %s --remove-dead-values | FileCheck %s

// A block that nothing leads to; its result has no other use.
// CHECK-LABEL: tt.func @no_predecessors
// CHECK-NEXT: cf.br ^[[LAST:.*]]
// CHECK-NEXT: ^[[LAST]]:
// CHECK-NEXT: tt.return %arg0 : f32
tt.func @no_predecessors(%x: f32, %n: i32) -> f32 {
  cf.br ^bb2
^bb1:
  %y = arith.addf %x, %x : f32
  %r = scf.for %i = %n to %n step %n iter_args(%a = %y) -> f32 : i32 {
    %w = arith.addf %a, %y : f32
    scf.yield %w : f32
  }
  tt.return %r : f32
^bb2:
  tt.return %x : f32
}

// A condition that is known.
// CHECK-LABEL: tt.func @known_condition
// CHECK-NEXT: cf.br ^[[LAST:.*]](%arg1 : f32)
// CHECK-NEXT: ^[[LAST]](%[[RESULT:.*]]: f32):
// CHECK-NEXT: tt.return %[[RESULT]] : f32
tt.func @known_condition(%p: !tt.ptr<f32>, %x: f32, %n: i32) -> f32 {
  %false = arith.constant false
  %c1 = arith.constant 1 : i32
  %y = arith.addf %x, %x : f32
  cf.cond_br %false, ^bb1(%y : f32), ^bb2(%x : f32)
^bb1(%q: f32):
  %w = arith.mulf %q, %y : f32
  %r = scf.for %i = %c1 to %n step %c1 iter_args(%a = %q) -> f32 : i32 {
    %v = arith.addf %a, %w : f32
    tt.store %p, %v : !tt.ptr<f32>
    scf.yield %v : f32
  }
  cf.cond_br %false, ^bb2(%r : f32), ^bb3
^bb2(%z: f32):
  tt.return %z : f32
^bb3:
  %k = arith.mulf %q, %w : f32
  tt.return %k : f32
}

// A condition that every caller gives.
// CHECK-LABEL: tt.func private @condition_of_callers
// CHECK-NEXT: cf.br ^[[LAST:.*]]
// CHECK-NEXT: ^[[LAST]]:
// CHECK-NEXT: tt.return %arg0 : f32
tt.func private @condition_of_callers(%c: i1, %x: f32) -> f32 {
  cf.cond_br %c, ^bb2, ^bb1
^bb1:
  %y = arith.addf %x, %x : f32
  tt.return %y : f32
^bb2:
  tt.return %x : f32
}

// CHECK-LABEL: tt.func @caller
// CHECK: tt.call @condition_of_callers(%arg1)
tt.func @caller(%p: !tt.ptr<f32>, %x: f32) {
  %true = arith.constant true
  %r = tt.call @condition_of_callers(%true, %x) : (i1, f32) -> f32
  tt.store %p, %r : !tt.ptr<f32>
  tt.return
}

// CHECK-LABEL: llvm.func @in_the_llvm_dialect
// CHECK-NEXT: llvm.br ^[[LAST:.*]]
// CHECK-NEXT: ^[[LAST]]:
// CHECK-NEXT: llvm.return %arg0 : f32
llvm.func @in_the_llvm_dialect(%x: f32) -> f32 {
  llvm.br ^bb2
^bb1:
  %y = llvm.fadd %x, %x : f32
  llvm.return %y : f32
^bb2:
  llvm.return %x : f32
}
