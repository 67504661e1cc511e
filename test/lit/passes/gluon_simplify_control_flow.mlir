// RUN: tt-opt %s --gluon-slimplify-control-flow | FileCheck %s

// What adds nothing goes, the two equal constants stay two, and so does the branch.
// CHECK-LABEL: @branch
// CHECK-COUNT-2: arith.constant dense<1> : tensor<128xi32, #gluon.auto_encoding>
// CHECK-NOT: arith.addi
// CHECK: scf.if
// CHECK-COUNT-2: tt.store
tt.func @branch(%q: tensor<128x!tt.ptr<i32>, #gluon.auto_encoding>) {
  %true = arith.constant true
  %0 = arith.constant dense<1> : tensor<128xi32, #gluon.auto_encoding>
  %1 = arith.constant dense<1> : tensor<128xi32, #gluon.auto_encoding>
  %zero = arith.constant dense<0> : tensor<128xi32, #gluon.auto_encoding>
  %2 = arith.addi %1, %zero : tensor<128xi32, #gluon.auto_encoding>
  scf.if %true {
    tt.store %q, %0 : tensor<128x!tt.ptr<i32>, #gluon.auto_encoding>
    tt.store %q, %2 : tensor<128x!tt.ptr<i32>, #gluon.auto_encoding>
  }
  tt.return
}
