// RUN: tt-opt %s | tt-opt | FileCheck %s
// RUN: tt-opt %s -mlir-print-op-generic | tt-opt | FileCheck %s
// RUN: tt-opt %s --canonicalize --cse | FileCheck %s
// RUN: tt-opt %s --inline | FileCheck %s --check-prefix=INLINED

// CHECK-LABEL: @region
tt.func private @region(%p: !tt.ptr<f32>) -> f32 {
  // CHECK: proton.record start "load"
  proton.record start "load"
  %0 = tt.load %p : !tt.ptr<f32>
  // CHECK: proton.record end "load"
  proton.record end "load"
  // CHECK: proton.record start "load"
  proton.record start "load"
  // CHECK: proton.record end "load" {note}
  proton.record end "load" {note}
  tt.return %0 : f32
}

// INLINED-LABEL: @caller
tt.func @caller(%p: !tt.ptr<f32>) -> f32 {
  // INLINED: proton.record start "load"
  // INLINED: proton.record end "load"
  %0 = tt.call @region(%p) : (!tt.ptr<f32>) -> f32
  tt.return %0 : f32
}
