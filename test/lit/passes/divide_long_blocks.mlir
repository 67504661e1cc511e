// RUN: tt-opt %s --ttkit-divide-long-blocks | FileCheck %s --check-prefix=FEW
// RUN: %python -c "print(open(__import__('sys').argv[1]).read().replace('// AG' 'AIN', 'scf.if %%c {\n tt.store %%p, %%x : !tt.ptr<i32>\n }\n' * 500))" %s > %t.mlir
// RUN: tt-opt %t.mlir --ttkit-divide-long-blocks | FileCheck %s

// Left alone where there are few branches.
// FEW-NOT: cf.br

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {

// A hundred in each block; the last holds what follows them.
// CHECK-LABEL: tt.func @long
// CHECK-COUNT-100: scf.if
// CHECK-NOT: scf.if
// CHECK: cf.br ^bb1
// CHECK-NEXT: ^bb1:
// CHECK-COUNT-100: scf.if
// CHECK-NOT: scf.if
// CHECK: cf.br ^bb2
// CHECK: cf.br ^bb5
// CHECK-NEXT: ^bb5:
// CHECK-NEXT: tt.return
tt.func @long(%p: !tt.ptr<i32>, %x: i32, %c: i1) {
  // AGAIN
  tt.return
}

// The body of a loop stays one block.
// CHECK-LABEL: tt.func @in_a_loop
// CHECK-NOT: cf.br
// CHECK: tt.return
tt.func @in_a_loop(%p: !tt.ptr<i32>, %x: i32, %c: i1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %x step %one : i32 {
    // AGAIN
  }
  tt.return
}

}
