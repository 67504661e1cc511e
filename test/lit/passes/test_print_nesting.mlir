// RUN: tt-opt %s -test-print-nesting -allow-unregistered-dialect -o /dev/null | FileCheck %s --match-full-lines

// CHECK: visiting op: 'builtin.module' with 0 operands and 0 results
// CHECK-NEXT:{{ }}1 nested regions:
// CHECK-NEXT:   Region with 1 blocks:
// CHECK-NEXT:     Block with 0 arguments, 0 successors, and 2 operations
// CHECK-NEXT:       visiting op: 'dialect.op1' with 0 operands and 4 results
// CHECK-NEXT:       1 attributes:
// CHECK-NEXT:        - 'attribute name' : '42 : i32'
// CHECK-NEXT:        0 nested regions:
%0:4 = "dialect.op1"() {"attribute name" = 42 : i32} : () -> (i1, i16, i32, i64)
// CHECK-NEXT:       visiting op: 'tt.func' with 0 operands and 0 results
// CHECK-NEXT:       2 attributes:
// CHECK-NEXT:        - 'function_type' : '(i32) -> ()'
// CHECK-NEXT:        - 'sym_name' : '"two_blocks"'
// CHECK-NEXT:        1 nested regions:
// CHECK-NEXT:         Region with 2 blocks:
// CHECK-NEXT:           Block with 1 arguments, 1 successors, and 1 operations
// CHECK-NEXT:             visiting op: 'cf.br' with 1 operands and 0 results
// CHECK-NEXT:              0 nested regions:
// CHECK-NEXT:           Block with 1 arguments, 0 successors, and 1 operations
// CHECK-NEXT:             visiting op: 'tt.return' with 0 operands and 0 results
// CHECK-NEXT:              0 nested regions:
tt.func @two_blocks(%x: i32) {
  cf.br ^end(%x : i32)
^end(%y: i32):
  tt.return
}
