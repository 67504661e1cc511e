// A sample of mlir-opt's options, with one dash or two.

// RUN: tt-opt %s -canonicalize -cse -mlir-print-ir-before-all -mlir-print-ir-after-all -mlir-print-ir-after-change 2>&1 | FileCheck %s --check-prefix=DUMP
// DUMP: IR Dump Before Canonicalizer (canonicalize)
// DUMP: IR Dump After Canonicalizer (canonicalize)
// DUMP: IR Dump Before CSE (cse)
// DUMP-NOT: IR Dump After CSE

// RUN: tt-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// GENERIC: "func.func"() <{

// RUN: tt-opt %s --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=DEBUG
// DEBUG: loc("{{.*}}mlir_opt_options.mlir":{{[0-9]+}}:{{[0-9]+}})

// RUN: tt-opt %s --emit-bytecode | tt-opt | FileCheck %s --check-prefix=TEXT
// TEXT: func.func @dead

// RUN: rm -rf %t && tt-opt %s --canonicalize --mlir-print-ir-after-all --mlir-print-ir-tree-dir=%t -o %t.out && ls %t/builtin_module_no-symbol-name | FileCheck %s --check-prefix=TREE
// TREE: canonicalize.mlir

// RUN: tt-opt --show-dialects | FileCheck %s --check-prefix=DIALECTS
// DIALECTS: Available Dialects: {{.*}}scf,{{.*}}tt,ttg,ttng

// RUN: tt-opt --version | FileCheck %s --check-prefix=VERSION
// VERSION: tt-opt (ttkit
// VERSION: LLVM and MLIR 22.1.8

// RUN: echo '"no.dialect"() : () -> ()' | tt-opt --allow-unregistered-dialect | FileCheck %s --check-prefix=UNREGISTERED
// UNREGISTERED: "no.dialect"()

// RUN: tt-opt --list-passes | FileCheck %s --check-prefix=LIST
// LIST: --triton-reorder-broadcast

func.func @dead(%x: i32) -> i32 {
  %0 = arith.addi %x, %x : i32
  return %x : i32
}
