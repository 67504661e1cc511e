// RUN: tt-opt %s -split-input-file -verify-diagnostics

// Older names of what there is no more.

tt.func @operation() {
  // expected-error @+1 {{'triton_gpu.nothing' would be 'ttg.nothing' now, and there is no such operation}}
  triton_gpu.nothing
  tt.return
}

// -----

module attributes {"triton_gpu.num-warps" = 4 : i32} {
tt.func @generic_operation() {
  // expected-error @+1 {{unregistered operation 'triton_gpu.nothing' found in dialect ('triton_gpu')}}
  "triton_gpu.nothing"() : () -> ()
  tt.return
}
}

// -----

// expected-error @+1 {{unknown attribute `mma` in dialect `ttg`}}
func.func private @layout() attributes {test.layout = #triton_gpu.mma<{version = 1}>}
