// RUN: tt-opt %s --inline --ttkit-locate-inlined-code --mlir-print-debuginfo | FileCheck %s
// RUN: tt-opt %s --ttkit-ttir --ttkit-ttgir=capability=80 --ttkit-llir=capability=80 --mlir-print-debuginfo | FileCheck %s --check-prefix=LLVM

// CHECK-LABEL: tt.func @kernel
// CHECK-DAG: arith.constant 7 : i32 loc([[CALL:#loc[0-9]*]])
// CHECK-DAG: tt.store {{.*}} loc([[INLINED:#loc[0-9]*]])
// CHECK-DAG: [[INLINED]] = loc(callsite([[STORE:#loc[0-9]*]] at [[CALL]]))
// CHECK-DAG: [[STORE]] = loc("inner.py":3:4)
// CHECK-DAG: [[CALL]] = loc("outer.py":5:6)

// LLVM: llvm.func @kernel
tt.func private @helper(%p: !tt.ptr<i32>) {
  %c = arith.constant 7 : i32 loc(unknown)
  tt.store %p, %c : !tt.ptr<i32> loc("inner.py":3:4)
  tt.return
}
tt.func @kernel(%p: !tt.ptr<i32>) {
  tt.call @helper(%p) : (!tt.ptr<i32>) -> () loc("outer.py":5:6)
  tt.return
}
