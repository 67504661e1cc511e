// A failing pipeline with a pass in Python writes a reproducer that runs, and fails, again.

// RUN: not tt-opt %s --load-pass=%S/Inputs/probe.py --pass-pipeline="builtin.module(cse,fail{how=bug})" --mlir-pass-pipeline-crash-reproducer=%t.mlir 2>&1 | FileCheck %s
// CHECK: reproducer generated at
// RUN: FileCheck %s --check-prefix=FILE < %t.mlir
// FILE: pipeline: "builtin.module(cse,{{ ?}}fail{how=bug})"
// RUN: not tt-opt --load-pass=%S/Inputs/probe.py --run-reproducer %t.mlir 2>&1 | FileCheck %s --check-prefix=AGAIN
// AGAIN: error: pass 'fail' raised KeyError

func.func @first() {
  return
}
