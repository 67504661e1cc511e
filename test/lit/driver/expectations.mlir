// Comments about diagnostics that a test expects are looked at with --verify-diagnostics alone.

// RUN: tt-opt %s -o %t 2>&1 | FileCheck %s --allow-empty --check-prefix=QUIET
// RUN: mlir-opt %s --cse -o %t 2>&1 | FileCheck %s --allow-empty --check-prefix=QUIET
// RUN: tt-opt %s --split-input-file --triton-combine -o %t 2>&1 | FileCheck %s --allow-empty --check-prefix=QUIET
// QUIET-NOT: {{.}}
// RUN: not tt-opt %s --verify-diagnostics -o %t 2>&1 | FileCheck %s
// CHECK: expectations.mlir:[[#@LINE+1]]:5: error: expected remark "not doubled" was not produced
//  expected-remark @below {{not doubled}}
func.func @f() -> index {
  %0 = arith.constant 3 : index // expected-error {{no}}  
  return %0 : index
}

// -----

// RUN: not tt-opt %S/Inputs/expected_in_error.mlir 2>&1 | FileCheck %s --check-prefix=SHOWN
// SHOWN: expected_in_error.mlir:2:10: error: use of undeclared SSA value name
// SHOWN-NEXT: return %1 : index // expected-error {{[{][{]undeclared[}][}]}}

// expected-warning@+1 {{nothing}}
func.func @g() {
  return
}
