// What LLVM would end the process on is an error with a location, also in a part of a file.
// RUN: not mlir-translate --mlir-to-llvmir --split-input-file %s 2>&1 | FileCheck %s
// RUN: not mlir-translate --mlir-to-llvmir --split-input-file < %s 2>&1 | FileCheck %s --check-prefix=INPUT
// RUN: not mlir-translate --mlir-to-llvmir missing.mlir 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not mlir-translate --mlir-to-llvmir %S/Inputs/long_vector.mlir 2>&1 | FileCheck %s --check-prefix=LONG

// LONG: error: loc("{{.*}}long_vector.mlir":2:8): llvm.mlir.poison gives 65536 elements; a thread has 32768 at most
// CHECK: error: loc("{{.*}}untranslatable.mlir":15:8): llvm.bitcast can't cast i32 to vector<7xi32>
// INPUT: error: loc("-":15:8): llvm.bitcast can't cast i32 to vector<7xi32>
// MISSING: cannot open input file 'missing.mlir'
llvm.func @kernel() { llvm.return }

// -----
llvm.func @other(%x: i32) {
  %y = llvm.bitcast %x : i32 to vector<7xi32>
  llvm.return
}
