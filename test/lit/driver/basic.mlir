// RUN: tt-opt %s | FileCheck %s
// RUN: tt-opt -canonicalize --cse < %s | FileCheck %s

// CHECK-LABEL: func.func @program
func.func @program() -> i32 {
  // CHECK-NEXT: %[[ID:.*]] = tt.get_program_id x : i32
  %0 = tt.get_program_id x : i32
  // CHECK-NEXT: return %[[ID]]
  return %0 : i32
}
