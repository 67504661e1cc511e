// RUN: tt-opt %s --load-pass=%S/Inputs/probe.py --split-input-file --probe | FileCheck %s
// CHECK: builtin.module: Probe
// CHECK: func.func @first
// CHECK: // -----
// CHECK: func.func @second

func.func @first() {
  return
}

// -----

func.func @second() {
  return
}
