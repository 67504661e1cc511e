// RUN: mlir-opt %s --canonicalize | mlir-translate -mlir-to-llvmir | opt -S -passes=instcombine | FileCheck %s
// RUN: %python -c 'from ttkit.drivers.upstream_tools import to_llvm_ir; to_llvm_ir()' -mlir-to-llvmir %s | FileCheck %s --check-prefix=OWN
// RUN: not %python -c 'from ttkit.drivers.upstream_tools import to_llvm_ir; to_llvm_ir()' -mlir-to-llvmir /no/such 2>&1 | FileCheck %s --check-prefix=ERROR

// CHECK-LABEL: define i32 @twice(i32 %0)
// CHECK-NEXT: shl i32 %0, 1
// OWN-LABEL: define i32 @twice(i32 %0)
// OWN-NEXT: add i32 %0, %0
// ERROR: error: {{.*}}/no/such
llvm.func @twice(%x: i32) -> i32 {
  %0 = llvm.add %x, %x : i32
  llvm.return %0 : i32
}
